"""Obey robots.txt: nothing is asked for that its rules forbid, at the start and at every hop."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self, cast
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    StopDownload,
)
from scrapy.http.request import NO_CALLBACK

from mdcrawl.discovery.pace import retry_after_s
from mdcrawl.discovery.redirects import REDIRECT_STATUSES
from mdcrawl.discovery.robots_rules import MAX_BYTES, RobotsRules, parse_robots
from mdcrawl.discovery.urls import join_url, site_of
from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict, outcome_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.discovery.pace import Pace
    from mdcrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

# RFC 9309 section 2.4: not longer than 24 hours. Rules that could not be had are asked for again at
# once, so often, with waits between; then the site is closed for a while.
LIFE_S = 24 * 3600
TRIES = 3
LIFE_CLOSED_S = 300
# A small file; all pages of its site wait for it.
TIMEOUT_S = 30
# RFC 9309 section 2.3.1.2: at least five redirects are followed.
MAX_REDIRECTS = 5
# Bytes from which rules are read and asked off the event loop: 500 KB of wildcards took 1 s to read
# and 31 ms for each question.
BIG = 20_000
# A host that is not there at all: the page's verdict says so, rather than that its rules are missing.
NOBODY_THERE = (CannotResolveHostError, DownloadConnectionRefusedError)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of an origin's rules, and until when. `tries` are those that told nothing, in a row."""

    rules: RobotsRules
    until: float
    tries: int = 0
    nobody_there: Exception | None = None
    is_big: bool = False

    @property
    def is_undecided(self) -> bool:
        """Whether the rules could not be had, and are asked for again soon."""
        return bool(self.rules.closed) and self.tries < TRIES

    async def allows(self, url: str) -> bool:
        """Tell whether the rules allow a URL."""
        return await asyncio.to_thread(self.rules.allows, url) if self.is_big else self.rules.allows(url)


class RobotsMiddleware:
    """Fetch each origin's robots.txt once, however many requests wait for it, and hold requests to it."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._timeout_s = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._known: dict[str, _Known] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl and let it listen."""
        middleware = cls(crawler)
        crawler.signals.connect(middleware.bytes_received, signal=signals.bytes_received)
        return middleware

    def bytes_received(self, data: bytes, request: Request) -> None:
        """End the transfer of a robots.txt after the part that is read. Raises StopDownload."""
        if "mdcrawl_robots" in request.meta:
            request.meta["mdcrawl_robots"] += len(data)
            if request.meta["mdcrawl_robots"] > MAX_BYTES:
                raise StopDownload(fail=False)

    async def process_request(self, request: Request) -> Request | None:
        """Let a request pass if the rules allow it. Raises RequestVerdict if not.

        A page that had to wait for the rules goes back to the scheduler, to wait there for its site's
        delay and not in the downloader, whose few places are for all sites.
        """
        if "mdcrawl_robots" in request.meta:
            return None
        origin = _origin(request.url)
        before = self._known.get(origin)
        known = await self._known_rules(origin)
        if "mdcrawl_url" in request.meta and (known is not before or known.is_undecided):
            return request.replace(dont_filter=True)
        while known.is_undecided:  # the request of a file, which nobody would hand out again
            await asyncio.sleep(max(known.until - time.monotonic(), 0.0))
            known = await self._known_rules(origin)
        if not await known.allows(request.url):
            raise self._refusal(request, known)
        return None

    def _refusal(self, request: Request, known: _Known) -> RequestVerdict:
        if known.nobody_there is not None:
            return RequestVerdict(*outcome_of(known.nobody_there))
        assert self._crawler.stats is not None
        if known.rules.closed:
            self._crawler.stats.inc_value("mdcrawl/robots/unreachable")
            return RequestVerdict(Verdict.ROBOTS_UNREACHABLE, f"{known.rules.closed}; the site is closed for now")
        self._crawler.stats.inc_value("mdcrawl/robots/denied")
        path = urlsplit(request.url).path or "/"
        return RequestVerdict(Verdict.ROBOTS_DENIED, f"robots.txt forbids {path}", final_url=request.url)

    async def rules_for(self, origin: str) -> RobotsRules:
        """Return the rules of an origin ("https://example.com"), fetched if they are not known."""
        return (await self._known_rules(origin)).rules

    async def allows(self, url: str) -> bool:
        """Tell whether the rules of a URL's origin allow it; they are fetched if they are not known."""
        return await (await self._known_rules(_origin(url))).allows(url)

    async def _known_rules(self, origin: str) -> _Known:
        # The lock, not a shared future, so that every waiter reads the same rules and none slips
        # through while they are on their way.
        async with self._locks.setdefault(origin, asyncio.Lock()):
            known = self._known.get(origin)
            if known is None or known.until <= time.monotonic():
                tries = known.tries % TRIES if known is not None and known.rules.closed else 0
                known = self._known[origin] = await self._learn(origin, tries)
            return known

    async def _learn(self, origin: str, tries: int) -> _Known:
        """Ask for the rules of an origin; `tries` are those before that told nothing."""
        tries, wait_s = tries + 1, None
        try:
            response = await self._fetch(origin)
        except Exception as error:  # noqa: BLE001  whatever went wrong, the rules could not be had
            logger.info("No answer from %s/robots.txt: %s", origin, outcome_of(error)[1])
            known = _Known(
                parse_robots(b"", None), 0.0, nobody_there=error if isinstance(error, NOBODY_THERE) else None
            )
            if isinstance(error, DownloadTimeoutError):
                tries += 1  # a try that costs a whole time limit counts for two
        else:
            known = await _read(response)
            wait_s = retry_after_s((response.headers.get("Retry-After") or b"").decode("latin-1"), datetime.now(UTC))
        now, site = time.monotonic(), site_of(origin)
        if not known.rules.closed:
            self._take_delay(origin, site, known.rules)
            return replace(known, until=now + LIFE_S)
        known = replace(known, tries=tries, until=now + LIFE_CLOSED_S)
        if not known.is_undecided:
            return known
        rest_s = self._pace.rest(site, tries, wait_s, now_s=now, chance=random.random())  # noqa: S311  no secret
        return replace(known, until=now + rest_s)

    def _take_delay(self, origin: str, site: str, rules: RobotsRules) -> None:
        self._pace.ask_delay(site, rules.delay_s)
        if rules.delay_s:
            most = f" (asked: {rules.asked_delay_s:g} s)" if rules.asked_delay_s > rules.delay_s else ""
            logger.info("%s/robots.txt: at least %g s between two requests%s", origin, rules.delay_s, most)

    @property
    def _pace(self) -> Pace:
        assert self._crawler.engine is not None
        return cast("FrontierScheduler", self._crawler.engine.scheduler).pace

    async def _fetch(self, origin: str) -> Response:
        """Return the answer at the end of the redirects. Raises whatever kept it from coming."""
        response = await self._download(f"{origin}/robots.txt")
        for _ in range(MAX_REDIRECTS):
            location = response.headers.get("Location")
            if response.status not in REDIRECT_STATUSES or location is None:
                break
            url = join_url(response.url, location.decode("latin-1"))
            if not url:
                break
            response = await self._download(url)
        return response

    async def _download(self, url: str) -> Response:
        assert self._crawler.engine is not None
        meta = {
            "mdcrawl_robots": 0,
            "download_slot": site_of(url),
            "download_maxsize": 0,  # bytes_received ends it
            "download_timeout": min(TIMEOUT_S, self._timeout_s),
        }
        request = Request(url, callback=NO_CALLBACK, priority=1000, meta=meta)
        response = await self._crawler.engine.download_async(request)
        # Half of what was packed is no rule to go by; half of what is plain is what RFC 9309 asks to read.
        broken_off = request.meta.get("mdcrawl_broken_off", "")
        if broken_off:
            raise ResponseDataLossError(broken_off)
        return response


async def _read(response: Response) -> _Known:
    """Return the rules in an answer; a redirect that led nowhere means none: RFC 9309 section 2.3.1.2."""
    status = 404 if response.status in REDIRECT_STATUSES else response.status
    is_big = status < 300 and len(response.body) > BIG
    if is_big:
        return _Known(await asyncio.to_thread(parse_robots, response.body, status), 0.0, is_big=True)
    return _Known(parse_robots(response.body, status), 0.0)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
