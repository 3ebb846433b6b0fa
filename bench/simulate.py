"""Simulate a shared crawl: so many workers, so many sites, with times measured on this machine.

First the real thing is measured: the costs of a page, one worker, two workers. The simulation is given the
costs, must come within 15 % of what two workers did, and then goes where no test can: to a thousand workers.
Run by `make simulate`.
"""

from __future__ import annotations

import heapq
import os
import random
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil

from bench.shared_costs import measure
from tests.conftest import MockSite
from tests.end_to_end.test_kill import start_crawl
from tests.end_to_end.test_shared import ANSWER_S, PLACES, build, fetched, slow_down, steady_speed
from tests.servers import PostgreSQL, Redis

SITES, PAGES = 16, 24
DELAY_S = 0.01
ALLOWED = 0.15


@dataclass(frozen=True)
class Model:
    """A crawl to simulate. Lists are measured seconds, of which each page draws one.

    `answer_s` from request to answer, `loop_s` of the worker's event loop for a page, `convert_s` of a
    converting process, `calls_s` of the calls to Redis, of which it is at work for `redis_s`,
    `transaction_s` of the database, which does one at a time.
    `cores` are those that all of it shares, 0 if everybody has their own.
    """

    workers: int
    sites: int
    pages: int
    delay_s: float
    places: int
    converters: int
    answer_s: Sequence[float]
    loop_s: Sequence[float]
    convert_s: Sequence[float]
    calls_s: Sequence[float]
    redis_s: float
    transaction_s: Sequence[float]
    databases: int = 1
    cores: int = 0


@dataclass
class Queue:
    """A server that does one thing after another; `busy_s` is what it did. It may have to wait for a core."""

    cores: list[Queue] = field(default_factory=list, repr=False)
    free_at: float = 0.0
    busy_s: float = 0.0

    def serve(self, at: float, seconds: float) -> float:
        """Return when something that comes at a time is done."""
        begin = max(self.free_at, at)
        if self.cores:
            begin = min(self.cores, key=lambda core: core.free_at).serve(begin, seconds) - seconds
        self.free_at = begin + seconds
        self.busy_s += seconds
        return self.free_at


@dataclass
class Result:
    """How fast a crawl was, and the share of the time that each part was at work."""

    pages_per_s: float
    busy: dict[str, float] = field(default_factory=dict)

    @property
    def binds(self) -> str:
        """What was at work most."""
        return max(self.busy, key=lambda name: self.busy[name])


def simulate(model: Model, seed: int = 1) -> Result:
    """Return how a crawl goes. Each site has its share of the pages, all known from the start."""
    draw = random.Random(seed)  # noqa: S311  no secret
    cores = [Queue() for _ in range(model.cores)]
    redis = Queue(cores)
    databases = [Queue(cores) for _ in range(model.databases)]
    loops = [Queue(cores) for _ in range(model.workers)]
    converters = [[Queue(cores) for _ in range(model.converters)] for _ in range(model.workers)]
    left = [model.pages // model.sites + (site < model.pages % model.sites) for site in range(model.sites)]
    ready = [(0.0, site) for site in range(model.sites) if left[site]]
    idle: deque[int] = deque(worker for _ in range(model.places) for worker in range(model.workers))
    events: list[tuple[float, int, int]] = []  # when, worker, site: an answer has come
    now, ended_at, asked_s = 0.0, 0.0, 0.0
    times: list[float] = []

    while ready or events:
        while idle and ready and ready[0][0] <= now:
            _, site = heapq.heappop(ready)
            worker = idle.popleft()
            # The event loop stands still while Redis or the database answers.
            begun = loops[worker].serve(now, draw.choice(model.loop_s) / 2)
            sent = max(redis.serve(begun, model.redis_s), begun + draw.choice(model.calls_s))
            loops[worker].free_at = sent
            times.append(sent)
            answered = sent + draw.choice(model.answer_s)
            left[site] -= 1
            asked_s += answered - now
            heapq.heappush(events, (answered, worker, site))
            if left[site]:  # one request at a time, and a delay after the last
                heapq.heappush(ready, (max(answered, sent + model.delay_s), site))
        following = [events[0][0]] if events else []
        if idle and ready:
            following.append(max(ready[0][0], now))
        now = min(following)
        while events and events[0][0] <= now:
            at, worker, site = heapq.heappop(events)
            idle.append(worker)
            converter = min(converters[worker], key=lambda each: each.free_at)
            converted = converter.serve(at, draw.choice(model.convert_s))
            taken = loops[worker].serve(converted, draw.choice(model.loop_s) / 2)
            stored = databases[site % model.databases].serve(taken, draw.choice(model.transaction_s))
            loops[worker].free_at = stored
            ended_at = max(ended_at, stored)

    whole = max(ended_at, now)
    busy = {
        "Redis": redis.busy_s / whole,
        "database": max(each.busy_s for each in databases) / whole,
        "conversion": max(each.busy_s for of_worker in converters for each in of_worker) / whole,
        "event loop": max(each.busy_s for each in loops) / whole,
        "requests at a time": asked_s / whole / (model.workers * model.places),
        "politeness": model.delay_s * model.pages / model.sites / whole,
    }
    quarter = len(times) // 4
    times.sort()
    return Result((len(times) - 2 * quarter - 1) / (times[-quarter - 1] - times[quarter]), busy)


# --- The real thing -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """A real crawl: pages a second once it is going, CPU seconds of a page in the worker and its converters."""

    pages_per_s: float
    loop_s: float
    convert_s: float


def crawl(sites: Sequence[MockSite], workers: int, redis: Redis, postgresql: PostgreSQL) -> Measured:
    """Crawl the sites with so many workers and measure them."""
    for site in sites:
        site.asked.clear()
    settings = {
        "DOWNLOAD_DELAY": DELAY_S,
        "CONCURRENT_REQUESTS": PLACES,
        "MDCRAWL_DB": postgresql.url(),
        "MDCRAWL_FRONTIER": redis.url(),
    }
    with tempfile.TemporaryDirectory() as folder:
        starts = [site.url("/docs/") for site in sites]
        started = [start_crawl(starts, Path(folder) / str(number), **settings) for number in range(workers)]
        before = after = (0.0, 0.0)
        while any(process.poll() is None for process in started):
            done = sum(len(fetched(site)) for site in sites)
            if done <= len(sites):
                before = _cpu_s(started[0].pid) or before
            elif done < SITES * PAGES:
                after, at = _cpu_s(started[0].pid) or after, done
            time.sleep(0.05)
        if any(process.wait() for process in started):
            sys.exit((Path(folder) / "0.log").read_text())
    share = max((at - len(sites)) / workers, 1)
    loop_s, convert_s = ((late - early) / share for early, late in zip(before, after, strict=True))
    return Measured(steady_speed(sites), loop_s, convert_s)


def _cpu_s(pid: int) -> tuple[float, float] | None:
    """Return the CPU seconds of a process and of those below it, None if it has ended."""
    try:
        process = psutil.Process(pid)
        own = process.cpu_times()
        below = [each.cpu_times() for each in process.children(recursive=True)]
    except psutil.Error:
        return None
    return own.user + own.system, sum(each.user + each.system for each in below)


def main() -> None:
    """Measure, compare, go on to a thousand workers. Ends with status 1 if the simulation is too far off."""
    with ExitStack() as stack:
        sites = [stack.enter_context(MockSite()) for _ in range(SITES)]
        for site in sites:
            build(site, PAGES)
            slow_down(site)
        postgresql = stack.enter_context(PostgreSQL(is_safe=True))
        redis = stack.enter_context(Redis())
        one, two = (crawl(sites, workers, redis, postgresql) for workers in (1, 2))
    costs = measure(pages=300, urls=0)
    # The two that cannot be told apart from outside of a process are means; the rest are as measured.
    model = Model(
        workers=1,
        sites=SITES,
        pages=SITES * PAGES,
        delay_s=DELAY_S,
        places=PLACES,
        converters=1,
        answer_s=[ANSWER_S],
        loop_s=[max(one.loop_s, 0.001)],
        convert_s=[max(one.convert_s, 0.001)],
        calls_s=costs.calls_s,
        redis_s=costs.redis_s,
        transaction_s=costs.transactions_s,
        cores=os.cpu_count() or 1,
    )
    print(f"one page: {one.loop_s * 1000:.0f} ms of the event loop, {one.convert_s * 1000:.0f} ms of conversion,")
    print(f"  {statistics.mean(costs.calls_s) * 1000:.2f} ms of Redis in {costs.trips:.1f} round trips,")
    print(f"  {statistics.mean(costs.transactions_s) * 1000:.1f} ms of the database")
    off = 0.0
    for number, measured in ((1, one), (2, two)):
        told = simulate(replace(model, workers=number)).pages_per_s
        off = abs(told / measured.pages_per_s - 1)
        print(f"{number} worker(s): measured {measured.pages_per_s:.2f} pages/s, simulated {told:.2f} ({off:.0%} off)")
    print(f"the second worker was worth {two.pages_per_s / one.pages_per_s - 1:.2f}")
    if off > ALLOWED:
        sys.exit(f"two workers are more than {ALLOWED:.0%} off")
    print_outlook(model)


def print_outlook(model: Model) -> None:
    """Print how crawls of a minute of work for each worker go, at one request a second to each site."""
    print("\nsites asked once a second, 16 requests at a time, answers of 0.1 to 0.6 s:")
    print("  workers   sites  databases  pages/s  pages a week  at work most")
    answers = [0.1, 0.15, 0.2, 0.3, 0.6]
    for workers, sites, databases in (
        (1, 100, 1),
        (10, 100, 1),
        (10, 1_000, 1),
        (100, 10_000, 1),
        (100, 10_000, 100),
        (1_000, 10_000, 1),
        (1_000, 10_000, 1_000),
        (1_000, 100_000, 1_000),
    ):
        asked = replace(model, workers=workers, sites=sites, databases=databases, delay_s=1.0, places=16, cores=0)
        result = simulate(replace(asked, answer_s=answers, pages=max(100_000, 2 * sites)))
        week = result.pages_per_s * 7 * 24 * 3600
        print(
            f"  {workers:>7,}{sites:>8,}{databases:>11,}{result.pages_per_s:>9,.0f}{week / 1e6:>12,.0f} M"
            f"  {result.binds} ({result.busy[result.binds]:.0%})"
        )


if __name__ == "__main__":
    main()
