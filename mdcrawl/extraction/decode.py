"""Decode a page's bytes: the charset that fits, not the one that somebody declared."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

import cchardet

# The HTML standard asks for the meta element within the first 1,024 bytes; pages put it later.
META_BYTES = 65536
_META_CHARSET = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)""")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# The WHATWG encoding standard reads these labels as their Windows supersets.
_SUPERSETS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
# What a detector says of short Western pages, and what no page is written in.
_EXOTIC = re.compile(r"^(cp(437|720|737|775|8[5-6]\d)|mac|hz|iso2022|tis|koi8_t|viscii)")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's text and how it was read; `guessed` when nothing declared the charset that fits."""

    text: str = field(repr=False)
    charset: str
    guessed: bool = False


def decode(body: bytes, declared: str = "") -> Decoded:
    """Return the text of a page; `declared` is the charset of its Content-Type header. Raises nothing.

    Order: byte order mark, UTF-8 when all bytes fit it (whatever is declared), header, meta
    element, detector. Bytes that fit nothing become U+FFFD.
    """
    for bom, name in _BOMS:
        if body.startswith(bom):
            return Decoded(body[len(bom) :].decode(name, "replace"), name)
    wide = _undeclared_utf16(body)
    if wide:
        return Decoded(body.decode(wide, "replace"), wide, guessed=True)
    named = [name for name in (_known(declared), _known(_in_source(body))) if name]
    if named[:1] == ["iso2022_jp"]:  # seven-bit: its bytes are valid UTF-8 too
        return Decoded(body.decode("iso2022_jp", "replace"), "iso2022_jp")
    try:
        return Decoded(body.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(body) - 3 or _is_nearly_utf8(body, named):
            return Decoded(body.decode("utf-8", "replace"), "utf-8", guessed="utf-8" not in named)
    for name in named:
        text = _try(body, name)
        if text is not None:
            return Decoded(text, name)
    guess = _detect(body)
    return Decoded(body.decode(guess, "replace"), guess, guessed=True)


def _known(label: str) -> str:
    """Return Python's name of a charset label, or "" when there is none."""
    try:
        name = codecs.lookup(label.strip().strip("\"'")).name
    except (LookupError, ValueError):
        return ""
    if name.startswith("utf-16") or name in {
        "utf-32",
        "utf-7",
        "hex",
        "base64",
        "rot13",
        "zlib",
        "bz2",
        "uu",
        "idna",
        "punycode",
    }:
        return ""  # without a mark the bytes speak for themselves; not page charsets otherwise
    return _SUPERSETS.get(name, name)


def _in_source(body: bytes) -> str:
    head = body[:META_BYTES]
    match = _XML_ENCODING.search(head) or _META_CHARSET.search(head)
    return match.group(1).decode("ascii", "replace") if match else ""


def _undeclared_utf16(body: bytes) -> str:
    """Tell UTF-16 without a mark by the zero bytes of its ASCII tags."""
    head = body[:400]
    if len(head) < 8 or b"\x00" not in head:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) // 4 and even == 0:
        return "utf-16-le"
    if even > len(head) // 4 and odd == 0:
        return "utf-16-be"
    return ""


def _is_nearly_utf8(body: bytes, named: list[str]) -> bool:
    """Tell UTF-8 with a few broken bytes (cut texts, pasted Latin-1) from another charset."""
    if named and "utf-8" not in named:
        return False
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - broken
    return good >= 4 * broken if named else good > 20 * broken


def _try(body: bytes, name: str) -> str | None:
    """Decode where at most one byte in a thousand does not fit."""
    if name == "utf-8":
        return None  # tried already
    try:
        text = body.decode(name, "replace")
    except (LookupError, ValueError, TypeError):  # a codec that is not for text
        return None
    return text if text.count("\ufffd") <= len(text) // 1000 else None


def _detect(body: bytes) -> str:
    found = cchardet.detect(body[: 4 * META_BYTES])["encoding"] or ""
    name = _known(found)
    if not name or name == "utf-8" or _EXOTIC.match(name):
        return "cp1252"
    return name
