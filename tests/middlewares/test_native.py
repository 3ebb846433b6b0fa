"""A page asked for as Markdown that comes as something else is asked for as HTML."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.http import Response

from mdcrawl.items import Verdict
from mdcrawl.middlewares.native import NativeMiddleware
from mdcrawl.native import ACCEPT, Place, SiteMarkdown
from mdcrawl.outcomes import RequestVerdict

PAGE = "https://example.com/docs/a"
FILE = Place(PAGE + ".md")
NEGOTIATED = Place(PAGE, is_negotiated=True)
MARKDOWN = {"status": 200, "headers": {"Content-Type": "text/plain"}, "body": b"# Hinge\n\nOil it."}


@pytest.fixture
def site():
    return SiteMarkdown()


@pytest.fixture
def middleware(site):
    markdown = SimpleNamespace(of=lambda url: site, keep=lambda url: None)
    return NativeMiddleware(SimpleNamespace(spider=SimpleNamespace(markdown=markdown)))


def request(place):
    meta = {
        "mdcrawl_url": PAGE,
        "mdcrawl_native": place,
        "cached_response": "kept",
        "retry_times": 1,
        "download_slot": "x",
    }
    headers = {"Accept": ACCEPT, "If-None-Match": '"1"', "User-Agent": "mdcrawl"}
    return Request(place.url if place else PAGE, meta=meta, headers=headers, dont_filter=True)


@pytest.mark.parametrize("place", [None, FILE, NEGOTIATED], ids=["no Markdown asked for", "file", "negotiated"])
def test_markdown_passes(middleware, site, place):
    response = Response(PAGE, **MARKDOWN)
    assert middleware.process_response(request(place), response) is response
    assert site.refused == 0


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(MARKDOWN | {"status": 404}, id="not found"),
        pytest.param(MARKDOWN | {"status": 302, "headers": {"Location": "/docs/"}}, id="redirect"),
        pytest.param(MARKDOWN | {"body": b"<!doctype html><html><body>Sorry</body></html>"}, id="HTML pretending"),
        pytest.param(MARKDOWN | {"body": b""}, id="empty"),
    ],
)
def test_file_that_is_no_markdown_sends_for_the_page(middleware, site, answer):
    again = middleware.process_response(request(FILE), Response(FILE.url, **answer))
    assert (again.url, again.meta) == (PAGE, {"mdcrawl_url": PAGE, "download_slot": "x"})
    # What was set for the file, and the condition on the copy that is kept of it, is nothing to the page.
    assert set(again.headers) == {b"User-Agent"}
    assert again.dont_filter
    assert site.refused == 1


def test_negotiated_answer_is_the_page_whatever_it_is(middleware, site):
    asked = request(NEGOTIATED)
    response = Response(PAGE, status=200, headers={"Content-Type": "text/html"}, body=b"<!doctype html><p>Hinge")
    assert middleware.process_response(asked, response) is response
    assert "mdcrawl_native" not in asked.meta
    assert site.refused == 1


@pytest.mark.parametrize(
    ("place", "error", "url"),
    [
        pytest.param(FILE, RequestVerdict(Verdict.ROBOTS_DENIED, "forbidden"), PAGE, id="file is forbidden"),
        pytest.param(FILE, TimeoutError(), None, id="site is silent"),
        pytest.param(NEGOTIATED, RequestVerdict(Verdict.ROBOTS_DENIED, "forbidden"), None, id="page is forbidden"),
        pytest.param(None, RequestVerdict(Verdict.ROBOTS_DENIED, "forbidden"), None, id="no Markdown asked for"),
    ],
)
def test_only_a_verdict_on_the_file_sends_for_the_page(middleware, place, error, url):
    again = middleware.process_exception(request(place), error)
    assert (again.url if again else None) == url
