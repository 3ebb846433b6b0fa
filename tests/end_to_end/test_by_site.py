"""Start URLs from a list in Redis: each site has one worker at a time, and outlives it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from itertools import groupby

import pytest
import redis as redis_client

from tests.conftest import ROOT
from tests.end_to_end.test_kill import end, name_of

PAGES = 12
CONTACT = "https://{}.example/bot"


@pytest.fixture
def sites(mock_sites):
    opened = [mock_sites() for _ in range(3)]
    for site in opened:
        site.add_page("/docs/", *(name_of(number) for number in range(1, PAGES)))
        for number in range(1, PAGES):
            site.add_page(name_of(number), "/docs/")
    return opened


@pytest.fixture
def start_worker(tmp_path, redis):
    """Start a worker of the list, which tells the sites its name."""
    workers = []

    def start(name, **settings):
        given = {
            "MDCRAWL_FRONTIER": redis.url(),
            "MDCRAWL_FRONTIER_LEASE_S": 3,
            "MDCRAWL_OUTPUT": tmp_path / "out",
            "MDCRAWL_CONTACT": CONTACT.format(name),
            "MDCRAWL_WORKERS": 1,
            "DOWNLOAD_DELAY": 0.1,
        } | settings
        options = [f"-s{key}={value}" for key, value in given.items()]
        with (tmp_path / f"{name}.log").open("wb") as log:
            command = [sys.executable, "-m", "scrapy", "crawl", "docs", *options, "-amd_probe=off"]
            workers.append(subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log))
        return workers[-1]

    yield start
    for worker in workers:
        worker.kill()
        end(worker)


def push(redis, *entries):
    with redis_client.Redis.from_url(redis.url()) as client:
        client.rpush("docs:start_urls", *entries)


def folder_of(site, tmp_path):
    return tmp_path / "out" / site.base.removeprefix("http://").replace(":", "_")


def who_asked(site):
    """Return the workers that asked a site, each as often as it came back after another."""
    agents = [asked.headers["user-agent"] for asked in site.asked if asked.path != "/robots.txt"]
    return [agent.partition("https://")[2].partition(".")[0] for agent, _ in groupby(agents)]


def test_dead_worker_gives_its_site_back(sites, tmp_path, redis, start_worker):
    push(redis, *(site.url("/docs/") for site in sites))
    doomed = start_worker("doomed")
    while len(sites[0].page_paths) < 5:
        assert doomed.poll() is None
        time.sleep(0.01)
    heir = start_worker("heir")
    doomed.kill()
    end(doomed)
    assert end(heir) == 0
    for site in sites:
        rows = [json.loads(line) for line in (folder_of(site, tmp_path) / "pages.jsonl").read_text().splitlines()]
        assert [row["verdict"] for row in rows] == ["ok"] * PAGES
    assert who_asked(sites[0]) == ["doomed", "heir"]
    assert [who_asked(site) for site in sites[1:]] == [["heir"], ["heir"]]
    # On the same disk the site was gone on with, not begun anew.
    assert len(sites[0].page_paths) <= PAGES + 2
    assert "Traceback" not in (tmp_path / "heir.log").read_text()


def test_two_workers_share_the_sites(sites, tmp_path, redis, postgresql, start_worker):
    """Each site goes to one of them, with arguments of its own; what is no start URL is named and dropped."""
    first, second, third = sites
    push(redis, "/etc/passwd", first.url("/docs/"), json.dumps({"url": second.url("/docs/"), "max_pages": 4}))
    push(redis, json.dumps({"url": third.url("/docs/"), "max_pagse": 4}))
    db = postgresql.url().partition("?")[0]
    workers = [start_worker(name, MDCRAWL_DB=db) for name in ("one", "two")]
    statuses = [end(worker) for worker in workers]
    logs = [(tmp_path / f"{name}.log").read_text() for name in ("one", "two")]
    assert sorted(statuses) in ([0, 1], [1, 1])  # whoever had the third, and perhaps the others too
    assert any("docs:start_urls: dropped: start: not a URL: '/etc/passwd'" in log for log in logs)
    assert sum("max_pagse: unknown" in log for log in logs) == 1
    assert not any("Traceback" in log for log in logs)
    assert [len(who_asked(site)) for site in sites] == [1, 1, 0]
    verdicts = [
        [json.loads(line)["verdict"] for line in (folder_of(site, tmp_path) / "pages.jsonl").read_text().splitlines()]
        for site in (first, second)
    ]
    assert [each.count("ok") for each in verdicts] == [PAGES, 4]
    assert not (folder_of(first, tmp_path) / "crawl.sqlite").exists()
    with redis_client.Redis.from_url(redis.url()) as client:
        assert client.keys("docs:start_urls") == []
        assert client.zcard("docs:sites:leases") == 0


def test_site_that_cannot_begin_waits_for_the_others(sites, tmp_path, redis, start_worker):
    """It ends its worker, since the fault may be the machine's, but goes to the end of the list."""
    first, second, _ = sites
    push(redis, first.url("/docs/"), second.url("/docs/"))
    folder_of(first, tmp_path).parent.mkdir()
    folder_of(first, tmp_path).touch()  # a file where its folder would be
    assert end(start_worker("one")) == 1
    assert [who_asked(site) for site in (first, second)] == [[], []]
    assert end(start_worker("two")) == 1
    assert [who_asked(site) for site in (first, second)] == [[], ["two"]]
    log = (tmp_path / "two.log").read_text()
    assert "Traceback" not in log
    with redis_client.Redis.from_url(redis.url(), decode_responses=True) as client:
        assert client.lrange("docs:start_urls", 0, -1) == [first.url("/docs/")]
        assert client.zcard("docs:sites:leases") == 0


def test_worker_that_waits_ends_at_once_and_quietly(sites, tmp_path, redis, start_worker):
    """It has no site: the only one is another's."""
    push(redis, sites[0].url("/docs/"))
    busy = start_worker("busy", DOWNLOAD_DELAY=1)
    while len(sites[0].page_paths) < 2:
        assert busy.poll() is None
        time.sleep(0.01)
    idle = start_worker("idle")
    with redis_client.Redis.from_url(redis.url()) as client:
        while len(client.client_list()) < 3:  # both workers, and who asks
            time.sleep(0.01)
    time.sleep(0.5)
    idle.send_signal(signal.SIGINT)
    assert end(idle) == 0
    assert "Traceback" not in (tmp_path / "idle.log").read_text()
    assert busy.poll() is None
