"""Obey robots.txt: nothing is asked for that its rules forbid, at the start and at every hop."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import CannotResolveHostError, DownloadConnectionRefusedError
from scrapy.http.request import NO_CALLBACK

from mdcrawl.discovery.robots_rules import RobotsRules, parse_robots
from mdcrawl.discovery.urls import join_url, site_of
from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict, outcome_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

# RFC 9309 section 2.4: not longer than 24 hours. Rules that could not be had are tried again sooner.
LIFE_S = 24 * 3600
LIFE_CLOSED_S = 300
# RFC 9309 section 2.3.1.2: at least five redirects are followed.
MAX_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})


# A host that is not there at all: the page's verdict says so, rather than that its rules are missing.
NOBODY_THERE = (CannotResolveHostError, DownloadConnectionRefusedError)


@dataclass(frozen=True, slots=True)
class _Known:
    rules: RobotsRules
    until: float
    nobody_there: Exception | None = None


class RobotsMiddleware:
    """Fetch each origin's robots.txt once, however many requests wait for it, and hold requests to it."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._known: dict[str, _Known] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Let a request pass if the rules allow it. Raises RequestVerdict if not."""
        if request.meta.get("mdcrawl_robots"):
            return
        parts = urlsplit(request.url)
        known = await self._known_rules(f"{parts.scheme}://{parts.netloc}")
        rules = known.rules
        if rules.allows(request.url):
            return
        if known.nobody_there is not None:
            raise RequestVerdict(*outcome_of(known.nobody_there))
        assert self._crawler.stats is not None
        if rules.closed:
            self._crawler.stats.inc_value("mdcrawl/robots/unreachable")
            raise RequestVerdict(Verdict.ROBOTS_UNREACHABLE, f"{rules.closed}; the site is closed for now")
        self._crawler.stats.inc_value("mdcrawl/robots/denied")
        raise RequestVerdict(Verdict.ROBOTS_DENIED, f"robots.txt forbids {parts.path or '/'}", final_url=request.url)

    async def rules_for(self, origin: str) -> RobotsRules:
        """Return the rules of an origin ("https://example.com"), fetched if they are not known."""
        return (await self._known_rules(origin)).rules

    async def allows(self, url: str) -> bool:
        """Tell whether the rules of a URL's origin allow it; they are fetched if they are not known."""
        parts = urlsplit(url)
        return (await self._known_rules(f"{parts.scheme}://{parts.netloc}")).rules.allows(url)

    async def _known_rules(self, origin: str) -> _Known:
        # The lock, not a shared future, so that every waiter reads the same rules and none slips
        # through while they are on their way.
        async with self._locks.setdefault(origin, asyncio.Lock()):
            known = self._known.get(origin)
            if known is None or known.until < time.monotonic():
                try:
                    rules, trouble = await self._fetch(origin), None
                except NOBODY_THERE as error:
                    rules, trouble = parse_robots(b"", None), error
                known = _Known(rules, time.monotonic() + (LIFE_CLOSED_S if rules.closed else LIFE_S), trouble)
                self._known[origin] = known
            return known

    async def _fetch(self, origin: str) -> RobotsRules:
        url = f"{origin}/robots.txt"
        for _ in range(MAX_REDIRECTS + 1):
            response = await self._download(url)
            if response is None:
                return parse_robots(b"", None)
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or location is None:
                return parse_robots(response.body, response.status)
            url = join_url(response.url, location.decode("latin-1"))
            if not url:
                break
        return parse_robots(b"", 404)  # redirects that lead nowhere: "unavailable", section 2.3.1.2

    async def _download(self, url: str) -> Response | None:
        assert self._crawler.engine is not None
        request = Request(
            url, callback=NO_CALLBACK, priority=1000, meta={"mdcrawl_robots": True, "download_slot": site_of(url)}
        )
        try:
            return await self._crawler.engine.download_async(request)
        except NOBODY_THERE:
            raise
        except Exception as error:  # noqa: BLE001  whatever went wrong, the rules could not be had
            logger.info("No answer from %s: %s", url, " ".join(str(error).split()) or type(error).__name__)
            return None
