"""The download handler of http and https: plain, until a request is for the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from mdcrawl.handlers.http import BoundedHttpHandler

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.handlers.browser import BrowserHandler

_HANDLERS: WeakKeyDictionary[Crawler, LazyBrowserHandler] = WeakKeyDictionary()


class LazyBrowserHandler(BoundedHttpHandler):
    """The handler of plain requests; at the first request with `playwright` in its meta it gets a browser beside it.

    One instance serves both schemes, so that there is one browser. Until it is needed there is no
    process of it, and not even its library is loaded.
    """

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._browser: BrowserHandler | None = None
        self._is_closed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the handler of a crawl."""
        handler = _HANDLERS.get(crawler)
        if handler is None:
            handler = _HANDLERS[crawler] = cls(crawler)
        assert isinstance(handler, cls)
        return handler

    async def download_request(self, request: Request) -> Response:
        """Download a request, or let the browser render it."""
        if not request.meta.get("playwright"):
            return await super().download_request(request)
        if self._browser is None:
            from mdcrawl.handlers.browser import BrowserHandler  # noqa: PLC0415  loading Playwright takes 0.3 s

            self._browser = BrowserHandler(self._crawler)
        return await self._browser.download_request(request)

    async def close(self) -> None:
        """Close the connections and the browser; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        await super().close()
        if self._browser is not None:
            await self._browser.close()
