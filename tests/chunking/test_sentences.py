from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.chunking.sentences import as_paragraph, split_sentences, split_words
from mdcrawl.markdown.blocks import BlockKind, split_blocks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Oil it. Close it! Why? Go.", ["Oil it.", " Close it!", " Why?", " Go."]),
        ("See e.g. This one, i.e. That, and Dr. Smith.", ["See e.g. This one, i.e. That, and Dr. Smith."]),
        ("J. Smith wrote it. He did.", ["J. Smith wrote it.", " He did."]),
        ("Use version 1.5 of node.js here.", ["Use version 1.5 of node.js here."]),
        ("Run `a. B` now. Then [see. This](/x. Y).", ["Run `a. B` now.", " Then [see. This](/x. Y)."]),
        ('He said "go." Then left.', ['He said "go."', " Then left."]),
        ("任务完成。继续！好吗？", ["任务完成。", "继续！", "好吗？"]),
        ("「行こう。」彼は言った。", ["「行こう。」", "彼は言った。"]),
        ("यह है। वह है।", ["यह है।", " वह है।"]),
        ("งานเสร็จแล้ว ไปต่อ", ["งานเสร็จแล้ว ไปต่อ"]),
        ("", []),
    ],
    ids=[
        "marks",
        "abbreviations",
        "initial",
        "versions",
        "code and link",
        "quoted",
        "Chinese",
        "Japanese",
        "Hindi",
        "Thai",
        "none",
    ],
)
def test_split_sentences(text, expected):
    assert split_sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a - b # c 1. d", ["a -", " b #", " c 1.", " d"]),
        ("see `a b` and [c d](/e) now", ["see", " `a b`", " and", " [c d](/e)", " now"]),
        ("  a  ", ["  a", "  "]),
    ],
    ids=["block signs", "code and link", "edges"],
)
def test_split_words(text, expected):
    assert split_words(text) == expected


@given(st.text())
def test_nothing_is_lost(text):
    assert "".join(split_sentences(text)) == text
    assert "".join(split_words(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a", r"\- a"),
        ("# a", r"\# a"),
        ("12. a", r"12\. a"),
        ("```", r"\```"),
        ("> a", r"\> a"),
        ("<b>", r"\<b>"),
        ("-a", "-a"),
    ],
    ids=lambda value: value,
)
def test_as_paragraph(text, expected):
    assert as_paragraph(text) == expected
    assert [block.kind for block in split_blocks(as_paragraph(text))] == [BlockKind.PARAGRAPH]
