"""Markdown to its top-level blocks, by CommonMark 0.31 and pipe tables."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from markdown_it import MarkdownIt


class BlockKind(StrEnum):
    """What a block is to the packer."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    CODE = "code"
    TABLE = "table"
    LIST = "list"
    QUOTE = "quote"
    HTML = "html"
    RULE = "rule"


class Block(NamedTuple):
    """One top-level block: its kind, its lines as written, and a heading's level (else 0)."""

    kind: BlockKind
    text: str
    level: int = 0


_KINDS = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "table_open": BlockKind.TABLE,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "blockquote_open": BlockKind.QUOTE,
    "html_block": BlockKind.HTML,
    "hr": BlockKind.RULE,
}


def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _block_parser()


def split_blocks(markdown: str) -> list[Block]:
    """Return the top-level blocks in order; together they hold every line that is not blank.

    Lines that CommonMark gives no block (link reference definitions) come as paragraphs. Line ends
    must be newlines only. Raises nothing.
    """
    lines = markdown.split("\n")
    blocks: list[Block] = []
    end = 0
    for token in _PARSER.parse(markdown):
        if token.level or token.map is None or token.type not in _KINDS:
            continue
        _add(blocks, BlockKind.PARAGRAPH, lines[end : token.map[0]])
        end = token.map[1]
        level = int(token.tag[1]) if token.type == "heading_open" else 0
        _add(blocks, _KINDS[token.type], lines[token.map[0] : end], level)
    _add(blocks, BlockKind.PARAGRAPH, lines[end:])
    return blocks


def _add(blocks: list[Block], kind: BlockKind, lines: list[str], level: int = 0) -> None:
    text = "\n".join(lines)
    if text.strip(" \t\n"):
        blocks.append(Block(kind, text, level))
