"""Notices in place of a page: maintenance, coming soon, parked domain, old browser, an error, please wait."""

from __future__ import annotations

from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.lexicon import Concept
from mdcrawl.verdicts.lexicon import notices as says
from mdcrawl.verdicts.lexicon.guards import WAITING
from mdcrawl.verdicts.score import Score

_ENOUGH = 3
# The longest notices (parked domains with their links, errors with a stack trace) have about this many words.
_MAX_WORDS = 150
_FEW_WORDS = 40

_NOTICES = {
    "maintenance notice": says.MAINTENANCE,
    "notice of a site to come": says.COMING_SOON,
    "parked domain": says.PARKED,
    "demand for another browser": says.OLD_BROWSER,
    "error message": says.SERVER_ERROR,
    "request to wait": WAITING,
    "loading message": says.LOADING,
}


def notice(facts: Facts) -> str:
    """Return which notice stands in place of the page and by what it is known; "" if none does."""
    if facts.words > _MAX_WORDS or facts.has_structure:
        return ""
    best, points = "", _ENOUGH - 1
    for kind, concept in _NOTICES.items():
        score = _weigh(facts, concept)
        if score.points > points:
            best, points = f"{kind}: {score.says()}", score.points
    return best


def _weigh(facts: Facts, idea: Concept) -> Score:
    score = Score()
    headline = next((title for title in facts.titles if facts.is_headline(idea, (title,))), "")
    if not headline and facts.words >= _FEW_WORDS:
        return score
    ways = facts.ways_said(idea)
    # A page about maintenance or errors has other things to say.
    if not (headline or ways) or facts.words_beside(idea) > _FEW_WORDS:
        return score
    if headline:
        score.add(2, f"the headline {headline[:80]!r}")
    if ways:
        score.add(min(ways, 2), "a text that says so")
    # Eighty words are the floor of a page; a notice beyond it must say so several times.
    if facts.words < _FEW_WORDS:
        score.add(1)
    elif facts.words >= 80:
        score.add(-1)
    return score
