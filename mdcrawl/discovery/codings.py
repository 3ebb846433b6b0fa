"""Undo content codings piece by piece, so that no bomb unfolds: gzip, deflate, br and zstd."""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

import brotli

from mdcrawl.discovery.sniff import Kind, sniff

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPTED = "gzip, deflate, br, zstd"

_PIECE = 65536
# Nobody packs a page more often; a file that unpacks to itself would never end.
_MAX_LAYERS = 3
# Parallel packers write a member for each 64 KB or more; a file of empty members only costs time.
_MAX_MEMBERS = 1000
# RFC 9659 section 3: senders keep the window of this coding to 8 MB, so more need not be allocated.
_ZSTD_WINDOW_LOG = 23
_GZIP_MAGIC = b"\x1f\x8b\x08"
# Types of answers that are text once they are unpacked; an archive is packed on purpose.
_TEXT_TYPES = ("text/", "application/xhtml+xml", "application/xml", "application/json")


class Fault(Enum):
    """Why a body could not be unpacked."""

    TOO_LARGE = "too large"
    DAMAGED = "damaged"
    BROKEN_OFF = "broken off"


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A body without its codings, or the fault with the reason for it; `body` is then empty."""

    body: bytes = field(repr=False)
    fault: Fault | None = None
    reason: str = ""


class _FaultError(Exception):
    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.unpacked = Unpacked(b"", fault, reason)


def unpack(body: bytes, codings: Sequence[str], content_type: str, *, max_bytes: int) -> Unpacked:
    """Return a body with the codings of its Content-Encoding undone, the last one first. Raises nothing.

    Never more than `max_bytes` and a piece are held unpacked. A body that is plain although a coding
    is declared is taken as it is, and so is one under a coding that nobody knows; gzip that nobody
    declared is unpacked where the declared type is text. What follows the end of the data is ignored.

    >>> unpack(zlib.compress(b"valve"), ["deflate"], "text/html", max_bytes=100).body
    b'valve'
    """
    layers = [name for name in map(_canonical, reversed(codings)) if name]
    if len(layers) > _MAX_LAYERS:
        return Unpacked(b"", Fault.DAMAGED, f"packed {len(layers)} times over")
    try:
        for name in layers:
            body = _undo(body, name, max_bytes)
        for _ in range(_MAX_LAYERS - len(layers)):
            if not (body.startswith(_GZIP_MAGIC) and content_type.strip().lower().startswith(_TEXT_TYPES)):
                break
            body = _collect(_gunzip(body), max_bytes)
    except _FaultError as error:
        return error.unpacked
    return Unpacked(body)


def _canonical(name: str) -> str:
    name = name.strip().lower().removeprefix("x-")
    return "" if name in {"identity", "none"} else name


def _undo(body: bytes, name: str, max_bytes: int) -> bytes:
    decoder = _DECODERS.get(name)
    if decoder is None:
        if _is_plain(body):
            return body
        raise _FaultError(Fault.DAMAGED, f"packed in a way that nobody asked for: {name[:40]!r}")
    try:
        return _collect(decoder(body), max_bytes)
    except _FaultError as error:
        if error.unpacked.fault is Fault.TOO_LARGE or not _is_plain(body):
            raise
        return body


def _is_plain(body: bytes) -> bool:
    """Tell whether a body is something by itself: a text, or a file that its first bytes give away."""
    return sniff(body) not in {Kind.BINARY, Kind.ARCHIVE}


def _collect(pieces: Iterator[bytes], max_bytes: int) -> bytes:
    whole = bytearray()
    try:
        for piece in pieces:
            whole += piece
            if len(whole) > max_bytes:
                raise _FaultError(Fault.TOO_LARGE, f"more than {max_bytes} bytes once it is unpacked")
    except (zlib.error, zstd.ZstdError, brotli.error) as error:
        raise _FaultError(Fault.DAMAGED, f"the packed data are damaged: {error}") from error
    return bytes(whole)


def _ends_early(name: str) -> _FaultError:
    return _FaultError(Fault.BROKEN_OFF, f"the {name} data end early")


class _Inflated:
    """The pieces of one zlib stream, and where in the data it ended."""

    def __init__(self, data: bytes, start: int, wbits: int) -> None:
        self._data = data
        self._stream = zlib.decompressobj(wbits=wbits)
        self.end = start
        self.crc = 0
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        stream = self._stream
        while self.end < len(self._data) and not stream.eof:
            rest = self._data[self.end : self.end + _PIECE]
            self.end += len(rest)
            while rest and not stream.eof:
                yield self._count(stream.decompress(rest, _PIECE))
                rest = stream.unconsumed_tail
            self.end -= len(stream.unused_data)
        yield self._count(stream.flush())

    def _count(self, piece: bytes) -> bytes:
        self.crc = zlib.crc32(piece, self.crc)
        self.size += len(piece)
        return piece

    def is_whole(self) -> bool:
        return self._stream.eof

    def lacks_only_its_trailer(self) -> bool:
        """Tell whether a gzip stream came to its end, but for the checksum and the size that follow it."""
        try:
            self._stream.decompress(struct.pack("<II", self.crc, self.size & 0xFFFFFFFF))
        except zlib.error:
            return False
        return self._stream.eof


def _gunzip(data: bytes) -> Iterator[bytes]:
    end = 0
    for _ in range(_MAX_MEMBERS):
        member = _Inflated(data, end, 16 + zlib.MAX_WBITS)
        yield from member
        if not member.is_whole() and not member.lacks_only_its_trailer():
            raise _ends_early("gzip")
        end = member.end
        # Some servers pad the last member, or add what is not gzip at all.
        if not data.startswith(_GZIP_MAGIC, end):
            return
    raise _FaultError(Fault.DAMAGED, f"more than {_MAX_MEMBERS} gzip members")


def _inflate(data: bytes) -> Iterator[bytes]:
    # RFC 9110 section 8.4.1.2: the zlib format; some servers send the bare deflate stream.
    try:
        zlib.decompressobj().decompress(data[:2])
        wbits = zlib.MAX_WBITS
    except zlib.error:
        wbits = -zlib.MAX_WBITS
    stream = _Inflated(data, 0, wbits)
    yield from stream
    if not stream.is_whole():
        raise _ends_early("deflate")


def _unbrotli(data: bytes) -> Iterator[bytes]:
    stream = brotli.Decompressor()
    for start in range(0, len(data), _PIECE):
        piece = data[start : start + _PIECE]
        # It takes in all of a piece at once and gives the rest of what came of it when asked again.
        while not stream.is_finished() and (unpacked := stream.process(piece, output_buffer_limit=_PIECE)):
            yield unpacked
            piece = b""
    if not stream.is_finished():
        raise _ends_early("br")


def _unzstd(data: bytes) -> Iterator[bytes]:
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
    stream, end = zstd.ZstdDecompressor(options=options), 0
    while end < len(data):
        piece = data[end : end + _PIECE]
        end += len(piece)
        yield stream.decompress(piece, _PIECE)
        while not stream.eof and not stream.needs_input:
            yield stream.decompress(b"", _PIECE)
        if stream.eof:
            end -= len(stream.unused_data)
            if not data.startswith(b"\x28\xb5\x2f\xfd", end):
                return
            stream = zstd.ZstdDecompressor(options=options)
    raise _ends_early("zstd")


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
