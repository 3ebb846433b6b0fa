"""Compare: a page that came as the same bytes as last time is unchanged; nothing more is spent on it."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.items import Page, PreviousVersion, Verdict
from mdcrawl.pipelines.options import conversion_key

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

MISSING = frozenset({404, 410})
FIRST_ERROR = 400


class ComparePipeline:
    """Give a page what the corpus knows of it, and the verdicts that follow from that alone."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider = cast("DocsSpider", crawler.spider)
        self._conversion = conversion_key(Configuration.from_settings(crawler.settings), self._spider)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Find the scheduler, which holds the crawl database."""
        assert self._crawler.engine is not None
        self._scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)

    def process_item(self, page: Page) -> Page:
        """Return the page with its body's hash, its previous version and perhaps its verdict."""
        if page.verdict not in {None, Verdict.UNCHANGED}:
            return page
        page.body_hash = hashlib.sha256(page.body).hexdigest() if page.body else ""
        previous = None
        # Without the database the crawl is about to stop; what it does with this page is of no account.
        with suppress(CrawlDatabaseError), self._scheduler.crawldb.read() as connection:
            previous = ledger.previous_version(connection, page.url)
        if previous is None:
            return page
        if page.verdict is Verdict.UNCHANGED:  # known without asking; its links are known too
            self._take_links(page, previous)
            return page
        if page.status in MISSING:
            page.verdict, page.reason = Verdict.GONE, f"status {page.status}; stored on {previous.fetched_at[:10]}"
        elif self._spider.arguments.incremental and previous.conversion == self._conversion:
            page.previous = previous
            if previous.body_hash == page.body_hash and page.status < FIRST_ERROR:
                page.verdict, page.reason = Verdict.UNCHANGED, _why_unchanged(page)
                self._take_links(page, previous)
        return page

    def _take_links(self, page: Page, previous: PreviousVersion) -> None:
        page.links = [url for url in previous.links if not self._spider.scope.leaves(url)]


def _why_unchanged(page: Page) -> str:
    return "status 304: not modified" if page.status == 304 else "the same bytes as last time"
