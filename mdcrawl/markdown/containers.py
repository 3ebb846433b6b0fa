"""What lists and block quotes hold: their items, their contents, their fences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token


def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _block_parser()
_MARKER = re.compile(r"( *)([-*+]|\d{1,9}[.)])([ \t]*)")
# Lists whose items have the same space after their markers and whose other lines are indented below it.
_ITEM_TEXT = r"(?![-*+_ \t]*(?:\n|\Z))[^ \t\n][^\n]*+"
SIMPLE_LISTS = tuple(
    re.compile(
        rf"{first}( {{1,4}}){_ITEM_TEXT}(?:\n(?:[ \t]*\n)*(?:{indent}\2[ \t]*[^ \t\n]|{other}\2{_ITEM_TEXT})[^\n]*+)*+"
    )
    for first, other, indent in (
        (r"([-*+])", r"\1", r" "),
        (r"[0-9]([.)])", r"[0-9]\1", r"  "),
        (r"[0-9]{1,2}([.)])", r"[0-9]{1,2}\1", r"   "),
    )
)
# A fence that is closed at its own indent and has no line indented less, which could end an item
# within it. Longer ones are left to the parser, which keeps the search linear.
_CLOSED_FENCE = re.compile(
    r"^( *)(`{3,}|~{3,})([^`\n]*)\n(?:(?!\1\2)(?:\1[^\n]*|[ \t]*)\n){0,300}?\1\2[ \t]*$", re.MULTILINE
)
_QUOTE_MARK = re.compile(r" {0,3}> ?")


class Item(NamedTuple):
    """A list item: what stands before its first line's content, and the content, dedented."""

    marker: str
    content: str


def block_tokens(text: str) -> Sequence[Token]:
    """Return markdown-it's block tokens; inline content is not parsed."""
    return _PARSER.parse(text)


def list_items(text: str) -> list[str]:
    """Return the lines of each top-level item of a list, in order and with every line."""
    lines = text.split("\n")
    if any(pattern.fullmatch(text) for pattern in SIMPLE_LISTS):
        starts = [number for number, line in enumerate(lines) if line[:1] not in ("", " ", "\t")]
    else:
        starts = [token.map[0] for token in block_tokens(text) if _is_item(token) and token.map]
    ends = [*starts[1:], len(lines)]
    return ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _is_item(token: Token) -> bool:
    return token.type == "list_item_open" and token.level == 1


def open_item(text: str) -> Item:
    """Return a list item's marker and content."""
    match = _MARKER.match(text)
    if not match:
        return Item("", text)
    width = len(match[1]) + len(match[2])
    space = _columns(match[3], width) - width
    rest = text[match.end() :]
    # Five columns or more after the marker start indented code one column on; CommonMark 0.31 section 5.2.
    offset = width + (space if rest[:1] not in ("", "\n") and 1 <= space <= 4 else 1)
    first, *others = text[width:].split("\n")
    content = [_dedent(first, offset, width), *(_dedent(line, offset) for line in others)]
    return Item(text[:width].ljust(offset), "\n".join(content))


def _columns(space: str, start: int) -> int:
    """Return the column after white space that starts in a column; tabs stop at every fourth."""
    for sign in space:
        start += 4 - start % 4 if sign == "\t" else 1
    return start


def _dedent(line: str, columns: int, start: int = 0) -> str:
    """Return a line that starts in a column without the white space up to another column."""
    index = 0
    while start < columns and line[index : index + 1] in (" ", "\t"):
        start = _columns(line[index], start)
        index += 1
    return " " * max(start - columns, 0) + line[index:]


def indent(marker: str, content: str) -> str:
    """Return an item of this marker and content: the reverse of `open_item`."""
    first, *others = content.split("\n")
    return "\n".join([marker + first, *(" " * len(marker) + line if line else line for line in others)])


def unquote(text: str) -> str:
    """Return a block quote's content."""
    return "\n".join(_QUOTE_MARK.sub("", line, count=1) for line in text.split("\n"))


def quote(content: str) -> str:
    """Return the content as a block quote."""
    return "\n".join(f"> {line}" if line else ">" for line in content.split("\n"))


class Fences(NamedTuple):
    """A list or quote with every fence inside it closed, and the fences' info strings."""

    text: str
    infos: tuple[str, ...]


def close_fences(text: str) -> Fences:
    """Return a list or quote with every fence inside it closed (the container's end closes it too)."""
    if "```" not in text and "~~~" not in text:
        return Fences(text, ())
    rest = _CLOSED_FENCE.sub("", text)
    if "```" not in rest and "~~~" not in rest:
        return Fences(text, tuple(match[3] for match in _CLOSED_FENCE.finditer(text)))
    lines = text.split("\n")
    infos: list[str] = []
    missing: list[tuple[int, str]] = []
    for token in block_tokens(text):
        if token.type != "fence" or token.map is None:
            continue
        infos.append(token.info)
        first, last = token.map
        prefix = lines[first][: lines[first].index(token.markup)]
        closing = lines[last - 1].lstrip(" \t>").rstrip(" \t")
        closed = last - first > 1 and closing.startswith(token.markup) and not closing.strip(token.markup[0])
        if not closed:
            missing.append((last, re.sub(r"[^>]", " ", prefix) + token.markup))
    for line, closing in reversed(missing):
        lines.insert(line, closing)
    return Fences("\n".join(lines), tuple(infos))
