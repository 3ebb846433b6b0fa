"""Markdown to its top-level blocks, by CommonMark 0.31 and pipe tables.

markdown-it-py knows the rules; parsing a whole page with it costs twice as much as counting the
page's tokens, though. So blocks that one pattern tells for certain (nine of ten in documentation) are
read by that pattern, and markdown-it-py reads the rest, up to the next line where nothing is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from markdown_it.common.html_blocks import block_names
from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR

from mdcrawl.markdown.containers import SIMPLE_LISTS, block_tokens, close_fences


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


# A block that was read, and where it ends.
_Found = tuple[Block, int]

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

# Reading an enumeration's member is slow enough to matter for the three most common kinds.
_HEADING, _PARAGRAPH, _CODE = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CODE

_NEXT_LINE = re.compile(r"(?:[ \t]*\n)*+(?=[ \t]*[^ \t\n])")
# Nothing is open at a line that follows a blank line, is not indented and is no list item.
_NO_ITEM = r"(?=[^ \t\n])(?![-*+](?:[ \t\n]|\Z)|[0-9]{1,9}[.)])"
_SAFE_LINE = re.compile(rf"\n[ \t]*\n{_NO_ITEM}")

# A pattern that ends so holds only if its block is sure to end there; none gives back a line to
# make that true, so each reads its lines once.
_BLANK_NEXT = r"(?=[ \t]*(?:\Z|\n[ \t]*(?:\n|\Z)))"
_LINE_ENDS = r"(?=\n|\Z)"

_RULE = re.compile(rf"(?:(?:-[ \t]*){{3,}}|(?:\*[ \t]*){{3,}}|(?:_[ \t]*){{3,}}){_LINE_ENDS}")
_FENCE = re.compile(rf"( {{0,3}})(?:(`{{3,}})[^`\n]*|(~{{3,}})[^\n]*){_LINE_ENDS}")
# A line that starts so starts nothing but a paragraph: not a list, rule, table or its delimiter row,
# quote, heading, underline of a heading, fence, HTML or link reference definition.
_WORDS = (
    r"(?:[A-Za-z(\"'$&@%^{},.;/\\!?]|[^\x00-\x7f]|\*+[^\s*]|_+[^\s_]|`(?!`)|``(?!`)|=+[^\s=]"
    r"|\[[^\]\\\n]*\](?!:)|[0-9]+[^0-9.)\n]|:[ \t]*(?:[^\-:|\s]|(?=\n)))"
)
# After its address a definition goes on with nothing but a title, so this is none: a footnote, mostly.
_NO_DEFINITION = rf"\[[^\]\\\n]+\]:[ \t]*(?:\n[ \t]*(?={_WORDS}))?[^\s<]+[ \t]+[^\s\"'(]"
_PLAIN_START = rf"(?:{_WORDS}|{_NO_DEFINITION})"
# Within a paragraph, no definition can start, nor HTML by a tag that is none of a block's.
_BLOCK_TAGS = "|".join(["script", "pre", "style", "textarea", *block_names])
_GOES_ON = rf"(?:{_WORDS}|\[|</?(?!(?i:{_BLOCK_TAGS})(?:[\s/>]|\Z))[A-Za-z])"
_PLAIN_LINES = (
    rf"[^\n]*+(?:\n[ \t]*{_GOES_ON}[^\n]*+)*+"
    rf"(?:{_BLANK_NEXT}|(?=\n(?:#{{1,6}}[ \t]|```[^`\n]*(?:\n|\Z)|(?:[-*+]|1[.)])[ \t]+[^ \t\n])))"
)
_PARAGRAPH_LINES = re.compile(rf" {{0,3}}{_PLAIN_START}{_PLAIN_LINES}")
# The three most common kinds in one pattern; a heading has its signs as a group, a fence that is closed at the
# first line that could close it its mark. What else may be code or HTML is no match.
_CLOSED_FENCE = rf"(`{{3,}}+)[^`\n]*\n(?:(?! {{0,3}}\2)[^\n]*\n)*+ {{0,3}}\2`*+[ \t]*{_LINE_ENDS}"
_COMMON = re.compile(
    rf"(#{{1,6}})(?:[ \t][^\n]*)?{_LINE_ENDS}|(?![`~ <\t#]){_PLAIN_START}{_PLAIN_LINES}|{_CLOSED_FENCE}"
)
_TAG_PARAGRAPH = re.compile(rf" {{0,3}}<{_PLAIN_LINES}")
_FLAT_LIST = re.compile(rf"(?:(?:[-*+]|[0-9]{{1,9}}[.)]) {{1,4}}{_WORDS}[^\n]*+(?:\n|\Z))++")
_DEFINITION = r" {0,3}\[[^\]\\\n]+\]:[ \t]*[^\s<]+[ \t]*"
_DEFINITIONS = re.compile(rf"{_DEFINITION}(?:\n{_DEFINITION})*+{_BLANK_NEXT}")
_INDENTED = r"(?: {4}| {0,3}\t)[ \t]*[^ \t\n][^\n]*+"
_INDENTED_CODE = re.compile(rf"{_INDENTED}(?:\n(?:[ \t]*\n)*{_INDENTED})*+")
_TABLE = re.compile(rf"(\|[^\\\n]*\|)[ \t]*\n(\|(?:[ \t]*:?-+:?[ \t]*\|)+)[ \t]*(?:\n\|[^\n]*+)*+{_BLANK_NEXT}")
_QUOTE = re.compile(rf">[^\n]*+(?:\n>[^\n]*+)*+{_BLANK_NEXT}")
# By a list's sign: after a blank line, what is no item ends it, or an item of another sign.
_LIST_ENDS = {
    sign: re.compile(
        rf"[ \t]*(?:\n[ \t]*)*\Z|[ \t]*\n(?:[ \t]*\n)+(?:( *){_NO_ITEM}|(?=[-*+0-9])(?![0-9]{{0,9}}{re.escape(sign)}))"
    )
    for sign in "-*+.)"
}

_HTML_LINE = re.compile(rf"{HTML_OPEN_CLOSE_TAG_STR}\s*$")
_HTML_TAG = re.compile(rf" {{0,3}}</?(?:{'|'.join(block_names)})(?=\s|/?>|\Z)", re.IGNORECASE)
_UNTIL_BLANK = re.compile(r"[^\n]*(?:\n[ \t]*[^ \t\n][^\n]*)*")
# CommonMark 0.31 section 4.6, start and end conditions 1 to 5: these blocks run over blank lines.
_HTML_RUNS = tuple(
    (re.compile(rf" {{0,3}}<{start}", re.IGNORECASE), re.compile(end, re.IGNORECASE))
    for start, end in (
        (r"(?:script|pre|style|textarea)(?=\s|>|\Z)", r"</(?:script|pre|style|textarea)>"),
        (r"!--", r"-->"),
        (r"\?", r"\?>"),
        (r"![a-z]", r">"),
        (r"!\[CDATA\[", r"\]\]>"),
    )
)


def split_blocks(markdown: str) -> list[Block]:
    """Return the top-level blocks in order; together they hold every line that is not blank.

    Lines that CommonMark gives no block (link reference definitions) come as paragraphs. A fence
    left open is closed. Line ends must be newlines only. Raises nothing.
    """
    blocks: list[Block] = []
    start = _next_line(markdown, 0)
    while start >= 0:
        if common := _COMMON.match(markdown, start):
            text, signs, fence = common.group(0, 1, 2)
            blocks.append(Block(_HEADING, text, len(signs)) if signs else Block(_CODE if fence else _PARAGRAPH, text))
            start = common.end()
        elif found := _read_plain(markdown, start):
            block, start = found
            blocks.append(block)
        else:
            start = _read_parsed(markdown, start, blocks)
        # Most blocks stand one blank line apart, which is told without a pattern.
        if markdown[start : start + 2] == "\n\n" and markdown[start + 2 : start + 3] > " ":
            start += 2
        else:
            start = _next_line(markdown, start)
    return blocks


def count_flat_items(text: str) -> int:
    r"""Return the number of a list's items if each is one line of words, else 0.

    >>> count_flat_items("- oak\n- pine"), count_flat_items("- oak\n  - bog oak")
    (2, 0)
    """
    return text.count("\n") + 1 if _FLAT_LIST.fullmatch(text) else 0


def _next_line(text: str, start: int) -> int:
    """Return where the next line that is not blank starts, -1 if there is none."""
    blank = _NEXT_LINE.match(text, start)
    return blank.end() if blank else -1


def _read_plain(text: str, start: int) -> _Found | None:
    """Return the block that starts here if one pattern tells it for certain."""
    sign = text[start]
    if sign in "`~ <\t":
        if found := _read_run(text, start, sign):
            return found
        if paragraph := _PARAGRAPH_LINES.match(text, start):
            return Block(_PARAGRAPH, paragraph[0]), paragraph.end()
    if sign == "|" and (table := _TABLE.match(text, start)):
        same_columns = table[1].count("|") == table[2].count("|")
        return (Block(BlockKind.TABLE, table[0]), table.end()) if same_columns else None
    if sign in "-*_" and (rule := _RULE.match(text, start)):
        return Block(BlockKind.RULE, rule[0]), rule.end()
    if sign in "-*+0123456789":
        return _read_list(text, start)
    if sign == ">" and (quote := _QUOTE.match(text, start)):
        return Block(BlockKind.QUOTE, close_fences(quote[0]).text), quote.end()
    if sign in "[ " and (definitions := _DEFINITIONS.match(text, start)):
        return Block(BlockKind.PARAGRAPH, definitions[0]), definitions.end()
    return None


def _read_list(text: str, start: int) -> _Found | None:
    for pattern in SIMPLE_LISTS:
        found = pattern.match(text, start)
        ends = _LIST_ENDS[found[1]].match(text, found.end()) if found else None
        # A line indented less than the items' text (which starts after the marker and the space) ends the list.
        if found and ends and len(ends[1] or "") <= len(found[2]):
            return Block(BlockKind.LIST, close_fences(found[0]).text), found.end()
    return None


def _read_run(text: str, start: int, sign: str) -> _Found | None:
    """Return the fence, indented code or HTML that starts here: what may hold blank lines."""
    if sign in "`~ " and (fence := _FENCE.match(text, start)):
        return _read_fence(text, fence)
    if sign in " \t" and (code := _INDENTED_CODE.match(text, start)):
        return Block(BlockKind.CODE, code[0]), code.end()
    return _read_html(text, start) if sign in "< " else None


def _read_fence(text: str, opening: re.Match[str]) -> _Found:
    mark = opening[2] or opening[3]
    closing = _closing_fence(mark[0], len(mark)).search(text, opening.end())
    if closing:
        return Block(BlockKind.CODE, text[opening.start() : closing.end()]), closing.end()
    rest = text[opening.start() :].rstrip("\n")
    return Block(BlockKind.CODE, f"{rest}\n{opening[1]}{mark}"), len(text)


@lru_cache(maxsize=64)
def _closing_fence(sign: str, length: int) -> re.Pattern[str]:
    return re.compile(rf"\n {{0,3}}{sign}{{{length},}}[ \t]*(?=\n|\Z)")


def _read_html(text: str, start: int) -> _Found | None:
    for opening, closing in _HTML_RUNS:
        if opened := opening.match(text, start):
            closed = closing.search(text, opened.start())
            end = _line_end(text, closed.end()) if closed else len(text)
            return Block(BlockKind.HTML, text[start:end].rstrip(" \t\n")), end
    if _HTML_TAG.match(text, start) or _HTML_LINE.match(text[start : _line_end(text, start)].lstrip(" ")):
        block = _UNTIL_BLANK.match(text, start)
        return (Block(BlockKind.HTML, block[0].rstrip(" \t")), block.end()) if block else None
    paragraph = _TAG_PARAGRAPH.match(text, start)
    return (Block(_PARAGRAPH, paragraph[0]), paragraph.end()) if paragraph else None


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


_CONTAINERS = (BlockKind.LIST, BlockKind.QUOTE)


def _read_parsed(text: str, start: int, blocks: list[Block]) -> int:
    """Add the blocks up to the next safe line; return where to go on."""
    safe = _SAFE_LINE.search(text, start)
    stop = safe.end() if safe else len(text)
    zone = text[start:stop]
    parsed = list(_parse(zone))
    last, line = parsed[-1]
    # A fence or HTML that runs over blank lines may go on past the zone, so it is read on its own.
    if last.text != zone and (_FENCE.match(last.text) or any(run.match(last.text) for run, _ in _HTML_RUNS)):
        parsed.pop()
        stop = start + _line_start(zone, line)
    blocks.extend(_with_closed_fences(block) for block, _ in parsed)
    return stop


def _line_start(text: str, line: int) -> int:
    start = 0
    for _ in range(line):
        start = text.index("\n", start) + 1
    return start


def _parse(text: str) -> Iterator[tuple[Block, int]]:
    """Yield every block with the number of its first line."""
    lines = text.split("\n")
    end = 0
    for token in block_tokens(text):
        if token.level or token.map is None or token.type not in _KINDS:
            continue
        first, last = token.map
        yield from _paragraphs(lines, end, first)
        level = int(token.tag[1]) if token.type == "heading_open" else 0
        yield from _block(_KINDS[token.type], lines, first, last, level)
        end = last
    yield from _paragraphs(lines, end, len(lines))


def _paragraphs(lines: list[str], first: int, last: int) -> Iterator[tuple[Block, int]]:
    """Yield the lines that no token covers."""
    start = first
    for line in range(first, last + 1):
        if line == last or not lines[line].strip(" \t"):
            yield from _block(BlockKind.PARAGRAPH, lines, start, line)
            start = line + 1


def _block(kind: BlockKind, lines: list[str], first: int, last: int, level: int = 0) -> Iterator[tuple[Block, int]]:
    while last > first and not lines[last - 1].strip(" \t"):
        last -= 1
    if first < last:
        yield Block(kind, "\n".join(lines[first:last]), level), first


def _with_closed_fences(block: Block) -> Block:
    return Block(block.kind, close_fences(block.text).text) if block.kind in _CONTAINERS else block
