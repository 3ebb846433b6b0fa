"""The processes that convert pages, off the event loop; a page that breaks one costs its own verdict only."""

from __future__ import annotations

import asyncio
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Self, TypeVar, cast

from scrapy import signals

from mdcrawl.configuration import Configuration
from mdcrawl.pipelines.jobs import load_conversion
from mdcrawl.worker_process import HEADER, Failure, frame

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

# A worker loads for a second, on a machine that has other things to do for longer.
STARTING_S = 60
# A worker ends at once when its line does; one that does not is ended.
CLOSING_S = 5

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class ConversionError(Exception):
    """A page could not be converted: it took too long or brought its process down. Holds the reason."""


class WorkerPool:
    """Worker processes that take one page at a time each, started when first needed.

    Each has a line of its own, so that a page which hangs or kills its process harms no other. The first is a new
    process, for a fork of one with an event loop and threads is unsound; it loads `load`, and where a fork is sound
    forks the others, so that all is loaded once.
    """

    def __init__(self, *, workers: int, timeout_s: float, load: Callable[[], None] = load_conversion) -> None:
        self._timeout_s = timeout_s
        self._load = load
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._workers = [_Worker() for _ in range(workers or os.cpu_count() or 1)]
        self._busy: set[_Worker] = set()
        self._resting: list[_Worker] = []
        self._most = len(self._workers)
        self._is_closed = False
        for worker in self._workers:
            self._free.put_nowait(worker)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pool of a crawl; it is closed with the spider."""
        configuration = Configuration.from_settings(crawler.settings)
        load = partial(load_conversion, configuration.tokenizer)
        pool = cls(workers=configuration.workers, timeout_s=configuration.page_timeout_s, load=load)
        crawler.signals.connect(pool.close, signal=signals.spider_closed)
        return pool

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Return `function(argument)`, computed in a worker; both must be picklable.

        The function must not be one of the main module, which workers do not have.

        Raises ConversionError when it takes too long, waiting not counted, or ends its process.
        """
        worker = await self._free.get()
        self._busy.add(worker)
        try:
            answer = await self._ask(worker, frame((function, argument)))
        finally:
            self._busy.remove(worker)
            self._free.put_nowait(worker)
            self._rest()
        if isinstance(answer, Failure):
            answer.error.add_note(answer.traceback)
            raise answer.error
        return cast("Result", answer)

    async def _ask(self, worker: _Worker, message: bytes) -> object:
        if worker.has_ended():  # while it was idle: this page has no part in it
            worker.kill()
        if worker.group is None:
            self.start()
        problem = "its worker process did not start"
        try:
            async with asyncio.timeout(STARTING_S):
                await worker.ready()
            problem = f"not converted within {self._timeout_s:g} s"
            async with asyncio.timeout(self._timeout_s):
                return await worker.ask(message)
        except TimeoutError:
            worker.kill()
            raise ConversionError(problem) from None
        except (ConnectionError, EOFError):
            worker.kill()
            raise ConversionError("its conversion ended the worker process") from None
        except BaseException:  # cancelled, say: what the worker will answer is nobody's
            worker.kill()
            raise

    def start(self) -> None:
        """Start the processes of the workers that have none yet. Raises ConversionError if that is impossible."""
        if self._is_closed:
            raise ConversionError("its conversion had not begun when the crawl ended")
        new = [worker for worker in self._workers if worker.group is None and worker not in self._resting]
        try:
            # Elsewhere the system's own libraries may have threads, which do not live through a fork.
            for group in [new] if sys.platform == "linux" else [[worker] for worker in new]:
                _start(group, self._load)
        except OSError as error:
            raise ConversionError(f"its worker process did not start: {error.strerror}") from error

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
        self._is_closed = True
        groups = {worker.group for worker in self._workers if worker.group is not None}
        for worker in self._workers:
            worker.hang_up()
        for group in groups:
            group.close()
        for worker in set(self._workers) - self._busy:  # who waits for one of these finds that it has ended
            worker.kill()


def _start(workers: Sequence[_Worker], load: Callable[[], None]) -> None:
    """Start one process that becomes all these workers. Raises OSError."""
    lines = [socket.socketpair() for _ in workers]
    theirs = [line.fileno() for _, line in lines]
    # An egg or a program may have put things on the path, which a new interpreter would not know of.
    code = f"import sys; sys.path[:] = {sys.path!r}; from mdcrawl.worker_process import main; main({theirs!r})"
    try:
        process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, pass_fds=theirs)  # noqa: S603  our own
    finally:
        for _, line in lines:
            line.close()
    with suppress(ConnectionError):  # it has ended already; who reads from it will find out
        lines[0][0].sendall(frame(load))
    group = _Group(process, workers)
    for worker, (line, _) in zip(workers, lines, strict=True):
        line.settimeout(0)
        worker.take(line, group)


class _Group:
    """Processes forked from one. The first waits in the end for the others, so that their time is counted."""

    def __init__(self, first: subprocess.Popen[bytes], workers: Iterable[_Worker]) -> None:
        self._first, self._workers = first, set(workers)

    def leave(self, worker: _Worker) -> None:
        """End the process of a worker, whatever it is at. One that has not worked yet ends as its line does."""
        self._workers.remove(worker)
        if worker.pid == self._first.pid or not self._workers:
            self._first.kill()
            self._first.wait()
        elif worker.pid:
            _kill(worker.pid)
        if not self._workers:
            assert self._first.stdin is not None
            self._first.stdin.close()  # what keeps them alive

    def close(self) -> None:
        """Wait until all have ended, whose lines have; end those that do not."""
        with suppress(subprocess.TimeoutExpired):
            self._first.wait(CLOSING_S)
        if self._first.returncode != 0:  # else it has seen all others end
            self._first.kill()
            self._first.wait()
            for worker in self._workers:
                if worker.pid:  # one that has not worked yet ends as its line does
                    _kill(worker.pid)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class _Worker:
    """A line to one process, to another one after it was killed."""

    def __init__(self) -> None:
        self.pid = 0
        self.group: _Group | None = None
        self._line: socket.socket | None = None

    def take(self, line: socket.socket, group: _Group) -> None:
        """Work by a process of a group from now on."""
        self.pid, self._line, self.group = 0, line, group

    def has_ended(self) -> bool:
        """Tell whether the process is gone, whatever it has said before."""
        if self._line is None:
            return False
        poll = select.poll()
        poll.register(self._line, 0)  # that the other end is closed is told unasked
        return bool(poll.poll(0))

    async def ready(self) -> None:
        """Wait until the process has loaded all. Raises ConnectionError, EOFError if it ends meanwhile."""
        if not self.pid:
            self.pid = cast("int", await self._answer())

    async def ask(self, message: bytes) -> object:
        """Return the answer to a frame. Raises ConnectionError, EOFError if the process ends instead."""
        assert self._line is not None
        await asyncio.get_running_loop().sock_sendall(self._line, message)
        return await self._answer()

    async def _answer(self) -> object:
        (size,) = HEADER.unpack(await self._receive(HEADER.size))
        return pickle.loads(await self._receive(size))  # noqa: S301  our own

    async def _receive(self, size: int) -> bytearray:
        assert self._line is not None
        loop = asyncio.get_running_loop()
        received = bytearray(size)
        left = memoryview(received)
        while left:
            count = await loop.sock_recv_into(self._line, left)
            if not count:
                raise EOFError
            left = left[count:]
        return received

    def kill(self) -> None:
        """End the process; the next one starts when it is needed."""
        if self._line is not None and self.group is not None:
            self._line.close()
            self.group.leave(self)
        self.pid, self._line, self.group = 0, None, None

    def hang_up(self) -> None:
        """Let the process end when it has done what it is at, and who waits for it know."""
        if self._line is not None:
            with suppress(OSError):  # it has ended already
                self._line.shutdown(socket.SHUT_RDWR)
