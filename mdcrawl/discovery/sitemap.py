"""URLs from sitemaps in every form they come in: XML, index, gzip, plain text, RSS and Atom."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from lxml import etree

from mdcrawl.discovery.dates import iso_date
from mdcrawl.discovery.hreflang import Alternate
from mdcrawl.discovery.sniff import Kind, sniff
from mdcrawl.discovery.urls import join_url

_CHUNK = 1 << 16
_GZIP = b"\x1f\x8b"
# Twice packed files exist (a packed file served by a server that packs); more is a bomb.
_MAX_PACKINGS = 2
_MAX_URL_CHARS = 2048
_MAX_PIECE_CHARS = 1 << 20

_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']""")
# A bare "&" in a URL is the commonest fault. Named entities are escaped along with it, so that no
# entity is ever expanded.
_BARE_AND = re.compile(r"<!\[CDATA\[[^<]{0,4096}?\]\]>|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_ENTRY_END = re.compile(r"</(?:\w+:)?(?:url|sitemap|item|entry)\s*>")
_ENTRY_TAG = re.compile(r"<(/?)(?:[\w.-]+:)?(url|sitemap|item|entry)\b[^<>]*>")
_DATE_NAMES = ("lastmod", "updated", "pubDate", "date", "published")


class EntryKind(StrEnum):
    """What a sitemap's entry points to."""

    PAGE = "page"
    SITEMAP = "sitemap"


class SitemapEntry(NamedTuple):
    """One entry: absolute URL as written (not canonical), date as ISO 8601 in UTC or "".

    `alternates` are its copies by language (hreflang), itself among them, absolute as written too.
    """

    kind: EntryKind
    url: str
    lastmod: str = ""
    alternates: tuple[Alternate, ...] = ()


@dataclass(frozen=True, slots=True)
class SitemapOptions:
    """Bounds on one sitemap: the protocol's own, 50 MiB unpacked and 50,000 entries (sitemaps.org)."""

    max_bytes: int = 50 * 1024 * 1024
    max_entries: int = 50_000


def read_sitemap(body: bytes, base_url: str, options: SitemapOptions = SitemapOptions()) -> Iterator[SitemapEntry]:
    r"""Yield the entries of a sitemap as far as it can be read; nothing for what is none. Raises nothing.

    The bytes decide on the form, never the name or the declared type. Entries may point anywhere:
    scope, robots and visited sitemaps are for the caller. Work and memory are bounded by `options`.

    >>> list(read_sitemap(b"<urlset><url><loc>/a</loc></url></urlset>", "https://example.com/s.xml"))[0].url
    'https://example.com/a'
    """
    pieces = _pieces(_decoded(_unpacked(body, options.max_bytes)))
    first = next(pieces, "")
    kind = sniff(first[:2000].encode("utf-8", "replace"))
    if kind in {Kind.HTML, Kind.XHTML, Kind.JSON} or not first:
        return
    entries = _xml_entries if first.lstrip().startswith("<") else _text_entries
    found = 0
    for entry in entries(first, pieces):
        url = join_url(base_url, "".join(entry.url.split()))
        if url.startswith(("http://", "https://")) and len(url) <= _MAX_URL_CHARS:
            found += 1
            alternates = tuple(Alternate(language, join_url(base_url, target)) for language, target in entry.alternates)
            yield SitemapEntry(entry.kind, url, iso_date(entry.lastmod), alternates)
        if found >= options.max_entries:
            return


def _unpacked(body: bytes, max_bytes: int) -> Iterator[bytes]:
    """Yield the bytes of a body in chunks, gzip undone, at most `max_bytes` of them."""
    chunks = _chunks(body)
    for _ in range(_MAX_PACKINGS):
        head = next(chunks, b"")
        chunks = _chain(head, chunks)
        if not head.startswith(_GZIP):
            break
        chunks = _gunzipped(chunks)
    left = max_bytes
    for chunk in chunks:
        yield chunk[:left]
        left -= len(chunk)
        if left <= 0:
            return


def _chunks(body: bytes) -> Iterator[bytes]:
    return (body[start : start + _CHUNK] for start in range(0, len(body), _CHUNK))


def _chain(head: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from chunks


def _gunzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what gzip members hold, in bounded chunks; a damaged or cut member ends quietly."""
    unpacker = zlib.decompressobj(wbits=31)
    for chunk in chunks:
        data = chunk
        while data:
            try:
                unpacked = unpacker.decompress(data, _CHUNK)
            except zlib.error:
                return
            if unpacked:
                yield unpacked
            data = unpacker.unconsumed_tail
            if unpacker.eof:
                data = unpacker.unused_data
                unpacker = zlib.decompressobj(wbits=31)


def _decoded(chunks: Iterator[bytes]) -> Iterator[str]:
    """Yield text by byte order mark or XML declaration, else UTF-8; what cannot be decoded is replaced."""
    head = next(chunks, b"")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    else:
        declared = _ENCODING.match(head)
        encoding = declared[1].decode("ascii") if declared else "utf-8"
    if encoding.lower().replace("_", "-") in {"utf-8", "utf8"} or head.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    try:
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        yield decoder.decode(head)
    except (LookupError, UnicodeError, AttributeError):
        decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        yield decoder.decode(head)
    for chunk in chunks:
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _pieces(texts: Iterable[str]) -> Iterator[str]:
    """Yield text cut after whole entries, so that neither an entry nor its markup is ever torn.

    A piece without any entry is cut where it stands once it is 1 MB long; after some of those the
    rest is not worth reading.
    """
    kept, barren = "", 0
    for text in texts:
        kept += text
        end = max((found.end() for found in _ENTRY_END.finditer(kept)), default=0)
        if not end and not kept.lstrip().startswith("<"):
            end = kept.rfind("\n") + 1
        if not end and len(kept) > _MAX_PIECE_CHARS:
            end, barren = len(kept), barren + 1
        if end:
            yield kept[:end]
            kept = kept[end:]
        if barren > 3:
            return
    if kept:
        yield kept


def _text_entries(first: str, pieces: Iterator[str]) -> Iterator[SitemapEntry]:
    """Yield the lines that are URLs."""
    for piece in _joined(first, pieces):
        for line in piece.splitlines():
            if line.strip().lower().startswith(("http://", "https://")):
                yield SitemapEntry(EntryKind.PAGE, line.strip())


def _joined(first: str, pieces: Iterator[str]) -> Iterator[str]:
    yield first
    yield from pieces


def _xml_entries(first: str, pieces: Iterator[str]) -> Iterator[SitemapEntry]:
    """Yield the entries of XML, each parsed alone: a fault in one costs no other, and no tree grows."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, encoding="utf-8")
    for piece in _joined(first, pieces):
        text = _without_comments(piece)
        start, name = -1, ""
        for tag in _ENTRY_TAG.finditer(text):
            if not tag[1]:
                start, name = tag.start(), tag[2]
            elif start >= 0 and tag[2] == name:
                markup = _BARE_AND.sub(_escape_and, text[start : tag.end()]).encode("utf-8", "replace")
                start = -1
                element = etree.fromstring(markup, parser)
                if element is not None:
                    yield from _entry(element)


def _without_comments(text: str) -> str:
    """Return XML without its comments; one that never ends takes the rest along."""
    first, *others = text.split("<!--")
    return first + "".join(after.partition("-->")[2] for after in others)


def _escape_and(match: re.Match[str]) -> str:
    return "&amp;" if match[0] == "&" else match[0]


def _entry(element: etree._Element) -> Iterator[SitemapEntry]:
    """Yield the entry that an element is, if it is one. Namespaces do not count: half of them are wrong."""
    name = _local_name(element)
    alternates: tuple[Alternate, ...] = ()
    if name in {"url", "sitemap"}:
        # Children only: <image:loc> stands one level deeper.
        locations = [_text(child) for child in element if _local_name(child) == "loc"]
        kind = EntryKind.SITEMAP if name == "sitemap" else EntryKind.PAGE
        alternates = tuple(
            Alternate(child.get("hreflang", "").lower(), child.get("href", ""))
            for child in element
            if _local_name(child) == "link" and child.get("rel") == "alternate" and child.get("hreflang")
        )
    elif name == "item":
        links = [_text(child) for child in element if _local_name(child) == "link"]
        # A guid is a URL only where it looks like one.
        guids = [_text(child) for child in element if _local_name(child) == "guid" and _text(child).startswith("http")]
        locations, kind = [*links, *guids], EntryKind.PAGE
    elif name == "entry":
        links = [
            child.get("href", "")
            for child in element
            if _local_name(child) == "link" and child.get("rel", "alternate") == "alternate"
        ]
        locations, kind = links, EntryKind.PAGE
    else:
        return
    location = next(filter(None, locations), "")
    if location:
        dates = (_text(child) for child in element if _local_name(child) in _DATE_NAMES)
        yield SitemapEntry(kind, location, next(dates, ""), alternates)


def _local_name(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2] if isinstance(tag, str) else ""


def _text(element: etree._Element) -> str:
    return "".join(element.itertext()).strip()
