"""The processes that convert pages, off the event loop; a page that breaks one costs its own verdict only."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Self, TypeVar

from scrapy import signals

from mdcrawl.configuration import Configuration
from mdcrawl.worker_process import prepare_worker

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

# An idle worker ends at once; one that does not is ended.
CLOSING_S = 5

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class ConversionError(Exception):
    """A page could not be converted: it took too long or brought its process down. Holds the reason."""


class WorkerPool:
    """Worker processes that take one page at a time each, started when first needed.

    Each is an executor of its own, so that a page which hangs or kills its process harms no other.
    They are spawned, not forked: a fork of a process with an event loop and threads is unsound.
    """

    def __init__(self, *, workers: int, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._workers = [_Worker() for _ in range(workers or os.cpu_count() or 1)]
        self._resting: list[_Worker] = []
        self._most = len(self._workers)
        for worker in self._workers:
            self._free.put_nowait(worker)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pool of a crawl; it is closed with the spider."""
        configuration = Configuration.from_settings(crawler.settings)
        pool = cls(workers=configuration.workers, timeout_s=configuration.page_timeout_s)
        crawler.signals.connect(pool.close, signal=signals.spider_closed)
        return pool

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Return `function(argument)`, computed in a worker; both must be picklable.

        The function must not be one of the main module, which workers do not have.

        Raises ConversionError when it takes too long, waiting not counted, or ends its process.
        """
        worker = await self._free.get()
        try:
            return await asyncio.wait_for(worker.submit(function, argument), self._timeout_s)
        except TimeoutError:
            worker.kill()
            raise ConversionError(f"not converted within {self._timeout_s:g} s") from None
        except BrokenProcessPool:
            worker.kill()
            raise ConversionError("its conversion ended the worker process") from None
        finally:
            self._free.put_nowait(worker)
            self._rest()

    @property
    def size(self) -> int:
        """The number of workers when nothing limits it."""
        return len(self._workers)

    def limit(self, most: int) -> None:
        """Let at most so many workers work from now on; the others end when their page is done."""
        self._most = most
        while self._resting and len(self._workers) - len(self._resting) < most:
            self._free.put_nowait(self._resting.pop())
        self._rest()

    def _rest(self) -> None:
        """End free workers beyond the limit."""
        while not self._free.empty() and len(self._workers) - len(self._resting) > self._most:
            worker = self._free.get_nowait()
            worker.kill()
            self._resting.append(worker)

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """One process, started when it is first needed and again after it was killed."""

    def __init__(self) -> None:
        self._executor: ProcessPoolExecutor | None = None

    def submit(self, function: Callable[[Argument], Result], argument: Argument) -> asyncio.Future[Result]:
        if self._executor is None:
            spawn = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(1, mp_context=spawn, initializer=prepare_worker)
        with _without_main_module():
            return asyncio.get_running_loop().run_in_executor(self._executor, function, argument)

    def kill(self) -> None:
        self._end(patience_s=0)

    def close(self) -> None:
        self._end(patience_s=CLOSING_S)

    def _end(self, patience_s: float) -> None:
        executor, self._executor = self._executor, None
        if executor is None:
            return
        # No public call ends a process that hangs, or waits for one with a limit.
        processes = list((executor._processes or {}).values())  # noqa: SLF001  see above
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.join(patience_s)
            if process.is_alive():
                process.kill()


@contextmanager
def _without_main_module() -> Iterator[None]:
    """Hide the main module, which a spawned process would import again: all of Scrapy, for nothing."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
