"""Scrapy's scheduler over the crawl database: leases URLs site by site, so that none waits for another."""

from __future__ import annotations

import logging
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self, cast

from scrapy.core.scheduler import BaseScheduler

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import frontier
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.frontier import Candidate, Lease
from mdcrawl.crawldb.runs import open_run
from mdcrawl.discovery.urls import site_of

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler

    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)

# Leased from the database at a time for one site: enough to spare queries, few enough that URLs
# nearer to the start, found meanwhile, do not wait behind them.
BATCH = 16


class FrontierScheduler(BaseScheduler):
    """Hand out requests for the URLs of the frontier, and take in what is re-issued for them.

    A request that belongs to a lease (a retry, a redirect) is kept in memory: after a crash its
    URL is queued again and starts anew. So is a request of a spider's own making, which is no page.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._configuration = Configuration.from_settings(crawler.settings)
        # One more than may be on the way, so that the next is there when the delay is over.
        self._per_site = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") + 1
        self._passing: deque[Request] = deque()
        self._fingerprints: set[bytes] = set()
        self._sites: deque[str] = deque()
        self._leased: dict[str, deque[Lease]] = {}
        self._outstanding: set[str] = set()
        self._stored = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the scheduler of a crawl."""
        return cls(crawler)

    def open(self, spider: Spider) -> None:
        """Open the database of the output folder and the run to work in."""
        self.spider = cast("DocsSpider", spider)
        arguments = self.spider.arguments
        folder = self._configuration.output_folder(arguments.start[0])
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.crawldb = CrawlDatabase.open_folder(folder)
        with self.crawldb.connection.begin():
            self.run = open_run(
                self.crawldb.connection,
                now=datetime.now(UTC).isoformat(timespec="seconds"),
                settings=self._configuration.shaping_settings() | {"start": list(arguments.start)},
                resume=arguments.resume,
            )
            frontier.release_all(self.crawldb.connection)
            self.add_sites(frontier.queued_sites(self.crawldb.connection))
            self._stored = frontier.count_stored(self.crawldb.connection)
        if self.run.resumed:
            logger.info("Going on with the crawl of %s in %s", self.run.started_at, folder)

    def close(self, reason: str) -> None:
        """Give back what was leased but never answered. The database stays open for the Finish extension."""
        with self.crawldb.connection.begin():
            frontier.release_all(self.crawldb.connection)

    @property
    def is_full(self) -> bool:
        """Whether as many pages are stored as the crawl may store."""
        return 0 < self.spider.arguments.max_pages <= self._stored

    def has_pending_requests(self) -> bool:
        """Tell whether there is something to hand out, now or later."""
        return bool(self._passing) or (bool(self._sites) and not self.is_full)

    def enqueue_request(self, request: Request) -> bool:
        """Take in a request; False if its URL or its like was here before."""
        if "mdcrawl_url" in request.meta:
            if request.meta["mdcrawl_url"] in self._outstanding:
                self._passing.append(request)
                return True
            return self._add_page(request)
        fingerprint = self._crawler.request_fingerprinter.fingerprint(request)
        if not request.dont_filter and fingerprint in self._fingerprints:
            return False
        self._fingerprints.add(fingerprint)
        self._passing.append(request)
        return True

    def _add_page(self, request: Request) -> bool:
        url = request.meta["mdcrawl_url"]
        candidate = Candidate(
            url=url,
            site=site_of(url),
            depth=request.meta.get("mdcrawl_depth", 0),
            parent=request.meta.get("mdcrawl_parent", ""),
            found_in=request.meta.get("mdcrawl_found_in", "link"),
            priority=request.priority,
        )
        with self.crawldb.connection.begin():
            sites = frontier.add(self.crawldb.connection, [candidate])
        self.add_sites(sites)
        return bool(sites)

    def add_sites(self, sites: set[str] | list[str]) -> None:
        """Let sites that have something queued take their turn."""
        for site in sorted(sites):
            if site not in self._leased:
                self._leased[site] = deque()
                self._sites.append(site)

    def next_request(self) -> Request | None:
        """Return a request of the next site whose turn it is and that has room, or None."""
        if self._passing:
            return self._passing.popleft()
        if self.is_full or self._would_overshoot():
            return None
        for _ in range(len(self._sites)):
            site = self._sites.popleft()
            if self._is_busy(site):
                self._sites.append(site)
                continue
            lease = self._next_lease(site)
            if lease is None:
                del self._leased[site]
                continue
            self._sites.append(site)
            self._outstanding.add(lease.url)
            return self.spider.page_request(lease.url, depth=lease.depth, parent=lease.parent)
        return None

    def _would_overshoot(self) -> bool:
        most = self.spider.arguments.max_pages
        return 0 < most <= self._stored + len(self._outstanding)

    def _is_busy(self, site: str) -> bool:
        assert self._crawler.engine is not None
        slot = self._crawler.engine.downloader.slots.get(site)
        return slot is not None and len(slot.active) >= self._per_site

    def _next_lease(self, site: str) -> Lease | None:
        waiting = self._leased[site]
        if not waiting:
            with self.crawldb.connection.begin():
                waiting.extend(frontier.lease(self.crawldb.connection, site, BATCH))
        return waiting.popleft() if waiting else None

    def acknowledge(self, url: str, *, stored: bool) -> None:
        """Take note that a URL has its verdict, and whether a page was stored for it."""
        self._outstanding.discard(url)
        self._stored += stored
