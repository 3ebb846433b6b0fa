"""The render middleware: which answers go on to the browser, and what becomes of what it brings back."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response

from mdcrawl.handlers.errors import NoBrowserError, RenderError
from mdcrawl.items import Verdict
from mdcrawl.middlewares.render import RenderMiddleware, to_render
from mdcrawl.middlewares.robots import RobotsMiddleware
from mdcrawl.outcomes import RequestVerdict
from mdcrawl.rendering import Shell
from mdcrawl.spiders.docs import DocsSpider

URL = "https://docs.example.com/guide/a"
HTML = b"<!doctype html><html><body><div id=root></div><script src=/a.js></script></body></html>"


class Robots:
    """Rules that forbid one folder."""

    async def allows(self, url):
        return "/guide/secret" not in url


def make(render="auto"):
    spider = DocsSpider(start="https://docs.example.com/guide/", render=render)
    counts = {}
    crawler = SimpleNamespace(
        spider=spider,
        stats=SimpleNamespace(
            counts=counts,
            inc_value=lambda name: counts.update({name: counts.get(name, 0) + 1}),
            set_value=counts.__setitem__,
        ),
        get_downloader_middleware=lambda kind: {RobotsMiddleware: Robots()}[kind],
    )
    middleware = RenderMiddleware(crawler)
    middleware.spider_opened()
    return middleware


def page(url=URL, **meta):
    return Request(url, meta={"mdcrawl_url": url, **meta})


def answer(url=URL, body=HTML, status=200, content_type="text/html", flags=()):
    return HtmlResponse(url, status=status, headers={"Content-Type": content_type}, body=body, flags=list(flags))


def learn(middleware, site="docs.example.com", **counts):
    for name, value in counts.items():
        setattr(middleware.memory.of(site), name, value)


async def test_always_renders_the_bytes_that_came():
    request = await make("always").process_response(page(), answer())
    shell = request.meta["mdcrawl_shell"]
    assert request.url == URL
    assert request.meta["playwright"] is True
    assert request.meta["mdcrawl_url"] == URL
    assert request.dont_filter
    assert (shell.url, shell.status, shell.body) == (URL, 200, HTML)
    assert shell.headers == {"content-type": "text/html"}


async def test_page_at_the_end_of_a_redirect_is_rendered_where_it_is():
    request = await make("always").process_response(page(), answer("https://docs.example.com/guide/b"))
    assert request.url == request.meta["mdcrawl_shell"].url == "https://docs.example.com/guide/b"
    assert request.meta["mdcrawl_url"] == URL


@pytest.mark.parametrize(
    ("render", "request_", "response"),
    [
        pytest.param("auto", page(), answer(), id="nothing known of the site"),
        pytest.param("never", page(), answer(), id="never"),
        pytest.param("always", Request(URL), answer(), id="robots.txt and the like"),
        pytest.param("always", page(), answer(status=404), id="error"),
        pytest.param("always", page(), answer(body=b"%PDF-1.7 abc"), id="another type"),
        pytest.param("always", page(), answer(body=b"# A\n\nb\n", content_type="text/markdown"), id="Markdown"),
        pytest.param("always", page(playwright=True), answer(), id="already there"),
    ],
)
async def test_stays_as_it_came(render, request_, response):
    assert await make(render).process_response(request_, response) is response


async def test_site_that_gained_goes_straight_and_others_do_not():
    middleware = make()
    learn(middleware, rendered=3, gained=3)
    assert isinstance(await middleware.process_response(page(), answer()), Request)
    other = answer("https://other.example/")
    assert await middleware.process_response(page("https://other.example/"), other) is other


async def test_without_a_browser_nothing_goes_straight():
    middleware = make("always")
    with pytest.raises(RequestVerdict):
        middleware.process_exception(page(), NoBrowserError("no browser found: install one"))
    response = answer()
    assert await middleware.process_response(page(), response) is response


class TestWhatComesBack:
    """A rendered page is held to the rules at the address that it gave itself."""

    @pytest.mark.parametrize("url", [URL, f"{URL}#part", "https://docs.example.com/guide/b"])
    async def test_passes(self, url):
        middleware = make()
        response = answer(url, flags=["rendered"])
        assert await middleware.process_response(page(), response) is response
        assert middleware._crawler.stats.counts == {"mdcrawl/render/pages": 1}

    @pytest.mark.parametrize(
        ("url", "verdict"),
        [
            pytest.param("https://elsewhere.example/guide/", Verdict.OUT_OF_SCOPE, id="another host"),
            pytest.param("https://docs.example.com/blog/", Verdict.OUT_OF_SCOPE, id="another folder"),
            pytest.param("https://docs.example.com/guide/secret", Verdict.ROBOTS_DENIED, id="forbidden"),
        ],
    )
    async def test_is_refused(self, url, verdict):
        with pytest.raises(RequestVerdict) as raised:
            await make().process_response(page(), answer(url, flags=["rendered"]))
        assert raised.value.verdict is verdict
        assert url in raised.value.reason

    async def test_redirect_by_script_is_left_to_the_redirects(self):
        response = Response(URL, status=302, headers={"Location": "/guide/b"})
        assert await make().process_response(page(playwright=True), response) is response

    def test_request_that_was_led_elsewhere_is_a_plain_one_again(self):
        request = to_render(page(), Shell(URL, 200, {}, HTML))
        kept = request.copy()
        make().process_request(kept)
        assert kept.meta["playwright"] is True
        moved = request.replace(url="https://docs.example.com/guide/b")
        moved.meta["_dont_cache"] = True
        make().process_request(moved)
        assert moved.meta == {"mdcrawl_url": URL}


class TestTrouble:
    """Once more, then the verdict."""

    def test_one_more_try(self):
        middleware = make()
        again = middleware.process_exception(to_render(page(), Shell(URL, 200, {}, HTML)), RenderError("died"))
        assert again.url == URL
        assert again.meta["mdcrawl_attempt"] == 2
        assert again.meta["mdcrawl_shell"].body == HTML
        with pytest.raises(RequestVerdict) as raised:
            middleware.process_exception(again, RenderError("the browser died"))
        assert (raised.value.verdict, raised.value.reason) == (Verdict.RENDER_FAILED, "the browser died, 2 times")
        assert middleware.memory.of("docs.example.com").failed == 1

    @pytest.mark.parametrize(("render", "verdict"), [("auto", Verdict.THIN), ("always", Verdict.RENDER_FAILED)])
    def test_no_browser_is_said_once(self, caplog, render, verdict):
        middleware = make(render)
        for _ in range(3):
            with pytest.raises(RequestVerdict) as raised:
                middleware.process_exception(page(), NoBrowserError("no browser found: do this"))
            assert raised.value.verdict is verdict
            assert raised.value.reason == "needs a browser; no browser found: do this"
        assert [record.getMessage() for record in caplog.records] == [
            "Pages that need a browser are left out: no browser found: do this"
        ]

    def test_other_trouble_is_not_its_own(self):
        assert make().process_exception(page(), OSError("x")) is None


def test_what_was_learned_is_among_the_statistics():
    middleware = make()
    learn(middleware, rendered=2, gained=1)
    middleware.spider_closed()
    assert middleware._crawler.stats.counts["mdcrawl/render/sites"] == {
        "docs.example.com": {"rendered": 2, "gained": 1, "failed": 0, "way": "ask"}
    }
