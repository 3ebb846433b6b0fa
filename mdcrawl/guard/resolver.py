"""Twisted's name resolver with the guard in it: what Scrapy connects to has been checked, IPv6 included."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

from scrapy.resolver import HostResolution
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver
from zope.interface import implementer

from mdcrawl.guard.gate import AddressGuard, BlockedAddressError, UnresolvedNameError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Receiver(Protocol):
    """Twisted's IResolutionReceiver, which takes the addresses of a name one by one."""

    def resolutionBegan(self, resolution: object) -> None:  # noqa: N802  Twisted's interface
        """Take note that answers will come."""

    def addressResolved(self, address: object) -> None:  # noqa: N802  likewise
        """Take one address."""

    def resolutionComplete(self) -> None:  # noqa: N802  likewise
        """Take note that there are no more."""


@implementer(IHostnameResolver)
class GuardResolver:
    """Scrapy's TWISTED_DNS_RESOLVER: gives Twisted the addresses that the guard lets pass, or none.

    There is one for a process, as there is one reactor; it holds the guard that all share.
    """

    def __init__(self, reactor: Any, guard: AddressGuard | None = None) -> None:
        self.guard = guard or AddressGuard()
        self._reactor = reactor
        self._running: set[asyncio.Task[None]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> Self:  # noqa: ARG003  Scrapy gives both
        """Make the resolver of a process."""
        return cls(reactor)

    def install_on_reactor(self) -> None:
        """Let the reactor ask this resolver from now on."""
        self._reactor.installNameResolver(self)

    def resolveHostName(  # noqa: N802  Twisted's interface, with its names
        self,
        resolutionReceiver: Receiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> HostResolution:
        """Hand the checked addresses of a name to the receiver; of a blocked one, none."""
        resolution = HostResolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        wanted = tuple(addressTypes or (IPv4Address, IPv6Address))
        task = asyncio.ensure_future(self._deliver(resolutionReceiver, hostName, portNumber, wanted))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return resolution

    async def _deliver(self, receiver: Receiver, host: str, port: int, wanted: tuple[type, ...]) -> None:
        try:
            addresses = await self.guard.resolve(host, port)
        except (BlockedAddressError, UnresolvedNameError):
            addresses = ()
        for address in addresses:
            kind = IPv6Address if ":" in address else IPv4Address
            if issubclass(kind, wanted):
                receiver.addressResolved(kind("TCP", address, port))
        receiver.resolutionComplete()


def installed_guard() -> AddressGuard:
    """Return the guard of this process; put it in place where whoever runs the crawl has not."""
    from twisted.internet import reactor as module  # noqa: PLC0415  importing it earlier would choose the reactor

    reactor: Any = module  # the module stands for the reactor in use
    resolver = reactor.nameResolver
    if not isinstance(resolver, GuardResolver):
        resolver = GuardResolver(reactor)
        resolver.install_on_reactor()
    return resolver.guard
