"""What kind of thing an answer is, by its first bytes first and its declared type and name after."""

from __future__ import annotations

import codecs
import re
from enum import StrEnum
from urllib.parse import unquote, urlsplit

# As much as the MIME Sniffing Standard reads.
_HEAD_BYTES = 1445


class Kind(StrEnum):
    """What a body is."""

    HTML = "html"
    XHTML = "xhtml"
    MARKDOWN = "markdown"
    TEXT = "text"
    FEED = "feed"
    SITEMAP = "sitemap"
    XML = "xml"
    JSON = "json"
    SCRIPT = "script"
    STYLE = "style"
    PDF = "pdf"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    FONT = "font"
    ARCHIVE = "archive"
    BINARY = "binary"
    EMPTY = "empty"


_PAGES = frozenset({Kind.HTML, Kind.XHTML, Kind.MARKDOWN, Kind.TEXT})

# Signatures of the MIME Sniffing Standard section 6, and of office and e-book containers.
_SIGNATURES: tuple[tuple[bytes, Kind], ...] = (
    (b"%PDF-", Kind.PDF), (b"%!PS-Adobe-", Kind.PDF),
    (b"\x89PNG\r\n", Kind.IMAGE), (b"\xff\xd8\xff", Kind.IMAGE), (b"GIF87a", Kind.IMAGE), (b"GIF89a", Kind.IMAGE),
    (b"BM", Kind.IMAGE), (b"\x00\x00\x01\x00", Kind.IMAGE), (b"II*\x00", Kind.IMAGE), (b"MM\x00*", Kind.IMAGE),
    (b"PK\x03\x04", Kind.ARCHIVE), (b"PK\x05\x06", Kind.ARCHIVE), (b"\x1f\x8b", Kind.ARCHIVE),
    (b"Rar!\x1a\x07", Kind.ARCHIVE), (b"7z\xbc\xaf\x27\x1c", Kind.ARCHIVE), (b"BZh", Kind.ARCHIVE),
    (b"\xfd7zXZ\x00", Kind.ARCHIVE), (b"\x28\xb5\x2f\xfd", Kind.ARCHIVE), (b"!<arch>", Kind.ARCHIVE),
    (b"ID3", Kind.AUDIO), (b"OggS", Kind.AUDIO), (b"fLaC", Kind.AUDIO), (b"MThd", Kind.AUDIO),
    (b"\x1aE\xdf\xa3", Kind.VIDEO), (b"FLV\x01", Kind.VIDEO),
    (b"wOFF", Kind.FONT), (b"wOF2", Kind.FONT), (b"\x00\x01\x00\x00", Kind.FONT), (b"OTTO", Kind.FONT),
    (b"\x7fELF", Kind.BINARY), (b"MZ", Kind.BINARY), (b"\x00asm", Kind.BINARY), (b"\xca\xfe\xba\xbe", Kind.BINARY),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind.BINARY), (b"{\\rtf", Kind.BINARY), (b"SQLite format 3", Kind.BINARY),
)  # fmt: skip
# Short ones that a text may begin with ("BMW", "MZ-80", "ID3 tags"): they need a control byte near.
_SHORT = frozenset({b"BM", b"MZ", b"ID3", b"BZh", b"OTTO", b"MThd", b"wOFF", b"wOF2", b"OggS", b"fLaC"})

_TYPES: dict[str, Kind] = {
    "text/html": Kind.HTML, "application/xhtml+xml": Kind.XHTML,
    "text/markdown": Kind.MARKDOWN, "text/x-markdown": Kind.MARKDOWN, "application/markdown": Kind.MARKDOWN,
    "text/vnd.daringfireball.markdown": Kind.MARKDOWN,
    "text/plain": Kind.TEXT, "text/x-rst": Kind.TEXT, "text/prs.fallenstein.rst": Kind.TEXT,
    "application/rss+xml": Kind.FEED, "application/atom+xml": Kind.FEED, "application/rdf+xml": Kind.FEED,
    "application/feed+json": Kind.JSON, "application/json": Kind.JSON, "text/json": Kind.JSON,
    "application/xml": Kind.XML, "text/xml": Kind.XML,
    "text/javascript": Kind.SCRIPT, "application/javascript": Kind.SCRIPT, "application/x-javascript": Kind.SCRIPT,
    "application/ecmascript": Kind.SCRIPT, "text/css": Kind.STYLE, "application/pdf": Kind.PDF,
    "application/zip": Kind.ARCHIVE, "application/gzip": Kind.ARCHIVE, "application/x-gzip": Kind.ARCHIVE,
    "application/x-tar": Kind.ARCHIVE, "application/epub+zip": Kind.ARCHIVE,
}  # fmt: skip
_SUFFIXES: dict[str, Kind] = {
    "md": Kind.MARKDOWN, "markdown": Kind.MARKDOWN, "mdx": Kind.MARKDOWN, "mdown": Kind.MARKDOWN,
    "txt": Kind.TEXT, "text": Kind.TEXT, "rst": Kind.TEXT,
    "js": Kind.SCRIPT, "mjs": Kind.SCRIPT, "css": Kind.STYLE, "json": Kind.JSON, "csv": Kind.BINARY,
}  # fmt: skip

_HTML_START = re.compile(
    r"<!doctype\s+html|<(?:html|head|body|title|meta|link|script|style|main|article|section|header|nav|div|table"
    r"|iframe|p|h[1-6]|ul|ol|a|br|b|font|center|form|template|noscript|base)(?=[\s/>])",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6} \S")
_COMMENT = re.compile(r"\s*(?:<!--.*?-->|<\?.*?\?>|<!doctype\s[^>\[]*>)", re.DOTALL | re.IGNORECASE)
_DOCTYPE_HTML = re.compile(r"\s*<!doctype\s+html", re.IGNORECASE)
_DOCUMENT_START = re.compile(r"\s*<(?:html|head|body)\b", re.IGNORECASE)
_XML_ROOT = re.compile(r"\s*<(?:[\w.-]+:)?([A-Za-z][\w.-]*)([^>]*)")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def sniff(body: bytes, content_type: str = "", url: str = "") -> Kind:
    """Return what a body is. Raises nothing; looks at its first 1.4 KB only.

    The first bytes decide where they tell; names and types lie. A body that reads as text is what its
    declared type says, and without a telling type what the suffix of its URL says. A body of blanks
    is EMPTY, which is no page: whether that is thin or an error is for the caller to say.

    >>> sniff(b"%PDF-1.7", "text/html"), sniff(b"# Hinge", "application/octet-stream", "https://x.org/a.md")
    (<Kind.PDF: 'pdf'>, <Kind.MARKDOWN: 'markdown'>)
    """
    head = body[:_HEAD_BYTES]
    if not head.strip():
        return Kind.EMPTY
    binary = _binary_kind(head)
    if binary is not None:
        return binary
    declared, named = _declared_kind(content_type), _SUFFIXES.get(_suffix(url))
    text = _text_of(head).lstrip("\ufeff \t\r\n\f")
    if text.startswith("<"):
        markup = _markup_kind(text)
        if markup is Kind.HTML and declared is Kind.XHTML:
            return Kind.XHTML
        # A README may open with a <div>, a text with an example: only a whole page overrules the type.
        is_text = declared in {Kind.MARKDOWN, Kind.TEXT} or named is Kind.MARKDOWN
        if markup is not None and not (markup is Kind.HTML and is_text and not _is_document(text)):
            return markup
    if (declared is None or declared in _PAGES) and _reads_as_json(text):
        return Kind.JSON
    if declared is None:
        return named or (Kind.MARKDOWN if _HEADING.match(text) else Kind.TEXT)
    # Declared as a picture or the like, and yet plain text: what it is, nobody can tell.
    return named or declared if declared is Kind.TEXT else declared


def is_page(kind: Kind) -> bool:
    """Return whether a body of this kind is taken up as a page."""
    return kind in _PAGES


def _binary_kind(head: bytes) -> Kind | None:
    """Return the kind that a signature or control bytes give away, None for text."""
    if head.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    controls = len(_CONTROL.findall(head))
    for signature, kind in _SIGNATURES:
        if head.startswith(signature) and (controls or signature not in _SHORT):
            return kind
    if head[:4] == b"RIFF" and head[8:12] in {b"WEBP", b"WAVE", b"AVI "}:
        return {b"WEBP": Kind.IMAGE, b"WAVE": Kind.AUDIO, b"AVI ": Kind.VIDEO}[head[8:12]]
    if head[4:8] == b"ftyp":
        return Kind.IMAGE if head[8:12] in {b"avif", b"heic", b"mif1"} else Kind.VIDEO
    if head[257:262] == b"ustar":
        return Kind.ARCHIVE
    # Random bytes have one control byte in ten; a page with a stray one is still a page.
    return None if controls * 50 <= len(head) or _is_utf16(head) else Kind.BINARY


def _is_utf16(head: bytes) -> bool:
    """Return whether nearly every other byte is zero, and hardly any of those between: UTF-16 of markup."""
    zeros, size = (head[0::2].count(0), head[1::2].count(0)), len(head) // 2
    # A title in another script leaves some without; characters such as U+4E00 put some in between.
    return size >= 2 and max(zeros) * 10 > size * 6 and min(zeros) * 50 <= size


def _text_of(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", "replace")
    if _is_utf16(head):
        big = head[0::2].count(0) > head[1::2].count(0)
        return head.decode("utf-16-be" if big else "utf-16-le", "replace")
    return head.decode("utf-8", "replace")


def _declared_kind(content_type: str) -> Kind | None:
    """Return the kind a Content-Type names; None where it says nothing (octet-stream, none at all)."""
    # Two headers in one are joined by a comma; they mostly say the same.
    name = re.split(r"[;,]", content_type, maxsplit=1)[0].strip().lower()
    known = _TYPES.get(name)
    if known is not None:
        return known
    if name.endswith("+json"):
        return Kind.JSON
    if name.endswith("+xml") and name != "image/svg+xml":
        return Kind.XML
    family = name.partition("/")[0]
    if family in {"image", "audio", "video", "font"}:
        return Kind(family)
    if family == "text":
        # text/csv, text/calendar, text/vtt: data, not pages.
        return Kind.BINARY
    vague = name in {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown"}
    return None if vague or "/" not in name or name == "*/*" else Kind.BINARY


def _markup_kind(text: str) -> Kind | None:
    """Return the kind of a text that begins with "<"; None where that does not tell."""
    rest = text
    while found := _COMMENT.match(rest):
        if _DOCTYPE_HTML.match(found[0]):
            xhtml = rest is not text and text.startswith("<?xml") and "xhtml" in text.lower()
            return Kind.XHTML if xhtml else Kind.HTML
        rest = rest[found.end() :]
    root = _XML_ROOT.match(rest)
    name = root[1].lower() if root else ""
    if name in {"urlset", "sitemapindex"}:
        return Kind.SITEMAP
    if name in {"rss", "feed", "rdf"}:
        return Kind.FEED
    if name == "svg":
        return Kind.IMAGE
    if name == "html" and text.startswith("<?xml"):
        return Kind.XHTML
    if _HTML_START.match(rest.lstrip()):
        return Kind.HTML
    return Kind.XML if text.startswith("<?xml") else None


def _is_document(text: str) -> bool:
    """Return whether markup begins a whole page, and not a text that opens with some HTML."""
    while found := _COMMENT.match(text):
        if _DOCTYPE_HTML.match(found[0]):
            return True
        text = text[found.end() :]
    return _DOCUMENT_START.match(text) is not None


def _reads_as_json(text: str) -> bool:
    """Return whether a text opens as JSON does: not "[link](x)" nor "{% hint %}"."""
    return (
        re.match(r'\{\s*(?:"[^"\n]*"\s*:|\})|\[\s*(?:[{\[]\s*["{\[]|"[^"\n]*"\s*[,\]]|-?\d+\s*,|\]\s*$)', text)
        is not None
    )


def _suffix(url: str) -> str:
    try:
        name = unquote(urlsplit(url).path).rpartition("/")[2]
    except ValueError:
        return ""
    return name.rpartition(".")[2].lower() if "." in name else ""
