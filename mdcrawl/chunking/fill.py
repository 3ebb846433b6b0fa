"""Putting small pieces of text together up to a size, and cutting text at its smallest seams."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

from mdcrawl.chunking.sentences import as_paragraph, split_sentences, split_words
from mdcrawl.chunking.tokens import chosen_tokenizer, count_tokens, encoding, is_over

_EDGES = " \t\n"
_SPARE_CHARACTERS = 32
_SEAM = re.compile(r"[^\w\s]")


class Sizes(NamedTuple):
    """Tokens that the first piece, the other pieces and pieces of code may have (0: any)."""

    first: int
    room: int
    hard: int = 0


Cutter = Callable[[str, Sizes], list[str]]


class _Filling:
    """The group being filled and those that are full."""

    def __init__(self, sizes: Sizes) -> None:
        self.groups: list[str] = []
        self.units: list[str] = []
        self.used = 0
        self.limit = sizes.first
        self._room = sizes.room

    def add(self, unit: str, tokens: int) -> None:
        self.units.append(unit)
        self.used += tokens

    def close(self) -> None:
        """End the group; units that the real count of the whole shows to be too many start the next."""
        kept = len(self.units)
        while kept > 1 and count_tokens("".join(self.units[:kept]).strip(_EDGES)) > self.limit:
            kept -= 1
        self.groups.append("".join(self.units[:kept]))
        self.units = self.units[kept:]
        self.used = sum(map(count_tokens, self.units))
        self.limit = self._room


def fill(units: Iterable[str], sizes: Sizes, smaller: Cutter | None = None) -> list[str]:
    """Return the units joined to groups of the given sizes, in order and byte for byte.

    A unit too large for a group is cut by `smaller`; where that is None or leaves it whole, it
    stands alone.
    """
    filling = _Filling(sizes)
    for unit in units:
        tokens = sizes.room + len(unit) if smaller and is_over(unit, sizes.room) else count_tokens(unit)
        left = filling.limit - filling.used
        # More than once only where the real count put units back.
        while tokens > left and filling.units and (tokens <= sizes.room or not smaller or left * 4 < sizes.room):
            filling.close()
            left = filling.limit - filling.used
        if tokens <= left or not smaller:
            filling.add(unit, tokens)
            continue
        for piece in smaller(unit, Sizes(max(left, 1), sizes.room, sizes.hard)):
            tokens = count_tokens(piece)
            if filling.units and filling.used + tokens > filling.limit:
                filling.close()
            filling.add(piece, tokens)
    while filling.units:
        filling.close()
    return filling.groups


def split_text(text: str, sizes: Sizes) -> list[str]:
    """Return the text cut at sentences, else words, else characters; each piece reads as a paragraph."""
    # One token is kept for the sign that escapes a piece's start.
    sizes = Sizes(max(sizes.first - 1, 1), max(sizes.room - 1, 1))
    pieces = fill(split_sentences(text), sizes, _split_words)
    first, *others = [piece.strip("\n" if index == 0 else _EDGES) for index, piece in enumerate(pieces)]
    if others and first.startswith("```"):
        # No fence while a back quote stood later in the line; it would be one now.
        first = as_paragraph(first)
    return [first, *(as_paragraph(piece) for piece in others if piece)]


def _split_words(text: str, sizes: Sizes) -> list[str]:
    return fill(split_words(text), sizes, split_characters)


def split_characters(text: str, sizes: Sizes) -> list[str]:
    """Return the text cut between characters, at a seam such as ; or / where there is one.

    What a reader sees as one character (with its accents, or joined emoji) is never cut, so one
    such character may be over the size.
    """
    pieces = []
    start = 0
    limit = sizes.first
    width = 0
    while start < len(text):
        end = fitting_end(text, start, limit, width)
        # The next piece will be about as long.
        width = end - start + _SPARE_CHARACTERS
        if end < len(text):
            seams = [seam.end() for seam in _SEAM.finditer(text, (start + end) // 2, end)]
            end = next((seam for seam in reversed(seams) if is_between_characters(text, seam)), end)
        pieces.append(text[start:end])
        start, limit = end, sizes.room
    return pieces


def fitting_end(text: str, start: int, limit: int, width: int = 0) -> int:
    """Return where the longest piece of at most `limit` tokens from `start` ends; one character at least.

    `width` is a guess at its length, which saves time where it is a little too high.
    """
    width = width or max(limit, 4) * 4
    if chosen_tokenizer() is not None:
        return _counted_end(text, start, limit, width)
    tokens = encoding().encode_ordinary(text[start : start + width])
    while len(tokens) <= limit and start + width < len(text):
        width *= 2
        tokens = encoding().encode_ordinary(text[start : start + width])
    end = start + len(encoding().decode_bytes(tokens[: max(limit, 0)]).decode("utf-8", "ignore"))
    while end > start and (not is_between_characters(text, end) or count_tokens(text[start:end]) > limit):
        end -= 1
    if end == start:
        end += 1
        while not is_between_characters(text, end):
            end += 1
    return end


def _counted_end(text: str, start: int, limit: int, width: int) -> int:
    """Return the same by counting alone, the length halved again and again."""
    while start + width < len(text) and count_tokens(text[start : start + width]) <= limit:
        width *= 2
    ends = range(start, min(start + width, len(text)) + 1)
    end = max(ends[bisect_right(ends, limit, key=lambda end: count_tokens(text[start:end])) - 1], start)
    while end > start and not is_between_characters(text, end):
        end -= 1
    end = end if end > start else start + 1
    while not is_between_characters(text, end):
        end += 1
    return end


def is_between_characters(text: str, index: int) -> bool:
    """Return whether a cut at the index leaves whole what a reader sees as one character."""
    if not 0 < index < len(text):
        return True
    before, after = text[index - 1], text[index]
    joined = after in "\u200d\ufe0e\ufe0f\u20e3" or before == "\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff"
    flag = "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff"
    return not joined and not flag and not unicodedata.category(after).startswith("M")
