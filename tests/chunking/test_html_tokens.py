"""Tokens of HTML, counted by parts, are those of the whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.chunking import html_tokens
from mdcrawl.chunking.html_tokens import count_html_tokens
from mdcrawl.chunking.tokens import count_tokens, counting_by
from mdcrawl.seams import Component

# What the alternatives of the vocabulary's pattern tell apart, and what stands around the ends of tags.
_SIGNS = [">", ">", "<", "</", "/>", "'s", "'", "'LL", '="', "-->", "&gt;", "<|endoftext|>", "😀", "_"]
_LETTERS = ["a", "Z", "div", "0", "12345", "é", "e\u0301", "\u0301", "中", "²"]
_SPACES = [" ", "   ", "\n", "\r\n", "\n\n/", "\t", "\xa0", "\u2028", "\x1c"]
_PIECES = st.sampled_from(_SIGNS + _LETTERS + _SPACES)


@given(st.lists(_PIECES, max_size=60).map("".join) | st.text(max_size=80))
def test_parts_add_up_to_the_whole(html: str) -> None:
    assert count_html_tokens(html) == count_tokens(html)


def test_what_pages_share_is_counted_once(monkeypatch) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return count_tokens(text)

    monkeypatch.setattr(html_tokens, "_counts", html_tokens._Counts())
    monkeypatch.setattr(html_tokens, "count_tokens", count)
    menu = "<nav><a>Pump</a><a>Valve</a></nav>"
    count_html_tokens(f"{menu}<p>Oil it.</p>")
    counted.clear()
    count_html_tokens(f"{menu}<p>Clean it.</p>")
    assert counted == [">Clean it.</p"]


def test_what_is_remembered_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(html_tokens, "_counts", counts := html_tokens._Counts())
    monkeypatch.setattr(html_tokens, "_MOST_REMEMBERED", 2000)
    for number in range(100):
        count_html_tokens(f"<p>{number}</p>" + "<b>word</b> " * 4)
        assert sum(map(len, counts)) + 150 * len(counts) <= 2000
    assert counts
    whole = "word " * 1000
    assert count_html_tokens(whole) == count_tokens(whole)
    assert whole not in counts


def test_a_tokenizer_at_the_seam_counts_the_whole() -> None:
    with counting_by(Component.of("tests.chunking.test_html_tokens.count_ends")):
        assert count_html_tokens("<p>a</p>") == 1


def count_ends(text: str) -> int:
    """Count a text as one token where it is whole."""
    return int(text.startswith("<p>") and text.endswith("</p>"))
