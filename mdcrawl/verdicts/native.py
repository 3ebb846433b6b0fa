"""The gate for a site's own Markdown: it is taken only where it says all that the page's HTML says."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mdcrawl.items import Extraction

_PARSER = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")
_PARSER.core.ruler.enableOnly(["normalize", "block"])
_WORD = re.compile(r"[\u0e00-\u0eff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
# Share of the HTML's words, by number, that the Markdown must have. Of 59 pages of two generators that
# write both, the worst sound one has 0.84.
_MIN_WORDS = 0.8
# Below half it is not the page at all: a stub, a text that says "not found", an unresolved include.
_MIN_PAGE = 0.5
# Share of the code blocks that must be the same to the byte; a source may mark lines in some, a converter
# that drops blank lines changes most.
_MIN_SAME_CODE = 0.5
_LABEL = re.compile(r"\*\*[^*\n]{1,60}\*\*")
_TABS = re.compile(r"(?:LC){2,}")
# The title is a heading in one and front matter in the other; generated lists of links have headings.
_MIN_HEADINGS = 0.8


@dataclass(frozen=True, slots=True)
class _Content:
    codes: Counter[str]
    code_blocks: int
    headings: int
    tables: int
    words: Counter[str]


@dataclass(frozen=True, slots=True)
class NativeLoss:
    """What a page's own Markdown lacks against its HTML, in words; `is_other` says that it is not that page at all."""

    lacks: str
    is_other: bool = False


def native_loss(html: Extraction, native: Extraction) -> NativeLoss | None:
    """Return what a page's own Markdown lacks against its HTML; None if it is as good or better.

    Code blocks, headings, tables and words are compared by number, code also by its text; the words
    must be largely the same. Tabs with the same command for several tools count once.
    A page whose HTML holds next to nothing (a shell) has nothing to lose.
    """
    page, own = _content(html.markdown), _content(native.markdown)
    total, count = sum(page.words.values()), sum(own.words.values())
    shared = sum((page.words & own.words).values())
    if count < _MIN_PAGE * total:
        return NativeLoss(f"{count} of {total} words", is_other=True)
    if shared < _MIN_PAGE * total:
        return NativeLoss(f"{shared} of {total} words, the others are different ones", is_other=True)
    total_codes, own_codes = page.code_blocks, sum(own.codes.values())
    if own_codes < total_codes:
        return NativeLoss(f"{total_codes - own_codes} of {total_codes} code blocks")
    same = sum((page.codes & own.codes).values())
    if same < _MIN_SAME_CODE * total_codes:
        return NativeLoss(f"the text of {total_codes - same} of {total_codes} code blocks")
    if own.headings < _MIN_HEADINGS * page.headings - 1:
        return NativeLoss(f"{page.headings - own.headings} of {page.headings} headings")
    if own.tables < page.tables:
        return NativeLoss(f"{page.tables - own.tables} of {page.tables} tables")
    if count < _MIN_WORDS * total:
        return NativeLoss(f"{total - count} of {total} words")
    return None


def _content(markdown: str) -> _Content:
    tokens = _PARSER.parse(markdown)
    codes = Counter(_code(token.content) for token in tokens if token.type in {"fence", "code_block"})
    texts = " ".join(token.content for token in tokens if token.type == "inline")
    # Targets of links are no words of the page.
    texts = re.sub(r"\]\([^)\s]*\)|https?://\S+", " ", texts)
    tables = sum(token.type == "table_open" for token in tokens)
    tables += sum(token.type == "html_block" and "<table" in token.content for token in tokens)
    return _Content(
        codes=codes,
        code_blocks=sum(codes.values()) - _variants(tokens),
        headings=sum(token.type == "heading_open" for token in tokens),
        tables=tables,
        words=Counter(word.lower() for word in _WORD.findall(texts)),
    )


def _variants(tokens: list[Token]) -> int:
    """Return how many code blocks are further tabs of one before: what a source may hold once, for npm and its like."""
    kinds = []
    for token in tokens:
        if token.type in {"fence", "code_block"}:
            kinds.append("C")
        elif token.type == "inline":
            kinds.append("L" if _LABEL.fullmatch(token.content) else "O")
    return sum(len(group) // 2 - 1 for group in _TABS.findall("".join(kinds)))


def _code(text: str) -> str:
    """Return code without what no reader sees: blanks at line ends, blank lines around."""
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))
