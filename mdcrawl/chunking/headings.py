"""Headings to plain text, and blocks to sections with their heading paths."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mdcrawl.markdown.blocks import Block

# Longer headings are paragraphs in disguise. Paths are repeated in every chunk, so they hold only
# this many characters of one.
LONGEST_HEADING = 500

_INLINE = MarkdownIt("commonmark").enable("strikethrough")
# Words between single spaces without any sign that could be a mark: nine of ten headings.
_PLAIN_HEADING = re.compile(r"#{1,6} ([^\s\\*\[\]<>&~`_#{}]+(?: [^\s\\*\[\]<>&~`_#{}]+)*)")
_ATX_MARKS = re.compile(r" {0,3}#{1,6}(?:[ \t]+|\Z)")
_SETEXT_LINE = re.compile(r"\n {0,3}(?:=+|-+)[ \t]*\Z")
_EXPLICIT_ID = re.compile(r"[ \t]*\{#([^\s{}]{1,200})[^{}]{0,200}\}\Z")


def _marked(group: str) -> str:
    """Return the pattern of what is marked in most headings, if anything is; each shown part is a `group`.

    It is code between single backticks, escaped signs, links of words and the entities of signs.
    """
    code = rf"(?<!`)`(?![ `])({group}[^`]+)(?<! )`(?!`)"
    escaped = rf"\\({group}[!-/:-@\[-`{{-~])"
    link = rf"(?<!!)\[({group}[^\[\]\\*<>&~`_!]+)\]\([\w/.:#?=%-]*\)"
    return rf"{code}|{escaped}|{link}|&(?:lt|gt|amp|quot);"


# Beside that there are only words, and brackets without an address behind them. No groups here: within a
# possessive repeat Python 3.11 loses count of them.
_SIMPLE_MARKUP = re.compile(rf"(?:{_marked('?:')}|[^\\*<&~`_\]]|\](?!\()|&(?![#\w])|(?<=\w)_(?=\w))*+")
_MARKED_SIGNS = re.compile(_marked(""))


@dataclass(slots=True)
class Section:
    """One heading and the blocks up to the next heading.

    `leading` holds the headings before this one that have no text of their own, `trailing` those at
    the page's end. `anchor` is the id of the heading's place in the page ("" for none).
    """

    path: tuple[str, ...]
    anchor: str = ""
    level: int = 0
    leading: list[Block] = field(default_factory=list)
    heading: Block | None = None
    blocks: list[Block] = field(default_factory=list)
    trailing: list[Block] = field(default_factory=list)

    def all_blocks(self) -> list[Block]:
        """Return everything the section holds, in order."""
        heading = [self.heading] if self.heading else []
        return [*self.leading, *heading, *self.blocks, *self.trailing]


def heading_text(block: Block) -> str:
    """Return a heading block's plain text: no marks, links, code marks, ids or closing # signs."""
    plain = _PLAIN_HEADING.fullmatch(block.text)
    if plain and len(plain[1]) <= LONGEST_HEADING:
        return plain[1]
    content = _content(block)
    if content.endswith("}"):
        content = _without_id(content)
    content = content[:LONGEST_HEADING]
    if _SIMPLE_MARKUP.fullmatch(content):
        content = _MARKED_SIGNS.sub(_unmarked, content)
    else:
        content = "".join(map(_plain, _INLINE.parseInline(content)[0].children or []))
    return " ".join(content.split())


def _content(block: Block) -> str:
    marks = _ATX_MARKS.match(block.text)
    if not marks:
        return _SETEXT_LINE.sub("", block.text)
    content = block.text[marks.end() :].rstrip(" \t")
    if not content.endswith("#"):
        return content
    opened = content.rstrip("#")
    return opened.rstrip(" \t") if not opened or opened[-1] in " \t" else content


def _without_id(content: str) -> str:
    found = _find_id(content)
    return content[: -len(found[0])] if found else content


def _find_id(content: str) -> re.Match[str] | None:
    return _EXPLICIT_ID.search(content[-500:]) if content.endswith("}") else None


def _unmarked(mark: re.Match[str]) -> str:
    code, escaped, linked = mark.groups()
    return code or escaped or linked or unescape(mark[0])


def _plain(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "image":
        return "".join(map(_plain, token.children or []))
    return "" if token.type == "html_inline" else token.content


class _Anchors:
    """The page's ids by heading text: the n-th heading of a text has the n-th id of that text."""

    def __init__(self, anchors: Sequence[tuple[str, str]]) -> None:
        self._ids: defaultdict[str, deque[str]] = defaultdict(deque)
        for text, anchor in anchors:
            self._ids[" ".join(text.split())].append(anchor)

    def take(self, heading: Block, text: str) -> str:
        ids = self._ids.get(text)
        if ids:
            return ids.popleft()
        explicit = _find_id(_content(heading)) if "{#" in heading.text else None
        return explicit[1] if explicit else ""


def split_sections(blocks: Sequence[Block], title: str, anchors: Sequence[tuple[str, str]] = ()) -> list[Section]:
    """Return the page's sections that have text of their own, in order.

    A path starts with the page's title if it has one; a heading's parents are the nearest headings
    of lower level before it, whatever levels are skipped. A page of nothing but headings is one
    section.
    """
    root = (title[:LONGEST_HEADING],) if title else ()
    ids = _Anchors(anchors)
    stack: list[_Open] = []
    current = Section(root)
    sections: list[Section] = []
    for block in blocks:
        if not block.level:
            current.blocks.append(block)
            continue
        leading = _close(current, sections)
        while stack and stack[-1].level >= block.level:
            stack.pop()
        text = heading_text(block)
        opened = _open(block.level, text, stack[-1] if stack else _Open(0, root, is_bare=True))
        stack.append(opened)
        current = Section(opened.path, ids.take(block, text), block.level, leading, block)
    rest = _close(current, sections)
    if rest and sections:
        sections[-1].trailing = rest
    elif rest:
        current.leading, current.heading, current.trailing = [], None, rest
        sections.append(current)
    return sections


def _close(section: Section, sections: list[Section]) -> list[Block]:
    """Add the section if it has text; return its headings if it has none."""
    if section.blocks:
        sections.append(section)
        return []
    # Handed on, not copied: a page may be a long list of headings.
    if section.heading:
        section.leading.append(section.heading)
    return section.leading


@dataclass(slots=True)
class _Open:
    """A heading whose section is open, and its path; `is_bare` if that is the title's alone."""

    level: int
    path: tuple[str, ...]
    is_bare: bool


def _open(level: int, text: str, above: _Open) -> _Open:
    """Return a heading below another one; the title is not said twice, nor is a heading without text."""
    path = above.path
    if not text:
        return _Open(level, path, above.is_bare)
    if above.is_bare and path and text.casefold() == path[0].casefold():
        return _Open(level, path, is_bare=False)
    return _Open(level, (*path, text), is_bare=False)
