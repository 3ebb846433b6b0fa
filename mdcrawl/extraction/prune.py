"""Prune a container to what a second opinion keeps, and to what belongs to it."""

from __future__ import annotations

from mdcrawl.extraction.parts import Part
from mdcrawl.extraction.tree import HEADINGS, empty

# A paragraph between kept ones stays from this many words on, when most of it is no link.
PROSE_WORDS = 15
PROSE_LINKS = 0.3


def prune(parts: list[Part]) -> None:
    """Take out of the tree the parts that are neither covered nor belong to one that is.

    What belongs: code; the other cells and items of a table or list; prose between covered parts;
    the headings over what is kept; the page's title.
    """
    kept = _kept(parts)
    for part in parts:
        if part not in kept:
            _take_out(part)


def _kept(parts: list[Part]) -> set[Part]:
    covered = [at for at, part in enumerate(parts) if part.covered]
    if not covered:
        return set(parts)
    groups = {group for part in parts if part.covered for group in part.element.iterancestors("table", "ul", "ol", "dl")}
    kept = {part for part in parts if part.covered}
    for part in parts[covered[0] : covered[-1]]:
        if part.element.tag == "pre" or not groups.isdisjoint(part.element.iterancestors("table", "ul", "ol", "dl")):
            kept.add(part)
        elif part.words >= PROSE_WORDS and part.link_density < PROSE_LINKS and part.element.tag == "p":
            kept.add(part)
    over_kept = False
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        if part in kept:
            over_kept = True
        elif part.element.tag in HEADINGS and (over_kept or part.element.tag == "h1") and at >= covered[0] - 1:
            kept.add(part)
        elif part.element.tag == "h1" and at < covered[0]:
            kept.add(part)
        else:
            over_kept = False
    return kept


def _take_out(part: Part) -> None:
    element = part.element
    parent = element.getparent()
    if element.tag in {"td", "th"}:
        empty(element)
    elif parent is not None:
        parent.remove(element)
