"""Packing the blocks of one section into chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mdcrawl.chunking.fill import Sizes
from mdcrawl.chunking.headings import Section
from mdcrawl.chunking.split import split_block
from mdcrawl.chunking.tokens import (
    JOIN,
    count_all_joined,
    count_alone,
    count_below,
    count_tokens,
    is_over,
    takes_join,
)
from mdcrawl.markdown.blocks import Block

# The blank line is at most so many tokens; where it would matter, the text alone is counted.
_LARGEST_JOIN = 3
# Sections up to so many characters a token are counted as one text at first: on documentation in
# English 1,571 of 2,062 sections are that short, and 2 of those do not fit.
_LIKELY_CHARACTERS = 3.5


class Part(NamedTuple):
    """One chunk: its breadcrumb ("" for none), its blocks, their Markdown and the tokens of it all."""

    crumb: str
    blocks: Sequence[Block]
    body: str
    tokens: int

    @property
    def text(self) -> str:
        """The chunk's Markdown below its breadcrumb."""
        return _below(self.crumb, self.body)


def whole_part(crumb: str, blocks: Sequence[Block]) -> Part:
    """Return the blocks as one chunk, whatever its size."""
    body = join_blocks(blocks)
    return Part(crumb, blocks, body, _count(crumb, body))


def _count(crumb: str, body: str) -> int:
    return count_below(crumb, body) if crumb else count_tokens(body)


def join_blocks(blocks: Sequence[Block]) -> str:
    """Return the Markdown of blocks."""
    return JOIN.join([block.text for block in blocks])


def _below(crumb: str, body: str) -> str:
    return crumb + JOIN + body if crumb else body


@dataclass(slots=True)
class Unit:
    """A block and its tokens before another one; `whole` if it was not cut."""

    block: Block
    tokens: int
    whole: bool = True


def measure_all(blocks: Sequence[Block], max_tokens: int) -> list[Unit]:
    """Return the blocks with their tokens; those sure to be over the limit, which will be cut, only as that."""
    long = max_tokens * _LIKELY_CHARACTERS
    if max([len(block.text) for block in blocks], default=0) <= long:
        return measure(blocks)
    return [
        Unit(block, max_tokens + len(block.text), whole=False)
        if len(block.text) > long and is_over(block.text, max_tokens)
        else measure([block])[0]
        for block in blocks
    ]


def measure(blocks: Sequence[Block], *, whole: bool = True) -> list[Unit]:
    """Return the blocks with their tokens."""
    return [
        Unit(block, tokens, whole)
        for block, tokens in zip(blocks, count_all_joined([block.text for block in blocks]), strict=True)
    ]


class Packer:
    """Fills one chunk after the other with whole blocks; cuts a block only if it is too large alone.

    Every block's tokens are counted once. Counts of blocks add up exactly (`count_joined`); where a
    block may share a token with the blank line before it, the whole chunk is counted.
    """

    def __init__(self, crumb: str, sizes: Sizes, overlap: int = 0) -> None:
        self.parts: list[Part] = []
        self._crumb = crumb
        self._crumb_tokens = count_below(crumb, "") if crumb else 0
        self.room = sizes.room - self._crumb_tokens
        self._hard = max(sizes.hard - self._crumb_tokens, 1) if sizes.hard else 0
        self._overlap = overlap
        self._units: list[Unit] = []
        self._used = 0

    def put(self, unit: Unit, reserve: int = 0) -> None:
        """Add a block, keeping `reserve` tokens free after it."""
        left = self.room - reserve
        free = left - self._used
        if unit.tokens <= free or self._fits(unit, free):
            self._push(unit)
        elif not self._is_bare() and self._fits(unit, left):
            self._start(unit)
        else:
            self._put_pieces(unit, reserve)

    def close(self) -> None:
        """End the chunk being filled."""
        while self._units:
            self._close_part()

    @staticmethod
    def _fits(unit: Unit, tokens: int) -> bool:
        return unit.tokens <= tokens or (
            unit.tokens <= tokens + _LARGEST_JOIN and count_alone(unit.block.text, unit.tokens) <= tokens
        )

    def _put_pieces(self, unit: Unit, reserve: int) -> None:
        left = self.room - self._used
        if not self._is_bare() and left * 2 < self.room:
            self._close_part()
            left = self.room - self._used
        room = max(self.room - reserve, 1)
        block = unit.block
        pieces = split_block(block, Sizes(max(min(left, room), 1), room, self._hard))
        units = [unit] if unit.whole and pieces == [block] else measure(pieces, whole=False)
        for piece in units:
            if self._is_bare() or self._fits(piece, self.room - self._used):
                self._push(piece)
            else:
                self._start(piece)

    def _push(self, unit: Unit) -> None:
        self._units.append(unit)
        self._used += unit.tokens

    def _is_bare(self) -> bool:
        """Return whether there is nothing but headings, which make no chunk unless they fill half of one."""
        return self._used * 2 <= self.room and all(unit.block.level for unit in self._units)

    def _start(self, unit: Unit) -> None:
        """Start a chunk with the unit, below what is repeated from the chunk before."""
        repeated = self._repeated(min(self._overlap, self.room - unit.tokens))
        self.close()
        for earlier in repeated:
            self._push(earlier)
        self._push(unit)

    def _repeated(self, tokens: int) -> list[Unit]:
        repeated: list[Unit] = []
        for unit in reversed(self._units if self._overlap else ()):
            tokens -= unit.tokens
            if tokens < 0 or not unit.whole or unit.block.level:
                break
            repeated.insert(0, unit)
        return repeated

    def _close_part(self) -> None:
        units = self._units
        kept = len(units)
        last = units[-1]
        blocks = [unit.block for unit in units]
        texts = [block.text for block in blocks]
        if not any(map(takes_join, texts if self._crumb else texts[1:])):
            tokens = self._crumb_tokens + self._used - last.tokens + count_alone(texts[-1], last.tokens)
            part = Part(self._crumb, blocks, JOIN.join(texts), tokens)
        else:
            part = whole_part(self._crumb, blocks)
            while kept > 1 and part.tokens > self.room + self._crumb_tokens:
                kept -= 1
                part = whole_part(self._crumb, blocks[:kept])
        self.parts.append(part)
        self._units, self._used = [], 0
        for unit in units[kept:]:
            self._push(unit)


def pack(section: Section, crumb: str, sizes: Sizes, overlap: int = 0) -> list[Part]:
    """Return the chunks of one section: its headings, its blocks, and headings that end the page."""
    blocks = section.all_blocks()
    body = join_blocks(blocks)
    if len(body) <= sizes.room * _LIKELY_CHARACTERS:
        tokens = _count(crumb, body)
        if tokens <= sizes.room:
            return [Part(crumb, blocks, body, tokens)]
    packer = Packer(crumb, sizes, overlap)
    units = measure_all(blocks, sizes.room)
    tail = len(units) - len(section.trailing)
    reserve = sum([unit.tokens for unit in units[tail:]])
    for number, unit in enumerate(units, start=1):
        packer.put(unit, reserve if number == tail and reserve * 2 <= packer.room else 0)
    packer.close()
    return packer.parts
