from __future__ import annotations

import pytest

from mdcrawl.verdicts import lexicon
from mdcrawl.verdicts.lexicon import concept, gates, guards, headline_share, is_headline, missing, notices, ways_said

HEADLINES = {
    "the concept alone": (missing.NOT_FOUND, "Page not found", True),
    "before the site": (missing.NOT_FOUND, "Page not found | Pumps and more of them", True),
    "behind the site": (missing.NOT_FOUND, "Pumps and more — 404", True),
    "with an interjection": (missing.NOT_FOUND, "Oops! That page can’t be found.", True),
    "as the subject of an article": (missing.NOT_FOUND, "How to fix 'page not found' errors", False),
    "a part of a longer statement": (gates.LOGIN, "Login for operators with several plants", False),
    "Russian": (missing.NOT_FOUND, "Страница не найдена", True),
    "Chinese": (guards.HUMAN_CHECK, "安全验证", True),
    "nothing": (missing.NOT_FOUND, "", False),
}


@pytest.mark.parametrize(("idea", "title", "expected"), HEADLINES.values(), ids=HEADLINES)
def test_is_headline(idea: lexicon.Concept, title: str, expected: bool) -> None:
    assert is_headline(idea, [title]) is expected, headline_share(idea, title)


def test_a_fragment_begins_at_a_word_where_there_are_words() -> None:
    idea = concept(pt=r"entrar\b", zh="登录")
    assert [idea.found_in(text) for text in ("entrar", "encontrar", "请登录")] == [True, False, True]


def test_ways_said_counts_different_words_once() -> None:
    assert ways_said(gates.CONSENT, "Cookies, COOKIES and your privacy") == 2


ALL = {
    name: idea
    for module in (gates, guards, missing, notices)
    for name, idea in vars(module).items()
    if isinstance(idea, lexicon.Concept)
}
# Sentences of a manual, a shop and a story, in several languages: none says anything of walls.
NEUTRAL = [
    "The pump keeps the last ten readings in its memory.",
    "Half a litre of dry gin with juniper from the hill.",
    "Die Pumpe behält die letzten zehn Messwerte.",
    "La bomba guarda las diez últimas lecturas.",
    "Насос хранит последние десять показаний.",
    "水泵保存最近的十个读数。",
    "ポンプは最新の測定値を保存する。",
]


@pytest.mark.parametrize("name", [name for name in ALL if name != "ADDRESS"])
def test_neutral_sentences_say_no_concept(name: str) -> None:
    assert [text for text in NEUTRAL if ALL[name].found_in(text)] == []


@pytest.mark.parametrize("name", ALL)
def test_no_concept_is_slow_on_long_text(name: str) -> None:
    # Texts are cut to some thousand characters before they are searched; a pattern that backtracks shows here.
    text = "verify that your page 12 34 56 not in your " * 60
    assert ways_said(ALL[name], text) < 40
