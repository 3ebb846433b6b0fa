"""Headings to plain text, and blocks to sections with their heading paths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mdcrawl.chunking.blocks import Block, BlockKind

_INLINE = MarkdownIt("commonmark").enable("strikethrough")
_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)(.*?)(?:(?:^|[ \t]+)#+)?[ \t]*$", re.DOTALL)
_SETEXT_LINE = re.compile(r"\n {0,3}(?:=+|-+)[ \t]*$")
_MARKUP = re.compile(r"[\\`*_\[\]<>&!~]")


@dataclass(slots=True)
class Section:
    """One heading and the blocks up to the next heading.

    `leading` holds headings without any text of their own that come before this one; `ordinal`
    counts the page's headings from 0, -1 for what comes before the first.
    """

    path: tuple[str, ...]
    ordinal: int = -1
    level: int = 0
    leading: list[Block] = field(default_factory=list)
    heading: Block | None = None
    blocks: list[Block] = field(default_factory=list)


def heading_text(block: Block) -> str:
    """Return a heading block's plain text: no marks, links, code marks or closing # signs."""
    source = block.text
    atx = _ATX.match(source) if source.lstrip(" ").startswith("#") else None
    content = atx[1] if atx else _SETEXT_LINE.sub("", source)
    if not _MARKUP.search(content):
        return " ".join(content.split())
    tokens = _INLINE.parseInline(content)[0].children or []
    return " ".join("".join(map(_plain, tokens)).split())


def _plain(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "image":
        return "".join(map(_plain, token.children or []))
    return "" if token.type == "html_inline" else token.content


def split_sections(blocks: Sequence[Block], title: str) -> list[Section]:
    """Return the page's sections that have text of their own, in order.

    A path starts with the page's title if it has one; a heading's parents are the nearest headings
    of lower level before it, whatever levels are skipped. A heading without text of its own goes
    with the next section as `leading` (at the page's end with the last one, as its last blocks).
    """
    root = (title,) if title else ()
    stack: list[tuple[int, str]] = []
    current = Section(root)
    sections: list[Section] = []
    ordinal = -1
    for block in blocks:
        if block.kind is not BlockKind.HEADING:
            current.blocks.append(block)
            continue
        ordinal += 1
        leading = _close(current, sections)
        while stack and stack[-1][0] >= block.level:
            stack.pop()
        stack.append((block.level, heading_text(block)))
        current = Section(_path(root, stack), ordinal, block.level, leading, block)
    rest = _close(current, sections)
    if rest and sections:
        sections[-1].blocks.extend(rest)
    elif rest:
        current.leading = []
        current.heading, current.blocks = None, rest
        sections.append(current)
    return sections


def _close(section: Section, sections: list[Section]) -> list[Block]:
    """Add the section if it has text; return its headings if it has none."""
    if section.blocks:
        sections.append(section)
        return []
    return [*section.leading, section.heading] if section.heading else []


def _path(root: tuple[str, ...], stack: list[tuple[int, str]]) -> tuple[str, ...]:
    path = tuple(text for _, text in stack if text)
    if root and path and path[0].casefold() == root[0].casefold():
        return root + path[1:]
    return root + path
