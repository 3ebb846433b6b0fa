"""The guard: every address of a name is checked, and whoever connects gets what was checked."""

from __future__ import annotations

import asyncio

import pytest

from mdcrawl.guard import gate
from mdcrawl.guard.gate import AddressGuard, BlockedAddressError, UnresolvedNameError
from tests.guard.spellings import HOSTS, answer


class Names:
    """A name service that answers as told and counts what it is asked."""

    def __init__(self, **answers):
        self.answers = {name.replace("_", "."): list(turns) for name, turns in answers.items()}
        self.asked = []

    def __call__(self, host):
        self.asked.append(host)
        turns = self.answers[host]
        return turns.pop(0) if len(turns) > 1 else turns[0]


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def test_table_is_large_enough():
    assert len(HOSTS) >= 60


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
async def test_nothing_private_gets_through(host):
    with pytest.raises(BlockedAddressError):
        await AddressGuard(answer).resolve(host, 80)


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        pytest.param("10.0.0.7", "private address 10.0.0.7", id="literal"),
        pytest.param("0x7f.1", "loopback address 127.0.0.1", id="odd literal"),
        pytest.param("inside.example", "inside.example resolves to a private address 10.0.0.7", id="name"),
    ],
)
async def test_reason_says_where_it_leads(host, reason):
    with pytest.raises(BlockedAddressError) as raised:
        await AddressGuard(answer).resolve(host, 80)
    assert str(raised.value) == reason


async def test_public_name_has_all_its_addresses_in_order():
    addresses = await AddressGuard(answer).resolve("Public.Example.", 443)
    assert addresses == ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946")


@pytest.mark.parametrize("host", ["93.184.216.34", "[2606:2800:220:1::1]", "2606:2800:220:1::1"])
async def test_public_literal_needs_no_look_up(host):
    names = Names()
    assert await AddressGuard(names).resolve(host, 80) == (host.strip("[]"),)
    assert names.asked == []


@pytest.mark.parametrize("fails", [OSError("no"), UnicodeError("no")])
async def test_name_without_address(fails):
    def lookup(host):
        raise fails

    with pytest.raises(UnresolvedNameError, match=r"nowhere\.example does not resolve"):
        await AddressGuard(lookup).resolve("nowhere.example", 80)


async def test_slow_name_service_is_given_up(monkeypatch):
    monkeypatch.setattr(gate, "LOOKUP_TIMEOUT_S", 0.05)
    release = asyncio.Event()
    loop = asyncio.get_running_loop()

    def lookup(host):
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result()
        return ["93.184.216.34"]

    with pytest.raises(UnresolvedNameError):
        await AddressGuard(lookup).resolve("slow.example", 80)
    release.set()


class TestRebinding:
    """A name that answers differently the second time."""

    async def test_second_answer_is_not_asked_for_while_the_first_holds(self):
        names = Names(rebind_example=[["93.184.216.34"], ["10.0.0.7"]])
        guard = AddressGuard(names)
        for _ in range(5):
            assert await guard.resolve("rebind.example", 80) == ("93.184.216.34",)
        assert names.asked == ["rebind.example"]

    async def test_second_answer_is_checked_when_the_first_is_too_old(self):
        clock, names = Clock(), Names(rebind_example=[["93.184.216.34"], ["10.0.0.7"]])
        guard = AddressGuard(names, clock)
        await guard.resolve("rebind.example", 80)
        clock.now += gate.LIFE_S + 1
        with pytest.raises(BlockedAddressError):
            await guard.resolve("rebind.example", 80)

    async def test_trusted_start_that_was_public_must_stay_public(self):
        clock, names = Clock(), Names(start_example=[["93.184.216.34"], ["127.0.0.1"]])
        guard = AddressGuard(names, clock)
        guard.trust("start.example", 80)
        assert await guard.resolve("start.example", 80) == ("93.184.216.34",)
        clock.now += gate.LIFE_S + 1
        with pytest.raises(BlockedAddressError):
            await guard.resolve("start.example", 80)


async def test_many_that_ask_at_once_cost_one_look_up():
    names = Names(public_example=[["93.184.216.34"]])
    guard = AddressGuard(names)
    await asyncio.gather(*(guard.resolve("public.example", port) for port in range(1, 50)))
    assert names.asked == ["public.example"]


async def test_failure_is_remembered_for_a_short_while():
    clock, asked = Clock(), []

    def lookup(host):
        asked.append(host)
        raise OSError

    guard = AddressGuard(lookup, clock)
    for wait_s in (0, 1, gate.FAILURE_LIFE_S + 1):
        clock.now += wait_s
        with pytest.raises(UnresolvedNameError):
            await guard.resolve("down.example", 80)
    assert len(asked) == 2


class TestExemptions:
    """Whom the operator named may be private, at that port and under that name only."""

    @pytest.mark.parametrize("spelled", ["127.0.0.1", "127.1", "0x7f000001", "127.0.0.1."])
    async def test_exempt_in_every_spelling(self, spelled):
        guard = AddressGuard(answer)
        guard.exempt("127.0.0.1", 8000)
        assert await guard.resolve(spelled, 8000) == ("127.0.0.1",)

    async def test_exempt_name(self):
        guard = AddressGuard(answer)
        guard.exempt("Inside.example", 8000)
        assert await guard.resolve("inside.example", 8000) == ("10.0.0.7",)

    @pytest.mark.parametrize(
        ("host", "port"),
        [
            pytest.param("127.0.0.1", 8001, id="another port"),
            pytest.param("127.0.0.2", 8000, id="another address"),
            pytest.param("::ffff:127.0.0.1", 8000, id="mapped"),
            pytest.param("localhost", 8000, id="a name of the same"),
        ],
    )
    async def test_others_are_not(self, host, port):
        guard = AddressGuard(answer)
        guard.exempt("127.0.0.1", 8000)
        assert not guard.may_be_private(host, port)
        with pytest.raises(BlockedAddressError):
            await guard.resolve(host, port)

    async def test_trusted_start_may_be_private(self):
        guard = AddressGuard(answer)
        guard.trust("localhost", 8000)
        assert guard.may_be_private("localhost", 8000)
        for _ in range(2):
            assert await guard.resolve("localhost", 8000) == ("127.0.0.1", "::1")
        with pytest.raises(BlockedAddressError):
            await guard.resolve("localhost", 8001)


async def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(gate, "MAX_NAMES", 3)
    guard = AddressGuard(lambda host: ["93.184.216.34"])
    for number in range(10):
        await guard.resolve(f"n{number}.example", 80)
    assert len(guard._answers) <= 3
    assert len(guard._locks) <= 4


def test_real_look_up_gives_both_families():
    assert set(gate.lookup("localhost")) <= {"127.0.0.1", "::1"}
