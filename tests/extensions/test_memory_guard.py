"""The memory guard in a real crawl: a control group that fills and empties, and one that is full."""

from __future__ import annotations

import json
import threading
import time
from itertools import pairwise

import pytest

from mdcrawl.settings import EXTENSIONS

GUARD = """
from pathlib import Path
from mdcrawl.extensions.memory_guard import MemoryGuard

class Guard(MemoryGuard):
    interval_s = 0.05
    root = Path({root!r})
"""
OWN = {"mdcrawl.extensions.memory_guard.MemoryGuard": None, "own_guard.Guard": 150}
PAGES = 14


class Group:
    """A control group of 100 bytes as version 2 shows it, for a guard of its own."""

    def __init__(self, folder):
        self.modules = folder / "modules"
        self.modules.mkdir(parents=True)
        (self.modules / "own_guard.py").write_text(GUARD.format(root=str(folder)), encoding="utf-8")
        (folder / "proc" / "self").mkdir(parents=True)
        (folder / "proc" / "self" / "cgroup").write_text("0::/\n", encoding="utf-8")
        self._folder = folder / "sys" / "fs" / "cgroup"
        self._folder.mkdir(parents=True)
        (self._folder / "memory.max").write_text("100\n", encoding="utf-8")
        self.fill(50)

    def fill(self, used):
        new = self._folder / "new"
        new.write_text(f"{used}\n", encoding="utf-8")
        new.replace(self._folder / "memory.current")


class Watch:
    """Slow pages of several sites, with the number of requests under way when each was asked for."""

    def __init__(self, sites, react):
        self.asked = []
        self._under_way = 0
        self._lock = threading.Lock()
        self._react = react
        for site in sites:
            site.add_page("/docs/", *(f"/docs/{number}" for number in range(PAGES)))
            for number in range(PAGES):
                site.routes[f"/docs/{number}"] = self._route(site, site.page(f"/docs/{number}"))

    def _route(self, site, answer):
        def route(_):
            with self._lock:
                self._under_way += 1
                self.asked.append((site.base, self._under_way))
                self._react(len(self.asked))
            time.sleep(0.1)
            with self._lock:
                self._under_way -= 1
            return answer

        return route


def settings(**more):
    return {
        "EXTENSIONS": json.dumps(EXTENSIONS | OWN),
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        **more,
    }


@pytest.fixture(params=["alone", "shared"])
def engines(request):
    """The settings of a crawl by itself, and of a worker that shares one."""
    if request.param == "alone":
        return {}
    redis, postgresql = (request.getfixturevalue(name) for name in ("redis", "postgresql"))
    return {"MDCRAWL_DB": postgresql.url(), "MDCRAWL_FRONTIER": redis.url()}


def test_a_crawl_shrinks_while_memory_is_short_and_recovers_with_all_sites_taking_turns(
    crawl, mock_sites, tmp_path, engines
):
    sites = [mock_sites(), mock_sites()]
    group = Group(tmp_path / "group")
    watch = Watch(sites, lambda asked: group.fill({1: 90, 20: 50}[asked]) if asked in {1, 20} else None)
    starts = ",".join(site.url("/docs/") for site in sites)
    given = settings(MDCRAWL_WORKERS=2, **engines)
    result = crawl(starts, tmp_path / "out", modules=group.modules, settings=given, md_probe="off", llms="off")
    assert set(result.verdicts.values()) == {"ok"}
    assert len(result.pages) == 2 * (PAGES + 1)
    assert result.status == 0
    # What was under way when memory ran short is still answered; then one page at a time, of each site in turn.
    short = watch.asked[12:20]
    assert {under_way for _, under_way in short} == {1}
    bases = [base for base, _ in short]
    assert all(a != b for a, b in pairwise(bases))
    assert max(under_way for _, under_way in watch.asked[20:]) > 1
    assert "90% of the container's 0 MB of memory in use: at most 1 pages at a time and 1 workers" in result.stderr
    assert "at most 16 pages at a time and 2 workers" in result.stderr


def test_a_crawl_that_runs_out_of_memory_ends_cleanly_and_goes_on_later(crawl, mock_site, tmp_path):
    group = Group(tmp_path / "group")
    Watch([mock_site], lambda asked: group.fill(99) if asked == 5 else None)
    start = mock_site.url("/docs/")
    stopped = crawl(start, tmp_path / "out", modules=group.modules, settings=settings(), md_probe="off", llms="off")
    assert stopped.status == 3
    assert "MDCRAWL_MEMORY_STOP=0.95 allows: the crawl is stopped; make room" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    assert set(stopped.verdicts.values()) == {"ok", "limit"}
    assert len(stopped.pages) == PAGES + 1
    assert stopped.summary["not_fetched"] == "the crawl was stopped (memory); the same command goes on with it"
    group.fill(50)
    again = crawl(start, tmp_path / "out", modules=group.modules, settings=settings(), md_probe="off", llms="off")
    assert again.status == 0
    assert set(again.verdicts.values()) == {"ok"}
    asked = mock_site.page_paths
    assert len(asked) == len(set(asked)) == PAGES + 1
