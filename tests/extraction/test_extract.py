from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdcrawl.extraction.extract import MAX_ELEMENTS, MAX_SOURCE, extract
from mdcrawl.items import Extraction


def test_every_field_is_filled():
    page = (
        b"<html lang=en><head><title>Lime | Walls</title><meta name=description content=Slow></head>"
        b"<body><nav><a href=/>Home</a>"
        b"</nav><main><h1 id=top>Lime</h1><section id=use><h2>Use <code>x</code></h2>"
        b"<p>Wet the stones first.</p></section><h2><a name=old></a>Old</h2><p>Heat the lime.</p></main></body></html>"
    )
    extraction = extract(page, "https://wall.example/lime", charset="utf-8")
    assert extraction.title == "Lime"
    assert extraction.markdown == "# Lime\n\n## Use `x`\n\nWet the stones first.\n\n## Old\n\nHeat the lime."
    assert extraction.anchors == (("Lime", "top"), ("Use x", "use"), ("Old", "old"))
    assert [link.url for link in extraction.links] == ["https://wall.example/"]
    assert (extraction.lang, extraction.description, extraction.charset) == ("en", "Slow", "utf-8")
    assert extraction.receipt.found == extraction.receipt.kept
    assert extraction.receipt.found.headings == 3
    assert extraction.evidence.body_words > 0


NOTHING = ["", b"", b"\xff\xfe", b"\x00" * 50, "<frameset><frame src=a>", "<html><head><title>x</title></head></html>"]


@pytest.mark.parametrize("page", NOTHING)
def test_a_page_of_nothing_is_an_extraction_of_nothing(page):
    assert extract(page).markdown == ""


ROW = "<tr><td>1</td><td>stone</td></tr>"


def test_a_page_over_the_bounds_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr("mdcrawl.extraction.extract.MAX_SOURCE", 20_000)
    monkeypatch.setattr("mdcrawl.extraction.extract.MAX_ELEMENTS", 900)
    extraction = extract("<table>" + ROW * 1000 + "</table>")
    assert 250 < extraction.markdown.count("stone") <= 300
    assert extraction.receipt.losses == (
        "13015 of 33015 characters of source cut off",
        "922 of 1822 elements cut off",
    )


@pytest.mark.slow
def test_a_page_of_20_mb_is_answered_in_time():
    start = time.process_time()
    extraction = extract("<table>" + ROW * (20_000_000 // len(ROW)) + "</table>")
    assert time.process_time() - start < 5
    assert extraction.markdown.count("stone") > MAX_ELEMENTS // 4


def test_embedded_files_cost_no_content():
    image = '<img alt="" src="data:image/png;base64,' + "A" * MAX_SOURCE + '">'
    extraction = extract(f"<main><h1>Lime</h1>{image}<p>Wet the stones first.</p></main>")
    assert extraction.markdown == "# Lime\n\nWet the stones first."
    assert extraction.receipt.losses == ()


TAGS = [
    "p",
    "div",
    "span",
    "table",
    "tr",
    "td",
    "th",
    "ul",
    "ol",
    "li",
    "pre",
    "code",
    "h1",
    "h2",
    "a",
    "img",
    "dl",
    "dt",
    "dd",
    "blockquote",
    "details",
    "summary",
    "math",
    "sup",
    "ruby",
    "rt",
]
NAMES = ["", "tabs", "comments", "highlight", "admonition note", "katex", "toc", "footnote-ref"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(TAGS), st.sampled_from(NAMES)).map(
                lambda t: f'<{t[0]} class="{t[1]}" href="#a" id="a">'
            ),
            st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
            st.text(max_size=8),
        ),
        max_size=25,
    ).map("".join)
)
def test_raises_nothing_for_any_page(html):
    assert isinstance(extract(html, "https://wall.example/"), Extraction)
