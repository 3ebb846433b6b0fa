"""The browser's way out: a forward proxy on loopback that asks the guard before it connects anywhere."""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import ssl
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from mdcrawl.discovery.addresses import url_fault
from mdcrawl.discovery.urls import split_url
from mdcrawl.guard.gate import AddressGuard, BlockedAddressError, UnresolvedNameError
from mdcrawl.guard.upstream import Proxies, Upstream, parse_proxy, private_name

_REQUEST = re.compile(rb"([A-Z]{3,20}) (\S{1,16000}) HTTP/1\.[01]\r\n")
_AUTHORITY = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:/@\[\]]+):([0-9]{1,5})")
# What concerns one connection only, not the message (RFC 9110 section 7.6.1).
_HOP_BY_HOP = (b"connection:", b"proxy-", b"keep-alive:", b"te:", b"trailer:", b"upgrade:")


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """Bounds of the proxy, so that no page makes it hold much or for long."""

    connections: int = 128
    head_bytes: int = 64 * 1024
    head_s: float = 30.0
    connect_s: float = 20.0
    idle_s: float = 60.0
    bytes_of_connection: int = 50_000_000


class RefusedError(Exception):
    """The proxy does not do what was asked; holds the status to answer with."""

    def __init__(self, status: str, reason: str = "", header: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.header = header


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request for the proxy: where to connect, and what to send there first (nothing for a tunnel)."""

    scheme: str
    host: str
    port: int
    method: str = "CONNECT"
    target: str = ""
    headers: tuple[bytes, ...] = ()
    body_bytes: int = 0

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class GuardProxy:
    """A proxy for CONNECT and for http:// requests, on a port of its own, for whoever knows its secret.

    It connects only to addresses that the guard let pass, or to the forward proxy of the crawl.
    `blocked` lists what it refused, for the crawl's statistics.
    """

    def __init__(self, guard: AddressGuard, proxies: Proxies, limits: ProxyLimits = ProxyLimits()) -> None:
        self._guard = guard
        self._proxies = proxies
        self._limits = limits
        self._server: asyncio.Server | None = None
        self._room = asyncio.Semaphore(limits.connections)
        self._serving: set[asyncio.Task[None]] = set()
        self.user = "mdcrawl"
        self.secret = secrets.token_urlsafe(24)
        self.blocked: list[str] = []

    @property
    def url(self) -> str:
        """Where the proxy listens."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def start(self) -> None:
        """Listen on a free port of loopback."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=self._limits.head_bytes)

    async def close(self) -> None:
        """Stop listening and cut every connection."""
        if self._server is not None:
            self._server.close()
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)
            await self._server.wait_closed()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._serving.add(task)
        try:
            async with self._room:
                await self._answer(reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # the other side went away, or sent what is no request
        except asyncio.CancelledError:
            pass  # the proxy is closing; asyncio's server would log a cancelled task as an error
        finally:
            self._serving.discard(task)
            await _close(writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), self._limits.head_s)
        try:
            self._authenticate(head)
            asked = parse_request(head)
            there, away = await asyncio.wait_for(self._connect(asked), self._limits.connect_s)
        except RefusedError as error:
            lines = [f"HTTP/1.1 {error.status}", "Content-Length: 0", "Connection: close"]
            writer.write("\r\n".join([*lines, *([error.header] if error.header else []), "", ""]).encode("latin-1"))
            await writer.drain()
            return
        try:
            if asked.target:
                await self._forward(asked, (reader, writer), (there, away))
            else:
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                await writer.drain()
                await self._tunnel((reader, writer), (there, away))
        finally:
            await _close(away)

    def _authenticate(self, head: bytes) -> None:
        expected = b"Basic " + b64encode(f"{self.user}:{self.secret}".encode())
        given = re.search(rb"(?im)^proxy-authorization:[ \t]*([^\r\n]+?)[ \t]*\r$", head)
        if given is None or not hmac.compare_digest(given.group(1), expected):
            raise RefusedError("407 Proxy Authentication Required", header='Proxy-Authenticate: Basic realm="mdcrawl"')

    async def _connect(self, asked: _Asked) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        proxy = parse_proxy(self._proxies.url_for(f"{asked.scheme}://{asked.authority}/"))
        try:
            if proxy is not None:
                return await self._connect_upstream(asked, proxy)
            return await self._open_checked(asked.host, asked.port)
        except BlockedAddressError as error:
            self.blocked.append(f"{asked.authority}: {error}")
            raise RefusedError("403 Blocked Address", str(error)) from error
        except (UnresolvedNameError, OSError) as error:
            raise RefusedError("502 Bad Gateway", str(error)) from error

    async def _open_checked(
        self, host: str, port: int, tls: ssl.SSLContext | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        trouble: OSError | None = None
        for address in await self._guard.resolve(host, port):
            try:
                return await asyncio.open_connection(
                    address, port, ssl=tls, server_hostname=host if tls else None, limit=self._limits.head_bytes
                )
            except OSError as error:
                trouble = error
        raise trouble or OSError(f"{host} has no address")

    async def _connect_upstream(
        self, asked: _Asked, proxy: Upstream
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reason = "" if self._guard.may_be_private(asked.host, asked.port) else private_name(asked.host)
        if reason:
            raise BlockedAddressError(reason)
        tls = ssl.create_default_context() if proxy.scheme == "https" else None
        there, away = await self._open_checked(proxy.host, proxy.port, tls)
        if asked.target:
            return there, away
        lines = [f"CONNECT {asked.authority} HTTP/1.1", f"Host: {asked.authority}", *_authorization(proxy), "", ""]
        away.write("\r\n".join(lines).encode("latin-1"))
        answer = await there.readuntil(b"\r\n\r\n")
        if not re.match(rb"HTTP/1\.[01] 2[0-9]{2}\b", answer):
            await _close(away)
            raise RefusedError("502 Bad Gateway", "the forward proxy refused the tunnel")
        return there, away

    async def _forward(
        self,
        asked: _Asked,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        """Pass one request on and its answer back; the connection serves no second one."""
        (reader, writer), (there, away) = client, server
        proxy = parse_proxy(self._proxies.url_for(f"http://{asked.authority}/"))
        target = f"http://{asked.authority}{asked.target}" if proxy else asked.target
        host = asked.authority.removesuffix(":80")
        first = [f"{asked.method} {target} HTTP/1.1", f"Host: {host}", *(_authorization(proxy) if proxy else [])]
        away.write("\r\n".join(first).encode("latin-1") + b"\r\n")
        away.write(b"".join(line + b"\r\n" for line in asked.headers) + b"Connection: close\r\n\r\n")
        await self._pump(reader, away, asked.body_bytes)
        head = await asyncio.wait_for(there.readuntil(b"\r\n\r\n"), self._limits.idle_s)
        status, *lines = head[:-4].split(b"\r\n")
        kept = [line for line in lines if not line.lower().startswith(_HOP_BY_HOP)]
        writer.write(b"\r\n".join([status, *kept, b"Connection: close", b"", b""]))
        await self._pump(there, writer, self._limits.bytes_of_connection)

    async def _tunnel(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        (reader, writer), (there, away) = client, server
        up = asyncio.ensure_future(self._pump(reader, away, self._limits.bytes_of_connection))
        try:
            await self._pump(there, writer, self._limits.bytes_of_connection)
        finally:
            up.cancel()
            with suppress(asyncio.CancelledError, OSError, TimeoutError):
                await up

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, most: int) -> None:
        """Copy until the source ends, is silent for too long, or has sent `most` bytes."""
        left = most
        while left > 0:
            piece = await asyncio.wait_for(source.read(min(65536, left)), self._limits.idle_s)
            if not piece:
                return
            left -= len(piece)
            sink.write(piece)
            await sink.drain()


def parse_request(head: bytes) -> _Asked:
    """Return what the head of a request asks of a proxy. Raises RefusedError."""
    match = _REQUEST.match(head)
    if match is None:
        raise RefusedError("400 Bad Request", "not a request")
    method, target = match.group(1).decode("ascii"), match.group(2).decode("latin-1")
    if method == "CONNECT":
        authority = _AUTHORITY.fullmatch(target)
        if authority is None or not 0 < int(authority.group(2)) < 65536:
            raise RefusedError("400 Bad Request", "no host and port")
        return _Asked("https", authority.group(1).strip("[]"), int(authority.group(2)))
    fault = "scheme" if not target.lower().startswith("http://") else url_fault(target)
    if fault:
        raise RefusedError("400 Bad Request", fault)
    parts = split_url(target)
    lines = [line for line in head[match.end() :].split(b"\r\n") if line]
    if any(line.lower().startswith(b"transfer-encoding:") for line in lines):
        raise RefusedError("411 Length Required")
    sizes = {line.partition(b":")[2].strip() for line in lines if line.lower().startswith(b"content-length:")}
    if len(sizes) > 1 or not all(size.isdigit() and len(size) < 10 for size in sizes):
        raise RefusedError("400 Bad Request", "Content-Length")
    kept = tuple(line for line in lines if not line.lower().startswith((*_HOP_BY_HOP, b"host:")))
    return _Asked(
        scheme="http",
        host=parts.host.strip("[]"),
        port=int(parts.port or 80),
        method=method,
        target=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
        headers=kept,
        body_bytes=int(next(iter(sizes), b"0")),
    )


async def _close(writer: asyncio.StreamWriter) -> None:
    """Send what is left and close; a side that does not take it is cut off."""
    writer.close()
    try:
        async with asyncio.timeout(1):
            await writer.wait_closed()
    except (OSError, TimeoutError, asyncio.CancelledError):
        writer.transport.abort()


def _authorization(proxy: Upstream) -> list[str]:
    if not proxy.credentials:
        return []
    return ["Proxy-Authorization: Basic " + b64encode(proxy.credentials.encode()).decode("ascii")]
