"""Packing the blocks of one section into chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdcrawl.chunking.blocks import Block
from mdcrawl.chunking.fill import Sizes
from mdcrawl.chunking.headings import Section
from mdcrawl.chunking.split import split_block
from mdcrawl.chunking.tokens import JOIN, count_alone, count_joined, count_tokens, takes_join

# The blank line is at most so many tokens; where it would matter, the text alone is counted.
_LARGEST_JOIN = 3
# Sections up to so many characters a token are counted as one text at first: on documentation in
# English 1,571 of 2,062 sections are that short, and 2 of those do not fit.
_LIKELY_CHARACTERS = 3.5
# Blocks up to so many characters a token are counted together; on the same pages all of them fit.
_SURE_CHARACTERS = 2


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
    return Part(crumb, blocks, body, count_tokens(_below(crumb, body)))


def join_blocks(blocks: Sequence[Block]) -> str:
    """Return the Markdown of blocks."""
    return JOIN.join([block.text for block in blocks])


def _below(crumb: str, body: str) -> str:
    return crumb + JOIN + body if crumb else body


class _Unit(NamedTuple):
    """Neighbouring blocks, their Markdown and its tokens before another block; `whole` if not cut."""

    blocks: Sequence[Block]
    text: str
    tokens: int
    whole: bool = True


def _unit(blocks: Sequence[Block], *, whole: bool = True) -> _Unit:
    text = blocks[0].text if len(blocks) == 1 else join_blocks(blocks)
    return _Unit(blocks, text, count_joined(text), whole)


class Packer:
    """Fills one chunk after the other with whole blocks; cuts a block only if it is too large alone.

    Every block's tokens are counted once. Counts of blocks add up exactly (`count_joined`); where a
    block may share a token with the blank line before it, the whole chunk is counted.
    """

    def __init__(self, crumb: str, sizes: Sizes, overlap: int = 0) -> None:
        self.parts: list[Part] = []
        self._crumb = crumb
        self._crumb_tokens = count_joined(crumb) if crumb else 0
        self.room = sizes.room - self._crumb_tokens
        self._hard = max(sizes.hard - self._crumb_tokens, 1) if sizes.hard else 0
        self._overlap = overlap
        self._units: list[_Unit] = []
        self._used = 0
        # Headings alone make no chunk, unless they fill half of one.
        self._bare = True
        self._exact = True

    def put_all(self, blocks: Sequence[Block]) -> None:
        """Add blocks; those that are short enough to fit together are counted together."""
        start = 0
        while start < len(blocks):
            end = self._likely_end(blocks, start)
            unit = _unit(blocks[start:end])
            if unit.tokens <= self.room - self._used:
                self._push(unit)
            elif end - start == 1:
                self._put_unit(unit)
            else:
                for block in unit.blocks:
                    self.put(block)
            start = end

    def put(self, block: Block, reserve: int = 0) -> None:
        """Add a block, keeping `reserve` tokens free after it."""
        self._put_unit(_unit([block]), reserve)

    def close(self) -> None:
        """End the chunk being filled."""
        while self._units:
            self._close_part()

    def _likely_end(self, blocks: Sequence[Block], start: int) -> int:
        """Return the end of the blocks that are all but sure to fit; at least one."""
        end = start + 1
        # Overlap needs the tokens of each block, and headings tell what is bare.
        if self._overlap or blocks[start].level:
            return end
        left = (self.room - self._used) * _SURE_CHARACTERS - len(blocks[start].text)
        while end < len(blocks) and left >= len(blocks[end].text) and not blocks[end].level:
            left -= len(blocks[end].text)
            end += 1
        return end

    def _put_unit(self, unit: _Unit, reserve: int = 0) -> None:
        left = self.room - reserve
        if self._fits(unit, left - self._used):
            self._push(unit)
        elif self._fits(unit, left) and not self._bare:
            self._start(unit)
        else:
            self._put_pieces(unit, reserve)

    @staticmethod
    def _fits(unit: _Unit, tokens: int) -> bool:
        return unit.tokens <= tokens or (
            unit.tokens <= tokens + _LARGEST_JOIN and count_alone(unit.text, unit.tokens) <= tokens
        )

    def _put_pieces(self, unit: _Unit, reserve: int) -> None:
        left = self.room - self._used
        if not self._bare and left * 2 < self.room:
            self._close_part()
            left = self.room - self._used
        room = max(self.room - reserve, 1)
        block = unit.blocks[0]
        pieces = split_block(block, Sizes(max(min(left, room), 1), room, self._hard))
        units = [unit] if pieces == [block] else [_unit([piece], whole=False) for piece in pieces]
        for piece in units:
            if self._bare or self._fits(piece, self.room - self._used):
                self._push(piece)
            else:
                self._start(piece)

    def _push(self, unit: _Unit) -> None:
        if takes_join(unit.text) and (self._units or self._crumb):
            self._exact = False
        self._units.append(unit)
        self._used += unit.tokens
        self._bare = self._bare and unit.blocks[0].level > 0 and self._used * 2 <= self.room

    def _start(self, unit: _Unit) -> None:
        """Start a chunk with the unit, below what is repeated from the chunk before."""
        repeated = self._repeated(min(self._overlap, self.room - unit.tokens))
        self.close()
        for earlier in repeated:
            self._push(earlier)
        self._push(unit)

    def _repeated(self, tokens: int) -> list[_Unit]:
        repeated: list[_Unit] = []
        for unit in reversed(self._units if self._overlap else ()):
            tokens -= unit.tokens
            if tokens < 0 or not unit.whole or unit.blocks[0].level:
                break
            repeated.insert(0, unit)
        return repeated

    def _close_part(self) -> None:
        units = self._units
        kept = len(units)
        last = units[-1]
        blocks = [block for unit in units for block in unit.blocks]
        if self._exact:
            tokens = self._crumb_tokens + self._used - last.tokens + count_alone(last.text, last.tokens)
            part = Part(self._crumb, blocks, JOIN.join([unit.text for unit in units]), tokens)
        else:
            part = whole_part(self._crumb, blocks)
            while kept > 1 and part.tokens > self.room + self._crumb_tokens:
                kept -= 1
                part = whole_part(self._crumb, [block for unit in units[:kept] for block in unit.blocks])
        self.parts.append(part)
        self._units, self._used, self._bare, self._exact = [], 0, True, True
        for unit in units[kept:]:
            self._push(unit)


def pack(section: Section, crumb: str, sizes: Sizes, overlap: int = 0) -> list[Part]:
    """Return the chunks of one section: its headings, its blocks, and headings that end the page."""
    blocks = section.all_blocks()
    if sum([len(block.text) for block in blocks]) <= sizes.room * _LIKELY_CHARACTERS:
        whole = whole_part(crumb, blocks)
        if whole.tokens <= sizes.room:
            return [whole]
    packer = Packer(crumb, sizes, overlap)
    for block in section.leading + ([section.heading] if section.heading else []):
        packer.put(block)
    *most, last = section.blocks or section.trailing
    packer.put_all(most)
    reserve = sum(count_joined(block.text) for block in section.trailing) if section.blocks else 0
    packer.put(last, reserve if reserve * 2 <= packer.room else 0)
    packer.put_all(section.trailing if section.blocks else [])
    packer.close()
    return packer.parts
