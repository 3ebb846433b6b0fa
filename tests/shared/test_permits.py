"""Permits: whoever asks, a site is asked at its pace."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest

from mdcrawl.discovery.pace import Failure, Trouble
from mdcrawl.shared import scripts
from tests.shared.conftest import LEASE_S

URL, SITE = "https://example.com/a", "example.com"
DELAY_S = 0.1


async def ask(worker, times, answer_s=0.0, url=URL):
    """Send so many requests one after another, each answered after some seconds."""
    for _ in range(times):
        request = worker.request(url)
        await worker.permits.acquire(request)
        await worker.permits.send(request)
        worker.asked.append(time.monotonic())
        await asyncio.sleep(answer_s)
        worker.permits.answered(request)
        worker.permits.release(request)


@pytest.fixture
def crew(make_worker):
    def make(**options):
        workers = [make_worker(**{"min_delay_s": DELAY_S, "concurrency": 1} | options) for _ in range(3)]
        times = []
        for worker in workers:
            worker.asked = times
        return workers

    return make


def gaps(workers):
    return [later - earlier for earlier, later in pairwise(sorted(workers[0].asked))]


async def test_workers_keep_to_the_delay_together(crew):
    workers = crew()
    await asyncio.gather(*(ask(worker, 4) for worker in workers))
    assert len(gaps(workers)) == 11
    assert min(gaps(workers)) >= DELAY_S - 0.001


async def test_one_request_at_a_time_where_answers_take_longer(crew):
    workers = crew()
    await asyncio.gather(*(ask(worker, 2, answer_s=2 * DELAY_S) for worker in workers))
    assert min(gaps(workers)) >= 2 * DELAY_S - 0.001


async def test_delay_varies_around_its_mean(crew):
    workers = crew(jitter=0.5)
    await asyncio.gather(*(ask(worker, 6) for worker in workers))
    assert min(gaps(workers)) >= DELAY_S / 2 - 0.001
    assert len({round(gap, 2) for gap in gaps(workers)}) > 3


async def test_delay_that_robots_asks_for_binds_all(crew):
    workers = crew(min_delay_s=0.0, jitter=0.5)
    workers[0].pace.ask_delay(SITE, 2 * DELAY_S)
    await asyncio.gather(*(ask(worker, 2) for worker in workers))
    assert min(gaps(workers)) >= 2 * DELAY_S - 0.001


async def test_other_sites_do_not_wait(crew):
    workers = crew(min_delay_s=5.0)
    started = time.monotonic()
    sites = [f"https://site{number}.example/" for number in range(3)]
    await asyncio.gather(*(ask(worker, 1, url=url) for worker, url in zip(workers, sites, strict=True)))
    assert time.monotonic() - started < 3


async def test_trouble_of_one_is_the_rest_of_all(crew):
    """Retry-After: 1."""
    first, second, _ = workers = crew(min_delay_s=0.0)
    request = first.request(URL)
    await first.permits.acquire(request)
    await first.permits.send(request)
    trouble = Failure(URL, Trouble.SITE, "status 429", wait_s=1.0)
    wait_s = first.pace.failed(SITE, trouble, now_s=time.monotonic(), chance=0.0)
    first.permits.release(request)
    parked = time.monotonic()
    await ask(second, 1)
    assert workers[0].asked[0] - parked >= wait_s - 0.02


async def test_failures_in_a_row_count_together(crew):
    workers = crew(min_delay_s=0.0, max_failures=6, base_wait_s=0.01, max_backoff_s=0.01)
    for number in range(6):
        worker = workers[number % 3]
        request = worker.request(f"{URL}{number}")
        await worker.permits.acquire(request)
        trouble = Failure(f"{URL}{number}", Trouble.SITE, "status 503")
        worker.pace.failed(SITE, trouble, now_s=time.monotonic(), chance=0.0)
        worker.permits.release(request)
    await asyncio.wait_for(ask(workers[0], 1), 5)
    assert workers[0].pace.given_up(SITE) == "site given up after 6 failures in a row: status 503"


async def test_permit_that_was_not_used_costs_nobody_a_delay(crew):
    first, second, _ = crew(min_delay_s=5.0)
    request = first.request(URL)
    await first.permits.acquire(request)
    first.permits.release(request)
    await asyncio.wait_for(ask(second, 1), 2)


async def test_permit_of_a_lease_is_spent_by_the_next_request_to_its_site(crew):
    first, second, _ = crew(min_delay_s=0.0)
    first.push(URL)
    calls = first.server.calls
    answer = first.queue.lease("permit", (), 0.5)
    first.permits.grant(SITE, "permit")
    request = first.queue.decode(answer.text)
    await first.permits.acquire(request)
    assert first.server.calls == calls + 1
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(ask(second, 1), 0.2)
    first.permits.release(request)
    await asyncio.wait_for(ask(second, 1), 2)


async def test_delay_counts_from_where_a_request_really_goes_out(crew):
    """A worker that is held up between its permit and the request must not shorten the next one's delay."""
    first, second, _ = crew(min_delay_s=0.4)
    request = first.request(URL)
    await first.permits.acquire(request)
    await asyncio.sleep(0.3)
    await first.permits.send(request)
    sent = time.monotonic()
    first.permits.answered(request)
    first.permits.release(request)
    await ask(second, 1)
    assert first.asked[0] - sent >= 0.4 - 0.001


async def test_permit_that_counts_as_lost_is_not_used(crew):
    first, second, _ = crew(min_delay_s=0.4)
    request = first.request(URL)
    await first.permits.acquire(request)
    await asyncio.sleep(LEASE_S + 0.1)
    await ask(second, 1)
    await first.permits.send(request)
    assert time.monotonic() - first.asked[0] >= 0.4 - 0.001


async def test_permit_of_a_dead_worker_ends(crew):
    first, second, _ = crew(min_delay_s=0.0)
    await first.permits.acquire(first.request(URL))
    await asyncio.wait_for(ask(second, 1), 5)


def test_request_that_was_out_when_redis_was_emptied_leaves_a_delay(make_worker):
    """Its end is all that Redis knows of the site."""
    server = make_worker().server
    server.run(scripts.RELEASE, "a.example", "out", 0.0, "", 0)
    wait_s, *_ = server.run(scripts.PERMIT, "a.example", "next", 1, 0.5, 0.5, 1, 0.0)
    assert 0.4 < float(wait_s) <= 0.5
