"""The parts of a prepared page that hold text, and how a plain text covers them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import HEADINGS

LEAF_TAGS = frozenset((*HEADINGS, "p", "pre", "td", "th", "dt", "caption"))
_NOT_LETTERS = re.compile(r"[\W_]+")
_WORD = re.compile(r"\w+")
# Shorter texts stand in any long text by chance; they count only where the text goes on.
SHORT = 16
WINDOW = 120


@dataclass(slots=True, eq=False)
class Part:
    """One block with text: its element, its letters without spaces and marks, its size in words."""

    element: HtmlElement
    letters: str = field(repr=False)
    words: int
    link_letters: int
    covered: bool = False

    @property
    def link_density(self) -> float:
        """The share of the text that stands in links."""
        return self.link_letters / len(self.letters) if self.letters else 0.0


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, lower case, nothing between them."""
    return _NOT_LETTERS.sub("", text.lower())


def parts_of(body: HtmlElement) -> list[Part]:
    """Return the parts of a prepared tree in document order."""
    parts: list[Part] = []
    inside: HtmlElement | None = None
    for element in body.iter():
        if element.tag not in LEAF_TAGS:
            continue
        if inside is not None and any(a is inside for a in element.iterancestors()):
            continue
        text = "".join(element.itertext())
        letters = letters_of(text)
        if letters:
            inside = element if element.tag in {"td", "th"} else None
            linked = sum(len(letters_of("".join(a.itertext()))) for a in element.iter("a"))
            parts.append(Part(element, letters, len(_WORD.findall(text)), linked))
    return parts


def cover(parts: list[Part], text: str) -> None:
    """Mark the parts whose text stands in `text`, in its order: long ones wherever, short ones where it goes on."""
    whole = letters_of(text)
    at = 0
    for part in parts:
        found = _find(whole, part.letters, at)
        part.covered = found >= 0
        if found >= 0:
            at = found


def _find(whole: str, letters: str, at: int) -> int:
    """Return where in `whole` the letters end, or -1."""
    if len(letters) < SHORT:
        found = whole.find(letters, at, at + WINDOW)
        return found + len(letters) if found >= 0 else -1
    found = whole.find(letters, at)
    if found < 0:
        found = whole.find(letters)
    if found >= 0:
        return found + len(letters)
    if len(letters) > 60:  # a long part that lost a link or a note on the way
        for piece in (letters[:40], letters[-40:]):
            found = whole.find(piece)
            if found >= 0:
                return found + len(piece)
    return -1
