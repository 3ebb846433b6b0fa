"""Cutting one block that is too large into its next smaller units."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from mdcrawl.chunking.fill import Sizes, fill, split_characters, split_text
from mdcrawl.chunking.tokens import JOIN, count_tokens
from mdcrawl.markdown.blocks import Block, BlockKind, split_blocks
from mdcrawl.markdown.containers import indent, list_items, open_item, quote, unquote

# Lists and quotes in lists and quotes are taken apart this deep; what is deeper is cut as text.
_DEEPEST = 8
_FENCE_LINE = re.compile(r"( {0,3})(`{3,}|~{3,})[^\n]*\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ROW_END = re.compile(r"</tr\s*>\s*(?:</t(?:head|body)\s*>\s*)?(?:<tbody[^<>]*>\s*)?", re.IGNORECASE)


def split_block(block: Block, sizes: Sizes, depth: int = 0) -> list[Block]:
    """Return the block in pieces of the given sizes, each valid Markdown of its own.

    Code comes back whole unless it is over `sizes.hard`. Pieces are larger than asked for only
    where nothing smaller is left: one table row, one character.
    """
    return [Block(block.kind, text, block.level) for text in _split(block, sizes, depth) if text]


def _split(block: Block, sizes: Sizes, depth: int) -> list[str]:
    if block.kind is BlockKind.CODE:
        return _split_code(block.text, sizes)
    if block.kind is BlockKind.TABLE:
        return _split_table(block.text, sizes)
    if block.kind is BlockKind.HTML:
        return _split_html(block.text, sizes)
    if block.kind is BlockKind.LIST and depth < _DEEPEST:
        items = [item + "\n" for item in list_items(block.text)]
        return [piece.strip("\n") for piece in fill(items, sizes, _item_cutter(depth))]
    if block.kind is BlockKind.QUOTE and depth < _DEEPEST:
        return _decorated(unquote(block.text), lambda _, content: quote(content), sizes, depth)
    return split_text(block.text, sizes)


def _item_cutter(depth: int) -> Callable[[str, Sizes], list[str]]:
    def cut(text: str, sizes: Sizes) -> list[str]:
        marker, content = open_item(text.rstrip("\n"))
        pieces = _decorated(content, lambda number, piece: piece if number else indent(marker, piece), sizes, depth)
        return [piece + JOIN for piece in pieces]

    return cut


def _decorated(content: str, decorate: Callable[[int, str], str], sizes: Sizes, depth: int) -> list[str]:
    """Return the content's pieces as `decorate(number, piece)` dresses them, within the sizes."""
    pieces: list[str] = []
    for share in (1.0, 0.85, 0.7, 0.5):
        plain = _split_content(
            content, Sizes(int(sizes.first * share) or 1, int(sizes.room * share) or 1, sizes.hard), depth
        )
        pieces = [decorate(number, piece) for number, piece in enumerate(plain)]
        limits = [sizes.first] + [sizes.room] * len(pieces)
        if all(
            count_tokens(piece) <= limit or count_tokens(bare) > limit
            for piece, bare, limit in zip(pieces, plain, limits, strict=False)
        ):
            break
    return pieces


def _split_content(content: str, sizes: Sizes, depth: int) -> list[str]:
    """Return a container's blocks, packed to pieces."""

    def smaller(text: str, sizes: Sizes) -> list[str]:
        pieces = [piece for block in split_blocks(text) for piece in split_block(block, sizes, depth + 1)]
        return [piece.text + JOIN for piece in pieces]

    groups = fill([block.text + JOIN for block in split_blocks(content)], sizes, smaller)
    return [group.rstrip("\n") for group in groups]


def _split_table(text: str, sizes: Sizes) -> list[str]:
    header, delimiter, *rows = text.split("\n")
    head = f"{header}\n{delimiter}\n"
    return _split_rows(text, head, [row + "\n" for row in rows], "", sizes)


def _split_html(text: str, sizes: Sizes) -> list[str]:
    ends = [match.end() for match in _ROW_END.finditer(text)] if text[:6].lower() == "<table" else []
    if len(ends) > 2:
        rows = [text[start:end] for start, end in zip(ends, [*ends[1:-1], len(text)], strict=False)]
        return _split_rows(text, text[: ends[0]], rows, "</table>", sizes)
    groups = fill([line + "\n" for line in text.split("\n")], sizes, split_text)
    return [group.strip("\n") for group in groups]


def _split_rows(text: str, head: str, rows: list[str], tail: str, sizes: Sizes) -> list[str]:
    """Return the rows in pieces under the head, each but the last ended by `tail`; a row is not cut."""
    cost = count_tokens(head + tail)
    if cost * 2 > sizes.room:
        # Repeated above every few rows, such a head would multiply the page.
        return split_text(text, sizes)
    groups = fill(rows, Sizes(max(sizes.first - cost, 1), sizes.room - cost))
    closed = [head + group + tail for group in groups[:-1]] + [head + group for group in groups[-1:]]
    return [piece.rstrip("\n") for piece in closed]


def _split_code(text: str, sizes: Sizes) -> list[str]:
    if not sizes.hard or count_tokens(text) <= sizes.hard:
        return [text]
    opening = _FENCE_LINE.match(text)
    if not opening:
        return [piece.strip("\n") for piece in _split_lines(text, Sizes(sizes.hard, sizes.hard))]
    body = text[opening.end() : text.rfind("\n") + 1]
    closing = opening[1] + opening[2]
    room = max(sizes.hard - count_tokens(opening[0] + closing), 1)
    pieces = [piece if piece.endswith("\n") else piece + "\n" for piece in _split_lines(body, Sizes(room, room))]
    return [opening[0] + piece + closing for piece in pieces]


def _split_lines(code: str, sizes: Sizes) -> list[str]:
    """Return code cut at blank lines, else lines, else characters."""
    lines = _LINE.findall(code)
    starts = [number for number in range(1, len(lines)) if not lines[number - 1].strip() and lines[number].strip()]
    edges = [0, *starts, len(lines)]
    paragraphs = ["".join(lines[start:end]) for start, end in pairwise(edges)]
    return fill(paragraphs, sizes, lambda paragraph, sizes: fill(_LINE.findall(paragraph), sizes, split_characters))
