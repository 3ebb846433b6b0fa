"""The connection to Redis: scripts by name, and patience when the server is away."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Any, cast
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    BusyLoadingError,
    ConnectionError,  # noqa: A004
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    TimeoutError,  # noqa: A004
)
from redis.retry import Retry
from scrapy_redis.connection import get_redis

logger = logging.getLogger(__name__)

# Seconds: the event loop stands still while it waits for an answer, so not long; a network away is answered
# in milliseconds.
TIMEOUT_S = 5.0
# Seconds between two tries to reach a server that is away.
RETRY_S = 1.0
# What passes, however long it takes: the server is gone, starts, is a replica until it is promoted, has no
# memory or no disk left.
_AWAY = (ConnectionError, TimeoutError, BusyLoadingError, ReadOnlyError, OutOfMemoryError)
_NO_DISK = "MISCONF"


class RedisAwayError(Exception):
    """Redis cannot be reached now; what was to be done is to be tried again."""


class Server:
    """Redis as the workers of one crawl use it, under one prefix. `calls` counts the round trips.

    Raises RedisAwayError from every call while the server is away; it is not bothered more often than
    once a second then.
    """

    def __init__(self, url: str, prefix: str) -> None:
        # A connection that was idle when the server was restarted is found dead at its next use: one more try.
        patience = Retry(NoBackoff(), 1)
        self.client = cast(
            "redis.Redis",
            get_redis(url=url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=patience),
        )
        self.prefix = prefix
        parts = urlsplit(url)
        self.name = f"{parts.hostname or 'localhost'}:{parts.port or 6379}"  # for people; never a password
        self.calls = 0
        self._hashes: dict[str, str] = {}
        self._away_since = 0.0
        self._retry_at = 0.0

    def key(self, name: str) -> str:
        """Return the full name of a key."""
        return f"{self.prefix}:{name}"

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script of `mdcrawl.shared.scripts`; return what it returns, text as text."""
        return self.call(lambda: self._evaluate(script, [_text(self.prefix), *map(_text, arguments)]))

    def call(self, work: Callable[[], Any]) -> Any:
        """Return what a call to the server returns."""
        now = monotonic()
        if now < self._retry_at:
            raise RedisAwayError
        self.calls += 1
        try:
            answer = work()
        except RedisError as error:
            if not isinstance(error, _AWAY) and not str(error).startswith(_NO_DISK):
                raise
            if not self._away_since:
                self._away_since = now
                logger.warning("Redis is away (%s); waiting for it", type(error).__name__)
            self._retry_at = monotonic() + RETRY_S
            raise RedisAwayError from error
        if self._away_since:
            logger.warning("Redis is back after %.0f s; going on", monotonic() - self._away_since)
            self._away_since = 0.0
        return _plain(answer)

    def clear(self) -> None:
        """Delete every key of the crawl."""
        for key in self.call(lambda: list(self.client.scan_iter(f"{self.prefix}:*", count=1000))):
            self.call(partial(self.client.unlink, key))

    def close(self) -> None:
        """Close the connection."""
        try:
            self.client.close()
        except RedisError:  # it is gone already
            return

    def _evaluate(self, script: str, arguments: Sequence[bytes]) -> Any:
        if script not in self._hashes:
            self._hashes[script] = str(self.client.script_load(script))
        try:
            return self.client.evalsha(self._hashes[script], 0, *arguments)
        except NoScriptError:  # a server that was started anew knows none
            self._hashes[script] = str(self.client.script_load(script))
            return self.client.evalsha(self._hashes[script], 0, *arguments)


# What lies in Redis may be anything, and goes back as it came.
_ODD_BYTES = "surrogateescape"


def _text(argument: object) -> bytes:
    return argument if isinstance(argument, bytes) else str(argument).encode("utf-8", _ODD_BYTES)


def _plain(answer: Any) -> Any:
    if isinstance(answer, bytes):
        return answer.decode("utf-8", _ODD_BYTES)
    return [_plain(each) for each in answer] if isinstance(answer, list) else answer
