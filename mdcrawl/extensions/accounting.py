"""Nothing vanishes: what breaks on its way through the crawl gets its row in the ledger too."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Self, cast

from scrapy import signals
from twisted.python.failure import Failure

from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.discovery.urls import site_of
from mdcrawl.items import Page, Verdict
from mdcrawl.outcomes import Reissued

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.scheduler import FrontierScheduler


class Accounting:
    """Record pages whose callback or pipeline failed, and requests that other components dropped."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl and let it listen."""
        extension = cls(crawler)
        crawler.signals.connect(extension.item_failed, signal=signals.item_error)
        crawler.signals.connect(extension.item_dropped, signal=signals.item_dropped)
        crawler.signals.connect(extension.callback_failed, signal=signals.spider_error)
        return extension

    def item_failed(self, item: object, failure: Failure) -> None:
        """Record a page that a pipeline failed on."""
        self._record_page(item, f"a pipeline failed: {failure.getErrorMessage()}")

    def item_dropped(self, item: object, exception: BaseException) -> None:
        """Record a page that a pipeline of the user's dropped."""
        if not isinstance(exception, Reissued):
            self._record_page(item, f"dropped: {exception}")

    def callback_failed(self, failure: Failure, response: Response | None) -> None:
        """Record a URL whose spider callback failed."""
        request: Request | None = getattr(response, "request", None)
        if request is not None and "mdcrawl_url" in request.meta:
            url = request.meta["mdcrawl_url"]
            page = Page(url=url, asked_url=url, final_url=request.url)
            self._record_page(page, f"the spider failed: {failure.getErrorMessage()}")

    def _record_page(self, item: object, reason: str) -> None:
        if not isinstance(item, Page):
            return
        assert self._crawler.engine is not None
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        item.url = item.asked_url
        item.verdict, item.reason, item.chunks, item.content_hash = Verdict.BAD_CONTENT, reason, [], ""
        try:
            with suppress(CrawlDatabaseError), scheduler.crawldb.begin() as connection:
                ledger.record(connection, item, site_of(item.url))
        finally:
            scheduler.acknowledge(item.url, stored=False)
