"""What walls, missing pages and notices say, by concept, in the languages most used on the web.

No concept decides anything alone: sound pages talk about all of them. A concept counts when it is
a page's headline, or when the page addresses its reader with it, and then only together with the
page's other facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Concept = re.Pattern[str]

# Written without spaces, or with particles fixed to the word: a word may begin anywhere.
_NO_WORD_START = frozenset({"ar", "zh", "ja", "ko", "hi"})

_TITLE_PARTS = re.compile(r"\s+[|·•»–—:-]\s+|\s*[|·•»]\s*")
# What a headline may add without saying more.
_FILLER = re.compile(
    r"\b(?:oops|sorry|error|the|this|that|an?|is|please|we|to|you|your|our|page|site|website|leider|désolé|ops)\b"
    r"|[^\w\s]+"
)


def concept(**fragments: str) -> Concept:
    """Return one pattern from regular expressions by language (ISO 639-1); `any` stands for all.

    A fragment matches from the start of a word, where its language has such a thing, and may end
    within one, so that stems cover inflections.
    """
    parts = [
        f"(?:{fragment})" if language in _NO_WORD_START else rf"(?<!\w)(?:{fragment})"
        for language, fragment in fragments.items()
    ]
    return re.compile("|".join(parts), re.IGNORECASE)


def headline_share(idea: Concept, title: str) -> float:
    """Return how much of a title's most telling part the concept makes up, from 0 to 1.

    A title is "what the page says | site" or the other way round; the parts are weighed apart.

    >>> from mdcrawl.verdicts.lexicon.missing import NOT_FOUND
    >>> headline_share(NOT_FOUND, "Page not found | Pumps"), headline_share(NOT_FOUND, "Pumps")
    (1.0, 0.0)
    >>> headline_share(NOT_FOUND, "How to fix 'page not found' errors") < 0.6
    True
    """
    best = 0.0
    for part in [title, *_TITLE_PARTS.split(title)]:
        clean = part.replace("’", "'").strip(" \t\n.!?…:\u3002\uff01\uff1f").lower()
        told = sum(len(match.group()) for match in idea.finditer(clean))
        if told:
            untold = len(_FILLER.sub("", idea.sub(" ", clean)).replace(" ", ""))
            best = max(best, told / (told + untold))
    return best


def is_headline(idea: Concept, titles: Iterable[str]) -> bool:
    """Return whether one of the titles or headings says the concept and little else."""
    # 0.6: an article about a wall names its subject and something about it.
    return any(headline_share(idea, title) >= 0.6 for title in titles)


def ways_said(idea: Concept, text: str) -> int:
    """Return in how many different words a text says the concept."""
    return len({match.group().lower() for match in idea.finditer(text.replace("’", "'"))})
