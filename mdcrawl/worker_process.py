"""A process that works for a crawl. It knows nothing of Scrapy, which would be 25 MB more in each.

The crawl and a worker talk over a socket, in frames: eight bytes for the length, then a pickle.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import struct
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

# The length of what follows, in bytes.
HEADER = struct.Struct("!Q")
# The crawl holds the other end of standard input; it reads as ended once the crawl has.
_LIFELINE = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception that a function raised in the worker, and its traceback there."""

    error: Exception
    traceback: str


def frame(message: object) -> bytes:
    """Return a message as it goes over the line. Raises what pickle raises."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(content)) + content


def main(lines: Sequence[int]) -> None:
    """Be a worker for each of the sockets with these descriptors: all but the first are forked once all is loaded.

    What comes first over the first is a function without arguments, which loads what the work will need. Each worker
    says its process id before all else. It ends when its line does, and at once when the crawl ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the crawl's
    first, *others = (socket.socket(fileno=line) for line in lines)
    load = _read(first)
    with suppress(Exception):  # it fails again, and is told of, where it is needed
        load()
    gc.collect()
    gc.freeze()  # else the collector writes to all that is shared, and each has its own copy
    forked = []
    while others:
        other = others.pop()
        process = os.fork()
        if not process:
            for each in (first, *others):
                each.close()
            _serve(other)
            os._exit(0)
        forked.append(process)
        other.close()
    _serve(first)
    for process in forked:  # so that their time counts as the crawl's
        os.waitpid(process, 0)
    os._exit(0)


def _serve(line: socket.socket) -> None:
    """Do what comes over the line until it ends."""
    threading.Thread(target=_end_with_crawl, daemon=True).start()
    with suppress(ConnectionError):
        line.sendall(frame(os.getpid()))
        while (job := _read(line)) is not None:
            line.sendall(_answer(*job))


def _answer(function: Callable[[object], object], argument: object) -> bytes:
    try:
        return frame(function(argument))
    except Exception as error:  # noqa: BLE001  whatever it is, the crawl is told
        failure = Failure(error, traceback.format_exc())
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301  our own
        except Exception:  # noqa: BLE001  an exception of any class may refuse either
            failure = Failure(RuntimeError(repr(error)), failure.traceback)
        return frame(failure)


def _read(line: socket.socket) -> Any:
    """Return the next message, None if the line ends before or within it."""
    header = line.recv(HEADER.size, socket.MSG_WAITALL)
    if len(header) < HEADER.size:
        return None
    (size,) = HEADER.unpack(header)
    content = line.recv(size, socket.MSG_WAITALL)
    return pickle.loads(content) if len(content) == size else None  # noqa: S301  our own


def _end_with_crawl() -> None:
    while os.read(_LIFELINE, 1):
        pass
    os._exit(1)
