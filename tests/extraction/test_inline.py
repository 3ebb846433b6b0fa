from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdcrawl.extraction import inline

PLAIN = {
    "snake_case_name": "snake_case_name",
    "__init__ runs": "\\_\\_init__ runs",
    "_x": "_x",
    "2 * 3": "2 * 3",
    "2*3*4": "2\\*3\\*4",
    "a lone *": "a lone *",
    "a < b & c": "a < b & c",
    "<b> &amp; `c`": "\\<b> \\&amp; \\`c\\`",
    "a[0](1)": "a[0\\](1)",
    "C:\\dir": "C:\\dir",
    "C:\\_x": "C:\\\\_x",
    "[^1] is no note": "\\[^1] is no note",
    "~~x~~": "\\~~x\\~~",
}


@pytest.mark.parametrize(("text", "expected"), PLAIN.items(), ids=PLAIN)
def test_escape_only_what_would_change(text, expected):
    assert inline.finish(inline.escape(text)) == expected


STARTS = {
    "# no": "\\# no",
    "#tag": "#tag",
    "1. May": "1\\. May",
    "1.5 m": "1.5 m",
    "- x": "\\- x",
    "-x": "-x",
    "> x": "\\> x",
    "---": "\\---",
    "a\n===": "a\n\\===",
    "+ x": "\\+ x",
    "* x": "\\* x",
}


@pytest.mark.parametrize(("text", "expected"), STARTS.items(), ids=STARTS)
def test_escape_line_starts(text, expected):
    assert inline.escape_line_starts(text) == expected


S, S_END, EM, EM_END = inline.STRONG, inline.STRONG_END, inline.EM, inline.EM_END
MARKS = {
    "plain": (f"a {S}b{S_END} c", "a **b** c"),
    "spaces move out": (f"a{S} b {S_END}c", "a **b** c"),
    "neighbours join": (f"{S}a{S_END}{S}b{S_END}", "**ab**"),
    "nested once": (f"{S}a {S}b{S_END} c{S_END}", "**a b c**"),
    "empty": (f"a{S} {S_END}b", "a b"),
    "both": (f"{S}{EM}a{EM_END}{S_END}", "***a***"),
    "could not close": (f"{S}Note:{S_END}text", "Note:text"),
}


@pytest.mark.parametrize(("text", "expected"), MARKS.values(), ids=MARKS)
def test_emphasis(text, expected):
    assert inline.finish(text) == expected


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60))
def test_text_reads_back_as_it_was(text):
    """Whatever text a page has, its Markdown paragraph renders to that text."""
    written = inline.escape_line_starts(inline.finish(inline.escape(text)))
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(written)
    shown = " ".join(child.content for token in tokens for child in token.children or () if child.type == "text")
    assert "".join(shown.split()) == "".join(text.split())
    assert all(token.type in {"paragraph_open", "inline", "paragraph_close"} for token in tokens)


@given(st.text("`a b\\*", min_size=1, max_size=20).filter(str.strip))
def test_code_span_reads_back(text):
    tokens = MarkdownIt("commonmark").parse("x " + inline.code_span(text).strip())
    children = tokens[1].children or []
    assert [child.content for child in children if child.type == "code_inline"] == [" ".join(text.split())]
