"""Resolve a name once, check every address of the answer, and say which may be connected to."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from mdcrawl.discovery.addresses import blocked_reason, literal_address
from mdcrawl.discovery.hosts import canonical_host

# Seconds that an answer holds. Every connection in that time goes to an address that was checked;
# then the name is looked up and checked again, since large sites move their names about.
LIFE_S = 300.0
# Seconds for which a name that does not resolve is not looked up again: many pages may wait for it.
FAILURE_LIFE_S = 10.0
# Seconds for one lookup; the C library gives up after some ten by itself.
LOOKUP_TIMEOUT_S = 20.0
LOOKUPS_AT_ONCE = 16
MAX_NAMES = 10_000

HostPort = tuple[str, int]
Lookup = Callable[[str], list[str]]


class BlockedAddressError(Exception):
    """No connection may be made there; the message is the reason, as a phrase."""


class UnresolvedNameError(Exception):
    """A name has no address."""


@dataclass(frozen=True, slots=True)
class _Answer:
    addresses: tuple[str, ...]
    until: float


def lookup(host: str) -> list[str]:
    """Return the addresses of a name, IPv4 and IPv6, in the order to try them. Raises OSError; blocks."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for _, _, _, _, sockaddr in found]


class AddressGuard:
    """What may be connected to. Whoever connects asks `resolve` and connects to what it returns.

    So a name that answers differently the second time gains nothing, whoever asks: the middleware
    for its verdict, Twisted for a connection, the browser's proxy for another.
    """

    def __init__(self, lookup: Lookup = lookup, clock: Callable[[], float] = time.monotonic) -> None:
        self._lookup = lookup
        self._clock = clock
        self._exempt: set[HostPort] = set()
        self._trusted: set[HostPort] = set()
        self._answers: dict[str, _Answer] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._threads = ThreadPoolExecutor(LOOKUPS_AT_ONCE, thread_name_prefix="lookup")

    def exempt(self, host: str, port: int) -> None:
        """Let one host and port have any address."""
        self._exempt.add((_plain(host), port))

    def trust(self, host: str, port: int) -> None:
        """Let the host and port of a start URL have the kind of address that it has at first.

        A public site that is trusted must stay public: its name cannot be moved to a private
        address later.
        """
        self._trusted.add((_plain(host), port))

    def may_be_private(self, host: str, port: int) -> bool:
        """Tell whether somebody who may has named this host and port."""
        return (_plain(host), port) in self._exempt | self._trusted

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """Return the addresses to connect to, in the order to try them.

        Raises BlockedAddressError if any of them is not public, and UnresolvedNameError.
        """
        name = _plain(host)
        literal = literal_address(name)
        addresses = (str(literal),) if literal is not None else await self._addresses(name)
        if (name, port) in self._exempt:
            return addresses
        reason = next(filter(None, map(blocked_reason, addresses)), "")
        if (name, port) in self._trusted:
            if reason:
                self._exempt.add((name, port))
                return addresses
            self._trusted.discard((name, port))
        if reason:
            raise BlockedAddressError(reason if literal is not None else f"{name} resolves to a {reason}")
        return addresses

    async def _addresses(self, name: str) -> tuple[str, ...]:
        async with self._locks.setdefault(name, asyncio.Lock()):
            answer = self._answers.get(name)
            if answer is None or answer.until < self._clock():
                addresses = await self._look_up(name)
                life_s = LIFE_S if addresses else FAILURE_LIFE_S
                answer = _Answer(addresses, self._clock() + life_s)
                self._remember(name, answer)
        if not answer.addresses:
            raise UnresolvedNameError(f"the host name {name} does not resolve")
        return answer.addresses

    async def _look_up(self, name: str) -> tuple[str, ...]:
        lookup = asyncio.get_running_loop().run_in_executor(self._threads, self._lookup, name)
        try:
            return tuple(dict.fromkeys(await asyncio.wait_for(lookup, LOOKUP_TIMEOUT_S)))
        except (OSError, UnicodeError, TimeoutError):
            return ()

    def _remember(self, name: str, answer: _Answer) -> None:
        if len(self._answers) >= MAX_NAMES:
            self._answers.clear()
            self._locks = {each: lock for each, lock in self._locks.items() if lock.locked()}
        self._answers[name] = answer


def _plain(host: str) -> str:
    """Return the host as names are compared: lower case, punycode, addresses short and without brackets."""
    literal = literal_address(host)
    if literal is not None:
        return str(literal)
    try:
        return canonical_host(host)
    except ValueError:
        return host.lower()
