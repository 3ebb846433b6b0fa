"""scrapy-redis's queue and duplicate filter, with leases: what is handed out comes back unless its end is told."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_redis.dupefilter import RFPDupeFilter
from scrapy_redis.queue import Base

from mdcrawl.shared import scripts, serializer

if TYPE_CHECKING:
    from scrapy import Request, Spider

    from mdcrawl.discovery.pace import PaceOptions
    from mdcrawl.shared.server import Server

logger = logging.getLogger(__name__)

# Bytes of a fingerprint: among a milliard of URLs two are alike with a chance of 1 in 10^11.
FINGERPRINT_BYTES = 12
# What a request is in an argument list of the scripts: fingerprint, "1" to queue it again, site, score, JSON.
Entry = tuple[bytes, str, str, int, str]
# Requests pushed in one call: some milliseconds of Redis.
BATCH = 500


class SharedFilter(RFPDupeFilter):  # type: ignore[misc]  # scrapy-redis has no types
    """The URLs that were ever queued, by our own canonical form of them."""

    def request_fingerprint(self, request: Request) -> bytes:
        """Return the fingerprint of the page that a request is for, whatever headers or Markdown it asks for."""
        url: str = request.meta["mdcrawl_url"]
        return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=FINGERPRINT_BYTES).digest()


@dataclass(frozen=True, slots=True)
class Leased:
    """A request handed out: its JSON, the pace of its site as JSON ("" if unknown), for how many seconds that rests.

    `news` counts what workers have told the others.
    """

    text: str
    state: str
    rest_s: float
    news: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing to hand out: when to ask again, and what there is. `is_over` says that there never will be.

    `has_begun` tells whether what the crawl starts from is there; known of what is left only.
    """

    wait_s: float = 0.0
    queued: int = 0
    leased: int = 0
    is_over: bool = False
    is_lost: bool = False
    has_begun: bool = False

    @property
    def is_all(self) -> bool:
        """Whether nothing waits and nothing is out."""
        return self.queued <= 0 and not self.leased


class LeaseQueue(Base):  # type: ignore[misc]  # scrapy-redis has no types
    """The queue of a crawl: pages by site, each site as often as its pace allows.

    Every call raises RedisAwayError while Redis is away.
    """

    def __init__(self, server: Server, spider: Spider, *, pace: PaceOptions, lease_s: float, max_pages: int) -> None:
        super().__init__(server, spider, server.key("requests"), serializer)
        self._filter = SharedFilter(server, server.key("dupefilter"))
        self._pace = pace
        self._lease_s = lease_s
        self._max_pages = max_pages

    def open(self, stored: int) -> None:
        """Make the queue of a crawl that has so many pages stored, in place of whatever was there."""
        self.server.clear()
        self.server.run(scripts.OPEN, stored)

    @property
    def is_lost(self) -> bool:
        """Whether Redis knows nothing of the crawl."""
        return not self.server.call(lambda: self.server.client.hexists(self.server.key("counts"), "opened"))

    def entry(self, request: Request, *, again: bool = False) -> Entry:
        """Return what to push of a request for a page; `again` queues what was queued before."""
        meta = request.meta
        score = -request.priority * scripts.LOW + meta["mdcrawl_depth"]
        fingerprint = self._filter.request_fingerprint(request)
        return fingerprint, str(int(again)), meta["download_slot"], score, self._encode_request(request)

    def push_all(self, entries: Sequence[Entry]) -> None:
        """Queue what is new among some requests."""
        for start in range(0, len(entries), BATCH):
            self.server.run(scripts.PUSH, *_flat(entries[start : start + BATCH]))

    def push(self, request: Request) -> None:
        """Queue a request unless its page was queued before."""
        self.push_all([self.entry(request)])

    def lease(self, permit: str, unwanted: Iterable[str], chance: float) -> Leased | Nothing:
        """Hand out the first request of the site whose turn it is, with the permit to send it at once."""
        pace = self._pace
        arguments = (self._lease_s, pace.min_delay_s, pace.jitter, pace.concurrency, self._max_pages, chance, permit)
        kind, *rest = self.server.run(scripts.POP, *arguments, *unwanted)
        if kind == "page":
            return Leased(rest[0], rest[1], float(rest[2]), int(rest[3]))
        if kind == "wait":
            return Nothing(float(rest[0]), int(rest[1]), int(rest[2]))
        if kind == "odd":
            logger.error("Redis held something that is no request of this crawl; it is dropped")
            return Nothing(queued=1)
        return Nothing(is_over=kind == "over", is_lost=kind == "lost")

    def decode(self, text: str) -> Request:
        """Return the request that was leased. Raises ForeignRequestError for what is none, or not this spider's."""
        try:
            request: Request = self._decode_request(text)
        except ValueError as error:  # a callback that the spider does not have
            raise serializer.ForeignRequestError(str(error)) from error
        return request

    def settle(self, text: str, site: str, *, stored: int, found: Sequence[Entry]) -> None:
        """Tell that a leased request has come to its end, and queue what it led to, the last of it all at once."""
        self.push_all(found[BATCH:])
        self.server.run(scripts.SETTLE, text, site, stored, *_flat(found[:BATCH]))

    def left(self) -> Nothing:
        """Return what waits and what is out."""
        queued, leased, begun = self.server.run(scripts.LEFT)
        return Nothing(0.0, queued, leased, has_begun=begun == 1)

    def __len__(self) -> int:
        """Return how many requests wait."""
        return self.left().queued

    def clear(self) -> None:
        """Forget the crawl."""
        self.server.clear()


def _flat(entries: Sequence[Entry]) -> list[object]:
    return [field for entry in entries for field in entry]
