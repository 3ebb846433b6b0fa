"""The processes that convert pages, off the event loop; a page that breaks one costs its own verdict only."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Self, TypeVar

from scrapy import signals

from mdcrawl.configuration import Configuration

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class ConversionError(Exception):
    """A page could not be converted: it took too long or brought its process down. Holds the reason."""


class WorkerPool:
    """A pool of spawned processes that grows with the work, and is made anew when one of them dies.

    Spawned, not forked: a fork of a process with an event loop and threads is unsound.
    """

    def __init__(self, *, workers: int, timeout_s: float) -> None:
        self._workers = workers or os.cpu_count() or 1
        self._timeout_s = timeout_s
        self._pool: ProcessPoolExecutor | None = None
        # As many as there are workers and one more waiting for each, so that pages wait as pages and
        # not as pickles in a pipe.
        self._room = asyncio.Semaphore(2 * self._workers)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pool of a crawl; it is closed with the spider."""
        configuration = Configuration.from_settings(crawler.settings)
        pool = cls(workers=configuration.workers, timeout_s=configuration.page_timeout_s)
        crawler.signals.connect(pool.close, signal=signals.spider_closed)
        return pool

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Return `function(argument)`, computed in a worker; both must be picklable.

        Raises ConversionError when it takes too long, or when its process dies twice.
        """
        async with self._room:
            for _ in range(2):
                pool = self._open()
                try:
                    future = asyncio.get_running_loop().run_in_executor(pool, function, argument)
                    return await asyncio.wait_for(future, self._timeout_s)
                except TimeoutError:
                    self._discard(pool)
                    raise ConversionError(f"not converted within {self._timeout_s:g} s") from None
                except BrokenProcessPool:
                    # Perhaps another page's fault: try once more in a new pool.
                    self._discard(pool)
            raise ConversionError("its conversion ended the worker process, twice")

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=_prepare_worker
            )
        return self._pool

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is not pool:
            return
        self._pool = None
        for process in list(pool._processes.values()):  # noqa: SLF001  the only way to end a worker that hangs
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the crawl, and end when the crawl has ended, however it did."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
