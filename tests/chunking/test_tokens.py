from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from mdcrawl.chunking import tokens
from mdcrawl.chunking.tokens import JOIN, count_alone, count_below, count_joined, count_tokens, is_over, takes_join


def test_counts_are_those_of_the_published_vocabulary():
    assert tokens.encoding().encode_ordinary("hello world") == [24912, 2375]
    assert tokens.encoding().n_vocab == 200019
    assert max(map(len, tokens.encoding().token_byte_values())) == tokens.LONGEST_TOKEN


def test_pattern_is_the_published_one(monkeypatch):
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
    assert openai_public.o200k_base()["pat_str"] == tokens._PIECES


def test_another_vocabulary_is_refused(monkeypatch):
    monkeypatch.setattr(tokens, "VOCABULARY_SHA256", "0" * 64)
    with pytest.raises(tokens.VocabularyError, match="o200k_base: sha256 is 446a95"):
        tokens.encoding.__wrapped__()


def test_names_of_special_tokens_are_text():
    assert count_tokens("<|endoftext|>") > 1


def test_white_space_too_long_for_the_pattern_engine():
    assert count_tokens("a" + " " * 1_000_000 + "b") > 1_000_000 // 128


TEXT = (
    st.text(
        st.sampled_from("ab1 .,:;)/`'\"_*\n\t|-=<>。，中é\u0301\u200d😀’s\u3000\x0b\x1c\u2028#") | st.characters(),
        min_size=1,
        max_size=40,
    )
    .map(lambda text: text.strip("\r\n"))
    .filter(bool)
)


@given(st.lists(TEXT, min_size=1, max_size=6))
def test_counts_of_blocks_add_up(texts):
    counts = [count_joined(text) for text in texts]
    assert count_alone(texts[-1], counts[-1]) == count_tokens(texts[-1])
    if not any(map(takes_join, texts[1:])):
        assert sum(counts) == count_joined("\n\n".join(texts))


@pytest.mark.parametrize(
    ("text", "expected"), [("/a", True), ("\x0b\nb", True), ("a/", False), ("  a", False), ("", False)]
)
def test_takes_join(text, expected):
    assert takes_join(text) is expected


SIGNS = st.sampled_from(
    ("a", " ", "!", "\n", "\r", "\x85", "\xa0", "\x1c", "\u2028", "é", "1", "/", "\t", "```", "x.y")
)


@given(st.lists(SIGNS, max_size=60).map("".join) | st.text(), st.integers(1, 20))
def test_what_is_over_for_certain_is(text, limit):
    assert not is_over(text, limit) or count_tokens(text) > limit


@pytest.mark.parametrize(
    ("text", "limit", "expected"), [("oil " * 9, 8, True), ("a" * 257, 2, True), ("oil", 1, False)]
)
def test_is_over(text, limit, expected):
    assert is_over(text, limit) is expected


LINE = st.lists(SIGNS | st.sampled_from((" > ", ">", " >", "> "))).map(lambda signs: " ".join("".join(signs).split()))


@given(LINE, st.text() | st.lists(SIGNS).map("".join))
def test_counts_below_a_line_are_those_of_the_whole(line, text):
    assert count_below(line, text) == count_tokens(line + JOIN + text)
