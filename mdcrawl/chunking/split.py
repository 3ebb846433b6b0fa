"""Cutting one block that is too large into its next smaller units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from mdcrawl.chunking.blocks import Block, BlockKind
from mdcrawl.chunking.sentences import split_sentences
from mdcrawl.chunking.tokens import count_tokens, encoding

_WORDS = re.compile(r"\s*\S+(?:\s+\Z)?|\s+\Z")
_SEAM = re.compile(r"[^\w\s]")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)")


def split_block(block: Block, first: int, room: int) -> list[Block]:
    """Return the block in pieces of at most `room` tokens, the first of at most `first`.

    Code comes back whole. Other pieces are larger only where nothing smaller is left: one table row,
    one character.
    """
    if block.kind is BlockKind.CODE:
        return [block]
    if block.kind is BlockKind.TABLE:
        texts = _split_table(block.text, first, room)
    elif block.kind is BlockKind.LIST:
        texts = _split_list(block.text, first, room)
    else:
        texts = split_text(block.text, first, room)
    return [Block(block.kind, text, block.level) for text in texts]


def _split_table(text: str, first: int, room: int) -> list[str]:
    lines = text.split("\n")
    head, rows = "\n".join(lines[:2]) + "\n", lines[2:]
    cost = count_tokens(head)
    groups = fill([row + "\n" for row in rows], first - cost, room - cost)
    return [head + group for group in groups] or [text]


def _split_list(text: str, first: int, room: int) -> list[str]:
    items: list[list[str]] = []
    for line in text.split("\n"):
        if not items or _ITEM.match(line):
            items.append([])
        items[-1].append(line)
    return fill(["\n".join(item) + "\n" for item in items], first, room, smaller=split_text)


def split_text(text: str, first: int, room: int) -> list[str]:
    """Return the text cut at sentences, else words, else characters."""
    return fill(split_sentences(text), first, room, smaller=_split_words)


def _split_words(text: str, first: int, room: int) -> list[str]:
    return fill(_WORDS.findall(text), first, room, smaller=split_characters)


def fill(
    units: Iterable[str], first: int, room: int, smaller: Callable[[str, int, int], list[str]] | None = None
) -> list[str]:
    """Return the units joined up to `room` tokens each, the first group up to `first`.

    A unit above `room` is cut by `smaller`, or stands alone where there is none.
    """
    groups: list[str] = []
    current = ""
    used = 0
    limit = first
    for unit in units:
        cost = count_tokens(unit)
        if current and used + cost > limit and (not smaller or cost <= room):
            groups.append(current)
            current, used, limit = "", 0, room
        if cost <= limit - used or not smaller:
            current += unit
            used += cost
            continue
        pieces = smaller(unit, limit - used, room)
        groups += [current + pieces[0], *pieces[1:-1]] if len(pieces) > 1 else []
        current = pieces[-1]
        used, limit = count_tokens(current), room
    groups.append(current)
    return [group.strip("\n") for group in groups if group.strip()]


def split_characters(text: str, first: int, room: int) -> list[str]:
    """Return the text cut between characters, never inside what a reader sees as one."""
    pieces = []
    start = 0
    limit = max(first, 1)
    while start < len(text):
        end = _cut(text, start, limit)
        pieces.append(text[start:end])
        start, limit = end, max(room, 1)
    return pieces


def _cut(text: str, start: int, limit: int) -> int:
    """Return where a piece of at most `limit` tokens from `start` ends; at least one character on."""
    width = limit * 4
    tokens = encoding().encode_ordinary(text[start : start + width])
    while len(tokens) <= limit and start + width < len(text):
        width *= 2
        tokens = encoding().encode_ordinary(text[start : start + width])
    end = start + len(encoding().decode_bytes(tokens[:limit]).decode("utf-8", "ignore"))
    while end > start and (not _between_characters(text, end) or count_tokens(text[start:end]) > limit):
        end -= 1
    if end > start:
        # A seam such as ; or / in the piece's second half is a better end than a cut word.
        seams = [match.end() for match in _SEAM.finditer(text, (start + end) // 2, end)]
        return seams[-1] if seams and end < len(text) and _between_characters(text, seams[-1]) else end
    end = start + 1
    while not _between_characters(text, end):
        end += 1
    return end


def _between_characters(text: str, index: int) -> bool:
    if index >= len(text):
        return True
    after, before = text[index], text[index - 1]
    joined = after in "\u200d\ufe0e\ufe0f" or before == "\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff"
    return not joined and not unicodedata.category(after).startswith("M")
