"""What a body is: the first bytes where they tell, then the declared type, then the name."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.sniff import Kind, is_page, sniff

HTML = b"<!DOCTYPE html><html><head><title>Hinge</title></head><body><p>Oil it.</p></body></html>"
XHTML = b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html xmlns="http://www.w3.org/1999/xhtml">'
MARKDOWN = b"# Hinge\n\nOil the *hinge* twice a year.\n"
PLAIN = b"Oil the hinge twice a year.\n"
PDF = b"%PDF-1.4\n1 0 obj\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
ZIP = b"PK\x03\x04\x14\x00\x00\x00\x08\x00"
RSS = b'<?xml version="1.0"?><rss version="2.0"><channel></channel></rss>'
OCTETS = "application/octet-stream"

KINDS = {
    "html": (HTML, "text/html", "/a", Kind.HTML),
    "type sent twice": (HTML[15:], "text/html, text/html; charset=utf-8", "/a", Kind.HTML),
    "type sent twice, bare text": (PLAIN, "text/plain,text/plain", "/a", Kind.TEXT),
    "html without type": (HTML, "", "/a", Kind.HTML),
    "html as octets": (HTML, OCTETS, "/a", Kind.HTML),
    "html as text": (HTML, "text/plain", "/a", Kind.HTML),
    "html as markdown": (HTML, "text/markdown; charset=utf-8", "/a.md", Kind.HTML),
    "html as json": (HTML, "application/json", "/a", Kind.HTML),
    "html as pdf": (HTML, "application/pdf", "/a.pdf", Kind.HTML),
    "html after a BOM and blanks": (b"\xef\xbb\xbf\n  " + HTML, "", "/a", Kind.HTML),
    "html after a comment": (b"<!-- built -->\n<!-- twice --><html>", "text/plain", "/a", Kind.HTML),
    "html in UTF-16": (HTML.decode().encode("utf-16"), "", "/a", Kind.HTML),
    "html in UTF-16 without BOM": (HTML.decode().encode("utf-16-le"), "text/html", "/a", Kind.HTML),
    "html in UTF-16 with Chinese": (
        HTML.decode().replace("Hinge", "\u4e00\u5408\u9875").encode("utf-16-be"),
        "text/html",
        "/a",
        Kind.HTML,
    ),
    "html fragment": (b"<h1>Hinge</h1><p>Oil", "", "/a", Kind.HTML),
    "html fragment as text": (b"<p>is an element", "text/plain", "/a", Kind.TEXT),
    "html without a known start": (b"<x-app></x-app>", "text/html", "/a", Kind.HTML),
    "html type, bare text": (PLAIN, "text/html", "/a", Kind.HTML),
    "html with one odd byte": (HTML + b"\x00", "text/html", "/a", Kind.HTML),
    "xhtml": (XHTML, "application/xhtml+xml", "/a", Kind.XHTML),
    "xhtml without type": (XHTML, "", "/a", Kind.XHTML),
    "xhtml by root": (
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">',
        "application/xml",
        "/a",
        Kind.XHTML,
    ),
    "html5 as xhtml": (HTML, "application/xhtml+xml", "/a", Kind.XHTML),
    "markdown": (MARKDOWN, "text/markdown", "/a", Kind.MARKDOWN),
    "markdown as x-markdown": (MARKDOWN, "text/x-markdown;charset=utf-8", "/a", Kind.MARKDOWN),
    "markdown as text, by name": (MARKDOWN, "text/plain", "/a.md?raw=1", Kind.MARKDOWN),
    "markdown as octets, by name": (MARKDOWN, OCTETS, "/a.md", Kind.MARKDOWN),
    "markdown as octets, by heading": (MARKDOWN, OCTETS, "/a", Kind.MARKDOWN),
    "markdown with a div first": (b"<div align='center'>\n\n# Hinge\n", "text/plain", "/README.md", Kind.MARKDOWN),
    "markdown with html type stays html": (MARKDOWN, "text/html", "/a.md", Kind.HTML),
    "text": (PLAIN, "text/plain", "/a.txt", Kind.TEXT),
    "text without type": (PLAIN, "", "/a", Kind.TEXT),
    "text that begins like a signature": (b"BM and MZ, old friends", "text/plain", "/a", Kind.TEXT),
    "text as a picture": (PLAIN, "image/png", "/a", Kind.IMAGE),
    "escape sequences": (b"\x1b[1mHinge\x1b[0m", "text/plain", "/a", Kind.TEXT),
    "hint first": (b'{% hint style="info" %}\nOil', OCTETS, "/a", Kind.TEXT),
    "link first": (b"[Home](/)\n", "text/plain", "/a", Kind.TEXT),
    "empty": (b"", "text/html", "/a", Kind.EMPTY),
    "blanks": (b" \n\t ", "text/html", "/a", Kind.EMPTY),
    "rss": (RSS, "application/rss+xml", "/feed", Kind.FEED),
    "rss as html": (RSS, "text/html", "/feed", Kind.FEED),
    "atom": (b'<feed xmlns="http://www.w3.org/2005/Atom">', "application/xml", "/feed", Kind.FEED),
    "sitemap": (b'<?xml version="1.0"?>\n<urlset xmlns="x">', "text/html", "/s", Kind.SITEMAP),
    "sitemap index with stylesheet": (
        b'<?xml version="1.0"?><?xml-stylesheet href="s.xsl"?><!-- x --><sitemapindex>',
        "",
        "/s",
        Kind.SITEMAP,
    ),
    "xml": (b'<?xml version="1.0"?><config/>', "application/xml", "/a", Kind.XML),
    "xml by type": (b"<config/>", "application/soap+xml", "/a", Kind.XML),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg">', "image/svg+xml", "/a.svg", Kind.IMAGE),
    "svg as html": (b'<?xml version="1.0"?><svg>', "text/html", "/a", Kind.IMAGE),
    "json": (b'{"a": 1}', "application/json", "/a", Kind.JSON),
    "json by suffix of the type": (b'{"a": 1}', "application/ld+json", "/a", Kind.JSON),
    "json as html": (b'{\n "a": 1}', "text/html", "/a", Kind.JSON),
    "json as text": (b'[{"a": 1}]', "text/plain", "/a", Kind.JSON),
    "script": (b"var a = 1;", "text/javascript", "/a.js", Kind.SCRIPT),
    "script as octets": (b"var a = 1;", OCTETS, "/a.js", Kind.SCRIPT),
    "style": (b"a { b: c }", "text/css", "/a.css", Kind.STYLE),
    "table of values": (b"a,b\n1,2\n", "text/csv", "/a.csv", Kind.BINARY),
    "pdf": (PDF, "application/pdf", "/a.pdf", Kind.PDF),
    "pdf as html": (PDF, "text/html", "/a", Kind.PDF),
    "pdf as octets": (PDF, OCTETS, "/download?id=1", Kind.PDF),
    "png": (PNG, "image/png", "/a", Kind.IMAGE),
    "png as html": (PNG, "text/html", "/a.html", Kind.IMAGE),
    "webp": (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "", "/a", Kind.IMAGE),
    "video": (b"\x00\x00\x00\x20ftypisom", "", "/a", Kind.VIDEO),
    "zip": (ZIP, "text/html", "/a", Kind.ARCHIVE),
    "epub": (ZIP, "application/epub+zip", "/a.epub", Kind.ARCHIVE),
    "gzip": (gzip.compress(HTML), "text/html", "/a", Kind.ARCHIVE),
    "tar": (b"a" * 257 + b"ustar\x00", "", "/a", Kind.ARCHIVE),
    "font": (b"wOF2\x00\x01\x00\x00", "", "/a", Kind.FONT),
    "program": (b"\x7fELF\x02\x01", "text/plain", "/a", Kind.BINARY),
    "zeros": (b"\x00" * 40, "text/html", "/a", Kind.BINARY),
    "control bytes": (b"abc\x01\x02\x03", "text/html", "/a", Kind.BINARY),
    "unknown application type": (b"plain", "application/vnd.thing", "/a", Kind.BINARY),
}


@pytest.mark.parametrize(("body", "content_type", "path", "kind"), KINDS.values(), ids=KINDS.keys())
def test_kind(body, content_type, path, kind):
    assert sniff(body, content_type, f"https://example.com{path}") is kind


def test_pages_are_what_can_become_markdown():
    assert {kind for kind in Kind if is_page(kind)} == {Kind.HTML, Kind.XHTML, Kind.MARKDOWN, Kind.TEXT}


STARTS = st.sampled_from(
    [b"<!--", b"<!---->", b"<?xml ", b"<!DOCTYPE ", b"<html", b"{", b"[", b"\xff\xfe", b"\x00<", b"%PDF-", b"RIFF", b""]
)


@given(
    st.lists(STARTS | st.binary(max_size=9)).map(b"".join),
    st.text() | st.sampled_from(["text/html", "text/plain"]),
    st.text(),
)
def test_sniffing_is_total(body, content_type, url):
    assert sniff(body, content_type, url) in Kind


def test_sniffing_is_bounded():
    for body in (
        b"<!---->" * 300_000,
        b"<!--" * 300_000,
        b"<?xml " * 200_000,
        b"[" * 1_000_000,
        b'{"' + b" " * 1_000_000,
    ):
        assert sniff(body) in Kind
