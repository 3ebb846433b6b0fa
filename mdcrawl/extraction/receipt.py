"""The receipt: what the chosen main content holds, against its Markdown parsed again."""

from __future__ import annotations

import re
from collections import Counter

from lxml.html import HtmlElement
from markdown_it import MarkdownIt

from mdcrawl.extraction.tree import HEADINGS
from mdcrawl.items import Inventory, Receipt

_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|\w+"
)
_PARSER = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")
_PARSER.core.ruler.enableOnly(["normalize", "block"])
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
    codes = [_code("".join(pre.itertext())) for pre in root.iter("pre") if not _in_html_table(pre)]
    tables = [table for table in root.iter("table") if next(table.iter("tr"), None) is not None]
    found = Inventory(
        headings=sum(1 for h in root.iter(*HEADINGS) if _outside_table(h) and "".join(h.itertext()).strip()),
        code_blocks=len(codes),
        tables=sum(1 for table in tables if _outside_table(table)),
        list_items=sum(1 for item in root.iter("li") if _outside_table(item) and "".join(item.itertext()).strip()),
        words=count_words(" ".join(root.itertext())),
    )
    return _compare(found, Counter(codes), markdown)


def _compare(found: Inventory, codes: Counter[str], markdown: str) -> Receipt:
    tokens = _PARSER.parse(markdown)
    kept_codes = Counter(_code(t.content) for t in tokens if t.type == "fence")
    text = " ".join(t.content if t.type == "fence" else MARKS.sub(" ", t.content) for t in tokens if t.content)
    kept = Inventory(
        headings=sum(1 for t in tokens if t.type == "heading_open"),
        code_blocks=sum(kept_codes.values()),
        tables=sum(
            1
            for t in tokens
            if t.type == "table_open" or (t.type == "html_block" and t.content.lstrip().startswith("<table"))
        ),
        list_items=sum(1 for t in tokens if t.type == "list_item_open"),
        words=count_words(text),
    )
    losses: list[str] = []
    damaged = codes - kept_codes
    if damaged:
        losses.append(f"{sum(damaged.values())} of {found.code_blocks} code blocks not byte-equal")
    for name in ("headings", "tables", "list_items"):
        had, has = getattr(found, name), getattr(kept, name)
        if has < had:
            losses.append(f"{had - has} of {had} {name.replace('_', ' ')} lost")
    if kept.words < 0.97 * found.words:
        losses.append(f"{found.words - kept.words} of {found.words} words lost")
    return Receipt(found, kept, tuple(losses))


def _code(text: str) -> str:
    return text.strip("\n")


def _outside_table(element: HtmlElement) -> bool:
    return not any(a.tag == "table" for a in element.iterancestors())


def _in_html_table(element: HtmlElement) -> bool:
    return not _outside_table(element)
