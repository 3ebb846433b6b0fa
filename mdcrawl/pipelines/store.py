"""Store: the one place that writes. All that a page taught the crawl is one transaction."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.crawldb.ways import Followed, Way, Ways, follow
from mdcrawl.discovery.urls import site_of
from mdcrawl.items import Page, Verdict
from mdcrawl.pipelines.options import conversion_key

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

# Verdicts that tell whether a family of URLs brings anything new.
TELLING = frozenset({Verdict.OK, Verdict.THIN, Verdict.SOFT_404, Verdict.HTTP_ERROR})

logger = logging.getLogger(__name__)


class StorePipeline:
    """Write the verdict, the page, its chunks and its links, and so acknowledge its lease."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._ways = Ways()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Find the scheduler, which holds the crawl database."""
        assert self._crawler.engine is not None
        self._scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        self._spider = cast("DocsSpider", self._crawler.spider)
        self._conversion = conversion_key(Configuration.from_settings(self._crawler.settings), self._spider)

    def process_item(self, page: Page) -> Page:
        """Return the page once it is committed."""
        asked = page.asked_url
        try:
            repeated = self._write(page)
        except CrawlDatabaseError:
            return page  # the crawl is stopping; the URL stays on lease and is fetched again
        if page.verdict in TELLING:
            self._scheduler.traps.learn(page.url, page.sketch if page.verdict is Verdict.OK else frozenset())
        # A copy is settled at the end; it does not use up the pages that were asked for.
        self._scheduler.acknowledge(asked, stored=page.verdict in ledger.STORED and not repeated)
        self._log(asked, page)
        return page

    def _write(self, page: Page) -> bool:
        """Commit all that a page taught the crawl; return whether its content is stored under another URL."""
        with self._scheduler.crawldb.begin() as connection:
            repeated = bool(page.content_hash) and bool(ledger.url_with_content(connection, page.content_hash))
            for row in _rows(page):
                if not ledger.record(connection, row, site_of(row.url)):
                    continue
                if row.verdict is Verdict.OK:
                    ledger.store(connection, row, self._scheduler.run.id, self._conversion)
                elif row.verdict is Verdict.UNCHANGED:
                    ledger.refresh_body(connection, row)
            self._spider.translations.take_page(connection, page)
            followed = Followed([], [])
            if self._spider.arguments.follows_links:
                followed = follow(connection, self._ways, page.url, page.links, self._candidate)
        for urls, way in followed.ways:
            self._ways.learn(urls, way)
        self._scheduler.take_up(followed.queued)
        return repeated

    def _candidate(self, url: str, way: Way) -> Candidate:
        depth, parent = way
        return Candidate(
            url=url,
            site=site_of(url),
            depth=depth,
            parent=parent,
            priority=self._spider.priority_of(url),
            reason=self._spider.scope.too_deep(depth),
        )

    def _log(self, asked: str, page: Page) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"mdcrawl/verdict/{page.verdict}")
        logger.info("%s %s (%s)", page.verdict, asked, page.reason)


def _rows(page: Page) -> list[Page]:
    """Return the ledger rows that one answer makes: one for its URL and one for each on the way to it.

    The page goes under its final URL. Those that redirect there are its duplicates if the page is
    kept, and else share its verdict.
    """
    others = [url for url in dict.fromkeys((page.asked_url, *page.hops)) if url and url != page.url]
    if not others:
        return [page]
    kept = page.verdict in ledger.STORED
    reason = page.reason
    if page.url != page.asked_url:
        reason = f"redirects to {page.url}" + ("" if kept else f": {page.reason}")
    redirected = Page(
        url="",
        final_url=page.final_url,
        status=page.status,
        flags=sorted({*page.flags, "redirected"}),
        depth=page.depth,
        parent=page.parent,
        fetched_at=page.fetched_at,
        verdict=Verdict.DUPLICATE if kept else page.verdict,
        reason=reason,
        duplicate_of=page.url if kept else page.duplicate_of,
    )
    return [page, *(replace(redirected, url=url) for url in others)]
