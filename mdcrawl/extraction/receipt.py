"""The receipt: what the chosen main content holds, against its Markdown parsed again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mdcrawl.extraction.tree import HEADINGS, has_text, raw_text
from mdcrawl.items import Inventory, Receipt
from mdcrawl.markdown.blocks import BlockKind, count_flat_items, split_blocks
from mdcrawl.markdown.containers import unquote

_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|\w+"
)
_PARSER = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")
_PARSER.core.ruler.enableOnly(["normalize", "block"])
_TEXTS = etree.XPath("descendant::text()", smart_strings=False)
# What may be no text of the page, but the address of a link.
_DEFINITION = re.compile(r" {0,3}\[.*?\]:", re.DOTALL)
# Quotes that have their sign on each line, in quotes up to so deep, are read like a page.
_WHOLE_QUOTE = re.compile(r"(?:>[^\n\t]*+(?:\n|\Z))++")
_DEEPEST = 8
_NUMBER = re.compile(r"^[0-9]+", re.MULTILINE)
# Marks that are no words: tags that the renderer writes (a tag in the text has a backslash), targets.
MARKS = re.compile(
    r"(?<!\\)</?(?:br|su[bp]|table|caption|t[rdh]|p|[uod]l|li|d[td]|strong|b|em|i|code|pre|del|blockquote|h[1-6])"
    r"(?: (?:col|row)span=\"\d+\")*>|\]\([^)\s]*\)|!\["
)


def words_of(text: str) -> list[str]:
    """Return the words; in scripts written without spaces each character is one."""
    return _WORD.findall(text)


def count_words(text: str) -> int:
    """Return the number of words, as `words_of` tells them apart."""
    return len(words_of(text))


def check(root: HtmlElement, markdown: str) -> Receipt:
    """Return the receipt of a prepared element and its Markdown. Raises nothing."""
    inside = _inside_tables(root)
    codes = [_code(raw_text(pre)) for pre in root.iter("pre") if pre not in inside]
    tables = [table for table in root.iter("table") if next(table.iter("tr"), None) is not None]
    found = Inventory(
        headings=sum(1 for heading in root.iter(*HEADINGS) if heading not in inside and has_text(heading)),
        code_blocks=len(codes),
        tables=sum(1 for table in tables if table not in inside),
        list_items=sum(1 for item in root.iter("li") if item not in inside and has_text(item)),
        words=count_words(" ".join(_TEXTS(root))),
    )
    read = _read(markdown)
    kept = read.inventory()
    damaged = (Counter(codes) - Counter(map(_code, read.codes))).total()
    return Receipt(found, kept, _losses(found, kept, damaged))


@dataclass(slots=True)
class _Kept:
    """What Markdown holds: the texts of its fences, its other texts as written, and how many of what."""

    codes: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    headings: int = 0
    tables: int = 0
    list_items: int = 0

    def add_tokens(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type == "fence":
                self.codes.append(token.content)
            elif token.content:
                self.texts.append(token.content)
            self.headings += token.type == "heading_open"
            self.list_items += token.type == "list_item_open"
            self.tables += token.type == "table_open"
            self.tables += token.type == "html_block" and token.content.lstrip().startswith("<table")

    def inventory(self) -> Inventory:
        text = MARKS.sub(" ", "\n".join(self.texts))
        return Inventory(
            headings=self.headings,
            code_blocks=len(self.codes),
            tables=self.tables,
            list_items=self.list_items,
            words=count_words(text) + count_words("\n".join(self.codes)),
        )


def _read(markdown: str) -> _Kept:
    kept = _Kept()
    _add(kept, markdown.replace("\r\n", "\n").replace("\r", "\n"))
    return kept


def _add(kept: _Kept, markdown: str, depth: int = 0) -> None:
    """Add what Markdown holds; what is more than the text of one block, or lines of it, is left to the parser."""
    for kind, text, _ in split_blocks(markdown):
        if kind is BlockKind.HEADING:
            kept.headings += 1
            kept.texts.append(text)
        elif kind is BlockKind.PARAGRAPH and not _DEFINITION.match(text):
            kept.texts.append(text)
        elif kind is BlockKind.CODE and text.startswith(("```", "~~~")):
            kept.codes.append(text[text.index("\n") + 1 : text.rindex("\n")])
        elif kind is BlockKind.TABLE and len({row.count("|") for row in text.split("\n")}) == 1:
            kept.tables += 1
            kept.texts.append(text)
        elif kind is BlockKind.LIST and (items := count_flat_items(text)):
            kept.list_items += items
            kept.texts.append(_NUMBER.sub("", text))
        elif kind is BlockKind.QUOTE and depth < _DEEPEST and _WHOLE_QUOTE.fullmatch(text):
            _add(kept, unquote(text), depth + 1)
        elif kind is not BlockKind.RULE:
            kept.add_tokens(_PARSER.parse(text))


def _losses(found: Inventory, kept: Inventory, damaged: int) -> tuple[str, ...]:
    losses: list[str] = []
    if damaged:
        losses.append(f"{damaged} of {found.code_blocks} code blocks not byte-equal")
    for name in ("headings", "tables", "list_items"):
        had, has = getattr(found, name), getattr(kept, name)
        if has < had:
            losses.append(f"{had - has} of {had} {name.replace('_', ' ')} lost")
    if kept.words < 0.97 * found.words:
        losses.append(f"{found.words - kept.words} of {found.words} words lost")
    return tuple(losses)


def _code(text: str) -> str:
    return text.strip("\n")


def _inside_tables(root: HtmlElement) -> set[HtmlElement]:
    """Return the elements of a tree that stand in a table."""
    if next(root.iterancestors("table"), None) is not None:
        return set(root.iter())
    return {element for table in root.iter("table") for element in table.iterdescendants()}
