"""Store: the one place that writes. All that a page taught the crawl is one transaction."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.crawldb import frontier, ledger
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.discovery.urls import site_of
from mdcrawl.items import Extraction, Page, Verdict

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)


class StorePipeline:
    """Write the verdict, the page, its chunks and its links, and so acknowledge its lease."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Find the scheduler, which holds the crawl database."""
        assert self._crawler.engine is not None
        self._scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        self._spider = cast("DocsSpider", self._crawler.spider)

    def process_item(self, page: Page) -> Page:
        """Return the page once it is committed."""
        assert page.verdict is not None
        asked = page.asked_url or page.url
        connection = self._scheduler.crawldb.connection
        with connection.begin():
            repeated = bool(page.content_hash) and bool(ledger.url_with_content(connection, page.content_hash))
            for row in _rows(page):
                if ledger.record(connection, row, site_of(row.url)) and row.verdict is Verdict.OK:
                    ledger.store(connection, row, self._scheduler.run.id)
            sites = frontier.add(connection, [self._candidate(url, page) for url in page.links])
        self._scheduler.add_sites(sites)
        # A copy is settled at the end; it does not use up the pages that were asked for.
        self._scheduler.acknowledge(asked, stored=page.verdict is Verdict.OK and not repeated)
        self._log(asked, page)
        return page

    def _candidate(self, url: str, page: Page) -> Candidate:
        depth = page.depth + 1
        return Candidate(
            url=url, site=site_of(url), depth=depth, parent=page.url, reason=self._spider.scope.too_deep(depth)
        )

    def _log(self, asked: str, page: Page) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"mdcrawl/verdict/{page.verdict}")
        logger.info("%s %s (%s)", page.verdict, asked, page.reason)


def _rows(page: Page) -> list[Page]:
    """Return the ledger rows that one answer makes: two where a redirect led to a good page.

    The page is stored under its final URL and the one that was asked for is its duplicate. Of an
    answer that is not kept, only the asked URL has a row.
    """
    if not page.asked_url:
        return [page]
    if page.verdict is not Verdict.OK:
        return [replace(page, url=page.asked_url, asked_url="")]
    redirected = replace(
        page,
        url=page.asked_url,
        verdict=Verdict.DUPLICATE,
        reason=f"redirects to {page.url}",
        duplicate_of=page.url,
        extraction=Extraction(),
        content_hash="",
        html_tokens=0,
        markdown_tokens=0,
        words=0,
        chunks=[],
    )
    final = replace(page, asked_url="", flags=[flag for flag in page.flags if flag != "redirected"])
    return [final, redirected]
