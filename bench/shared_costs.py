"""What a page costs the servers of a shared crawl: calls and memory of Redis, time of a transaction in PostgreSQL.

Run from the project's folder: .venv/bin/python -m bench.shared_costs
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

from bench.crawls import crawl, made_site
from mdcrawl.crawldb import frontier, ledger
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.crawldb.runs import open_run
from mdcrawl.discovery.pace import PaceOptions
from mdcrawl.discovery.urls import site_of
from mdcrawl.items import Page, Verdict
from mdcrawl.shared import scripts
from mdcrawl.shared.permits import Permits, SharedPace
from mdcrawl.shared.queue import LeaseQueue
from mdcrawl.shared.server import Server
from mdcrawl.spiders.docs import DocsSpider
from tests.crawldb.world import make_page
from tests.servers import PostgreSQL, Redis

LINKS = 40  # on a page of documentation, navigation included
NEW_LINKS = 2
CHUNKS = 8


def url_of(number: int) -> str:
    """Return a URL of the usual length, 60 characters, on one of 100 sites."""
    return f"https://docs{number % 100:02}.example.com/guides/section/page-number-{number:07}"


def make_queue(redis: Redis) -> LeaseQueue:
    """Return the empty queue of a crawl that may go as fast as it can."""
    server = Server(redis.url(), "docs:bench")
    options = PaceOptions(min_delay_s=0.0, jitter=0.0, concurrency=64)
    spider = DocsSpider(start="https://docs00.example.com/")
    queue = LeaseQueue(server, spider, pace=options, lease_s=60, max_pages=0)
    queue.open(0)
    return queue


def push(queue: LeaseQueue, numbers: range) -> None:
    """Queue pages."""
    spider = queue.spider
    requests = (spider.page_request(url_of(number), depth=2, parent=url_of(number // 7)) for number in numbers)
    queue.push_all([queue.entry(request) for request in requests])


def memory_of(redis: Redis, urls: int) -> tuple[float, float]:
    """Return the MB that Redis takes for so many URLs while all wait, and when all are done."""
    queue = make_queue(redis)
    empty = queue.server.client.info("memory")["used_memory"]
    for start in range(0, urls, 5000):
        push(queue, range(start, start + 5000))
    waiting = queue.server.client.info("memory")["used_memory"]
    for site in range(100):
        queue.server.run(scripts.DROP, f"docs{site:02}.example.com")
    done = queue.server.client.info("memory")["used_memory"]
    queue.clear()
    return (waiting - empty) / 1e6, (done - empty) / 1e6


def calls_of(redis: Redis, pages: int) -> tuple[list[float], float, float, float]:
    """Return the seconds of each page's round trips, and for a page round trips, commands, seconds of Redis itself."""
    queue = make_queue(redis)
    server = queue.server
    pace = SharedPace(PaceOptions(min_delay_s=0.0, jitter=0.0, concurrency=64))
    permits = Permits(server, pace, lease_s=60, later=lambda work: work())
    push(queue, range(100))
    server.client.config_resetstat()
    server.calls, known, seconds = 0, 100, []
    for number in range(pages):
        began = time.perf_counter()
        leased = queue.lease(str(number), (), 0.5)
        request = queue.decode(leased.text)
        site = request.meta["download_slot"]
        permits.grant(site, str(number))
        permits.release(request)
        found = [queue.spider.page_request(url_of(known + new), depth=2, parent="") for new in range(NEW_LINKS)]
        known += NEW_LINKS
        queue.settle(leased.text, site, stored=1, found=[queue.entry(each) for each in found])
        seconds.append(time.perf_counter() - began)
    stats = server.client.info("commandstats")
    commands = sum(each["calls"] for each in stats.values())
    redis_s = stats["cmdstat_evalsha"]["usec"] / 1e6
    trips = server.calls / pages
    queue.clear()
    return seconds, trips, commands / pages, redis_s / pages


def transactions_of(db: str, pages: int) -> Iterator[float]:
    """Yield the seconds that the transaction of each of so many pages takes, as the Store pipeline makes it."""
    crawldb = CrawlDatabase(db, is_shared=True)
    with crawldb.begin() as connection:
        run = open_run(connection, now="2026-12-01T00:00:00+00:00", settings={}, resume=False)
        frontier.add(connection, [Candidate(url_of(0), site_of(url_of(0)))])
    for number in range(pages):
        page = page_of(number)
        links = [url_of(max(0, number * NEW_LINKS - LINKS + new + NEW_LINKS)) for new in range(LINKS)]
        began = time.perf_counter()
        with crawldb.begin() as connection:
            ledger.url_with_content(connection, page.content_hash)
            if ledger.record(connection, page, site_of(page.url)):
                ledger.store(connection, page, run.id, "bench")
            depth = frontier.depth_of(connection, page.url)
            frontier.add(connection, [Candidate(url, site_of(url), depth + 1, page.url) for url in links])
        yield time.perf_counter() - began
    crawldb.close()


def page_of(number: int) -> Page:
    """Return a page of 800 words in chunks."""
    text = "\n".join(f"Part {part}: " + f"turn valve {number} by a quarter and wait. " * 12 for part in range(CHUNKS))
    page = make_page(url_of(number), text, Verdict.OK)
    page.links = [url_of(number + link) for link in range(LINKS)]
    return page


def measure(pages: int = 400, urls: int = 200_000) -> SimpleNamespace:
    """Return all that is measured here."""
    with Redis() as redis, PostgreSQL(is_safe=True) as postgresql:
        waiting_mb, done_mb = memory_of(redis, urls) if urls else (0.0, 0.0)
        calls_s, trips, commands, redis_s = calls_of(redis, pages)
        return SimpleNamespace(
            waiting_mb=waiting_mb,
            done_mb=done_mb,
            calls_s=calls_s,
            trips=trips,
            commands=commands,
            redis_s=redis_s,
            transactions_s=list(transactions_of(postgresql.url(), pages)),
        )


def cpu_of_page(pages: int = 300) -> tuple[float, float, float]:
    """Return the CPU seconds of a page of 50 KB for a worker alone and for one of a shared crawl, and its MB."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        start = stack.enter_context(made_site("--pages", str(pages))) + "/docs/"
        redis, postgresql = stack.enter_context(Redis()), stack.enter_context(PostgreSQL(is_safe=True))
        alone = crawl(start, folder / "alone")
        options = f"-sMDCRAWL_DB={postgresql.url()}", f"-sMDCRAWL_FRONTIER={redis.url()}"
        shared = crawl(start, folder / "shared", *options)
        assert (alone.status, shared.status) == (0, 0), (folder / "shared.log").read_text()
    return alone.cpu_s / pages, shared.cpu_s / pages, shared.peak_mb


def main() -> None:
    """Measure and print."""
    alone_s, shared_s, peak_mb = cpu_of_page()
    print(f"a page of 50 KB: {alone_s * 1000:.0f} ms of CPU for one worker alone,")
    print(f"       {shared_s * 1000:.0f} ms in a shared crawl; {peak_mb:.0f} MB in the largest of its processes")
    urls = 200_000
    found = measure(urls=urls)
    print(f"Redis, {urls:,} known URLs: {found.waiting_mb:.1f} MB while all wait, {found.done_mb:.1f} MB when done")
    million = 1e6 / urls
    print(f"       a million: {found.waiting_mb * million:.0f} MB and {found.done_mb * million:.0f} MB")
    print(f"Redis, each page: {found.trips:.1f} round trips, {found.commands:.0f} commands in them")
    print(f"       {statistics.mean(found.calls_s) * 1000:.2f} ms for the worker, {found.redis_s * 1000:.2f} of Redis")
    print(f"PostgreSQL, each page: {statistics.mean(found.transactions_s) * 1000:.1f} ms for its transaction")


if __name__ == "__main__":
    main()
