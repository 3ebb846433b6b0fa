from __future__ import annotations

import pytest

from mdcrawl.extraction.metadata import base_url, read_links, read_metadata
from mdcrawl.extraction.tree import parse
from mdcrawl.items import Link

URL = "https://wall.example/guide/lime"

TITLES = {
    "site behind a bar": ("<title>Lime mortar | Wall Society</title>", "Lime mortar"),
    "site before": ("<title>Wall Society: Lime</title><body><h1>Lime</h1>", "Lime"),
    "heading decides": (
        "<title>Lime - slow but sure - Wall Society</title><h1>Lime - slow but sure</h1>",
        "Lime - slow but sure",
    ),
    "site name decides": (
        (
            '<title>Slow - sure - The Wall Society of the North</title><meta property="og:site_name" '
            'content="The Wall Society of the North">'
        ),
        "Slow - sure",
    ),
    "a hyphen inside a word": ("<title>Dry-stone walls</title>", "Dry-stone walls"),
    "the site's bar is an h1 too": (
        "<title>First walls - Stone Book</title><h1>Stone Book</h1><main><h1>Walls for a start</h1></main>",
        "First walls",
    ),
    "only a heading": ("<h1>Lime<a href='#l'>¶</a></h1>", "Lime"),
    "nothing": ("<p>x</p>", ""),
}


@pytest.mark.parametrize(("html", "title"), TITLES.values(), ids=TITLES)
def test_title(html, title):
    assert read_metadata(parse(html), URL).title == title


def test_all_fields():
    page = """<html lang="en-GB"><head><base href="/docs/"><title>Lime</title>
    <meta name="description" content="How  lime sets."><link rel="canonical" href="lime">
    <meta name="robots" content="NOINDEX, nofollow"><meta property="og:type" content="article">
    <meta property="article:modified_time" content="2026-02-03T10:00:00+00:00">
    <script type="application/ld+json">{"@graph": [{"@type": "TechArticle", "datePublished": "2025-01-02"}]}</script>
    <script type="application/ld+json">{broken</script></head></html>"""
    found = read_metadata(parse(page), URL)
    assert found.description == "How lime sets."
    assert found.lang == "en-GB"
    assert found.canonical_url == "https://wall.example/docs/lime"
    assert (found.published, found.modified) == ("2025-01-02", "2026-02-03T10:00:00+00:00")
    assert found.robots == ("noindex", "nofollow")
    assert found.kinds == {"article", "techarticle"}


def test_links_of_the_whole_page():
    page = parse(
        '<base href="https://other.example/x/"><nav><a href="a">One</a></nav><p><a href="b#c" rel="nofollow">Two</a>'
        '<a href="a">again</a><a href="mailto:k@w.example">m</a><a href="javascript:x()">j</a><a>none</a>'
        '<a href="http://[bad">broken</a></p>'
    )
    assert read_links(page, base_url(page, URL)) == (
        Link("https://other.example/x/a", "One"),
        Link("https://other.example/x/b#c", "Two", nofollow=True),
    )
