"""Answers that would hurt: one crawl over a site that sends each of them, byte by byte as told."""

from __future__ import annotations

import gzip
import re
import socket
import struct
import threading
import time
import zlib
from contextlib import suppress
from pathlib import Path

import brotli
import psutil
import pytest

MAX_BYTES = 300_000
SILENCE_S = 3
RESPONSE_S = 5
NOTHING_HERE = [b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"]


class RawSite:
    """A site whose one page is the bytes that it is given: pieces of a whole answer, status line and all."""

    def __init__(self, pieces):
        self._pieces = pieces
        self.asked = 0
        self.sent = 0
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._socket.close()

    def _serve(self):
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection, suppress(OSError):
            pieces = NOTHING_HERE
            if connection.recv(65536).startswith(b"GET / "):
                self.asked += 1
                pieces = self._pieces() if callable(self._pieces) else self._pieces
            try:
                for piece in pieces:
                    connection.sendall(piece)
                    self.sent += len(piece)
            except ResetError:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            connection.shutdown(socket.SHUT_WR)
            connection.recv(65536)


class MemoryWatch(threading.Thread):
    """Looks for the most memory that any one process below this one has held.

    The kernel's own maximum of a child (ru_maxrss) begins with the size of the process that started it.
    """

    def __init__(self):
        super().__init__(daemon=True)
        self.peak_mb = 0
        self._over = threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self._over.set()
        self.join()

    def run(self):
        while not self._over.wait(0.05):
            for process in psutil.Process().children(recursive=True):
                with suppress(OSError):
                    held = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
                    self.peak_mb = max(self.peak_mb, int(held[1]) // 1024 if held else 0)


class ResetError(Exception):
    pass


def reset():
    yield b"HTTP/1.1 200 OK\r\n"
    raise ResetError


def words(number):
    return " ".join(f"Valve {number}-{step} turns by a quarter and waits for its gauge." for step in range(12))


def html(number):
    return f"<html><head><title>{number}</title></head><body><main><p>{words(number)}</p></main></body></html>".encode()


def answer(body, *headers, length=None):
    lines = ["HTTP/1.1 200 OK", "Content-Type: text/html", *headers]
    lines.append(f"Content-Length: {len(body) if length is None else length}")
    return [("\r\n".join(lines) + "\r\n\r\n").encode(), body]


def packed(coding, body, *headers):
    return answer(body, f"Content-Encoding: {coding}", *headers)


def for_ever(head, piece, seconds=0.0):
    yield head
    while True:
        time.sleep(seconds)
        yield piece


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def endless_gzip(megabytes):
    """Return gzip data that unfold to so many megabytes, and have no end."""
    packer = zlib.compressobj(wbits=31)
    head, block = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH), bytes(1_000_000)
    return head + (packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)) * megabytes


def damaged(data):
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 0xFF]) + data[len(data) // 2 + 1 :]


STATUS = b"HTTP/1.1 200 OK\r\n"
OPEN = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
ZEROS = bytes(50_000_000)
OK, NETWORK, LARGE, BAD = "ok", "network_error", "too_large", "bad_content"

# What the site sends at a path, the verdict, a part of its reason, how often it may be asked for.
CASES = {
    "gzip": (packed("gzip", gzip.compress(html("gzip"))), OK, "", 1),
    "x-gzip": (packed("X-GZIP", gzip.compress(html("x-gzip"))), OK, "", 1),
    "deflate": (packed("deflate", zlib.compress(html("deflate"))), OK, "", 1),
    "raw-deflate": (packed("deflate", raw_deflate(html("raw-deflate"))), OK, "", 1),
    "br": (packed("br", brotli.compress(html("br"))), OK, "", 1),
    "twice": (packed("gzip, br", brotli.compress(gzip.compress(html("twice")))), OK, "", 1),
    "twice-unsaid": (packed("gzip", gzip.compress(gzip.compress(html("twice-unsaid")))), OK, "", 1),
    "unsaid": (answer(gzip.compress(html("unsaid"))), OK, "", 1),
    "plain-as-gzip": (packed("gzip", html("plain-as-gzip")), OK, "", 1),
    "plain-as-unknown": (packed("utf-8", html("plain-as-unknown")), OK, "", 1),
    "then-garbage": (packed("gzip", gzip.compress(html("then-garbage")) + b"\0\0garbage"), OK, "", 1),
    "without-trailer": (packed("gzip", gzip.compress(html("without-trailer"))[:-8]), OK, "", 1),
    "damaged": (packed("gzip", damaged(gzip.compress(html("damaged")))), BAD, "damaged", 1),
    "unknown": (packed("lz77", bytes(range(256)) * 9), BAD, "'lz77'", 1),
    "cut-gzip": (packed("gzip", gzip.compress(html("cut-gzip"))[:-40]), NETWORK, "gzip data end early", 3),
    "bomb-gzip": (packed("gzip", endless_gzip(5_000)[: MAX_BYTES - 1]), LARGE, "unpacked", 1),
    "bomb-twice": (packed("gzip, gzip", gzip.compress(gzip.compress(ZEROS))), LARGE, "unpacked", 1),
    "bomb-br": (packed("br", brotli.compress(ZEROS, quality=1)), LARGE, "unpacked", 1),
    "over-and-over": (packed("gzip, gzip, gzip, gzip", b"x"), BAD, "4 times", 1),
    "large": (answer(b"<p>valve</p>" * 50_000), LARGE, "MDCRAWL_MAX_BYTES", 1),
    "promises-large": (answer(html("promises-large"), length=10**10), LARGE, "MDCRAWL_MAX_BYTES", 1),
    "endless": (lambda: for_ever(OPEN, b"<p>valve</p>" * 5_000), LARGE, "MDCRAWL_MAX_BYTES", 1),
    "endless-chunks": (lambda: for_ever(CHUNKED, b"2710\r\n" + b"<p>valv" * 1428 + b"</p>\r\n"), LARGE, "", 1),
    "cut": (answer(html("cut"), length=90_000), NETWORK, "broke off", 3),
    "cut-chunks": ([CHUNKED, b"10\r\n0123456789abcdef\r\n", b"ffff\r\nhalf"], NETWORK, "broke off", 3),
    "endless-headers": (lambda: for_ever(STATUS, b"X-Pad: " + b"y" * 8_000 + b"\r\n"), NETWORK, "262144", 3),
    "many-interims": (lambda: for_ever(b"", b"HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n" * 50), NETWORK, "262144", 3),
    "silent": (lambda: for_ever(b"", b"", SILENCE_S), NETWORK, "nothing came", 2),
    "falls-silent": (lambda: for_ever(OPEN + b"<p>valve", b"", SILENCE_S), NETWORK, "nothing came", 2),
    "drips": (lambda: for_ever(OPEN, b"v", SILENCE_S / 4), NETWORK, "time limit", 2),
    "drips-headers": (lambda: for_ever(b"HTTP/1.1 200 OK\r\nX: ", b"v", SILENCE_S / 4), NETWORK, "nothing came", 2),
    "no-http": ([b"SSH-2.0-OpenSSH_9.2\r\n\r\n"], NETWORK, "not an HTTP answer: wrong number of parts", 3),
    "hangs-up": ([], NETWORK, "the server closed it", 3),
    "resets": (reset, NETWORK, "the server closed it", 3),
    "long-line": ([b"HTTP/1.1 200 OK\r\nX-Pad: " + b"y" * 100_000 + b"\r\n\r\n"], NETWORK, "", 3),
}  # fmt: skip


@pytest.fixture(scope="module")
def sites():
    sites = {name: RawSite(pieces) for name, (pieces, *_) in CASES.items()}
    yield sites
    for site in sites.values():
        site.close()


@pytest.fixture(scope="module")
def memory():
    return MemoryWatch()


@pytest.fixture(scope="module")
def result(crawl, sites, memory, tmp_path_factory):
    starts = ",".join(site.url for site in sites.values())
    settings = {
        "MDCRAWL_MAX_BYTES": MAX_BYTES,
        "MDCRAWL_SILENCE_TIMEOUT_S": SILENCE_S,
        "MDCRAWL_RESPONSE_TIMEOUT_S": RESPONSE_S,
        "CONCURRENT_REQUESTS": 64,
    }
    with memory:
        return crawl(starts, tmp_path_factory.mktemp("limits"), settings=settings)


@pytest.fixture(scope="module")
def rows(result, sites):
    by_url = {row["url"]: row for row in result.pages}
    return {name: by_url[site.url] for name, site in sites.items()}


def test_crawl_ends_well(result):
    assert result.status == 0
    assert result.is_clean


@pytest.mark.parametrize("name", CASES)
def test_answer_has_its_verdict(rows, sites, name):
    _, verdict, reason, asked = CASES[name]
    assert rows[name]["verdict"] == verdict, rows[name]["reason"]
    assert reason in rows[name]["reason"]
    assert sites[name].asked == asked
    assert ("truncated" in rows[name]["flags"]) == name.startswith("cut")


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[1] == OK])
def test_unpacked_text_is_whole(result, rows, name):
    assert words(name) in (result.folder / rows[name]["markdown_path"]).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[1] == LARGE and "bomb" not in name])
def test_transfer_of_a_large_answer_is_cut_off(sites, result, name):
    # What lies in the buffers of both sides is on top.
    assert sites[name].sent < MAX_BYTES + 6_000_000


def test_none_of_them_fills_memory(result, memory):
    assert 50 < memory.peak_mb < 400
