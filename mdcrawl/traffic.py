"""What is on its way to each site, and when the next request may follow."""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import signals

from mdcrawl.discovery.urls import site_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from mdcrawl.discovery.pace import Pace


class Traffic:
    """Keep to a site's pace and concurrency, from the scheduler on.

    Scrapy counts a request from the moment it is with the downloader; here it counts from the moment
    it is handed out, since in between robots.txt may have to be fetched, and the site may be parked.
    Requests that came back (a retry, a redirect) are held until their site may be asked again.
    """

    def __init__(self, crawler: Crawler, pace: Pace, *, concurrency: int) -> None:
        self._crawler = crawler
        self._pace = pace
        self._concurrency = concurrency
        self._held: defaultdict[str, deque[Request]] = defaultdict(deque)
        self._under_way: dict[str, str] = {}
        self._under_way_to: Counter[str] = Counter()
        crawler.signals.connect(self._arrived, signal=signals.request_reached_downloader)
        crawler.signals.connect(self._arrived, signal=signals.response_received)

    def ready_in(self, site: str) -> float:
        """Return in how many seconds a site may be asked again; infinity if an answer will tell."""
        parked_s = self._pace.ready_in(site, monotonic())
        assert self._crawler.engine is not None
        slot = self._crawler.engine.downloader.slots.get(site)
        if self._under_way_to[site] + (len(slot.active) if slot is not None else 0) >= self._concurrency:
            return math.inf
        if slot is None:
            return parked_s
        return max(parked_s, slot.lastseen + slot.delay * (1 - slot.jitter) - monotonic())

    @property
    def is_holding(self) -> bool:
        """Whether any request that came back waits to go out again."""
        return any(self._held.values())

    @property
    def holding(self) -> list[str]:
        """The sites of requests that wait to go out again."""
        return [site for site, held in self._held.items() if held]

    def holds(self, site: str) -> bool:
        """Tell whether a request to a site waits to go out again."""
        return bool(self._held.get(site))

    def hold(self, request: Request) -> str:
        """Keep a request that came back; return its site."""
        site = str(request.meta.get("download_slot") or site_of(request.url))
        self._held[site].append(request)
        return site

    def take(self, site: str) -> tuple[Request | None, float]:
        """Return a held request of a site, or none and in how many seconds there is one."""
        soonest, now = math.inf, monotonic()
        for request in self._held.get(site, ()):
            wait_s = request.meta.get("mdcrawl_not_before", 0.0) - now
            if wait_s <= 0:
                self._held[site].remove(request)
                return request, 0.0
            soonest = min(soonest, wait_s)
        return None, soonest

    def send(self, request: Request, site: str) -> Request:
        """Return a request that is handed out, and count it until it arrives."""
        url = request.meta.get("mdcrawl_url")
        if url is not None:
            self._under_way[url] = site
            self._under_way_to[site] += 1
        return request

    def arrive(self, url: str) -> None:
        """Take note that the request for a page is with the downloader, was answered before it, or came back."""
        site = self._under_way.pop(url, None)
        if site is not None:
            self._under_way_to[site] -= 1

    def _arrived(self, request: Request) -> None:
        self.arrive(request.meta.get("mdcrawl_url", ""))
