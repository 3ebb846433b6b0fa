"""The worker pool: a page that breaks its process costs its own verdict only, and no process is left behind."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from mdcrawl.discovery.scope import make_scope
from mdcrawl.discovery.sniff import Kind
from mdcrawl.extensions import workers
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.extraction.extract import ExtractionOptions
from mdcrawl.pipelines.jobs import ExtractJob

ROOT = Path(__file__).resolve().parents[2]


# Run in the workers, which import this module by its name.
def double(number: int) -> int:
    return 2 * number


def pid_of_worker(_: int) -> int:
    return os.getpid()


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def die_late(_: int) -> int:
    time.sleep(0.4)
    return die(0)


def sleep_for(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def fail(_: int) -> int:
    raise ValueError("not this page")


LOADED_BY: list[int] = []


def load() -> None:
    LOADED_BY.append(os.getpid())


def fail_to_load() -> None:
    raise OSError("no vocabulary")


def own_and_loading_pid(seconds: float) -> tuple[int, list[int]]:
    time.sleep(seconds)
    return os.getpid(), LOADED_BY


class UnpicklableError(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def fail_unpicklably(_: int) -> int:
    raise UnpicklableError("oil", "water")


def is_running(pid: int) -> bool:
    """Tell whether a process is there and no zombie; its files are open until its last thread has ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        return state != "Z" or len(list(Path(f"/proc/{pid}/task").iterdir())) > 1
    except OSError:
        return False


def ends_within(pid: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while is_running(pid):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]


async def started(pool: WorkerPool) -> int:
    """Return the process id of a worker, once it has started (a spawn costs what its imports cost)."""
    return await pool.run(pid_of_worker, 0)


async def test_worker_that_dies_costs_its_page_only():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        first = await started(pool)
        dying = asyncio.create_task(pool.run(die, 0))
        with pytest.raises(ConversionError, match="ended the worker process"):
            await dying
        assert ends_within(first, 10)
        assert await pool.run(double, 21) == 42
        assert await started(pool) != first
    finally:
        pool.close()


async def test_neighbours_of_a_dying_page_are_converted():
    """Those at work beside it and those that wait, though it brings the pool down more than once."""
    pool = WorkerPool(workers=2, timeout_s=60)
    try:
        results = await asyncio.gather(
            pool.run(sleep_for, 1.5),
            pool.run(die_late, 0),
            pool.run(sleep_for, 1.0),
            pool.run(double, 3),
            return_exceptions=True,
        )
    finally:
        pool.close()
    assert isinstance(results.pop(1), ConversionError)
    assert results == [1.5, 1.0, 6]


async def test_page_that_takes_too_long_is_given_up_and_its_process_ended():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        worker = await started(pool)
        pool._timeout_s = 0.5
        before = time.monotonic()
        with pytest.raises(ConversionError, match=r"not converted within 0\.5 s"):
            await pool.run(sleep_for, 120)
        assert time.monotonic() - before < 30
        assert ends_within(worker, 10)
        pool._timeout_s = 60
        assert await pool.run(double, 4) == 8
    finally:
        pool.close()


async def test_page_waiting_behind_a_hanging_one_is_converted():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        await started(pool)
        pool._timeout_s = 2
        hanging = asyncio.create_task(pool.run(sleep_for, 120))
        await asyncio.sleep(0.1)
        pool._timeout_s = 60  # the next page's: a new process has to start for it
        assert await pool.run(double, 5) == 10
        with pytest.raises(ConversionError):
            await hanging
    finally:
        pool.close()


async def test_a_limit_ends_workers_once_their_page_is_done_and_lifting_it_brings_them_back():
    pool = WorkerPool(workers=2, timeout_s=60)
    try:
        both = set(await asyncio.gather(pool.run(pid_after, 0.5), pool.run(pid_after, 0.5)))
        assert len(both) == 2
        busy = asyncio.gather(pool.run(pid_after, 0.5), pool.run(pid_after, 1.0))
        await asyncio.sleep(0.1)
        pool.limit(1)
        assert set(await busy) == both
        assert set(await asyncio.gather(*(pool.run(pid_after, 0.1) for _ in range(3)))) < both
        left = await started(pool)
        (ended,) = both - {left}
        assert ends_within(ended, 10)
        pool.limit(2)
        assert len(set(await asyncio.gather(pool.run(pid_after, 0.5), pool.run(pid_after, 0.5)))) == 2
    finally:
        pool.close()


async def test_all_workers_are_forked_from_the_one_that_loaded():
    pool = WorkerPool(workers=3, timeout_s=60, load=load)
    try:
        found = await asyncio.gather(*(pool.run(own_and_loading_pid, 0.5) for _ in range(3)))
    finally:
        pool.close()
    pids = {pid for pid, _ in found}
    assert len(pids) == 3
    (loader,) = {pid for _, loaded in found for pid in loaded}
    assert all(loaded == [loader] for _, loaded in found)
    assert loader in pids
    assert all(ends_within(pid, 10) for pid in pids)


async def test_worker_whose_loading_fails_works_all_the_same():
    pool = WorkerPool(workers=1, timeout_s=60, load=fail_to_load)
    try:
        assert await pool.run(double, 7) == 14
    finally:
        pool.close()


async def test_limit_ends_workers_that_have_not_worked_yet():
    pool = WorkerPool(workers=3, timeout_s=60, load=load)
    try:
        _, (first,) = await pool.run(own_and_loading_pid, 0)
        end = time.monotonic() + 10
        while len(others := children_of(first)) < 2:  # the last is forked while the first to be answers
            assert time.monotonic() < end
            await asyncio.sleep(0.01)
        pool.limit(1)
        assert all(ends_within(pid, 10) for pid in others)
        assert await started(pool) == first
        pool.limit(3)
        assert len(set(await asyncio.gather(*(pool.run(pid_after, 0.5) for _ in range(3))))) == 3
    finally:
        pool.close()
    assert ends_within(first, 10)


async def test_death_of_the_first_worker_leaves_the_others_alone():
    pool = WorkerPool(workers=2, timeout_s=60, load=load)
    try:
        both = dict(await asyncio.gather(pool.run(own_and_loading_pid, 0.5), pool.run(own_and_loading_pid, 0.5)))
        (first,) = {pid for loaded in both.values() for pid in loaded}
        (other,) = both.keys() - {first}
        os.kill(first, signal.SIGKILL)
        assert ends_within(first, 10)
        found = set(await asyncio.gather(pool.run(pid_after, 2), pool.run(pid_after, 2)))
        assert other in found
        assert len(found) == 2
    finally:
        pool.close()
    assert all(ends_within(pid, 10) for pid in found)


async def test_page_does_not_pay_for_a_worker_that_died_before_it_came():
    pool = WorkerPool(workers=2, timeout_s=60, load=load)
    try:
        worked, (idle,) = await pool.run(own_and_loading_pid, 0)
        assert worked != idle
        for pid in (worked, idle):
            os.kill(pid, signal.SIGKILL)
            assert ends_within(pid, 10)
        assert not {worked, idle} & set(await asyncio.gather(pool.run(pid_after, 0.5), pool.run(pid_after, 0.5)))
    finally:
        pool.close()


async def test_closing_after_the_death_of_a_worker_that_has_not_worked_harms_nobody():
    pool = WorkerPool(workers=2, timeout_s=60, load=load)
    worker, (first,) = await pool.run(own_and_loading_pid, 0)
    assert worker != first
    os.kill(first, signal.SIGKILL)
    assert ends_within(first, 10)
    pool.close()
    assert ends_within(worker, 10)


async def test_answer_to_a_cancelled_call_goes_to_nobody():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        await started(pool)
        cancelled = asyncio.create_task(pool.run(sleep_for, 0.3))
        await asyncio.sleep(0.1)
        cancelled.cancel()
        assert await pool.run(double, 8) == 16
    finally:
        pool.close()


async def test_large_messages_go_both_ways():
    pool = WorkerPool(workers=1, timeout_s=60)
    body = os.urandom(5_000_000)
    try:
        assert await pool.run(bytes, body) == body
    finally:
        pool.close()


@pytest.mark.parametrize("after_s", [0, 0.3])
async def test_pool_that_is_closed_while_it_loads_ends_without_a_word(capfd, after_s):
    pool = WorkerPool(workers=2, timeout_s=60)
    pool.start()
    await asyncio.sleep(after_s)
    pool.close()
    assert capfd.readouterr().err == ""


async def test_argument_that_cannot_travel_costs_no_worker():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        worker = await started(pool)
        with pytest.raises(TypeError, match="pickle"):
            await pool.run(double, asyncio.get_running_loop().create_future())  # type: ignore[arg-type]
        assert await started(pool) == worker
    finally:
        pool.close()


async def test_closed_pool_begins_nothing_new():
    pool = WorkerPool(workers=1, timeout_s=60)
    pool.close()
    with pytest.raises(ConversionError, match="had not begun when the crawl ended"):
        await pool.run(double, 1)


async def test_time_spent_waiting_does_not_count():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        await started(pool)
        pool._timeout_s = 2.5
        assert await asyncio.gather(pool.run(sleep_for, 1.5), pool.run(sleep_for, 1.6)) == [1.5, 1.6]
    finally:
        pool.close()


async def test_exception_of_the_conversion_comes_through():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        with pytest.raises(ValueError, match="not this page"):
            await pool.run(fail, 0)
        assert await pool.run(double, 6) == 12
    finally:
        pool.close()


async def test_exception_that_cannot_travel_is_told_of_and_where_it_was_raised():
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        with pytest.raises(RuntimeError, match="oil and water") as caught:
            await pool.run(fail_unpicklably, 0)
    finally:
        pool.close()
    assert "in fail_unpicklably" in "".join(caught.value.__notes__)


def name_of_main_module(_: int) -> str:
    return sys.modules["__main__"].__name__


async def test_worker_does_not_load_what_the_crawl_was_started_with(monkeypatch, tmp_path):
    script = tmp_path / "scrapy.py"
    script.write_text("print('imported again')\n", encoding="utf-8")
    main = ModuleType("__main__")
    main.__file__ = str(script)
    monkeypatch.setitem(sys.modules, "__main__", main)
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        # A main module that was imported again would be "__mp_main__".
        assert await pool.run(name_of_main_module, 0) == "__main__"
    finally:
        pool.close()
    assert sys.modules["__main__"] is main


ASKED = """
import sys

from mdcrawl.pipelines.jobs import run_extract


def packages_after(job):
    assert run_extract(job).words == 3
    return {name.partition(".")[0] for name in sys.modules}
"""


async def test_worker_that_has_converted_a_page_has_loaded_no_scrapy(monkeypatch, tmp_path):
    (tmp_path / "asked.py").write_text(ASKED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    asked = importlib.import_module("asked")
    url = "https://example.com/"
    scope = make_scope((url,))
    job = ExtractJob(b"<main><h1>Oil</h1><p>Twice daily</p></main>", Kind.HTML, url, "", ExtractionOptions(), scope)
    pool = WorkerPool(workers=1, timeout_s=60)
    try:
        loaded = await pool.run(asked.packages_after, job)
    finally:
        pool.close()
        monkeypatch.delitem(sys.modules, "asked")
    assert "lxml" in loaded
    assert not loaded & {"scrapy", "twisted", "requests", "sqlalchemy", "pyarrow"}


async def test_close_ends_the_workers():
    pool = WorkerPool(workers=1, timeout_s=60)
    worker = await started(pool)
    pool.close()
    assert ends_within(worker, 10)
    pool.close()


async def test_close_ends_a_worker_that_does_not_end_by_itself(monkeypatch):
    monkeypatch.setattr(workers, "CLOSING_S", 0.3)
    pool = WorkerPool(workers=1, timeout_s=60)
    worker = await started(pool)
    hanging = asyncio.create_task(pool.run(sleep_for, 120))
    await asyncio.sleep(0.1)
    pool.close()
    assert ends_within(worker, 10)
    with pytest.raises(ConversionError):
        await hanging


CRAWL = """
import asyncio, sys, time
from mdcrawl.extensions.workers import WorkerPool
import mdcrawl.pipelines.work  # what a worker of a crawl has loaded, threads of libraries included
from tests.extensions.test_workers import pid_of_worker


async def main():
    pool = WorkerPool(workers=1, timeout_s=60)
    print(await pool.run(pid_of_worker, 0), flush=True)
    if "busy" in sys.argv:
        await pool.run(time.sleep, 120)
    await asyncio.sleep(120)


if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_workers_end_when_the_crawl_is_killed(tmp_path, state):
    script = tmp_path / "crawl.py"
    script.write_text(CRAWL, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, script, state], stdout=subprocess.PIPE, env=environment) as crawl:
        assert crawl.stdout is not None
        worker = int(crawl.stdout.readline())
        assert is_running(worker)
        time.sleep(0.3)
        crawl.kill()
    assert ends_within(worker, 10)
