"""The browser's proxy: it connects where the guard lets it, for whoever knows its secret, within bounds."""

from __future__ import annotations

import asyncio
import os
from base64 import b64encode
from contextlib import asynccontextmanager, suppress

import pytest

from mdcrawl.guard.gate import AddressGuard
from mdcrawl.guard.proxy import GuardProxy, ProxyLimits, RefusedError, parse_request
from mdcrawl.guard.upstream import Proxies
from tests.guard.spellings import HOSTS, answer


class Origin:
    """A server on loopback that remembers what it was sent and answers with the same bytes each time."""

    def __init__(self, reply=b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello"):
        self.reply = reply
        self.seen = []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc):
        self.server.close()

    async def _serve(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        size = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
        self.seen.append(head + await reader.readexactly(size))
        writer.write(self.reply)
        await writer.drain()
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def running(*, exempt=(), upstream="", limits=None, lookup=answer):
    guard = AddressGuard(lookup)
    for host, port in exempt:
        guard.exempt(host, port)
    proxy = GuardProxy(guard, Proxies(upstream, {}), limits or ProxyLimits())
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.close()


def authorization(proxy):
    return b"Proxy-Authorization: Basic " + b64encode(f"{proxy.user}:{proxy.secret}".encode()) + b"\r\n"


async def send(proxy, request, *, with_secret=True):
    """Send the bytes of a request with the secret behind its first line; return all that comes back."""
    first, _, rest = request.partition(b"\r\n")
    port = int(proxy.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(first + b"\r\n" + (authorization(proxy) if with_secret else b"") + rest)
    await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionResetError:
        return b""
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def test_request_is_passed_on_and_its_answer_back():
    async with Origin() as origin, running(exempt=[("127.0.0.1", origin.port)]) as proxy:
        request = f"GET http://127.0.0.1:{origin.port}/a?b#c HTTP/1.1\r\nHost: other\r\nAccept: x\r\nTE: y\r\n\r\n"
        got = await send(proxy, request.encode())
    assert got == b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    first, *lines = origin.seen[0].split(b"\r\n")
    assert first == b"GET /a?b HTTP/1.1"
    assert sorted(filter(None, lines)) == [
        b"Accept: x",
        b"Connection: close",
        f"Host: 127.0.0.1:{origin.port}".encode(),
    ]


async def test_body_is_passed_on_and_nothing_behind_it():
    async with Origin() as origin, running(exempt=[("127.0.0.1", origin.port)]) as proxy:
        head = f"POST http://127.0.0.1:{origin.port}/ HTTP/1.1\r\nContent-Length: 3\r\n\r\n".encode()
        await send(proxy, head + b"abcGET http://127.0.0.1/second HTTP/1.1\r\n\r\n")
    assert origin.seen[0].endswith(b"\r\n\r\nabc")


async def test_tunnel_carries_bytes_both_ways():
    async with Origin(b"\x00raw\xff") as origin, running(exempt=[("127.0.0.1", origin.port)]) as proxy:
        got = await send(proxy, f"CONNECT 127.0.0.1:{origin.port} HTTP/1.1\r\n\r\nhello\r\n\r\n".encode())
    assert got == b"HTTP/1.1 200 Connected\r\n\r\n\x00raw\xff"
    assert origin.seen == [b"hello\r\n\r\n"]


@pytest.mark.parametrize("form", ["CONNECT", "GET"])
@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
async def test_nothing_private_gets_through(host, form, monkeypatch):
    connected = []

    async def open_connection(*args, **kwargs):
        connected.append(args)
        raise OSError

    async with running() as proxy:
        port = int(proxy.url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        monkeypatch.setattr(asyncio, "open_connection", open_connection)
        target = f"{host}:80" if form == "CONNECT" else f"http://{host}/"
        writer.write(f"{form} {target} HTTP/1.1\r\n".encode() + authorization(proxy) + b"\r\n")
        got = await reader.read()
        writer.close()
    assert connected == []
    assert got.split(b" ")[1] in {b"400", b"403", b"502"}
    assert got.split(b" ")[1] != b"502" or not host.isascii()


async def test_what_was_blocked_is_listed():
    async with running() as proxy:
        await send(proxy, b"CONNECT inside.example:443 HTTP/1.1\r\n\r\n")
    assert proxy.blocked == ["inside.example:443: inside.example resolves to a private address 10.0.0.7"]


async def test_connection_is_made_to_the_address_that_was_checked():
    """The name would lead elsewhere the second time."""
    turns = [["127.0.0.1"], ["10.0.0.7"]]
    async with Origin() as origin:
        lookup = lambda host: turns.pop(0)  # noqa: E731
        async with running(exempt=[("rebind.example", origin.port)], lookup=lookup) as proxy:
            request = f"GET http://rebind.example:{origin.port}/ HTTP/1.1\r\n\r\n".encode()
            assert (await send(proxy, request)).endswith(b"hello")
            assert (await send(proxy, request)).endswith(b"hello")
    assert turns == [["10.0.0.7"]]


@pytest.mark.parametrize("with_secret", [True, False])
async def test_strangers_are_turned_away(with_secret):
    async with Origin() as origin, running(exempt=[("127.0.0.1", origin.port)]) as proxy:
        request = f"GET http://127.0.0.1:{origin.port}/ HTTP/1.1\r\n\r\n".encode()
        got = await send(proxy, request, with_secret=with_secret)
        assert got.startswith(b"HTTP/1.1 200 " if with_secret else b"HTTP/1.1 407 ")
        assert (b"Proxy-Authenticate: Basic" in got) is not with_secret
    assert len(origin.seen) == with_secret


async def test_wrong_secret_is_turned_away():
    async with running() as proxy:
        wrong = b"Proxy-Authorization: Basic " + b64encode(b"mdcrawl:guess")
        got = await send(proxy, b"GET http://public.example/ HTTP/1.1\r\n" + wrong + b"\r\n\r\n", with_secret=False)
    assert got.startswith(b"HTTP/1.1 407 ")


class TestUpstream:
    """A forward proxy of the crawl's is used for the browser too."""

    async def test_tunnel_through_it(self):
        async with Origin(b"HTTP/1.1 200 OK\r\n\r\n") as other:
            exempt = [("127.0.0.1", other.port)]
            async with running(exempt=exempt, upstream=f"http://me:hush@127.0.0.1:{other.port}") as proxy:
                got = await send(proxy, b"CONNECT public.example:443 HTTP/1.1\r\n\r\n")
        assert got == b"HTTP/1.1 200 Connected\r\n\r\n"
        assert other.seen[0].startswith(b"CONNECT public.example:443 HTTP/1.1\r\n")
        assert b"Proxy-Authorization: Basic " + b64encode(b"me:hush") in other.seen[0]

    async def test_tunnel_that_it_refuses(self):
        async with Origin(b"HTTP/1.1 407 No\r\n\r\n") as other:
            exempt = [("127.0.0.1", other.port)]
            async with running(exempt=exempt, upstream=f"http://127.0.0.1:{other.port}") as proxy:
                got = await send(proxy, b"CONNECT public.example:443 HTTP/1.1\r\n\r\n")
        assert got.startswith(b"HTTP/1.1 502 ")

    async def test_request_through_it(self):
        async with Origin() as other:
            exempt = [("127.0.0.1", other.port)]
            async with running(exempt=exempt, upstream=f"http://me:hush@127.0.0.1:{other.port}") as proxy:
                got = await send(proxy, b"GET http://public.example/x HTTP/1.1\r\nProxy-Connection: a\r\n\r\n")
        assert got.endswith(b"hello")
        assert other.seen[0].startswith(b"GET http://public.example:80/x HTTP/1.1\r\nHost: public.example\r\n")
        assert other.seen[0].count(b"Proxy-") == 1

    @pytest.mark.parametrize("host", ["10.0.0.7", "localhost", "db.internal", "[::1]", "2130706433"])
    async def test_private_hosts_are_not_asked_of_it(self, host):
        async with Origin() as other:
            exempt = [("127.0.0.1", other.port)]
            async with running(exempt=exempt, upstream=f"http://127.0.0.1:{other.port}") as proxy:
                got = await send(proxy, f"CONNECT {host}:443 HTTP/1.1\r\n\r\n".encode())
        assert got.startswith(b"HTTP/1.1 403 ")
        assert other.seen == []


class TestBounds:
    """No page makes the proxy hold much, or for long."""

    async def test_bytes(self):
        async with Origin(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000) as origin:
            limits = ProxyLimits(bytes_of_connection=1000)
            async with running(exempt=[("127.0.0.1", origin.port)], limits=limits) as proxy:
                got = await send(proxy, f"GET http://127.0.0.1:{origin.port}/ HTTP/1.1\r\n\r\n".encode())
        assert got.count(b"x") == 1000

    async def test_head(self):
        async with running(limits=ProxyLimits(head_bytes=2000)) as proxy:
            got = await send(proxy, b"GET http://public.example/ HTTP/1.1\r\nX: " + b"x" * 5000 + b"\r\n\r\n")
        assert got == b""

    async def test_silence(self):
        async with running(limits=ProxyLimits(head_s=0.1)) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            assert await asyncio.wait_for(reader.read(), 5) == b""
            writer.close()

    async def test_close_cuts_what_is_open(self):
        async with running() as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            await asyncio.sleep(0.05)
        with pytest.raises((ConnectionError, EOFError)):
            await asyncio.wait_for(reader.readexactly(1), 5)
        writer.close()

    async def test_it_listens_on_loopback_only(self):
        async with running() as proxy:
            assert [each.getsockname()[0] for each in proxy._server.sockets] == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", "400", id="no host"),
        pytest.param(b"GET https://a.example/ HTTP/1.1\r\n\r\n", "400", id="https without a tunnel"),
        pytest.param(b"GET ftp://a.example/ HTTP/1.1\r\n\r\n", "400", id="another scheme"),
        pytest.param(b"GET http://me:hush@a.example/ HTTP/1.1\r\n\r\n", "400", id="credentials"),
        pytest.param(b"GET http://a.example:0/ HTTP/1.1\r\n\r\n", "400", id="port 0"),
        pytest.param(b"GET http://a.example/\r\n\r\n", "400", id="HTTP 0.9"),
        pytest.param(b"CONNECT a.example HTTP/1.1\r\n\r\n", "400", id="tunnel without a port"),
        pytest.param(b"CONNECT a.example:99999 HTTP/1.1\r\n\r\n", "400", id="no such port"),
        pytest.param(b"CONNECT me@a.example:80 HTTP/1.1\r\n\r\n", "400", id="tunnel with credentials"),
        pytest.param(b"POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "411", id="chunked"),
        pytest.param(b"PUT http://a.b/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400", id="two"),
        pytest.param(b"POST http://a.example/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400", id="negative length"),
        pytest.param(os.urandom(50).replace(b" ", b"") + b"\r\n\r\n", "400", id="noise"),
    ],
)  # fmt: skip
def test_what_is_no_request_for_a_proxy(request_bytes, status):
    with pytest.raises(RefusedError) as raised:
        parse_request(request_bytes)
    assert raised.value.status.startswith(status)
