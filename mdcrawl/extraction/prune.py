"""Prune a container to what a second opinion keeps, and to what belongs to it."""

from __future__ import annotations

import re
from collections import Counter

from lxml.html import HtmlElement

from mdcrawl.extraction.parts import Part
from mdcrawl.extraction.tree import HEADINGS, empty

# A paragraph between kept ones stays from this many words on, when most of it is no link.
PROSE_WORDS = 15
PROSE_LINKS = 0.3
# A paragraph that is mostly a link, between others, sends the reader away ("Read also: …").
LINK_ONLY = 0.5
# A lead of more words than this before the title is no row of links.
LEAD_WORDS = 60
# A button says no more than this.
BUTTON_WORDS = 8
_BUTTON = re.compile(r"(?:^|[\s_-])(?:btn|button|cta)(?=[\s_-]|$)", re.IGNORECASE)
# Elements that stand in the flow of a text; anything else around a part is a box of its own.
_IN_FLOW = frozenset(
    (
        "ul",
        "ol",
        "dl",
        "li",
        "dd",
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "blockquote",
        "figure",
        "figcaption",
        "footer",
    )
)


def prune(parts: list[Part]) -> None:
    """Take out of the tree the parts that are neither covered nor belong to one that is.

    What belongs: code; what stands in one flow with covered parts and between them; prose between
    covered parts; the headings over what is kept; the page's title.
    """
    kept = _kept(parts)
    for part in parts:
        if part not in kept or _is_button(part):
            take_out(part)


def trim(parts: list[Part]) -> None:
    """Take out of the tree what stands around the text of a container that nothing else pruned.

    That is the row of links before the title, the links after the last text (unless a heading of
    their own opens them), and buttons.
    """
    titles = [at for at, part in enumerate(parts) if part.element.tag == "h1"]
    lead = parts[: titles[0]] if titles else []
    if sum(part.words for part in lead) < LEAD_WORDS and all(part.words < PROSE_WORDS for part in lead):
        for part in lead:
            take_out(part)
    for part in _links_at_the_end(parts) + [part for part in parts if _is_button(part)]:
        take_out(part)


def _links_at_the_end(parts: list[Part]) -> list[Part]:
    links: list[Part] = []
    for part in reversed(parts):
        if part.element.tag in HEADINGS:
            return []
        if part.element.tag in {"pre", "td", "th"} or (part.words >= PROSE_WORDS and part.link_density < PROSE_LINKS):
            return links
        if part.link_density > LINK_ONLY:
            links.append(part)
    return []


def _is_button(part: Part) -> bool:
    """Tell a part that is nothing but links drawn as buttons ("Get started")."""
    if part.element.tag != "p" or part.link_density < 1:
        return False
    links = list(part.element.iter("a"))
    drawn = all(_BUTTON.search(a.get("class") or "") or a.get("role") == "button" for a in links)
    return drawn and part.words <= BUTTON_WORDS * len(links)


def _kept(parts: list[Part]) -> set[Part]:
    covered = [at for at, part in enumerate(parts) if part.covered]
    if not covered:
        return set(parts)
    flows = Counter[HtmlElement]()
    for part in parts:
        if part.covered:
            flows[_flow(part.element)] += part.words
    kept = {part for part in parts if part.covered}
    kept.update(part for part in parts[covered[0] : covered[-1]] if not part.covered and _belongs(part, flows))
    over_kept = False
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        if part in kept:
            over_kept = True
        elif part.element.tag in HEADINGS and (
            (at >= covered[0] - 1 and over_kept) or (part.element.tag == "h1" and at < covered[0])
        ):
            kept.add(part)
        else:
            over_kept = False
    return kept


def _belongs(part: Part, flows: Counter[HtmlElement]) -> bool:
    tag = part.element.tag
    if tag == "pre":
        return True
    if tag == "p" and part.words >= PROSE_WORDS and part.link_density < PROSE_LINKS:
        return True
    if tag in HEADINGS or flows[_flow(part.element)] < PROSE_WORDS:
        return False
    parent = part.element.getparent()
    in_text = parent is not None and parent.tag not in {"li", "dd"}
    return not (tag == "p" and in_text and part.link_density > LINK_ONLY)


def _flow(element: HtmlElement) -> HtmlElement:
    """Return the box in whose flow of text an element stands."""
    for ancestor in element.iterancestors():
        if ancestor.tag not in _IN_FLOW:
            return ancestor
    return element


def take_out(part: Part) -> None:
    """Take a part out of its tree; of a cell only what it holds, so that the others stay in their columns."""
    element = part.element
    parent = element.getparent()
    if element.tag in {"td", "th"}:
        empty(element)
    elif parent is not None:
        parent.remove(element)
