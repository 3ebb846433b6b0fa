"""Leave out pages whose sitemap says that they are as they were when they were stored."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.configuration import CacheMode, Configuration
from mdcrawl.crawldb import ledger
from mdcrawl.discovery.urls import site_of
from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict
from mdcrawl.pipelines.options import conversion_key

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

# Every so-manieth page is asked for all the same: dates in sitemaps are forgotten more often than kept.
SAMPLE = 10


class LastmodMiddleware:
    """Give a page the verdict `unchanged` if its sitemap's date is older than the stored copy, by a day at least."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._seen: Counter[str] = Counter()
        spider = cast("DocsSpider", crawler.spider)
        configuration = Configuration.from_settings(crawler.settings)
        self._is_on = spider.arguments.incremental and configuration.cache is CacheMode.ENABLED
        self._conversion = conversion_key(configuration, spider)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let a request pass unless its page is known to be unchanged. Raises RequestVerdict then."""
        lastmod = request.meta.get("mdcrawl_lastmod")
        if not lastmod or not self._is_on:
            return
        assert self._crawler.engine is not None
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        url = request.meta["mdcrawl_url"]
        with scheduler.crawldb.read() as connection:
            previous = ledger.previous_version(connection, url)
        if previous is None or previous.conversion != self._conversion:
            return
        if previous.fetched_at[:10] <= lastmod[:10]:
            return
        self._seen[site_of(url)] += 1
        if (self._seen[site_of(url)] + scheduler.run.id) % SAMPLE:
            reason = f"its sitemap dates it {lastmod[:10]}; stored on {previous.fetched_at[:10]}"
            raise RequestVerdict(Verdict.UNCHANGED, reason, final_url=url)
