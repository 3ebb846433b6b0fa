"""Choose the main content of a prepared page: its declared container, the same pruned by a second opinion, or all.

Measured on 244 pages of many kinds (word F1): container alone 0.884, second opinion alone 0.835. The
second opinion is right on articles and keeps one part of pages of many parts (forum, listing,
service). What tells the two apart is the prose that it leaves out: nothing else did as well (length,
links, headings, agreement).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from mdcrawl.extraction.candidates import declared_container
from mdcrawl.extraction.opinion import second_opinion
from mdcrawl.extraction.parts import Part, cover, parts_of
from mdcrawl.extraction.prune import prune, trim
from mdcrawl.extraction.tree import body_of

# A part is prose from this many words on, when most of it is no link.
PROSE_WORDS = 15
PROSE_LINKS = 0.3
# Share of the container's prose that the second opinion must keep to be trusted with the rest.
TRUSTED_PROSE = 0.6
# Below this share of prose the page is a list of things, on which it is not to be trusted.
LEAST_PROSE = 0.15
# Where no container is declared there is less to lose: all of the page is the alternative.
LEAST_PROSE_OF_BODY = 0.05
# So many like siblings make a page of equal parts, if the second opinion leaves out this share of their prose.
LEAST_PARTS = 3
LEFT_OUT = 0.15
_COLLECTIONS = frozenset(("collectionpage", "searchresultspage", "product.group"))
# An answer or a reply with prose is never furniture.
_POST = re.compile(
    r"(?:^|\s)(?:js-)?(?:answer|reply|message|message-?card\S*|post-?(?:body|content|message|text)|topic-post|forum-?post)(?=\s|$)",
    re.IGNORECASE,
)
# The cost of the second opinion grows with the square of the page; of 300 pages the largest has 3,100.
MOST_PARTS = 5000
_REPEATED = frozenset(("div", "article", "section", "li", "tr", "blockquote"))


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen element, which candidate it is, and why the others lost (for debugging)."""

    element: HtmlElement
    extractor: str
    reasons: tuple[str, ...] = field(default=(), repr=False)


def select(tree: HtmlElement, kinds: frozenset[str] = frozenset()) -> Choice:
    """Return the main content of a prepared page; pruning changes the tree in place.

    `kinds` are the types that the page declares, lower case.
    """
    body = body_of(tree)
    container = declared_container(body)
    if container.certain:
        return Choice(container.element, "container", ("second opinion: not asked, the generator's own container",))
    parts = parts_of(container.element)
    if len(parts) > MOST_PARTS:
        return Choice(container.element, container.name, (f"second opinion: not asked about {len(parts)} parts",))
    cover(parts, second_opinion(tree))
    kept, share = _prose_kept(parts)
    least = LEAST_PROSE_OF_BODY if container.name == "body" else LEAST_PROSE
    doubt = ""
    if share < least or kept < TRUSTED_PROSE:
        doubt = f"keeps {kept:.0%} of the prose, which is {share:.0%} of the container"
    elif not kinds.isdisjoint(_COLLECTIONS):
        doubt = "is not for a page that declares itself a collection"
    elif _is_one_of_many(parts):
        doubt = "keeps some of many equal parts"
    if doubt:
        trim(parts)
        return Choice(container.element, container.name, (f"second opinion: {doubt}",))
    prune(parts)
    return Choice(container.element, "pruned", (f"{container.name}: holds parts that the second opinion leaves out",))


def _is_prose(part: Part) -> bool:
    return part.words >= PROSE_WORDS and part.link_density < PROSE_LINKS


def _is_one_of_many(parts: list[Part]) -> bool:
    """Tell a page of equal parts (posts, answers, cards) of which the second opinion keeps only some.

    Equal parts are siblings of one tag and first class name. Cards beside an article are none of
    these: what is kept does not stand in one of them.
    """
    groups: dict[tuple[HtmlElement, str], dict[HtmlElement, list[int]]] = {}
    for part in parts:
        if not _is_prose(part):
            continue
        child = part.element
        for ancestor in child.iterancestors():
            if child.tag in _REPEATED:
                kind = f"{child.tag} {(child.get('class') or '').split(' ')[0]}"
                words = groups.setdefault((ancestor, kind), {}).setdefault(child, [0, 0])
                words[part.covered] += part.words
            child = ancestor
            if not part.covered and _POST.search(child.get("class") or ""):
                return True
    prose = sum(part.words for part in parts if _is_prose(part))
    for siblings in groups.values():
        total = sum(left + kept for left, kept in siblings.values())
        left_out = sum(left for left, kept in siblings.values() if not kept)
        if len(siblings) >= LEAST_PARTS and total > 0.5 * prose and left_out > LEFT_OUT * total:
            return any(kept for _, kept in siblings.values())
    return False


def _prose_kept(parts: list[Part]) -> tuple[float, float]:
    """Return the share of the prose that is covered, and the share of all words that is prose."""
    words = sum(part.words for part in parts)
    prose = [part for part in parts if _is_prose(part)]
    total = sum(part.words for part in prose)
    covered = sum(part.words for part in prose if part.covered)
    return (covered / total if total else 0.0), (total / words if words else 0.0)
