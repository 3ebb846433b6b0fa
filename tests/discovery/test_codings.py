"""Content codings: undone whole or not at all, whatever the label says, and never more than was allowed."""

from __future__ import annotations

import gzip
import sys
import tracemalloc
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.codings import Fault, unpack

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PAGE = ("<html><body>" + " ".join(f"valve {number} turns" for number in range(20_000)) + "</body></html>").encode()
HTML = "text/html; charset=utf-8"
MAX_BYTES = 1_000_000


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def quick_brotli(data):
    return brotli.compress(data, quality=4)


PACKERS = {
    "gzip": ("gzip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "deflate without its frame": ("deflate", raw_deflate),
    "br": ("br", quick_brotli),
    "zstd": ("zstd", zstd.compress),
}
packers = pytest.mark.parametrize(("coding", "pack"), PACKERS.values(), ids=PACKERS)


def undo(body, *codings, content_type=HTML, max_bytes=MAX_BYTES):
    return unpack(body, codings, content_type, max_bytes=max_bytes)


@packers
@pytest.mark.parametrize("data", [PAGE, b"v", b""], ids=["page", "letter", "nothing"])
def test_what_was_packed_comes_out(coding, pack, data):
    assert undo(pack(data), coding).body == data


@packers
def test_plain_body_under_a_label_is_taken_as_it_is(coding, pack):
    assert undo(PAGE, coding).body == PAGE


@packers
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_cut_data_never_pass_as_whole(coding, pack, share):
    packed = pack(PAGE)
    unpacked = undo(packed[: int(len(packed) * share)], coding)
    assert (unpacked.fault, unpacked.body) == (Fault.BROKEN_OFF, b"")
    assert unpacked.reason == f"the {coding} data end early"


@packers
def test_bomb_ends_at_the_limit_and_stays_out_of_memory(coding, pack):
    bomb = pack(bytes(30_000_000))
    tracemalloc.start()
    unpacked = undo(bomb, coding)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert unpacked.fault is Fault.TOO_LARGE
    assert unpacked.reason == "more than 1000000 bytes once it is unpacked"
    assert peak < 4 * MAX_BYTES


@pytest.mark.parametrize(("size", "fault"), [(MAX_BYTES, None), (MAX_BYTES + 1, Fault.TOO_LARGE)])
def test_limit_is_exact(size, fault):
    assert undo(gzip.compress(bytes(size)), "gzip", content_type="x/y").fault is fault


@pytest.mark.parametrize(
    ("body", "codings", "expected"),
    [
        pytest.param(gzip.compress(PAGE), [" GZip "], PAGE, id="any case and blanks"),
        pytest.param(gzip.compress(PAGE), ["x-gzip"], PAGE, id="x-gzip"),
        pytest.param(PAGE, ["identity"], PAGE, id="identity"),
        pytest.param(PAGE, [""], PAGE, id="no coding"),
        pytest.param(brotli.compress(gzip.compress(PAGE)), ["gzip", "br"], PAGE, id="two codings, last one outside"),
        pytest.param(gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]), ["gzip"], PAGE, id="two gzip members"),
        pytest.param(zstd.compress(PAGE[:9]) + zstd.compress(PAGE[9:]), ["zstd"], PAGE, id="two zstd frames"),
        pytest.param(gzip.compress(PAGE) + b"\0" * 512, ["gzip"], PAGE, id="padded"),
        pytest.param(gzip.compress(PAGE) + b"<!-- end -->", ["gzip"], PAGE, id="text after gzip"),
        pytest.param(zlib.compress(PAGE) + b"rest", ["deflate"], PAGE, id="text after deflate"),
        pytest.param(gzip.compress(PAGE)[:-8], ["gzip"], PAGE, id="gzip without its trailer"),
        pytest.param(gzip.compress(PAGE), [], PAGE, id="gzip that nobody declared"),
        pytest.param(gzip.compress(gzip.compress(PAGE)), ["gzip"], PAGE, id="gzip twice, declared once"),
        pytest.param(PAGE, ["utf-8"], PAGE, id="text under a coding that is none"),
        pytest.param(b"%PDF-1.7 \0\1", ["gzip"], b"%PDF-1.7 \0\1", id="plain file under a label"),
    ],
)  # fmt: skip
def test_odd_but_whole(body, codings, expected):
    assert undo(body, *codings).body == expected


def test_archive_is_left_packed():
    archive = gzip.compress(PAGE)
    assert undo(archive, content_type="application/gzip").body == archive
    assert undo(gzip.compress(archive), "gzip", content_type="application/x-gzip").body == archive


def damaged(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


@pytest.mark.parametrize(
    ("body", "codings", "reason"),
    [
        pytest.param(damaged(gzip.compress(PAGE)), ["gzip"], "the packed data are damaged: ", id="gzip"),
        pytest.param(damaged(zlib.compress(PAGE)), ["deflate"], "the packed data are damaged: ", id="deflate"),
        pytest.param(bytes(range(256)) * 8, ["br"], "the packed data are damaged: ", id="br"),
        pytest.param(bytes(range(256)) * 8, ["lz77"], "packed in a way that nobody asked for: 'lz77'", id="unknown"),
        pytest.param(PAGE, ["gzip"] * 4, "packed 4 times over", id="over and over"),
        pytest.param(gzip.compress(b"") * 2_000, ["gzip"], "more than 1000 gzip members", id="too many members"),
    ],
)
def test_damage_is_named(body, codings, reason):
    unpacked = undo(body, *codings)
    assert (unpacked.fault, unpacked.body) == (Fault.DAMAGED, b"")
    assert unpacked.reason.startswith(reason)


def test_zstd_with_a_window_of_a_gigabyte_allocates_none():
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 30})
    body = packer.compress(PAGE * 40) + packer.flush()
    assert undo(body, "zstd", max_bytes=100_000_000).fault is Fault.DAMAGED


@given(st.binary(max_size=200), st.lists(st.sampled_from(["gzip", "deflate", "br", "zstd", "foo", ""]), max_size=4))
def test_whatever_is_sent_has_an_outcome(body, codings):
    unpacked = undo(body, *codings)
    assert (unpacked.fault is None) == (unpacked.reason == "")
    assert unpacked.fault is None or unpacked.body == b""


@given(st.binary(max_size=2_000), st.sampled_from(list(PACKERS.values())), st.data())
def test_damage_in_one_place_never_raises(body, packer, data):
    coding, pack = packer
    packed = bytearray(pack(body))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= data.draw(st.integers(1, 255))
    undo(bytes(packed), coding)


@given(st.binary(max_size=2_000), st.sampled_from(list(PACKERS.values())))
def test_there_and_back(body, packer):
    coding, pack = packer
    assert undo(pack(body), coding, content_type="x/y").body == body
