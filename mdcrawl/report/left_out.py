"""Which texts of a page its Markdown left out, told by the words that stand together in both."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from mdcrawl.extraction.receipt import MARKS, words_of

# Words in a row that tell a sentence from a word that occurs anyway; a menu has its words in another order.
SHINGLE = 3
# Words of a text that is surely of the content: what stands in menus is shorter.
PROSE = 6


class Fate(StrEnum):
    """What became of a text: kept, left out around what was kept, or left out in the midst of it."""

    KEPT = "kept"
    OUT = "out"
    GAP = "gap"


def fates_of(texts: Sequence[str], markdown: str) -> list[Fate]:
    """Return the fate of each of a page's texts, given in its order.

    A text is kept if at least half of its words stand in the Markdown together with their neighbours.
    One without a word has no fate of its own and counts as kept.

    >>> texts = ["Menu Home", "Oil the pin of the hinge.", "Copy", "Do so twice a year, not more."]
    >>> [str(fate) for fate in fates_of(texts, "Oil the pin of the hinge. Do so twice a year, not more.")]
    ['out', 'kept', 'gap', 'kept']
    """
    words = [words_of(_plain(text)) for text in texts]
    are_kept = iter(_kept([word for each in words for word in each], words_of(_plain(MARKS.sub(" ", markdown)))))
    fates = [_fate([next(are_kept) for _ in each]) for each in words]
    return _with_gaps(fates, [len(each) for each in words])


def _plain(text: str) -> str:
    return text.replace("\\", "")


def _kept(words: Sequence[str], of_markdown: Sequence[str]) -> list[bool]:
    """Return for each word whether some shingle that it is in is in the Markdown too."""
    size = max(1, min(SHINGLE, len(of_markdown)))
    known = {tuple(of_markdown[at : at + size]) for at in range(len(of_markdown) - size + 1)}
    kept = [False] * len(words)
    for at in range(len(words) - size + 1):
        if tuple(words[at : at + size]) in known:
            kept[at : at + size] = [True] * size
    return kept


def _fate(are_kept: Sequence[bool]) -> Fate:
    return Fate.KEPT if 2 * sum(are_kept) >= len(are_kept) else Fate.OUT


def _with_gaps(fates: list[Fate], sizes: Sequence[int]) -> list[Fate]:
    """Tell what lies between the first and the last prose that was kept from what lies around it."""
    prose = [at for at, fate in enumerate(fates) if fate is Fate.KEPT and sizes[at] >= PROSE]
    if not prose:
        return fates
    return [Fate.GAP if fate is Fate.OUT and prose[0] < at < prose[-1] else fate for at, fate in enumerate(fates)]
