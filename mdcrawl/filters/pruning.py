"""Pruning: out of the main content goes what repeats, what is named as furniture, and loose labels between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from lxml.html import HtmlElement, document_fromstring, tostring

from mdcrawl.extraction.opinion import second_opinion
from mdcrawl.extraction.parts import Part, cover, parts_of
from mdcrawl.extraction.prune import take_out
from mdcrawl.extraction.seams import FilterPage
from mdcrawl.extraction.tree import HEADINGS

# Class names and ids of what stands around a text: prices, people, calls to act.
_FURNITURE = re.compile(
    r"testimonial|review|rating|related|recommend|upsell|cross-sell|promo|newsletter|subscribe|share|social|"
    r"breadcrumb|byline|author|avatar|badge|price|cart|stock|shipping|seller|cta|banner|toolbar|pagination|pager|"
    r"vote|signature|profile|user-?info|postmeta|post-meta|meta\b|tags?\b|cookie|advert|sponsor|rail|sidebar|widget",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"""[.!?:;。！？…]["”’)\]]*\s*\Z""")
# What may stand twice: the same line of code, the same cell.
_MAY_REPEAT = frozenset(("pre", "td", "th", "caption"))
# A text this near to a part, in elements, may name it.
_NEAR = 3
# The cost grows with the square of the page.
MOST_PARTS = 5000


class Pruning:
    """Takes out parts by three rules; a container that a documentation generator wrote stays as it is.

    Measured on 244 pages of many kinds, full against fit: precision 0.901 to 0.933, recall 0.970 to
    0.954. All thresholds were chosen there, each where the loss of recall was half of the gain in
    precision or less (8 letters: 0.016 for 0.007, 12 letters 0.015 for 0.006). In containers of
    generators precision is 0.98, so there is nothing to gain.

    `repeat_letters`: a text of so many letters or more that stands in an earlier one goes, unless it
    is code or a cell. `prose_words` and `prose_links`: a part of so many words, with no more than this
    share of them in links, is prose and stays. `label_words`: below it a part that the second opinion
    leaves out goes even if it ends like a sentence.
    """

    def __init__(
        self, repeat_letters: int = 8, prose_words: int = 15, prose_links: float = 0.3, label_words: int = 10
    ) -> None:
        self._repeat_letters = repeat_letters
        self._prose_words = prose_words
        self._prose_links = prose_links
        self._label_words = label_words

    def __call__(self, root: HtmlElement, page: FilterPage) -> None:
        """Take out what is not fit."""
        parts = parts_of(root)
        if page.extractor == "container" or len(parts) > MOST_PARTS:
            return
        cover(parts, _opinion_on(root))
        gone = {*self._repeated(parts), *filter(self._is_loose, parts)}
        for part in _with_emptied(parts, gone):
            take_out(part)

    def _repeated(self, parts: list[Part]) -> Iterator[Part]:
        earlier = ""
        for part in parts:
            repeats = len(part.letters) >= self._repeat_letters and part.letters in earlier
            if repeats and part.element.tag not in _MAY_REPEAT:
                yield part
            earlier += part.letters + "|"

    def _is_loose(self, part: Part) -> bool:
        """Tell a part that the second opinion leaves out and that is a label, or is named as furniture."""
        tag = part.element.tag
        if part.covered or (tag in HEADINGS and tag != "h1"):  # of several h1 one is the site's or a section's
            return False
        if _is_named_furniture(part.element):
            return True
        if tag == "pre" or (part.words >= self._prose_words and part.link_density < self._prose_links):
            return False
        ends = _SENTENCE_END.search(" ".join(part.element.itertext()).rstrip()[-20:])
        return ends is None or part.words < self._label_words


def _with_emptied(parts: list[Part], gone: set[Part]) -> set[Part]:
    """Return what goes, with the headings but h1 that had something below them of which nothing stays."""
    gone = set(gone)
    for at in range(len(parts) - 1, -1, -1):  # the lower headings first
        if parts[at].element.tag in HEADINGS and parts[at].element.tag != "h1":
            section = _below(parts, at)
            if section and gone.issuperset(section):
                gone.add(parts[at])
    return gone


def _below(parts: list[Part], at: int) -> list[Part]:
    """Return what stands below a heading, up to the next of its level or above."""
    level = str(parts[at].element.tag)

    def is_below(part: Part) -> bool:
        return part.element.tag not in HEADINGS or str(part.element.tag) > level

    return list(takewhile(is_below, parts[at + 1 :]))


def _is_named_furniture(element: HtmlElement) -> bool:
    around = [element, *list(element.iterancestors())[:_NEAR]]
    return any(_FURNITURE.search(f"{each.get('class') or ''} {each.get('id') or ''}") for each in around)


def _opinion_on(root: HtmlElement) -> str:
    html = str(tostring(root, encoding="unicode", with_tail=False))
    return second_opinion(document_fromstring(f"<html><body><article>{html}</article></body></html>"))
