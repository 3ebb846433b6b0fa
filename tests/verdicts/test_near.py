"""Near pages: found whatever their number, told from pages of one template."""

from __future__ import annotations

import random

import pytest

from mdcrawl.discovery.traps import sketch
from mdcrawl.verdicts.near import MAX_EXAMPLES, find_near, share

WORDS = [f"{first}{second}{third}" for first in "bcdfg" for second in "aeiou" for third in "lmnrst"]


def text(seed: int, count: int = 400) -> list[str]:
    return random.Random(seed).choices(WORDS, k=count)


def with_other_words(words: list[str], count: int) -> list[str]:
    """Return the words with so many of them, evenly spread, put into others."""
    changed = list(words)
    for at in range(0, len(words), len(words) // count):
        changed[at] = "otherwise"
    return changed


def pages(*texts: list[str]) -> list[tuple[str, list[int]]]:
    return [(f"/{at}", sorted(sketch(" ".join(words)))) for at, words in enumerate(texts)]


@pytest.mark.parametrize(
    ("other", "is_near"),
    [
        pytest.param(text(1), True, id="the same"),
        pytest.param(with_other_words(text(1), 2), True, id="two words of four hundred"),
        pytest.param([*text(1), *text(2, 10)], True, id="a sentence more"),
        pytest.param(with_other_words(text(1), 80), False, id="a fifth of the words"),
        pytest.param([*text(1, 100), *text(2, 300)], False, id="the same beginning"),
        pytest.param(text(2), False, id="another text"),
    ],
)
def test_near_page(other, is_near):
    found = find_near(pages(text(1), other))
    assert found.examples == ((("/1", "/0"),) if is_near else ())
    assert found.count == is_near


def test_all_of_a_large_group_are_counted_and_some_shown():
    group = [with_other_words(text(1), 3)[:-at] if at else text(1) for at in range(50)]
    found = find_near(pages(*group))
    assert found.count >= 45
    assert len(found.examples) == MAX_EXAMPLES


def test_what_stands_on_every_page_makes_none_near():
    found = find_near(pages(*([*text(0, 60), *text(seed)] for seed in range(1, 60))))
    assert found.count == 0


def test_short_pages_say_too_little():
    assert find_near(pages(text(1, 10), text(1, 10))).count == 0


def test_share_follows_the_overlap():
    shares = [share(*(page[1] for page in pages(text(1), with_other_words(text(1), count)))) for count in (2, 20, 100)]
    assert shares == sorted(shares, reverse=True)
