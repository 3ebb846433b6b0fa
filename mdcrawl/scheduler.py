"""Scrapy's scheduler over the crawl database: leases URLs site by site, so that none waits for another."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Self, cast

from scrapy import signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import CallLaterResult, call_later

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import frontier, ledger
from mdcrawl.crawldb.database import CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.frontier import Candidate, Lease
from mdcrawl.crawldb.runs import Run, open_run
from mdcrawl.crawldb.translations import reason_of as translation_reason
from mdcrawl.discovery.markdown_urls import page_urls
from mdcrawl.discovery.pace import Pace, PaceOptions
from mdcrawl.discovery.scope import move_scope
from mdcrawl.discovery.traps import TrapGuard
from mdcrawl.discovery.urls import site_of
from mdcrawl.discovery.variants import describe, variant_of
from mdcrawl.items import Page, Verdict
from mdcrawl.traffic import Traffic

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from sqlalchemy import Connection

    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)

# Leased from the database at a time for one site: enough to spare queries, few enough that URLs
# nearer to the start, found meanwhile, do not wait behind them.
BATCH = 16
# Pages of one site that may be on their way through download and pipelines beyond those that are
# being downloaded, so that the workers are never short of any.
BACKLOG = 8


class FrontierScheduler(BaseScheduler):
    """Hand out requests for the URLs of the frontier, and take in what is re-issued for them.

    A request that belongs to a lease (a retry, a redirect) is kept in memory: after a crash its
    URL is queued again and starts anew. So is a request of a spider's own making, which is no page.
    """

    pace_class = Pace
    is_shared = False

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._configuration = Configuration.from_settings(crawler.settings)
        self._concurrency = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self.pace = self.pace_class(
            PaceOptions(
                min_delay_s=crawler.settings.getfloat("DOWNLOAD_DELAY"),
                jitter=crawler.settings.getfloat("DOWNLOAD_DELAY_JITTER"),
                concurrency=self._concurrency,
                max_wait_s=self._configuration.max_wait_s,
                retries=crawler.settings.getint("RETRY_TIMES"),
                max_failures=self._configuration.site_failures,
            )
        )
        self._traffic = Traffic(crawler, self.pace, concurrency=self._concurrency)
        self._fingerprints: set[bytes] = set()
        self._sites: deque[str] = deque()
        self._leased: dict[str, deque[Lease]] = {}
        self._outstanding: dict[str, str] = {}
        self._outstanding_of: Counter[str] = Counter()
        self._opened: set[str] = set()
        self._drained: set[str] = set()
        self._alarm: CallLaterResult | None = None
        self._alarm_at = 0.0
        self._stored = 0
        self.traps = TrapGuard()
        self._broken = False
        self._most_pages: int | None = None
        crawler.signals.connect(self._reached_downloader, signal=signals.request_reached_downloader)

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
        self.crawldb = CrawlDatabase.open_folder(folder, self._configuration.db, is_shared=self.is_shared)
        with self.crawldb.begin() as connection:
            self.run = self._open_run(connection)
            self._stored = frontier.count_stored(connection)
        self.crawldb.on_failure = self._stop
        if self.run.resumed:
            logger.info("Going on with the crawl of %s in %s", self.run.started_at, folder)

    def _open_run(self, connection: Connection) -> Run:
        """Return the run to work in, with all that waits in its queue."""
        arguments = self.spider.arguments
        run = open_run(
            connection,
            now=datetime.now(UTC).isoformat(timespec="seconds"),
            settings=self._configuration.shaping_settings()
            | {"spider": self.spider.name, "start": list(arguments.start)}
            | ({"query": self.spider.query} if self.spider.query else {})
            | ({"fields": self.spider.fields} if self.spider.fields else {}),
            resume=arguments.resume,
        )
        frontier.release_all(connection)
        self.add_sites(frontier.queued_sites(connection))
        return run

    async def may_begin(self) -> bool:
        """Tell whether this process is the one to put the start URLs and what sources name into the frontier."""
        return True

    def has_begun(self) -> None:
        """Take note that all of them are there."""

    def move_scope(self, start: str, landed: str) -> None:
        """Let the spider's scope move with a start URL that is redirected out of it."""
        self.spider.scope, moved = move_scope(self.spider.scope, start, landed)
        if moved:
            logger.info(moved)
            self.tell_others("scope", start, landed)

    def tell_others(self, *news: str) -> None:
        """Tell other workers of the crawl what this one has learnt; there are none here."""

    def may_finish(self, connection: Connection) -> bool:
        """Tell whether this process is the one to commit the run and to write the files."""
        return True

    def close(self, reason: str) -> None:
        """Give back what was leased but never answered. The database stays open for the Finish extension."""
        if self._alarm is not None:
            self._alarm.cancel()
        with suppress(CrawlDatabaseError), self.crawldb.begin() as connection:
            frontier.release_all(connection)

    def report_failure(self, cause: str) -> None:
        """Say in one line that the crawl database or the output folder cannot be written, and what to do."""
        # On the error level, without a traceback: it is the user's disk, or server.
        where, remedy = str(self.folder), "make room and"
        if self._configuration.db and self.crawldb.has_failed:
            where, remedy = self.crawldb.name, "see to the server and"
        message = f"{where}: cannot write: {cause}; {remedy} run the same command again to go on"
        logger.log(logging.ERROR, message)

    def _stop(self, cause: str) -> None:
        """End the crawl because the crawl database failed."""
        self.report_failure(cause)
        self._broken = True
        assert self._crawler.engine is not None
        self._closing = asyncio.ensure_future(self._crawler.engine.close_spider_async(reason="crawl_database"))

    @property
    def is_full(self) -> bool:
        """Whether as many pages are stored as the crawl may store."""
        return 0 < self.spider.arguments.max_pages <= self._stored

    def has_pending_requests(self) -> bool:
        """Tell whether there is something to hand out, now or later."""
        return not self._broken and (self._traffic.is_holding or (bool(self._sites) and not self.is_full))

    def enqueue_request(self, request: Request) -> bool:
        """Take in a request; False if its like was here before."""
        if "mdcrawl_url" in request.meta:
            self._traffic.arrive(request.meta["mdcrawl_url"])
            if request.meta["mdcrawl_url"] in self._outstanding:
                self.add_sites([self._traffic.hold(request)])
            else:
                self._add_page(request)
            return True
        assert self._crawler.request_fingerprinter is not None
        fingerprint = self._crawler.request_fingerprinter.fingerprint(request)
        if not request.dont_filter and fingerprint in self._fingerprints:
            return False
        self._fingerprints.add(fingerprint)
        self.add_sites([self._traffic.hold(request)])
        return True

    def _add_page(self, request: Request) -> None:
        url = request.meta["mdcrawl_url"]
        candidate = Candidate(
            url=url,
            site=site_of(url),
            depth=request.meta.get("mdcrawl_depth", 0),
            parent=request.meta.get("mdcrawl_parent", ""),
            found_in=request.meta.get("mdcrawl_found_in", "link"),
            priority=request.priority,
        )
        self.add([candidate])

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Put URLs into the frontier."""
        with suppress(CrawlDatabaseError):
            with self.crawldb.begin() as connection:
                added = frontier.add(connection, candidates)
            self.take_up(added.queued)

    def take_up(self, queued: Sequence[Candidate]) -> None:
        """Let what was put into the frontier, in a transaction that is committed, take its turn."""
        self.add_sites({candidate.site for candidate in queued})

    def add_sites(self, sites: Iterable[str]) -> None:
        """Let sites that may have something queued take their turn."""
        for site in sorted(sites):
            self._drained.discard(site)
            if site not in self._leased:
                self._leased[site] = deque()
                self._sites.append(site)

    def next_request(self) -> Request | None:
        """Return a request of the next site whose turn it is and that has room, or None.

        A request waits here for its site's delay, not in the downloader, whose few places are for
        all sites. If all that is left must wait, the engine is woken when the first may go.
        """
        if self._broken:
            return None
        soonest = math.inf
        for _ in range(len(self._sites)):
            site = self._sites.popleft()
            self._sites.append(site)
            wait_s = self._traffic.ready_in(site)
            if wait_s <= 0:
                request, wait_s = self._traffic.take(site)
                if request is not None:
                    return self._traffic.send(request, site)
                if self._may_lease(site):
                    lease = None if self._shelve(site) else self._next_lease(site)
                    if lease is not None:
                        return self._traffic.send(self._request(lease), site)
                    if not self._traffic.holds(site) and not self._outstanding_of[site]:
                        self._forget(site)
            soonest = min(soonest, wait_s)
        self._wake_in(soonest)
        return None

    def _request(self, lease: Lease) -> Request:
        self._outstanding[lease.url] = lease.site
        self._outstanding_of[lease.site] += 1
        request = self.spider.page_request(lease.url, depth=lease.depth, parent=lease.parent, lastmod=lease.lastmod)
        return self.spider.markdown.directed(request)

    def _shelve(self, site: str) -> bool:
        """Set a site's URLs aside if it was given up; tell whether it was."""
        reason = self.pace.given_up(site)
        if reason:
            waiting = self._leased[site]
            with suppress(CrawlDatabaseError), self.crawldb.begin() as connection:
                frontier.shelve(connection, site, [lease.url for lease in waiting], reason)
            waiting.clear()
        return bool(reason)

    def _forget(self, site: str) -> None:
        self._sites.remove(site)
        del self._leased[site]

    def _may_lease(self, site: str) -> bool:
        """Tell whether one more page of a site may be started on."""
        if self._is_throttled or not self._has_room():
            return False
        if site not in self._opened:
            # Its robots.txt is not known yet: one page finds out, the others need not wait for it.
            return not self._outstanding_of[site]
        outstanding = self._outstanding_of[site]
        return outstanding < self._concurrency + BACKLOG and self.spider.markdown.may_start(site, outstanding)

    def _has_room(self) -> bool:
        """Tell whether as many pages as the crawl may store are neither stored nor started on."""
        most = self.spider.arguments.max_pages
        return not 0 < most <= self._stored + len(self._outstanding)

    def _reached_downloader(self, request: Request) -> None:
        if "mdcrawl_url" in request.meta:
            self._opened.add(request.meta["download_slot"])

    @property
    def _is_throttled(self) -> bool:
        """Whether as many pages are on their way as `limit` allows."""
        return self._most_pages is not None and len(self._outstanding) >= self._most_pages

    def limit(self, most_pages: int | None) -> None:
        """Start on no page while so many are on their way; None lifts the limit. Sites go on taking turns."""
        self._most_pages = most_pages
        self._wake_in(0)

    def _wake_in(self, seconds: float) -> None:
        at = monotonic() + seconds
        if seconds == math.inf or (self._alarm is not None and self._alarm_at <= at):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = call_later(seconds, self._wake), at

    def _wake(self) -> None:
        self._alarm = None
        assert self._crawler.engine is not None
        slot = self._crawler.engine._slot  # noqa: SLF001  Scrapy has no other way; it asks by itself every 5 s only
        if slot is not None:
            slot.nextcall.schedule()

    def _is_wanted(self, lease: Lease) -> bool:
        """Tell whether a URL is to be asked for; record the verdict of one that is not."""
        instead: list[Candidate] = []
        cut = self._cut(lease, instead)
        if cut is None:
            return True
        with suppress(CrawlDatabaseError):
            with self.crawldb.begin() as connection:
                added = frontier.add(connection, instead)
                ledger.record(connection, cut, lease.site)
            self.take_up(added.queued)
        return False

    def _cut(self, lease: Lease, instead: list[Candidate]) -> Page | None:
        """Return the page, with its verdict, of a URL that is not to be asked for, None if it is.

        What is to be put into the frontier in its place joins `instead`.
        """
        page = Page(url=lease.url, asked_url=lease.url, depth=lease.depth, parent=lease.parent)
        settled = self.spider.markdown.settled(lease.url)
        page_url = self.spider.markdown.page_of(lease.url)
        with suppress(CrawlDatabaseError), self.crawldb.read() as connection:
            if original := frontier.first_sound(connection, page_urls(lease.url)):
                page.verdict, page.reason = Verdict.DUPLICATE, f"the Markdown of {original}"
                page.duplicate_of = original
                return page
            if page_url and not frontier.is_known(connection, page_url):
                instead.append(self._way_to(page_url, lease))
                page.verdict, page.reason = Verdict.DUPLICATE, f"the Markdown of {page_url}"
                page.duplicate_of = page_url
                return page
            if original := frontier.first_sound(connection, self.spider.originals_of(lease.url)):
                page.verdict = Verdict.LIMIT
                page.reason = f"a copy of {original}: {describe(variant_of(lease.url))}"
                return page
            original, language = self.spider.translations.original_of(connection, lease.url)
            if original:
                page.verdict, page.reason = Verdict.LIMIT, translation_reason(language, original)
                return page
            if settled != lease.url and frontier.first_sound(connection, [settled]):
                page.verdict, page.reason = Verdict.DUPLICATE, f"the site's other pages redirect so to {settled}"
                page.duplicate_of = settled
                return page
        if self.spider.markdown.names_strays(lease.url):
            page.verdict, page.reason = Verdict.LIMIT, "a Markdown file; others that pages named like this were missing"
            return page
        if trap := self.traps.take(lease.url):
            page.verdict, page.reason = Verdict.LIMIT, trap
            return page
        return None

    def _way_to(self, url: str, lease: Lease) -> Candidate:
        """Return a page that is known by its Markdown file only, in the place of that."""
        found_in = "llms" if lease.parent.endswith("llms.txt") else "link"
        priority = self.spider.priority_of(url)
        return Candidate(url, lease.site, lease.depth, lease.parent, found_in, lease.lastmod, priority)

    def _next_lease(self, site: str) -> Lease | None:
        """Return the next of a site's URLs that is to be asked for, None if there is none."""
        waiting = self._leased[site]
        while True:
            if not waiting:
                waiting.extend(self._lease(site))
            if not waiting:
                return None
            lease = waiting.popleft()
            if self._is_wanted(lease):
                return lease

    def _lease(self, site: str) -> list[Lease]:
        """Return some of a site's queued URLs; the database is not asked again before there may be more."""
        leased: list[Lease] = []
        is_last = not self._outstanding_of[site]
        if site in self._drained and not is_last:
            return leased
        with suppress(CrawlDatabaseError), self.crawldb.begin() as connection:
            leased = frontier.lease(connection, site, BATCH, least_priority=0)
            if not leased:
                self._drained.add(site)
                # What may prove a copy comes last, one by one: all others must have told their links.
                leased = frontier.lease(connection, site, 1) if is_last else []
        return leased

    def acknowledge(self, url: str, *, stored: bool) -> None:
        """Take note that a URL has its verdict, and whether a page was stored for it."""
        site = self._outstanding.pop(url, None)
        self._traffic.arrive(url)
        if site is not None:
            self._outstanding_of[site] -= 1
            self._opened.add(site)
        self._stored += stored
