from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdcrawl.chunking.headings import LONGEST_HEADING, heading_text
from mdcrawl.markdown.blocks import split_blocks


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("## TCP/IP notes", "TCP/IP notes"),
        ("# The [`retry` table](/ref#retry)", "The retry table"),
        ("# Closed ##", "Closed"),
        ("# C#", "C#"),
        ("#", ""),
        ("# ##", ""),
        ("# `seed_lots` and `more`", "seed_lots and more"),
        ("# `open()`", "open()"),
        ("# snake_case_name", "snake_case_name"),
        ("# *Very* __strong__ ~~old~~", "Very strong old"),
        ("# A &amp; B \\* C", "A & B * C"),
        ("# `a[0]` or `b` \\[list | `c`\\]", "a[0] or b [list | c]"),
        ("# `` a`b `` \\`c` d", "a`b `c` d"),
        ("# `bins` \\[list&lt;oak&gt;]", "bins [list<oak>]"),
        ("# `&lt;` in code, bins[oak][0], &copy;", "&lt; in code, bins[oak][0], ©"),
        ('# [Oak](/oak#bog) and [bins](#x "t")', "Oak and bins"),
        ("# ![Logo](a.png) Doors", "Logo Doors"),
        ("# A <sup>b</sup>", "A b"),
        ("# Title {#own-id}", "Title"),
        ("Two\nlines\n===", "Two lines"),
    ],
    ids=lambda value: value,
)
def test_heading_text(markdown, text):
    assert heading_text(split_blocks(markdown)[0]) == text


def test_a_paragraph_in_disguise_is_cut():
    assert len(heading_text(split_blocks("# " + "long " * 1000)[0])) <= LONGEST_HEADING


INLINE = MarkdownIt("commonmark").enable("strikethrough")
PIECES = st.sampled_from(
    [
        "word",
        " ",
        "`",
        "``",
        "\\",
        "\\[",
        "[",
        "]",
        "(x)",
        "[a](b)",
        "!",
        "&lt;",
        "*",
        "_",
        "a_b",
        "~~",
        "&",
        "&amp;",
        "&x",
        "&#35;",
        "<",
        ">",
        "<b>",
    ]
)


@given(st.lists(PIECES, min_size=1, max_size=8).map("".join))
def test_text_is_that_of_the_full_parser(content):
    (inline,) = INLINE.parseInline(content.strip())
    rendered = "".join("" if token.type == "html_inline" else token.content for token in inline.children)
    block = split_blocks(f"# {content}")[0]
    assert heading_text(block) == " ".join(rendered.split())
