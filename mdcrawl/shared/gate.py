"""Where a request needs its permit, and where it gives it back: a middleware, and Scrapy's downloader around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from scrapy import signals
from scrapy.core.downloader import Downloader, Slot

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred

    from mdcrawl.shared.permits import Permits
    from mdcrawl.shared.scheduler import SharedScheduler


class GateMiddleware:
    """Let a request pass when its site may be asked. Inside of the cache, whose answers ask nobody."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Wait for the permit."""
        await _permits_of(self._crawler).acquire(request)


class SharedDownloader(Downloader):
    """Note when each request goes out, and give back its permit once all middlewares have seen its answer.

    What they learn from that (a longer delay, a rest) is told with the permit, before anybody else may ask.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        crawler.signals.connect(self._headers_received, signal=signals.headers_received)

    def fetch(self, request: Request) -> Deferred[Response | Request]:  # type: ignore[override]
        """Return the answer, or a request in its place."""
        fetched: Deferred[Response | Request] = super().fetch(request)

        def release(result: Response | Request) -> Response | Request:
            _permits_of(self.crawler).release(request)
            return result

        return fetched.addBoth(release)

    def _headers_received(self, request: Request) -> None:
        _permits_of(self.crawler).answered(request)

    async def _download(self, slot: Slot, request: Request) -> Response:
        await _permits_of(self.crawler).send(request)
        return await super()._download(slot, request)


def _permits_of(crawler: Crawler) -> Permits:
    assert crawler.engine is not None
    return cast("SharedScheduler", crawler.engine.scheduler).permits
