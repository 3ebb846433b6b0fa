"""One crawl over many workers: they die, join, lose Redis, and the corpus is that of one worker."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from itertools import pairwise

import pytest
import redis as redis_client

from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.finish import refuse_run
from mdcrawl.crawldb.runs import open_run
from tests.end_to_end.test_kill import corpus_of, end, name_of, start_crawl

# Seconds between two requests to a site, not varied, so that no gap may be smaller; and what two clocks at
# the ends of a connection may differ in.
DELAY_S, CLOCKS_S = 0.15, 0.01
LEASE_S = 8


class Crew:
    """The workers of one crawl, each with a folder of its own."""

    def __init__(self, sites, folder, **settings):
        self.sites = sites
        self.folder = folder
        self.settings = settings
        self.workers = []
        self.arguments = {}

    def start(self):
        folder = self.folder / f"worker{len(self.workers)}"
        starts = [site.url("/docs/") for site in self.sites]
        worker = start_crawl(starts, folder, self.arguments, **self.settings)
        self.workers.append(worker)
        return worker

    def wait_for(self, pages):
        while sum(len(fetched(site)) for site in self.sites) < pages and any(w.poll() is None for w in self.workers):
            time.sleep(0.01)

    def leased(self):
        """Return how many pages are out on lease, at all workers."""
        with redis_client.Redis.from_url(self.settings["MDCRAWL_FRONTIER"]) as client:
            (key,) = client.keys("docs:*:leases")
            return client.zcard(key)

    def said(self, number):
        return (self.folder / f"worker{number}.log").read_text()

    @property
    def corpora(self):
        """What was written, by every worker that wrote."""
        folders = [self.folder / f"worker{number}" for number in range(len(self.workers))]
        return [corpus_of(folder) for folder in folders if (folder / "pages.jsonl").exists()]


def build(site, pages):
    """Let a site have so many pages, each linked from several before it, and one redirect."""
    site.add_page("/docs/", name_of(1), name_of(2), "/docs/moved.html")
    for number in range(1, pages):
        links = {name_of(child) for child in range(number * 2 + 1, number * 2 + 3) if child < pages}
        site.add_page(name_of(number), *sorted(links | {name_of(number // 2), name_of(pages - 1)}))
    site.redirect("/docs/moved.html", name_of(pages // 2))


def fetched(site):
    return [path for path in site.paths if path in site.routes and path != "/docs/moved.html"]


def gaps(site):
    times = sorted(asked.at_s for asked in site.asked)
    return [later - earlier for earlier, later in pairwise(times)]


@pytest.fixture
def crew(mock_sites, tmp_path, redis, postgresql, request):
    """Workers for so many sites of so many pages, and the corpus that one worker makes of them by itself."""
    count, pages = request.param
    sites = [mock_sites() for _ in range(count)]
    for site in sites:
        build(site, pages)
    alone = start_crawl([site.url("/docs/") for site in sites], tmp_path / "alone", DOWNLOAD_DELAY=0.01)
    assert end(alone) == 0
    for site in sites:
        site.asked.clear()
    crew = Crew(
        sites,
        tmp_path,
        DOWNLOAD_DELAY=DELAY_S,
        DOWNLOAD_DELAY_JITTER=0,
        MDCRAWL_DB=postgresql.url(),
        MDCRAWL_FRONTIER=redis.url(),
        MDCRAWL_FRONTIER_LEASE_S=LEASE_S,
    )
    crew.expected = corpus_of(tmp_path / "alone")
    crew.pages = count * pages
    crew.redis = redis
    yield crew
    for worker in crew.workers:
        worker.kill()
        end(worker)


SMALL = pytest.param((3, 30), id="90 pages of 3 sites")
LARGE = pytest.param((6, 100), id="600 pages of 6 sites", marks=[pytest.mark.slow, pytest.mark.timeout(900)])


def check_result(crew, *, at_most_twice=0):
    """One corpus, byte for byte; each page asked for once but for those that a dead worker had in hand."""
    assert [corpus == crew.expected for corpus in crew.corpora] == [True]
    asked = [f"{site.base}{path}" for site in crew.sites for path in fetched(site)]
    assert len(set(asked)) == crew.pages
    assert len(asked) <= crew.pages + at_most_twice
    assert min(min(gaps(site)) for site in crew.sites) >= DELAY_S - CLOCKS_S
    assert not any("Traceback" in crew.said(number) for number in range(len(crew.workers)))


@pytest.mark.parametrize("crew", [SMALL, LARGE], indirect=True)
def test_worker_killed_and_worker_added(crew):
    doomed, *others = [crew.start() for _ in range(3)]
    crew.wait_for(crew.pages // 4)
    doomed.kill()
    end(doomed)
    in_hand = crew.leased()
    others.append(crew.start())
    assert [end(worker) for worker in others] == [0, 0, 0]
    check_result(crew, at_most_twice=in_hand)


@pytest.mark.parametrize("crew", [SMALL, LARGE], indirect=True)
def test_redis_restarted(crew):
    workers = [crew.start() for _ in range(2)]
    crew.wait_for(crew.pages // 4)
    crew.redis.stop()
    time.sleep(3)
    assert all(worker.poll() is None for worker in workers)
    crew.redis.start()
    assert [end(worker) for worker in workers] == [0, 0]
    assert "Redis is back after" in crew.said(0)
    check_result(crew)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("crew", [SMALL], indirect=True)
def test_redis_gone_for_a_minute(crew):
    """It is killed, not stopped; a minute is far more than a lease."""
    workers = [crew.start() for _ in range(3)]
    crew.wait_for(crew.pages // 4)
    crew.redis.stop(signal.SIGKILL)
    time.sleep(10)
    asked = [len(site.asked) for site in crew.sites]
    time.sleep(50)
    assert all(worker.poll() is None for worker in workers)
    assert [len(site.asked) for site in crew.sites] == asked, "nobody may be asked without a permit"
    crew.redis.start()
    assert [end(worker) for worker in workers] == [0, 0, 0]
    for number in range(len(workers)):
        (waited_s,) = re.findall(r"Redis is back after (\d+) s; going on", crew.said(number))
        assert int(waited_s) >= 58
    check_result(crew)


@pytest.mark.parametrize("crew", [SMALL], indirect=True)
def test_redis_emptied(crew):
    """Which site was asked when is forgotten too, so gaps are of no account here."""
    workers = [crew.start() for _ in range(2)]
    crew.wait_for(crew.pages // 4)
    with redis_client.Redis.from_url(crew.redis.url()) as client:
        client.flushall()
    assert [end(worker) for worker in workers] == [0, 0]
    assert sum("Redis has lost the frontier" in crew.said(number) for number in range(2)) >= 1
    assert [corpus == crew.expected for corpus in crew.corpora] == [True]


@pytest.mark.parametrize("crew", [SMALL], indirect=True)
def test_worker_that_is_asked_to_leave_gives_back(crew):
    leaving, staying = (crew.start() for _ in range(2))
    crew.wait_for(crew.pages // 4)
    leaving.send_signal(signal.SIGTERM)
    assert end(leaving) == 0
    assert staying.poll() is None
    assert "Other workers go on with the crawl" in crew.said(0)
    assert end(staying) == 0
    check_result(crew)


@pytest.mark.parametrize("crew", [pytest.param((2, 12), id="24 pages of 2 sites")], indirect=True)
def test_workers_start_together_on_a_later_crawl_too(crew):
    for first in (0, 2):
        assert [end(worker) for worker in [crew.start() for _ in range(2)]] == [0, 0], crew.said(first)
    assert crew.corpora[-1]["pages.jsonl"]
    assert all(len(fetched(site)) == 24 for site in crew.sites)


@pytest.mark.parametrize("crew", [pytest.param((2, 12), id="24 pages of 2 sites")], indirect=True)
def test_limit_on_pages_is_that_of_all_workers(crew):
    crew.arguments = {"max_pages": 7}
    workers = [crew.start() for _ in range(2)]
    assert [end(worker) for worker in workers] == [0, 0]
    (corpus,) = crew.corpora
    verdicts = [row["verdict"] for row in corpus["pages.jsonl"]]
    assert verdicts.count("ok") == 7
    assert set(verdicts) <= {"ok", "limit", "duplicate"}


def test_views_fields_and_feeds_are_those_of_one_worker(mock_sites, tmp_path, redis, postgresql):
    sites = [mock_sites() for _ in range(2)]
    for site in sites:
        build(site, 12)
    fields = tmp_path / "fields.yaml"
    fields.write_text("name: {css: h1}\nfirst: {css: p}\n", encoding="utf-8")
    feed = tmp_path / "feed.jsonl"
    wanted = {"MDCRAWL_VIEWS": "fit_markdown,citations,text", "DOWNLOAD_DELAY": 0.05}
    arguments = {"fields": fields, "query": "valve"}
    assert end(start_crawl([site.url("/docs/") for site in sites], tmp_path / "alone", arguments, **wanted)) == 0
    crew = Crew(
        sites,
        tmp_path,
        MDCRAWL_DB=postgresql.url(),
        MDCRAWL_FRONTIER=redis.url(),
        FEEDS=json.dumps({str(feed): {"format": "jsonl", "overwrite": True}}),
        **wanted,
    )
    crew.arguments = arguments
    workers = [crew.start() for _ in range(2)]
    assert [end(worker) for worker in workers] == [0, 0], crew.said(0)
    assert crew.corpora == [corpus_of(tmp_path / "alone")]
    (folder,) = [path.parent for path in tmp_path.glob("worker*/fields.jsonl")]
    assert (folder / "fields.jsonl").read_bytes() == (tmp_path / "alone" / "fields.jsonl").read_bytes()
    row = crew.corpora[0]["pages.jsonl"][0]
    assert all(row[view] for view in ("fit_markdown", "citations", "text"))
    assert feed.read_bytes() == (folder / "pages.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        pytest.param({}, "MDCRAWL_FRONTIER: workers that share a crawl need MDCRAWL_DB too", id="no database"),
        pytest.param(
            {"MDCRAWL_DB": "postgresql+psycopg://me:sesame@127.0.0.1:1/crawls"},
            "127.0.0.1:1: Redis cannot be reached; start it or see to MDCRAWL_FRONTIER",
            id="no Redis",
        ),
        pytest.param(
            {
                "MDCRAWL_DB": "postgresql+psycopg://me:sesame@127.0.0.1:1/crawls",
                "MDCRAWL_FRONTIER": "redis://:sesame@127.0.0.1:1/0?socket_timeout=soon",
            },
            "MDCRAWL_FRONTIER: not to be used as it is: Invalid value for 'socket_timeout' in connection URL.",
            id="option of Redis that cannot be read",
        ),
    ],
)
def test_what_is_missing_is_told_in_one_line(scrapy, tmp_path, settings, told):
    given = {"MDCRAWL_FRONTIER": "redis://:sesame@127.0.0.1:1/0", "MDCRAWL_OUTPUT": tmp_path, **settings}
    ended = scrapy(
        "crawl", "docs", "-astart=http://127.0.0.1:1/", *(f"-s{name}={value}" for name, value in given.items())
    )
    assert (ended.status, ended.complaints) == (1, [f"mdcrawl: {told}"])
    assert ended.is_clean
    assert "sesame" not in ended.stdout + ended.stderr


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_bundled_site_by_two_workers_is_that_by_one(site, tmp_path, redis, postgresql):
    """With robots.txt, sitemaps, redirects, errors and the browser; with passwords, of which nothing is said."""
    with redis_client.Redis.from_url(redis.url()) as client:
        client.config_set("requirepass", "sesame")
    alone = start_crawl([site.url("/docs/")], tmp_path / "alone")
    assert end(alone) == 0
    crew = Crew(
        [site],
        tmp_path,
        MDCRAWL_DB=postgresql.url().replace("mdcrawl@", "mdcrawl:sesame@"),
        MDCRAWL_FRONTIER=redis.url().replace("//", "//:sesame@"),
        LOG_LEVEL="DEBUG",
    )
    workers = [crew.start() for _ in range(2)]
    assert [end(worker) for worker in workers] == [0, 0], crew.said(0)
    assert crew.corpora == [corpus_of(tmp_path / "alone")]
    for number in range(2):
        assert "sesame" not in crew.said(number)
        assert "Traceback" not in crew.said(number)


def test_workers_that_are_ending_are_not_joined(scrapy, tmp_path, redis, postgresql):
    url = postgresql.url()
    ending = CrawlDatabase(url, is_shared=True)
    with ending.begin() as connection:
        run = open_run(connection, now="2026-12-01T00:00:00+00:00", settings={}, resume=False)
        refuse_run(connection, run, now=run.started_at, reason="")
        ending.step_in(connection)
    given = {"MDCRAWL_FRONTIER": redis.url(), "MDCRAWL_DB": url, "MDCRAWL_OUTPUT": tmp_path / "out"}
    ended = scrapy(
        "crawl", "docs", "-astart=http://127.0.0.1:1/", *(f"-s{name}={value}" for name, value in given.items())
    )
    ending.close()
    said = f"mdcrawl: {ending.name}: the workers of the last crawl are ending; start again when they have"
    assert (ended.status, ended.complaints) == (1, [said])
    assert ended.is_clean


# --- What a second worker is worth --------------------------------------------------------------

ANSWER_S, PLACES = 0.2, 2


def slow_down(site):
    """Let every page of a site take its time."""
    for path, answer in list(site.routes.items()):
        site.routes[path] = lambda asked, answer=answer: time.sleep(ANSWER_S) or answer


def steady_speed(sites):
    """Return the pages a second in the middle half of a crawl: start-up and the last few pages take what they take."""
    times = sorted(asked.at_s for site in sites for asked in site.asked if asked.path in site.routes)
    quarter = len(times) // 4
    return (len(times) - 2 * quarter - 1) / (times[-quarter - 1] - times[quarter])


def whole_speed(sites):
    """Return the pages a second from the first to the last, with the time until the second worker is there."""
    times = sorted(asked.at_s for site in sites for asked in site.asked if asked.path in site.routes)
    return (len(times) - 1) / (times[-1] - times[0])


def pages_per_second(crew, workers):
    """Crawl anew with so many workers."""
    for site in crew.sites:
        site.asked.clear()
    first = len(crew.workers)
    started = [crew.start() for _ in range(workers)]
    assert [end(worker) for worker in started] == [0] * workers, crew.said(first)
    return whole_speed(crew.sites), steady_speed(crew.sites)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_workers_are_twice_as_fast_where_answers_are_slow(mock_sites, tmp_path, redis, postgresql):
    sites = [mock_sites() for _ in range(12)]
    for site in sites:
        build(site, 80)  # two minutes for one worker, so that start-up is of little account
        slow_down(site)
    speeds = []
    for workers in (1, 2):
        crew = Crew(
            sites,
            tmp_path / str(workers),
            DOWNLOAD_DELAY=0.01,
            CONCURRENT_REQUESTS=PLACES,
            MDCRAWL_DB=postgresql.url(),
            MDCRAWL_FRONTIER=redis.url(),
        )
        crew.folder.mkdir()
        speeds.append(pages_per_second(crew, workers))
    for which, one, two in zip(("all in all", "in the middle half"), *speeds, strict=True):
        sys.stdout.write(f"{which}: {one:.2f} and {two:.2f} pages a second, {two / one:.2f} times\n")
        assert two >= 1.8 * one
