"""By site: start URLs from a list in Redis, by scrapy-redis's convention; each site has one worker at a time."""

from __future__ import annotations

import json
import logging
import os
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import uuid4

from scrapy_redis.defaults import START_URLS_KEY

from mdcrawl.discovery.urls import canonical_url, site_of
from mdcrawl.errors import SpiderArgumentError
from mdcrawl.shared.server import RETRY_S, RedisAwayError, Server

logger = logging.getLogger(__name__)

# Entries of the list that are looked at for one whose site nobody has.
LOOK_AHEAD = 200

# The keys: PREFIX:leases, a sorted set of sites by the time at which their worker counts as dead;
# PREFIX:entries and PREFIX:owners, hashes of their entries and workers; PREFIX:tick.
_HEAD = """
local prefix = ARGV[1]
local function key(name) return prefix .. ':' .. name end
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local function forget(site)
  redis.call('ZREM', key('leases'), site)
  redis.call('HDEL', key('entries'), site)
  redis.call('HDEL', key('owners'), site)
end
-- If nobody has given a sign of life for a while, Redis was away, and nobody is dead.
local function tick(lease_s)
  if now - tonumber(redis.call('GET', key('tick')) or now) > lease_s / 2 then
    for _, site in ipairs(redis.call('ZRANGE', key('leases'), 0, -1)) do
      redis.call('ZADD', key('leases'), now + lease_s, site)
    end
  end
  redis.call('SET', key('tick'), string.format('%.6f', now))
end
"""

# ARGV: prefix, list, seconds of a lease, worker; then entry and site of each candidate. Returns the number
# of the candidate that is taken, 0 for none, and how many entries and sites there are in all.
_TAKE = (
    _HEAD
    + """
local list, lease_s = ARGV[2], tonumber(ARGV[3])
tick(lease_s)
for _, site in ipairs(redis.call('ZRANGEBYSCORE', key('leases'), '-inf', now)) do
  redis.call('LPUSH', list, redis.call('HGET', key('entries'), site))
  forget(site)
end
local left = redis.call('LLEN', list) + redis.call('ZCARD', key('leases'))
for i = 5, #ARGV, 2 do
  local entry, site = ARGV[i], ARGV[i + 1]
  if not redis.call('ZSCORE', key('leases'), site) and redis.call('LREM', list, 1, entry) == 1 then
    redis.call('ZADD', key('leases'), now + lease_s, site)
    redis.call('HSET', key('entries'), site, entry)
    redis.call('HSET', key('owners'), site, ARGV[4])
    return {(i - 3) / 2, left}
  end
end
return {0, left}
"""
)

# ARGV: prefix, seconds of a lease, worker, site. Returns whether the site is still the worker's.
_RENEW = (
    _HEAD
    + """
tick(tonumber(ARGV[2]))
if redis.call('HGET', key('owners'), ARGV[4]) ~= ARGV[3] then return 0 end
redis.call('ZADD', key('leases'), now + tonumber(ARGV[2]), ARGV[4])
return 1
"""
)

# ARGV: prefix, worker, site, list to put the entry back into, and how: LPUSH, RPUSH or "".
_END = (
    _HEAD
    + """
if redis.call('HGET', key('owners'), ARGV[3]) == ARGV[2] then
  if ARGV[5] ~= '' then redis.call(ARGV[5], ARGV[4], redis.call('HGET', key('entries'), ARGV[3])) end
  forget(ARGV[3])
end
"""
)


@dataclass(frozen=True, slots=True)
class Start:
    """An entry of the list: the start URL, its site, and the spider's arguments that came with it."""

    url: str
    site: str
    arguments: Mapping[str, str] = field(default_factory=dict)


class Ending(StrEnum):
    """What becomes of a site's entry when its worker lets go of it."""

    DONE = ""
    GO_ON = "LPUSH"  # next: what the crawl has fetched is at hand
    TRY_LATER = "RPUSH"  # last: no crawl began, and one entry that cannot begin must not hold up the others


def read_entry(entry: str) -> Start:
    """Return what an entry asks for: a URL, or JSON with `url` and arguments of the spider.

    Raises SpiderArgumentError for anything else. A path, which an argument on the command line may be, is none.

    >>> read_entry('{"url": "https://example.com/docs/", "max_pages": 100}').arguments
    {'max_pages': '100'}
    """
    arguments: dict[str, str] = {}
    url = entry.strip()
    if url.startswith("{"):
        try:
            given = {str(name): str(value) for name, value in json.loads(url).items()}
        except ValueError as error:
            raise SpiderArgumentError(f"start: neither a URL nor JSON: {entry[:80]!r}") from error
        url = given.pop("url", "")
        arguments = given
    canonical = canonical_url(url)
    if not canonical:
        raise SpiderArgumentError(f"start: not a URL: {url[:80]!r}")
    return Start(url, site_of(canonical), arguments)


class SiteList:
    """The list of a spider's start URLs, and the sites that are being crawled."""

    def __init__(self, redis_url: str, spider: str, *, lease_s: float) -> None:
        self._server = Server(redis_url, f"{spider}:sites")
        self._list = START_URLS_KEY % {"name": spider}
        self._lease_s = lease_s
        self._worker = uuid4().hex
        self._ended = threading.Event()

    def take(self) -> Start | None:
        """Return the next start whose site nobody has, None if the list is empty and all sites are done.

        Waits while other workers have sites, which they may give back, and while Redis is away. Entries that
        are none are dropped, with a line in the log.
        """
        while True:
            try:
                found, left = self._try_to_take()
            except RedisAwayError:
                left, found = 1, None
            if found is not None:
                threading.Thread(target=self._renew, args=(found.site,), daemon=True).start()
                return found
            if not left:
                return None
            time.sleep(RETRY_S)

    def end(self, site: str, ending: Ending) -> None:
        """Let go of a site; waits for Redis if that is away."""
        self._ended.set()
        while True:
            try:
                self._server.run(_END, self._worker, site, self._list, ending)
            except RedisAwayError:
                time.sleep(RETRY_S)
            else:
                self._server.close()
                return

    def _try_to_take(self) -> tuple[Start | None, int]:
        entries = self._server.call(lambda: self._server.client.lrange(self._list, 0, LOOK_AHEAD - 1))
        starts = [(entry, start) for entry in entries if (start := self._read(entry)) is not None]
        words = [word for entry, start in starts for word in (entry, start.site)]
        number, left = self._server.run(_TAKE, self._list, self._lease_s, self._worker, *words)
        return (starts[number - 1][1] if number else None), left

    def _read(self, entry: str) -> Start | None:
        try:
            return read_entry(entry)
        except SpiderArgumentError as error:
            logger.error("%s: dropped: %s", self._list, error)  # noqa: TRY400  one line says it
            self._server.call(lambda: self._server.client.lrem(self._list, 1, entry))
            return None

    def _renew(self, site: str) -> None:
        """Keep a site from a thread: the event loop stands still while a large corpus is written."""
        while not self._ended.wait(self._lease_s / 3):
            try:
                is_mine = self._server.run(_RENEW, self._lease_s, self._worker, site)
            except RedisAwayError:
                continue
            if not is_mine and not self._ended.is_set():
                logger.error("%s: another worker has this site now; leaving it", site)
                os.kill(os.getpid(), signal.SIGTERM)
                return
