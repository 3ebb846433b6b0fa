"""Twisted's resolver with the guard in it."""

from __future__ import annotations

import asyncio

import pytest
from twisted.internet.address import IPv4Address, IPv6Address

from mdcrawl.guard.gate import AddressGuard
from mdcrawl.guard.resolver import GuardResolver, installed_guard
from tests.guard.spellings import HOSTS, answer


class Receiver:
    """Takes what a resolver hands out."""

    def __init__(self):
        self.began, self.addresses, self.done = [], [], asyncio.Event()

    def resolutionBegan(self, resolution):  # noqa: N802
        self.began.append(resolution.name)

    def addressResolved(self, address):  # noqa: N802
        assert not self.done.is_set()
        self.addresses.append(address)

    def resolutionComplete(self):  # noqa: N802
        self.done.set()


async def resolve(guard, host, port=443, **options):
    receiver = Receiver()
    GuardResolver(None, guard).resolveHostName(receiver, host, port, **options)
    assert receiver.began == [host]
    await asyncio.wait_for(receiver.done.wait(), 5)
    return receiver.addresses


async def test_both_families_with_the_port():
    assert await resolve(AddressGuard(answer), "public.example") == [
        IPv4Address("TCP", "93.184.216.34", 443),
        IPv6Address("TCP", "2606:2800:220:1:248:1893:25c8:1946", 443),
    ]


async def test_one_family():
    assert await resolve(AddressGuard(answer), "public.example", addressTypes=[IPv4Address]) == [
        IPv4Address("TCP", "93.184.216.34", 443)
    ]


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
async def test_nothing_private_is_handed_out(host):
    assert await resolve(AddressGuard(answer), host) == []


async def test_name_without_address():
    assert await resolve(AddressGuard(answer), "nowhere.example") == []


async def test_exemption_holds_for_its_port_only():
    guard = AddressGuard(answer)
    guard.exempt("::1", 8000)
    assert await resolve(guard, "::1", 8000) == [IPv6Address("TCP", "::1", 8000)]
    assert await resolve(guard, "::1", 8001) == []


def test_guard_is_put_in_place_once(monkeypatch):
    from twisted.internet import reactor

    monkeypatch.setattr(reactor, "_nameResolver", reactor.nameResolver)
    guard = installed_guard()
    assert isinstance(reactor.nameResolver, GuardResolver)
    assert reactor.nameResolver.guard is guard
    assert installed_guard() is guard
