"""Leases: handed out once, back if nobody tells their end, and everything else that decides what comes next."""

from __future__ import annotations

import pickle
import time

import pytest

from mdcrawl.shared import scripts
from mdcrawl.shared.queue import BATCH
from mdcrawl.shared.serializer import ForeignRequestError
from tests.shared.conftest import LEASE_S

A, B, C = (f"https://example.com/{name}" for name in "abc")
OTHER = "https://other.example/"


def test_request_is_handed_out_once_and_ends(worker, make_worker):
    other = make_worker()
    worker.push(A)
    url, text = worker.lease()
    assert url == A
    assert (other.lease_url(), other.queue.left().leased) == ("", 1)
    worker.settle(text)
    assert other.queue.left().is_all


def test_request_that_nobody_ends_comes_back(worker, make_worker):
    other = make_worker()
    worker.push(A)
    assert worker.lease_url() == A
    deadline = time.monotonic() + 10 * LEASE_S
    handed_out = time.monotonic()
    while not other.lease_url():
        assert time.monotonic() < deadline
        time.sleep(LEASE_S / 20)
    assert time.monotonic() - handed_out >= LEASE_S - 0.05


def test_sign_of_life_keeps_a_lease(worker, make_worker):
    other = make_worker()
    worker.push(A)
    _, text = worker.lease()
    for _ in range(12):
        time.sleep(LEASE_S / 6)
        worker.server.run(scripts.RENEW, LEASE_S, 1, text)
        assert other.lease_url() == ""


def test_dead_workers_lease_ends_though_nobody_asks_for_more(worker, make_worker):
    """Others may have all hands full; they give signs of life, so Redis was not away."""
    busy, other = make_worker(), make_worker()
    worker.push(A)
    assert worker.lease_url() == A
    for _ in range(9):
        time.sleep(LEASE_S / 6)
        busy.server.run(scripts.RENEW, LEASE_S, 0)
    assert other.lease_url() == A


def test_all_links_of_a_page_are_queued(worker):
    worker.push(A)
    _, text = worker.lease()
    worker.settle(text, *(f"https://example.com/{number}" for number in range(BATCH + 7)))
    assert worker.queue.left().queued == BATCH + 7


def test_nothing_is_lost_while_redis_is_away(worker, make_worker):
    """Nobody could give a sign of life then; whoever comes back first must not take what the others have."""
    other = make_worker()
    worker.push(A)
    assert worker.lease_url() == A
    time.sleep(2 * LEASE_S)
    assert other.lease_url() == ""
    assert other.queue.left().leased == 1


def test_worker_that_leaves_gives_back(worker, make_worker):
    other = make_worker()
    worker.push(A)
    _, text = worker.lease()
    worker.server.run(scripts.LEAVE, 1, text)
    assert other.lease_url() == A


def test_late_end_takes_away_what_came_back(worker, make_worker):
    """It has its verdict: nobody need ask again."""
    worker.push(A)
    _, text = worker.lease()
    worker.server.run(scripts.LEAVE, 1, text)
    worker.settle(text)
    assert make_worker().queue.left().is_all


def test_page_is_queued_once(worker):
    worker.push(A, A)
    worker.push(A, depth=3)
    _, text = worker.lease()
    worker.settle(text, A, B)
    assert (worker.lease_url(), worker.lease_url()) == (B, "")


def test_nearest_to_the_start_comes_first(worker):
    worker.push(A, depth=2)
    worker.push(B, depth=1)
    worker.push(C, depth=1, priority=1)
    assert [worker.lease_url() for _ in range(3)] == [C, B, A]


def test_what_may_prove_a_copy_waits_until_its_site_has_nothing_else(worker):
    worker.push(A)
    worker.push(B, priority=-1)
    _, text = worker.lease()
    assert worker.lease_url() == ""
    worker.settle(text)
    assert worker.lease_url() == B


def test_unwanted_site_waits_for_another_worker(worker, make_worker):
    worker.push(A, OTHER)
    assert worker.lease_url("example.com") == OTHER
    assert worker.lease_url("example.com", "other.example") == ""
    assert make_worker().lease_url() == A


def test_site_is_asked_as_often_as_its_pace_allows(make_worker):
    slow = make_worker(min_delay_s=0.4)
    slow.push(A, B, OTHER)
    assert {slow.lease_url(), slow.lease_url()} == {A, OTHER}
    answer = slow.lease()
    assert 0.05 <= answer.wait_s <= 0.4
    time.sleep(0.4)
    assert slow.lease_url() == B


def test_no_more_is_started_than_may_be_stored(make_worker):
    worker = make_worker(max_pages=2)
    worker.push(A, B, C)
    texts = [worker.lease()[1] for _ in range(2)]
    assert worker.lease_url() == ""
    worker.settle(texts[0], stored=0)
    url, last = worker.lease()
    assert url == C
    worker.settle(texts[1], stored=1)
    assert not worker.lease().is_over
    worker.settle(last, stored=1)
    assert worker.lease().is_over


def test_emptied_redis_is_noticed(worker, make_worker):
    worker.push(A)
    worker.queue.clear()
    assert worker.lease().is_lost


def test_start_is_for_one_worker(worker, make_worker):
    other = make_worker()
    assert [each.server.run(scripts.BEGIN, LEASE_S) for each in (worker, other)] == ["mine", "taken"]
    deadline = time.monotonic() + 10 * LEASE_S
    while other.server.run(scripts.BEGIN, LEASE_S) == "taken":
        assert time.monotonic() < deadline
        assert not other.queue.left().has_begun
        other.lease()
        time.sleep(LEASE_S / 20)
    other.server.run(scripts.BEGUN)
    assert worker.server.run(scripts.BEGIN, LEASE_S) == "begun"
    left = worker.queue.left()
    assert (left.is_all, left.has_begun) == (True, True)


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(pickle.dumps({"url": A}), id="pickle"),
        pytest.param(b"[1]", id="other JSON"),
        pytest.param(b"{}", id="empty JSON"),
        pytest.param(b"\xff\x00\xfe", id="bytes"),
    ],
)
def test_what_is_no_request_is_named_and_dropped(worker, odd, caplog):
    worker.push(A)
    worker.server.client.zadd(worker.server.key("requests:example.com"), {odd: -5})
    assert worker.lease_url() == ""
    assert "no request of this crawl" in caplog.text
    url, text = worker.lease()
    assert url == A
    worker.settle(text)
    assert worker.queue.left().is_all


def test_request_with_a_field_that_is_not_sound_is_refused_and_can_be_settled(worker):
    worker.push(A)
    _, text = worker.lease()
    worker.settle(text)
    forged = text.replace('"parse"', '"__init__"')
    worker.server.client.zadd(worker.server.key("requests:example.com"), {forged: 0})
    worker.server.client.zadd(worker.server.key("sites"), {"example.com": 0})
    answer = worker.queue.lease("permit", (), 0.5)
    with pytest.raises(ForeignRequestError):
        worker.queue.decode(answer.text)
    worker.queue.settle(answer.text, "example.com", stored=0, found=[])
    assert worker.queue.left().is_all
