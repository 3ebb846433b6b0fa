"""Nothing vanishes: a page that somebody else's component breaks or drops has its row like any other."""

from __future__ import annotations

import json

import pytest

from mdcrawl import settings

GREMLINS = """
from scrapy.exceptions import DropItem, IgnoreRequest


class Pipeline:
    def process_item(self, page):
        if page.url.endswith("/breaks"):
            raise RuntimeError("the pipeline has a hole")
        if page.url.endswith("/dropped"):
            raise DropItem("not wanted here")
        return page


class Middleware:
    def process_request(self, request):
        if request.url.endswith("/ignored"):
            raise IgnoreRequest("some middleware does not like it")

    def process_response(self, request, response):
        if request.url.endswith("/explodes"):
            raise RuntimeError("the middleware exploded")
        return response


class SpiderMiddleware:
    def process_spider_input(self, response):
        if response.url.endswith("/unread"):
            raise RuntimeError("the spider never saw it")
"""
PATHS = ("/docs/breaks", "/docs/dropped", "/docs/ignored", "/docs/explodes", "/docs/unread", "/docs/fine")


@pytest.fixture(scope="module")
def result(crawl, mock_sites, tmp_path_factory):
    site = mock_sites()
    site.add_page("/docs/", *PATHS)
    for path in PATHS:
        site.add_page(path)
    folder = tmp_path_factory.mktemp("gremlins")
    (folder / "gremlins.py").write_text(GREMLINS, encoding="utf-8")
    added = {
        "ITEM_PIPELINES": json.dumps(settings.ITEM_PIPELINES | {"gremlins.Pipeline": 350}),
        "DOWNLOADER_MIDDLEWARES": json.dumps(settings.DOWNLOADER_MIDDLEWARES | {"gremlins.Middleware": 700}),
        "SPIDER_MIDDLEWARES": json.dumps({"gremlins.SpiderMiddleware": 700}),
    }
    return crawl(site.url("/docs/"), folder / "out", settings=added, modules=folder)


def test_every_url_has_its_row_and_the_crawl_goes_on(result):
    assert set(result.verdicts) == {"/docs/", *PATHS}
    assert result.row("/docs/fine")["verdict"] == "ok"
    assert result.status == 0
    assert sum(result.summary["pages"]["verdicts"].values()) == len(PATHS) + 1


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        pytest.param("/docs/breaks", "the pipeline has a hole", id="pipeline that fails"),
        pytest.param("/docs/dropped", "not wanted here", id="pipeline that drops"),
        pytest.param("/docs/ignored", "some middleware does not like it", id="middleware that refuses"),
        pytest.param("/docs/explodes", "the middleware exploded", id="middleware that fails"),
        pytest.param("/docs/unread", "the spider never saw it", id="spider middleware that fails"),
    ],
)
def test_reason_says_what_happened(result, path, reason):
    row = result.row(path)
    assert row["verdict"] not in {"ok", "limit"}
    assert reason in row["reason"]
    assert (row["chunks"], row["markdown_path"]) == (0, "")


def test_no_chunk_is_left_of_what_broke(result):
    assert {row["url"].rpartition("/")[2] for row in result.chunks} == {"", "fine"}
