from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.items import Extraction
from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.soft_404 import LIKE, MissingPage, is_like_missing, likeness

GONE = "We looked in every drawer of the workshop, but {} is not among the parts that we keep here."


def page(text: str, title: str = "Workshop") -> Extraction:
    return Extraction(title=title, markdown=text)


def test_answers_that_repeat_the_address_are_alike() -> None:
    assert likeness(page(GONE.format("/docs/a")), page(GONE.format("/docs/zz-9"))) >= LIKE


def test_short_pages_of_one_template_are_not() -> None:
    one = page("# Fuse\n\nRating 2 A, slow. Replace only with the same type.\n\nSpare parts for pumps.")
    other = page("# Seal\n\nMade of rubber, grease it once a year in spring.\n\nSpare parts for pumps.")
    assert likeness(one, other) < 0.6


def test_shells_of_hardly_any_text_tell_nothing() -> None:
    assert likeness(page("Loading", ""), page("Loading", "")) == 0.0


@pytest.mark.parametrize(
    "text",
    ["この部品は倉庫にありません。別の部品を選んでください。", "仓库里没有这个零件，请选择其他零件。"],
    ids=["ja", "zh"],
)
def test_scripts_without_spaces_compare_too(text: str) -> None:
    assert likeness(page(text), page(text)) == 1.0


@given(st.text(max_size=200), st.text(max_size=200))
def test_likeness_is_symmetric_and_within_bounds(one: str, other: str) -> None:
    value = likeness(page(one), page(other))
    assert 0.0 <= value <= 1.0
    assert value == likeness(page(other), page(one))


CASES = {
    "redirect to where made-up addresses go": ("https://a.example/start", "https://a.example/x", "other text", True),
    "the page there itself": ("https://a.example/start", "https://a.example/start", "other text", False),
    "alike elsewhere": ("https://a.example/x", "https://a.example/x", GONE.format("/x"), True),
    "alike at the root": ("https://a.example/", "https://a.example/", GONE.format("/"), False),
    "unlike": ("https://a.example/x", "https://a.example/x", "The seal is made of rubber and lasts a year.", False),
}


@pytest.mark.parametrize(("url", "asked", "text", "expected"), CASES.values(), ids=CASES)
def test_is_like_missing(url: str, asked: str, text: str, expected: bool) -> None:
    missing = MissingPage(page(GONE.format("/never")), "https://a.example/start")
    reason = is_like_missing(Facts(page(text), 200, url, asked, {}), missing)
    assert bool(reason) is expected, reason
