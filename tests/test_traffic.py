"""Traffic: a request counts from the moment it is handed out, and what came back waits for its turn."""

from __future__ import annotations

import math
from time import monotonic
from types import SimpleNamespace

import pytest
from scrapy import Request, signals
from scrapy.core.downloader import Slot
from scrapy.signalmanager import SignalManager

from mdcrawl.discovery.pace import Pace, PaceOptions
from mdcrawl.traffic import Traffic

SITE = "example.com"
URL = "https://example.com/a"


class Crawler:
    def __init__(self):
        self.signals = SignalManager(self)
        self.slots = {}
        self.engine = SimpleNamespace(downloader=self)


@pytest.fixture
def crawler():
    return Crawler()


@pytest.fixture
def pace():
    return Pace(PaceOptions())


@pytest.fixture
def traffic(crawler, pace):
    return Traffic(crawler, pace, concurrency=1)


def page(url=URL, **meta):
    return Request(url, meta={"mdcrawl_url": url, "download_slot": SITE, **meta})


def slot_of(crawler, *, delay_s=0.0, jitter=0.0, age_s=100.0):
    slot = crawler.slots[SITE] = Slot(1, delay_s, jitter)
    slot.lastseen = monotonic() - age_s
    return slot


def test_unknown_site_may_be_asked_at_once(traffic):
    assert traffic.ready_in(SITE) == 0.0


def test_what_was_handed_out_counts_until_the_downloader_has_it(crawler, traffic):
    request = traffic.send(page(), SITE)
    assert traffic.ready_in(SITE) == math.inf
    assert traffic.ready_in("example.org") == 0.0
    slot = slot_of(crawler)
    slot.active.add(request)
    crawler.signals.send_catch_log(signals.request_reached_downloader, request=request)
    assert traffic.ready_in(SITE) == math.inf
    slot.active.remove(request)
    assert traffic.ready_in(SITE) <= 0.0


@pytest.mark.parametrize("ends", ["answered by a middleware", "refused by a middleware"])
def test_what_never_reaches_the_downloader_is_not_counted_for_ever(crawler, traffic, ends):
    request = traffic.send(page(), SITE)
    if ends == "answered by a middleware":
        crawler.signals.send_catch_log(signals.response_received, request=request)
    else:
        traffic.arrive(URL)
    assert traffic.ready_in(SITE) == 0.0
    traffic.arrive(URL)  # heard of twice, counted once
    assert traffic.ready_in(SITE) == 0.0


def test_parked_site_is_waited_for(traffic, pace):
    pace.rest(SITE, 1, 30.0, now_s=monotonic(), chance=0.0)
    assert traffic.ready_in(SITE) == pytest.approx(30.0, abs=1.0)


@pytest.mark.parametrize(("age_s", "wait_s"), [(0.0, 4.0), (3.0, 1.0)])
def test_least_delay_of_a_site_is_waited_for(crawler, traffic, age_s, wait_s):
    slot_of(crawler, delay_s=8.0, jitter=0.5, age_s=age_s)
    assert traffic.ready_in(SITE) == pytest.approx(wait_s, abs=0.5)


def test_what_came_back_goes_out_in_order(traffic):
    first, second = page(), page("https://example.com/b")
    assert {traffic.hold(first), traffic.hold(second)} == {SITE}
    assert traffic.is_holding
    assert traffic.holds(SITE)
    assert [traffic.take(SITE)[0] for _ in range(3)] == [first, second, None]
    assert not traffic.is_holding
    assert not traffic.holds(SITE)


def test_request_that_has_to_wait_lets_others_pass(traffic):
    late, now = page(mdcrawl_not_before=monotonic() + 20), page("https://example.com/b")
    traffic.hold(late)
    traffic.hold(now)
    assert traffic.take(SITE) == (now, 0.0)
    request, wait_s = traffic.take(SITE)
    assert request is None
    assert wait_s == pytest.approx(20, abs=1)


def test_request_of_a_spiders_own_is_held_by_its_host(traffic):
    assert traffic.hold(Request("https://www.example.com/feed")) == SITE
