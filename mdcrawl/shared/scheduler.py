"""Scrapy's scheduler of a crawl that many workers share: frontier and pace in Redis, verdicts in the database.

The database is what counts: a URL that has no verdict there and is not in Redis is put there again before
the workers end. So a lost lease, a lost push and even a lost Redis cost a request, never a page.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import random
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, cast
from uuid import uuid4

from scrapy.utils.asyncio import call_later, create_looping_call

from mdcrawl.crawldb import frontier
from mdcrawl.crawldb.database import CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.frontier import Candidate, Lease
from mdcrawl.crawldb.notes import read_note, write_note
from mdcrawl.crawldb.runs import Run, RunState, last_run
from mdcrawl.discovery.scope import move_scope
from mdcrawl.errors import OutputFolderError
from mdcrawl.scheduler import FrontierScheduler
from mdcrawl.shared import scripts
from mdcrawl.shared.permits import Permits, SharedPace
from mdcrawl.shared.queue import Entry, Leased, LeaseQueue, Nothing
from mdcrawl.shared.serializer import ForeignRequestError
from mdcrawl.shared.server import RETRY_S, RedisAwayError, Server

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

# The note of the database that names its frontier in Redis.
FRONTIER_NOTE = "frontier"
# URLs that turn out not to be wanted, looked at before others have their turn.
PATIENCE = 20
START = "start"


def check_others(crawldb: CrawlDatabase, connection: Connection) -> int:
    """Return how many workers there are to join. Raises OutputFolderError if they are about to end."""
    others, last = crawldb.count_others(connection), last_run(connection)
    if others and last is not None and last.state is not RunState.RUNNING:
        raise OutputFolderError(f"{crawldb.name}: the workers of the last crawl are ending; start again when they have")
    return others


class SharedScheduler(FrontierScheduler):
    """Hand out what is leased from Redis, give back what is not, and end with the other workers.

    What came back (a retry, a redirect) stays with this worker on the same lease, as does a request of a
    spider's own making, which is no page.
    """

    pace_class = SharedPace
    is_shared = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._lease_s = self._configuration.frontier_lease_s
        self._texts: dict[str, str] = {}
        self._found: list[Entry] = []
        self._untold: deque[Callable[[], None]] = deque()
        self._is_telling = False
        self._ask_again_at = 0.0
        self._heard = 0
        self._has_begun = False
        self._is_over = False

    def _open_run(self, connection: Connection) -> Run:
        """Open the run and its queue, or join the workers that are at work on it."""
        name = read_note(connection, FRONTIER_NOTE) or uuid4().hex[:12]
        write_note(connection, FRONTIER_NOTE, name)
        self._server = Server(self._configuration.frontier, f"{self.spider.name}:{name}")
        pace = cast("SharedPace", self.pace)
        self.permits = Permits(self._server, pace, lease_s=self._lease_s, later=self._tell)
        most = self.spider.arguments.max_pages
        self._queue = LeaseQueue(self._server, self.spider, pace=pace.options, lease_s=self._lease_s, max_pages=most)
        self._heart = create_looping_call(self._renew)
        self._heart.start(self._lease_s / 3, now=False)
        others = check_others(self.crawldb, connection)
        last = last_run(connection)
        if others and last is not None:
            logger.info("Joining %d other workers", others)
            self.crawldb.step_in(connection)
            return Run(last.id, last.started_at, resumed=True, settings=last.settings)
        run = super()._open_run(connection)
        self.crawldb.step_in(connection)
        self._queue.open(frontier.count_stored(connection))
        self._push_waiting(connection)
        return run

    def _push_waiting(self, connection: Connection) -> int:
        """Queue again all that waits by the database; return how much that is."""
        count = 0
        entries: list[Entry] = []
        for candidate in frontier.queued(connection):
            entries.append(self._entry(candidate, again=True))
            count += 1
        self._queue.push_all(entries)
        return count

    async def may_begin(self) -> bool:
        """Tell whether this worker puts in what the crawl starts from; if it dies over it, another one does."""
        while not self._is_over:
            with suppress(RedisAwayError):
                answer = self._server.run(scripts.BEGIN, self._lease_s)
                if answer == "mine":
                    self._texts[START] = START
                    return True
                if answer == "begun":
                    self._has_begun = True
                    return False
            await asyncio.sleep(RETRY_S)
        return False

    def has_begun(self) -> None:
        """Tell the others that all is there."""
        self._texts.pop(START, None)
        self._has_begun = True
        self._push_found()
        self._tell(lambda: self._server.run(scripts.BEGUN))

    def tell_others(self, *news: str) -> None:
        """Tell the other workers what this one has learnt, once the transaction in hand is committed."""
        call_later(0, self._tell, lambda: self._server.run(scripts.NEWS, json.dumps(news)))

    # --- In ---------------------------------------------------------------------------------------

    def take_up(self, queued: Sequence[Candidate]) -> None:
        """Let what was put into the frontier take its turn, at the latest when the event loop is free."""
        if queued and not self._found:
            call_later(0, self._push_found)
        self._found += [self._entry(candidate) for candidate in queued]

    def _entry(self, candidate: Candidate, *, again: bool = False) -> Entry:
        request = self.spider.page_request(
            candidate.url, depth=candidate.depth, parent=candidate.parent, found_in=candidate.found_in
        )
        request.priority = candidate.priority
        return self._queue.entry(request, again=again)

    def _push_found(self) -> None:
        found, self._found = self._found, []
        if found:
            self._tell(lambda: self._queue.push_all(found))

    def acknowledge(self, url: str, *, stored: bool) -> None:
        """Tell that a URL has its verdict, and what it led to."""
        site = self._outstanding.get(url, "")
        super().acknowledge(url, stored=stored)
        self._settle(url, site, stored=stored)

    def _settle(self, url: str, site: str, *, stored: bool = False) -> None:
        text = self._texts.pop(url, None)
        if text is None:
            self._push_found()
            return
        found, self._found = self._found, []
        self._tell(lambda: self._queue.settle(text, site, stored=int(stored), found=found))

    def add_sites(self, sites: object) -> None:
        """Do nothing: which site has its turn is Redis's to know."""

    # --- Out --------------------------------------------------------------------------------------

    def has_pending_requests(self) -> bool:
        """Tell whether there is something to hand out, here or at any other worker."""
        if self._broken:
            return False
        return self._traffic.is_holding or bool(self._untold) or bool(self._found) or not self._is_over

    def next_request(self) -> Request | None:
        """Return a request that came back, else one that is leased, else None; the engine is woken in time."""
        if self._broken:
            return None
        request, soonest = self._next_held()
        if request is None and not self._is_over and not self._is_throttled:
            request, wait_s = self._next_leased()
            soonest = min(soonest, wait_s)
        if request is None:
            self._wake_in(soonest)
        return request

    def _next_held(self) -> tuple[Request | None, float]:
        soonest = math.inf
        for site in self._traffic.holding:
            wait_s = self._traffic.ready_in(site)
            if wait_s <= 0:
                request, wait_s = self._traffic.take(site)
                if request is not None:
                    return self._traffic.send(request, site), 0.0
            soonest = min(soonest, wait_s)
        return None, soonest

    def _next_leased(self) -> tuple[Request | None, float]:
        """Return the next request that is wanted, or None and in how many seconds to ask again."""
        self._tell_all()
        for _ in range(PATIENCE):
            wait_s = self._ask_again_at - monotonic()
            if wait_s > 0:
                return None, wait_s
            permit = uuid4().hex
            try:
                answer = self._queue.lease(permit, self._unwanted(), random.random())  # noqa: S311  no secret
                if isinstance(answer, Leased):
                    request = self._accept(answer, permit)
                    if request is not None:
                        return request, 0.0
                    continue
                wait_s = self._rest(answer)
            except (RedisAwayError, CrawlDatabaseError):
                wait_s = RETRY_S
            self._ask_again_at = monotonic() + wait_s
        return None, 0.0

    def _unwanted(self) -> list[str]:
        """Return the sites of which this worker has enough."""
        at_work = [site for site, count in self._outstanding_of.items() if count]
        return [site for site in at_work if self._traffic.ready_in(site) > 0 or not self._may_lease(site)]

    def _has_room(self) -> bool:
        return True  # how many pages may be started on is Redis's to know

    def _rest(self, answer: Nothing) -> float:
        """Return for how many seconds to wait, after what there is to do when nothing is left."""
        if answer.is_over:
            self._end()
        elif answer.is_lost:
            with self.crawldb.begin() as connection:
                if not self._queue.is_lost:  # another worker was first
                    return 0.0
                self._queue.open(frontier.count_stored(connection))
                if self._has_begun:
                    self._server.run(scripts.BEGUN)
                logger.warning("Redis has lost the frontier; %d URLs are queued again", self._push_waiting(connection))
        elif answer.is_all and not self._found and not self._untold and not self._outstanding:
            with self.crawldb.begin() as connection:
                left = self._queue.left()
                if not left.is_all:
                    return 0.0
                if not left.has_begun:  # who was to put in what the crawl starts from is gone; another one will
                    return answer.wait_s
                frontier.release_all(connection)
                if not self._push_waiting(connection):
                    self._server.run(scripts.OVER)
        else:
            return answer.wait_s
        return 0.0

    def _end(self) -> None:
        with self.crawldb.read() as connection:
            self._stored = frontier.count_stored(connection)
        self._is_over = True

    def _accept(self, leased: Leased, permit: str) -> Request | None:
        """Return the request that was leased, None if it is none, is done already or is not to be asked for."""
        self._hear(leased.news)  # before anything is kept: if Redis goes away over it, the lease runs out
        site = json.loads(leased.text)["site"]
        self.permits.grant(site, permit)
        try:
            request = self._queue.decode(leased.text)
        except ForeignRequestError as error:
            logger.error("Redis holds what is no request of this crawl: %s", error)  # noqa: TRY400  what is wrong is said
            self.permits.drop(site)
            self._tell(lambda: self._queue.settle(leased.text, site, stored=0, found=[]))
            return None
        url = request.meta["mdcrawl_url"]
        cast("SharedPace", self.pace).take_in(site, leased.state, leased.rest_s)
        self._texts[url] = leased.text
        if url in self._outstanding:  # it came back as lost, to where it is in hand
            self.permits.drop(site)
            return None
        with self.crawldb.read() as connection:
            known = frontier.waiting(connection, url)
        if known is not None and not self._give_up(site, url):
            lease = Lease(0, url, site, known.depth, known.parent, known.lastmod)
            if self._is_wanted(lease):
                self._outstanding[url] = site
                self._outstanding_of[site] += 1
                request.meta.update(
                    mdcrawl_depth=known.depth, mdcrawl_parent=known.parent, mdcrawl_lastmod=known.lastmod
                )
                return self._traffic.send(self.spider.markdown.directed(request), site)
        self.permits.drop(site)
        self._settle(url, site)
        return None

    def _give_up(self, site: str, url: str) -> bool:
        """Set a site's URLs aside if it was given up; tell whether it was."""
        reason = self.pace.given_up(site)
        if reason:
            with self.crawldb.begin() as connection:
                frontier.shelve(connection, site, [url], reason)
            self._tell(lambda: self._server.run(scripts.DROP, site))
        return bool(reason)

    def _hear(self, count: int) -> None:
        """Take in what workers have learnt since the last time; `count` is all there is."""
        if count <= self._heard:
            self._heard = count  # fewer where Redis was emptied
            return
        news = self._server.call(lambda: self._server.client.lrange(self._server.key("news"), self._heard, -1))
        self._heard += len(news)
        for kind, *details in map(json.loads, news):
            if kind == "scope":
                self.spider.scope, _ = move_scope(self.spider.scope, *details)
            else:
                self.spider.translations.refresh()

    # --- What Redis is told -----------------------------------------------------------------------

    def _tell(self, work: Callable[[], None]) -> None:
        """Tell Redis, in order, at once or when it is back."""
        self._untold.append(work)
        self._tell_all()

    def _tell_all(self) -> None:
        if self._is_telling:
            return
        self._is_telling = True
        try:
            while self._untold:
                self._untold[0]()
                self._untold.popleft()
                self._ask_again_at = 0.0
        except RedisAwayError:
            self._wake_in(RETRY_S)
        finally:
            self._is_telling = False

    def _renew(self) -> None:
        """Give a sign of life for all that this worker has in hand."""
        self._tell_all()
        with suppress(RedisAwayError):
            self._server.run(scripts.RENEW, self._lease_s, len(self._texts), *self._texts.values(), *self.permits.held)

    # --- The end ----------------------------------------------------------------------------------

    def may_finish(self, connection: Connection) -> bool:
        """Tell whether nobody has committed the run, and nobody else will."""
        run = last_run(connection)
        if run is None or run.state is not RunState.RUNNING:
            return False
        if self._is_over or not self.crawldb.count_others(connection):
            return True
        self.crawldb.step_back(connection)
        return False

    def close(self, reason: str) -> None:
        """Give back what was leased, for the others to go on with."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._heart.stop()
        self._tell_all()
        with suppress(RedisAwayError):
            self._server.run(scripts.LEAVE, len(self._texts), *self._texts.values(), *self.permits.held)
        assert self._crawler.stats is not None
        self._crawler.stats.set_value("mdcrawl/frontier/round_trips", self._server.calls)
        self._server.close()
