from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.chunking.fill import Sizes, fill, is_between_characters, split_characters, split_text
from mdcrawl.chunking.tokens import count_tokens


def test_units_are_joined_up_to_the_sizes():
    assert fill(["one ", "two ", "three ", "four"], Sizes(2, 4)) == ["one ", "two three ", "four"]


def test_a_unit_that_cannot_be_cut_stands_alone():
    long = "word " * 20
    assert fill(["a ", long, "b "], Sizes(5, 5)) == ["a ", long, "b "]


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("ab", 1, True),
        ("e\u0301", 1, False),
        ("👩‍💻", 1, False),
        ("👩‍💻", 2, False),
        ("👍🏽", 1, False),
        ("🇩🇪", 1, False),
        ("1\ufe0f", 1, False),
    ],
    ids=["letters", "accent", "before a joiner", "after a joiner", "skin", "flag", "variant"],
)
def test_is_between_characters(text, index, expected):
    assert is_between_characters(text, index) is expected


def test_characters_are_cut_at_seams():
    pieces = split_characters("key0001=value;" * 40, Sizes(30, 30))
    assert all(piece.endswith((";", "=")) for piece in pieces)


@given(st.text(min_size=1), st.integers(1, 9), st.integers(1, 9))
def test_nothing_is_lost_between_characters(text, first, room):
    assert "".join(split_characters(text, Sizes(first, room))) == text


@given(
    st.lists(st.sampled_from(["Door.", "hinge", "- #", "```", "x" * 30, "中文。"]), min_size=1).map(" ".join),
    st.integers(4, 40),
)
def test_pieces_of_text_keep_the_size(text, room):
    assert all(count_tokens(piece) <= room for piece in split_text("A " + text, Sizes(room, room)))
