"""Sitemaps in the forms they really come in, and within bounds whatever comes."""

import gzip
import re
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.hreflang import Alternate
from mdcrawl.discovery.sitemap import EntryKind, SitemapEntry, SitemapOptions, read_sitemap

BASE = "https://example.com/maps/s.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urls(body: bytes | str, options: SitemapOptions = SitemapOptions()) -> list[str]:  # noqa: B008  frozen
    return [entry.url for entry in read_sitemap(body.encode() if isinstance(body, str) else body, BASE, options)]


def urlset(*locations: str, ns: str = NS) -> str:
    return f"{DECLARATION}<urlset {ns}>" + "".join(f"<url><loc>{loc}</loc></url>" for loc in locations) + "</urlset>"


A, B = "https://example.com/a", "https://example.com/b"

FORMS = {
    "plain": (urlset(A, B), [A, B]),
    "no declaration": (f"<urlset {NS}><url><loc>{A}</loc></url></urlset>", [A]),
    "BOM and blanks before the declaration": (b"\xef\xbb\xbf\n  " + urlset(A).encode(), [A]),
    "blanks before the declaration": ("\n  " + urlset(A), [A]),
    "UTF-16": (urlset(A).replace("UTF-8", "UTF-16").encode("utf-16"), [A]),
    "latin-1": (
        urlset("https://example.com/é").replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        ["https://example.com/é"],
    ),
    "unknown encoding": (urlset(A).replace("UTF-8", "x-none"), [A]),
    "old namespace": (urlset(A, ns='xmlns="http://www.google.com/schemas/sitemap/0.84"'), [A]),
    "no namespace": (urlset(A, ns=""), [A]),
    "prefixed": (f'<s:urlset xmlns:s="x"><s:url><s:loc>{A}</s:loc></s:url></s:urlset>', [A]),
    "prefix without namespace": (
        f"<urlset><url><loc>{A}</loc><image:image><image:loc>{B}</image:loc></image:image></url></urlset>",
        [A],
    ),
    "pictures are not pages": (urlset(f"{A}</loc><i:image xmlns:i='i'><i:loc>{B}</i:loc></i:image><loc>"), [A]),
    "blanks and line breaks": (urlset(f"\n  {A}\n "), [A]),
    "broken across lines": (urlset("https://example.com\n/a"), [A]),
    "CDATA": (urlset(f"<![CDATA[{A}?x=1&y=2]]>"), [f"{A}?x=1&y=2"]),
    "escaped and": (urlset(f"{A}?x=1&amp;y=2"), [f"{A}?x=1&y=2"]),
    "bare and": (urlset(f"{A}?x=1&y=2&z"), [f"{A}?x=1&y=2&z"]),
    "numbered character": (urlset("https://example.com/&#97;"), [A]),
    "relative": (urlset("/a", "b"), [A, "https://example.com/maps/b"]),
    "no page": (urlset("mailto:x@example.com", "javascript:void(0)", "", "ftp://example.com/", A), [A]),
    "other hosts are for the caller": (urlset("http://169.254.169.254/x"), ["http://169.254.169.254/x"]),
    "too long": (urlset("https://example.com/" + "x" * 3000, A), [A]),
    "cut in an entry": (urlset(A, B)[: urlset(A, B).index("example.com/b")], [A]),
    "broken tag at the end": (urlset(A).replace("</urlset>", f"<url><loc>{B}</loc><url>"), [A]),
    "wrong end tag": (urlset(A, B).replace("</urlset>", "</sitemap>"), [A, B]),
    "fault in between": (urlset(A, "<<b></c>", B), [A, B]),
    "two sitemaps in one": (urlset(A) + f"<urlset><url><loc>{B}</loc></url></urlset>", [A, B]),
    "comment and stylesheet": (
        f'<?xml version="1.0"?><?xml-stylesheet href="s.xsl"?><!-- {B} -->{urlset(A)[39:]}',
        [A],
    ),
    "gzip": (gzip.compress(urlset(A).encode()), [A]),
    "gzip twice": (gzip.compress(gzip.compress(urlset(A).encode())), [A]),
    "gzip thrice is a bomb": (gzip.compress(gzip.compress(gzip.compress(urlset(A).encode()))), []),
    "gzip in members": (gzip.compress(urlset(A, B).encode()[:90]) + gzip.compress(urlset(A, B).encode()[90:]), [A, B]),
    "gzip with rubbish after": (gzip.compress(urlset(A).encode()) + b"rubbish", [A]),
    "gzip cut": (gzip.compress(urlset(A).encode())[:-12], [A]),
    "text": (f"{A}\n\n  {B}  \n", [A, B]),
    "text with BOM, CRLF and no last end": (f"\ufeff{A}\r\n{B}", [A, B]),
    "text with other lines": (f"# pages\n{A}\n/relative\nnothing here", [A]),
    "text in gzip": (gzip.compress(A.encode()), [A]),
    "html": (f"<!DOCTYPE html><html><body><a href='{A}'>a</a></body></html>", []),
    "html without doctype": (f"<html><url><loc>{A}</loc></url></html>", []),
    "json": (f'{{"loc": "{A}"}}', []),
    "empty": ("", []),
    "picture": (b"\x89PNG\r\n\x1a\n\x00\x00", []),
    "empty urlset": (urlset(), []),
    "rss": (f"<rss><channel><link>{B}</link><item><title>t</title><link>{A}</link></item></channel></rss>", [A]),
    "rss by guid": (f"<rss><channel><item><guid>{A}</guid></item><item><guid>17</guid></item></channel></rss>", [A]),
    "rdf": (f'<rdf:RDF xmlns:rdf="r" xmlns="x"><item><link>{A}</link></item></rdf:RDF>', [A]),
    "atom": (
        f'<feed xmlns="a"><link href="{B}"/><entry><link rel="edit" href="{B}"/><link href="/a"/></entry></feed>',
        [A],
    ),
}


@pytest.mark.parametrize(("body", "expected"), FORMS.values(), ids=FORMS.keys())
def test_forms(body, expected):
    assert urls(body) == expected


def test_index_entries_are_sitemaps():
    body = (
        f"<sitemapindex {NS}><sitemap><loc>/1.xml</loc><lastmod>2027-06-25</lastmod></sitemap></sitemapindex>".encode()
    )
    assert list(read_sitemap(body, BASE)) == [
        SitemapEntry(EntryKind.SITEMAP, "https://example.com/1.xml", "2027-06-25T00:00:00+00:00")
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<lastmod>2027-06-25T15:00:00Z</lastmod>", "2027-06-25T15:00:00+00:00"),
        ("<lastmod> yesterday </lastmod>", ""),
        ("<priority>9</priority>", ""),
        ("", ""),
    ],
)
def test_lastmod(written, read):
    body = f"<urlset {NS}><url><loc>{A}</loc>{written}</url></urlset>".encode()
    assert list(read_sitemap(body, BASE)) == [SitemapEntry(EntryKind.PAGE, A, read)]


def test_entries_name_their_translations():
    links = (
        '<xhtml:link rel="alternate" hreflang="de-AT" href="/de/a"/><xhtml:link rel="amphtml" href="/amp/a"/>'
        '<xhtml:link rel="alternate" media="handheld" href="/m/a"/>'
    )
    body = f'<urlset {NS} xmlns:xhtml="x"><url><loc>{A}</loc>{links}</url></urlset>'.encode()
    (entry,) = read_sitemap(body, BASE)
    assert entry.alternates == (Alternate("de-at", "https://example.com/de/a"),)


def test_dates_of_feeds():
    rss = f"<rss><channel><item><link>{A}</link><pubDate>Fri, 25 Jun 2027 15:00:00 GMT</pubDate></item></channel></rss>"
    atom = f'<feed xmlns="a"><entry><link href="{A}"/><updated>2027-06-25T15:00:00Z</updated></entry></feed>'
    for body in (rss, atom):
        assert [entry.lastmod for entry in read_sitemap(body.encode(), BASE)] == ["2027-06-25T15:00:00+00:00"]


def test_entries_end_at_the_limit():
    body = urlset(*[f"/{n}" for n in range(100)])
    assert len(urls(body, SitemapOptions(max_entries=7))) == 7


def test_bytes_end_at_the_limit_with_whole_entries():
    body = urlset(*[f"/{n:05}" for n in range(10_000)])
    found = urls(gzip.compress(body.encode()), SitemapOptions(max_bytes=100_000))
    assert found == [f"https://example.com/{n:05}" for n in range(len(found))]
    assert len(found) == (100_000 - len(urlset().removesuffix("</urlset>"))) // len("<url><loc>/00000</loc></url>")


def test_a_long_sitemap_loses_nothing_at_the_seams():
    body = urlset(*[f"/{'x' * (n % 97)}-{n}" for n in range(8_000)])
    found = urls(body)
    assert found == [f"https://example.com/{'x' * (n % 97)}-{n}" for n in range(8_000)]


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
)
BOMBS = {
    "entities": f"{ENTITIES}]><urlset><url><loc>&j;</loc></url><url><loc>{A}</loc></url></urlset>".encode(),
    "outer file": b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><urlset><url><loc>/&f;</loc></url></urlset>',
    "gzip": gzip.compress(b"<urlset>" + b" " * 60_000_000, 1),
    "gzip of entries": gzip.compress(b"<urlset>" + b"<url><loc>/a</loc></url>" * 200_000, 1),
    "deep": b"<urlset>" + b"<a>" * 1_000_000,
    "wide": b"<urlset>" + b"<a/>" * 1_000_000,
    "wide and one deeper": b"<urlset><b>" + b"<a/>" * 1_000_000,
    "one text": b"<urlset><url><loc>" + b"a" * 12_000_000,
    "open brackets": b"<" * 1_000_000,
    "half comments": b"<urlset>" + b"<!--" * 1_000_000,
    "half CDATA": b"<urlset>" + b"<![CDATA[" * 200_000,
    "half doctype": b"<urlset>" + b"<!DOCTYPE [" * 100_000,
}


@pytest.mark.parametrize("body", BOMBS.values(), ids=BOMBS.keys())
def test_bombs_end_in_time(body):
    began = time.process_time()
    found = urls(body)
    assert time.process_time() - began < 5
    assert len(found) <= 50_000
    assert not any("aaaa" in url for url in found)


def test_memory_does_not_grow_with_a_bomb():
    """lxml's memory shows only in the size of the process, so that a process of its own is measured."""
    script = (
        "import gzip, resource\n"
        "from mdcrawl.discovery.sitemap import read_sitemap\n"
        "body = gzip.compress(b'<urlset><b>' + b'<url><loc>/a</loc><x/></url><a/>' * 600_000, 1)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "sum(1 for _ in read_sitemap(body, 'https://example.com/'))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    grown_kb = int(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)
    assert grown_kb < 30_000


def test_entities_are_never_expanded():
    assert urls(BOMBS["outer file"]) == ["https://example.com/&f;"]
    assert urls(BOMBS["entities"]) == ["https://example.com/maps/&j;", A]


TAGS = st.sampled_from(
    re.findall(
        r"\S+",
        "<urlset> </urlset> <url> </url> <loc> </loc> <sitemapindex> <sitemap> <item> <link> <entry> <![CDATA[ ]]> "
        "<!-- --> <?xml ?> & &amp; https://a.example/ \x00",
    )
)


@given(
    st.binary()
    | st.lists(TAGS | st.text(max_size=4), max_size=30).map(lambda tags: "".join(tags).encode("utf-8", "replace"))
)
def test_reading_is_total(body):
    for packed in (body, gzip.compress(body, 1), b"\x1f\x8b" + body):
        for entry in read_sitemap(packed, BASE):
            assert entry.url.startswith(("http://", "https://"))
