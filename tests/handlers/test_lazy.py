"""The handler of both schemes: no browser before the first need."""

from __future__ import annotations

import subprocess
import sys

import pytest
from scrapy import Request

from mdcrawl.handlers.lazy import LazyBrowserHandler


class Browser:
    """Stands for the browser's handler."""

    made = 0

    def __init__(self, crawler):
        Browser.made += 1
        self.closed = 0

    async def download_request(self, request):
        return f"rendered {request.url}"

    async def close(self):
        self.closed += 1


class Crawler:
    """Stands for a crawl."""


@pytest.fixture(autouse=True)
def plain_handler(monkeypatch):
    """Leave out the handler of plain requests, which wants a reactor."""
    plain = LazyBrowserHandler.__base__

    async def close(self):
        pass

    monkeypatch.setattr(plain, "__init__", lambda self, crawler: setattr(self, "_crawler", crawler))
    monkeypatch.setattr(plain, "close", close)


def make():
    return LazyBrowserHandler.from_crawler(Crawler())


def test_one_handler_serves_a_crawl():
    crawler = Crawler()
    assert LazyBrowserHandler.from_crawler(crawler) is LazyBrowserHandler.from_crawler(crawler)
    assert LazyBrowserHandler.from_crawler(crawler) is not make()
    assert LazyBrowserHandler.lazy


async def test_browser_comes_with_the_first_request_for_it(monkeypatch):
    import mdcrawl.handlers.browser as module

    monkeypatch.setattr(module, "BrowserHandler", Browser)
    monkeypatch.setattr(Browser, "made", 0)
    handler = make()
    assert Browser.made == 0
    for number in range(3):
        request = Request(f"https://a.example/{number}", meta={"playwright": True})
        assert await handler.download_request(request) == f"rendered https://a.example/{number}"
    assert Browser.made == 1
    await handler.close()
    await handler.close()
    assert handler._browser.closed == 1


def test_playwright_is_not_even_loaded():
    code = "import sys, mdcrawl.handlers.lazy, mdcrawl.pipelines.shell; print('playwright' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
