"""Packing the blocks of one section into chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdcrawl.chunking.blocks import Block, BlockKind
from mdcrawl.chunking.fill import Sizes
from mdcrawl.chunking.split import split_block
from mdcrawl.chunking.tokens import JOIN, count_joined, count_tokens, takes_join


class Part(NamedTuple):
    """One chunk's breadcrumb ("" for none), its blocks and the tokens of all of it."""

    crumb: str
    blocks: list[Block]
    tokens: int

    @property
    def body(self) -> str:
        """The chunk's Markdown without the breadcrumb."""
        return JOIN.join([block.text for block in self.blocks])

    @property
    def text(self) -> str:
        """The chunk's Markdown below its breadcrumb."""
        return self.crumb + JOIN + self.body if self.crumb else self.body


class _Unit(NamedTuple):
    """A block with its tokens alone and before another block; `whole` if it was not cut."""

    block: Block
    alone: int
    joined: int
    whole: bool = True


class Packer:
    """Fills one chunk after the other with whole blocks; cuts a block only if it is too large alone.

    Every block's tokens are counted once. Counts of blocks add up exactly (`count_joined`); where a
    block may share a token with the blank line before it, the whole chunk is counted.
    """

    def __init__(self, crumb: str, sizes: Sizes, overlap: int = 0) -> None:
        self.parts: list[Part] = []
        self._crumb = crumb
        self._crumb_tokens = count_joined(crumb)[1] if crumb else 0
        self.room = sizes.room - self._crumb_tokens
        self._hard = max(sizes.hard - self._crumb_tokens, 1) if sizes.hard else 0
        self._overlap = overlap
        self._units: list[_Unit] = []
        self._used = 0
        # Headings alone make no chunk, unless they fill half of one.
        self._bare = True
        self._exact = True

    def put(self, block: Block, reserve: int = 0) -> None:
        """Add a block, keeping `reserve` tokens free after it."""
        unit = _measure(block)
        if self._used + unit.alone + reserve <= self.room:
            self._push(unit)
        elif unit.alone + reserve <= self.room and not self._bare:
            self._start(unit)
        else:
            self._put_pieces(block, reserve)

    def close(self) -> None:
        """End the chunk being filled."""
        while self._units:
            self._close_part()

    def _put_pieces(self, block: Block, reserve: int) -> None:
        left = self.room - self._used
        if not self._bare and left * 2 < self.room:
            self._close_part()
            left = self.room - self._used
        room = max(self.room - reserve, 1)
        pieces = split_block(block, Sizes(max(min(left, room), 1), room, self._hard))
        for piece in pieces:
            unit = _measure(piece, whole=len(pieces) == 1)
            if self._bare or self._used + unit.alone <= self.room:
                self._push(unit)
            else:
                self._start(unit)

    def _push(self, unit: _Unit) -> None:
        self._exact = self._exact and not (takes_join(unit.block.text) and (self._units or self._crumb))
        self._units.append(unit)
        self._used += unit.joined
        self._bare = self._bare and unit.block.kind is BlockKind.HEADING and self._used * 2 <= self.room

    def _start(self, unit: _Unit) -> None:
        """Start a chunk with the unit, below what is repeated from the chunk before."""
        repeated = self._repeated(min(self._overlap, self.room - unit.alone))
        self.close()
        for earlier in repeated:
            self._push(earlier)
        self._push(unit)

    def _repeated(self, tokens: int) -> list[_Unit]:
        repeated: list[_Unit] = []
        for unit in reversed(self._units):
            tokens -= unit.joined
            if tokens < 0 or not unit.whole or unit.block.kind is BlockKind.HEADING:
                break
            repeated.insert(0, unit)
        return repeated

    def _close_part(self) -> None:
        units, kept = self._units, len(self._units)
        tokens = self._crumb_tokens + self._used - units[-1].joined + units[-1].alone
        part = Part(self._crumb, [unit.block for unit in units], tokens)
        while not self._exact:
            part = Part(self._crumb, [unit.block for unit in units[:kept]], 0)
            part = part._replace(tokens=count_tokens(part.text))
            if part.tokens <= self.room + self._crumb_tokens or kept == 1:
                break
            kept -= 1
        self.parts.append(part)
        self._units, self._used, self._bare, self._exact = [], 0, True, True
        for unit in units[kept:]:
            self._push(unit)


def _measure(block: Block, *, whole: bool = True) -> _Unit:
    alone, joined = count_joined(block.text)
    return _Unit(block, alone, joined, whole)


def pack(heads: Sequence[Block], blocks: Sequence[Block], packer: Packer, tail: Sequence[Block] = ()) -> list[Part]:
    """Return the chunks of one section: its headings, its blocks, and headings that end the page."""
    for block in heads:
        packer.put(block)
    reserve = sum(count_joined(block.text)[1] for block in tail)
    for number, block in enumerate(blocks, start=1):
        packer.put(block, reserve=reserve if number == len(blocks) and reserve * 2 <= packer.room else 0)
    for block in tail:
        packer.put(block)
    packer.close()
    return packer.parts
