"""A cheap server on loopback for measurements: answers are held ready, one thread, connections are kept."""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

# The page of a path, None if there is none.
Find = Callable[[str], "Answer | None"]


class Answer(NamedTuple):
    """What a path answers with."""

    body: bytes
    content_type: str = "text/html; charset=utf-8"


class _Connection(asyncio.Protocol):
    """GET requests of HTTP/1.1, one after the other; If-None-Match is honoured."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received:
            request, _, self._received = self._received.partition(b"\r\n\r\n")
            self._transport.write(self._answer(request))

    def _answer(self, request: bytes) -> bytes:
        path = request.split(b" ", 2)[1].decode("latin-1").partition("?")[0]
        found = self._find(path)
        if found is None:
            return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nno such page"
        tag = f'"{hashlib.sha1(found.body).hexdigest()[:16]}"'  # noqa: S324  a validator, no secret
        if f"if-none-match: {tag}".encode() in request.lower():
            return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
        head = f"Content-Type: {found.content_type}\r\nETag: {tag}\r\nContent-Length: {len(found.body)}\r\n\r\n"
        return b"HTTP/1.1 200 OK\r\n" + head.encode() + found.body


async def serve(sites: Sequence[Find], port: int = 0) -> None:
    """Serve each site on a port of its own, print their base URLs, one a line, and end with standard input."""
    loop = asyncio.get_running_loop()
    for find in sites:
        server = await loop.create_server(lambda find=find: _Connection(find), "127.0.0.1", port)  # type: ignore[misc]  # a default
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    print(flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
