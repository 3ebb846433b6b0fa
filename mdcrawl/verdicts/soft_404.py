"""Pages that say "not found", in words or by being what the site answers for any made-up address."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from mdcrawl.items import Extraction
from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.lexicon import missing as says
from mdcrawl.verdicts.score import Score

_ENOUGH = 5
# Beyond this no evidence would be enough; a page with that much to say is an article.
_MAX_WORDS = 350
_MARK = re.compile(
    r"(?:^|[-_ ])(?:error-?404|page-?404|404(?:-?(?:page|error))?|(?:page-?)?not-?found)(?:$|[-_ ])", re.IGNORECASE
)
# Not the letters of a word: scripts without spaces have no words to pair.
_TOKEN = re.compile(r"[a-z0-9]+|[^\W\d_a-z]", re.IGNORECASE)

# Two answers of one site for made-up addresses differ by the address that they repeat and a
# suggestion or two; two short pages of one template share less than 0.6 (self-made sites).
LIKE = 0.85


@dataclass(frozen=True, slots=True)
class MissingPage:
    """What a site answers for an address that cannot exist: asked for once per site.

    Worth keeping only when the answer has a status of success, and when it is unlike the start
    page: a site that gives its start page for everything tells nothing by it.
    """

    extraction: Extraction
    final_url: str = ""


def says_missing(facts: Facts) -> str:
    """Return why the page says that there is no such page; "" if it does not."""
    score, evidence = Score(), facts.evidence
    if facts.words > _MAX_WORDS:
        return ""
    if facts.is_headline(says.NOT_FOUND, (evidence.title, facts.extraction.title)):
        score.add(2, f"the title says {facts.extraction.title or evidence.title!r}")
    if facts.is_headline(says.NOT_FOUND, facts.headings):
        score.add(2, "a heading says so")
    if not score.points and not says.NOT_FOUND.found_in(facts.text[:200], facts.languages):
        return ""
    if mark := next((mark for mark in evidence.marks if _MARK.search(mark)), ""):
        score.add(2, f"its mark {mark!r}")
    if facts.says(says.ASKED_PAGE) and facts.says(says.NOT_FOUND):
        score.add(2, "it speaks of the page that was asked for")
    if facts.says(says.ADVICE):
        score.add(1, "an apology or advice on the address")
    if facts.words < 25:
        score.add(1)
    score.add(_against(facts))
    return f"{score.says()}, {facts.words} words" if score.points >= _ENOUGH else ""


def _against(facts: Facts) -> int:
    """Return the points against: an article about missing pages has text of its own."""
    points = -2 if facts.has_structure else 0
    if facts.words_beside(says.NOT_FOUND, says.ASKED_PAGE, says.ADVICE) >= 60:
        points -= 2
    if facts.words >= 200:
        return points - 3
    if facts.words >= 120:
        return points - 1
    return points


def is_like_missing(facts: Facts, missing: MissingPage) -> str:
    """Return why the page is what the site answers for any made-up address; "" if it is not.

    The page at the root of a host is never called missing by likeness.
    """
    if facts.was_moved and missing.final_url and facts.url == missing.final_url:
        return "a redirect to where the site sends any made-up address"
    if facts.parts.path in ("", "/"):
        return ""
    value = likeness(facts.extraction, missing.extraction)
    if value < LIKE:
        return ""
    return f"{round(value * 100)} % like the site's answer for a made-up address, {facts.words} words"


def likeness(one: Extraction, other: Extraction) -> float:
    """Return how alike the texts of two pages are, from 0 to 1; 0 if either has hardly any text.

    The share of common pairs of neighbouring words (Dice's coefficient), order aside.
    """
    first, second = _pairs(one), _pairs(other)
    total = first.total() + second.total()
    # A shell of five words is alike on every page of a site, found or not.
    if min(first.total(), second.total()) < 6:
        return 0.0
    return 2 * (first & second).total() / total


def _pairs(page: Extraction) -> Counter[tuple[str, str]]:
    tokens = _TOKEN.findall(f"{page.title}\n{page.markdown[:20_000]}".lower())
    return Counter(pairwise(tokens))
