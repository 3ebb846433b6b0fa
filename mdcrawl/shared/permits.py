"""Permits: whichever worker asks a site, it asks when the site's pace allows it, all workers together."""

from __future__ import annotations

import asyncio
import json
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING
from uuid import uuid4

from mdcrawl.discovery.pace import Pace, PaceOptions
from mdcrawl.discovery.urls import site_of
from mdcrawl.shared import scripts
from mdcrawl.shared.server import RETRY_S, RedisAwayError, Server

if TYPE_CHECKING:
    from scrapy import Request


class SharedPace(Pace):
    """The pace of the sites of a shared crawl; what changes outside of a request is told to `on_change`."""

    def __init__(self, options: PaceOptions) -> None:
        super().__init__(options)
        self.options = options
        self.on_change: Callable[[str], None] = lambda _: None

    def delay(self, site: str) -> tuple[float, float]:
        """Return no delay for Scrapy's own slots: the permits keep it, for all workers."""
        return 0.0, 0.0

    def ask_delay(self, site: str, delay_s: float) -> None:
        """Note what a robots.txt of the site asks for."""
        super().ask_delay(site, delay_s)
        self.on_change(site)

    def rest(self, site: str, tries: int, asked_s: float | None, *, now_s: float, chance: float) -> float:
        """Let a site rest."""
        wait_s = super().rest(site, tries, asked_s, now_s=now_s, chance=chance)
        self.on_change(site)
        return wait_s

    def take_in(self, site: str, state: str, rest_s: float) -> None:
        """Take in what Redis holds of a site."""
        if state:
            self.adopt(site, json.loads(state), rest_s, monotonic())


# Seconds that a request may take from here to its site: the next one must not gain on it. Where the answer
# began earlier, it had arrived by then.
TRAVEL_S = 0.25
# Seconds for which a permit is good without being asked about again: a process may be held up over anything.
FRESH_S = 0.02


@dataclass(slots=True)
class Permit:
    """The right to send one request to a site; `arrived_at` is 0.0 unless it went out."""

    site: str
    id: str
    arrived_at: float = 0.0
    granted_at: float = field(default_factory=monotonic)

    @property
    def age_s(self) -> float:
        """Seconds since the request arrived, -1.0 if it was not sent."""
        return max(monotonic() - self.arrived_at, 0.0) if self.arrived_at else -1.0


class Permits:
    """The permits of one worker. `later` runs what Redis is to be told, again and again until it could be told."""

    def __init__(
        self, server: Server, pace: SharedPace, *, lease_s: float, later: Callable[[Callable[[], None]], None]
    ) -> None:
        self._server = server
        self._pace = pace
        self._lease_s = lease_s
        self._later = later
        self._unspent: defaultdict[str, list[Permit]] = defaultdict(list)
        self._spent: dict[Request, Permit] = {}
        pace.on_change = self._tell

    def grant(self, site: str, permit: str) -> None:
        """Keep a permit that came with a lease for the next request to the site."""
        self._unspent[site].append(Permit(site, permit))

    async def acquire(self, request: Request) -> None:
        """Wait until a request may be sent; a site that was given up keeps nobody waiting."""
        site = str(request.meta.get("download_slot") or site_of(request.url))
        if self._unspent[site]:
            self._spent[request] = self._unspent[site].pop()
            return
        permit = Permit(site, uuid4().hex)
        while not self._pace.given_up(site):
            permit.granted_at = monotonic()
            wait_s = self._ask_for(permit)
            if wait_s <= 0:
                self._spent[request] = permit
                return
            await asyncio.sleep(wait_s)

    async def send(self, request: Request) -> None:
        """Note that a request goes out now: the next one's delay counts from here.

        A permit that was long in coming to its use is renewed, or another one is waited for.
        """
        while (permit := self._spent.get(request)) is not None:
            if monotonic() - permit.granted_at <= FRESH_S or self._date(permit):
                permit.arrived_at = monotonic() + TRAVEL_S
                return
            del self._spent[request]
            await self.acquire(request)

    def _date(self, permit: Permit) -> bool:
        try:
            return bool(self._server.run(scripts.DATE, permit.site, permit.id, self._lease_s))
        except RedisAwayError:
            return False

    def answered(self, request: Request) -> None:
        """Note that an answer begins: its request has arrived."""
        if request in self._spent:
            self._spent[request].arrived_at = min(self._spent[request].arrived_at, monotonic())

    def release(self, request: Request) -> None:
        """Give back the permit of a request that has come to its end, sent or not."""
        permit = self._spent.pop(request, None)
        site = str(request.meta.get("download_slot", ""))
        if permit is None and "mdcrawl_url" in request.meta and self._unspent[site]:
            permit = self._unspent[site].pop()
        if permit is not None:
            self._give_back(permit)

    def drop(self, site: str) -> None:
        """Give back a permit that no request will use."""
        if self._unspent[site]:
            self._give_back(self._unspent[site].pop())

    @property
    def held(self) -> list[str]:
        """Site and id of each permit that this worker has, one after the other."""
        unspent = [permit for permits in self._unspent.values() for permit in permits]
        return [word for permit in (*unspent, *self._spent.values()) for word in (permit.site, permit.id)]

    def _ask_for(self, permit: Permit) -> float:
        """Return in how many seconds to ask again, 0.0 if the permit is given."""
        options = self._pace.options
        arguments = (permit.site, permit.id, self._lease_s, options.min_delay_s, options.jitter, options.concurrency)
        try:
            wait_s, state, rest_s = self._server.run(scripts.PERMIT, *arguments, random.random())  # noqa: S311  no secret
        except RedisAwayError:
            return RETRY_S
        self._pace.take_in(permit.site, state, float(rest_s))
        return float(wait_s)

    def _give_back(self, permit: Permit) -> None:
        state, rest_s = self._state(permit.site)
        self._later(lambda: self._server.run(scripts.RELEASE, permit.site, permit.id, permit.age_s, state, rest_s))

    def _tell(self, site: str) -> None:
        state, rest_s = self._state(site)
        self._later(lambda: self._server.run(scripts.RELEASE, site, "", -1, state, rest_s))

    def _state(self, site: str) -> tuple[str, float]:
        return json.dumps(self._pace.state(site)), self._pace.ready_in(site, monotonic())
