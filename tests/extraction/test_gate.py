"""The quality gate: floors for the figures over the project's own pages, on a corpus pinned by its hash.

A floor goes down only with a reason in the commit. A page that is added or changed changes the hash:
read the new truth as code, then pin it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from mdcrawl.extraction.extract import extract

FIXTURES = Path(__file__).parents[2] / "fixtures" / "extraction"
CORPUS = "f6501c4434e81d763a078c9652a22fbfff6cfb0ac0e906050e421736232615d7"
FLOORS = {"headings": 1.0, "code": 1.0, "cells": 1.0, "items": 1.0, "words": 1.0, "precision": 1.0}
PARSER = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a Markdown text holds, each as a multiset."""

    headings: Counter[str]
    code: Counter[str]
    cells: Counter[str]
    items: Counter[str]
    words: Counter[str]


def parts_of(markdown: str) -> Parts:
    """Return the parts of a Markdown text. Code counts with its language, an item with its first text."""
    parts = Parts(Counter(), Counter(), Counter(), Counter(), Counter())
    where = ""
    for token in PARSER.parse(markdown):
        if token.type == "fence":
            parts.code[f"{token.info}\n{token.content}"] += 1
            parts.words.update(_WORD.findall(token.content))
        elif token.type == "inline":
            {"heading": parts.headings, "cell": parts.cells, "item": parts.items}.get(where, Counter())[
                token.content
            ] += 1
            parts.words.update(_WORD.findall(token.content))
            where = ""
        elif token.type in {"heading_open", "td_open", "th_open", "list_item_open"}:
            where = {"heading_open": "heading", "list_item_open": "item"}.get(token.type, "cell")
    return parts


def share(wanted: Counter[str], got: Counter[str]) -> float | None:
    """Return the share of `wanted` that is in `got`; None where nothing is wanted."""
    return (wanted & got).total() / wanted.total() if wanted else None


def figures(markdown: str, expected: str) -> dict[str, float | None]:
    """Return recall of each part, and the precision of the words."""
    got, wanted = parts_of(markdown), parts_of(expected)
    return {
        "headings": share(wanted.headings, got.headings),
        "code": share(wanted.code, got.code),
        "cells": share(wanted.cells, got.cells),
        "items": share(wanted.items, got.items),
        "words": share(wanted.words, got.words),
        "precision": share(got.words, wanted.words),
    }


def corpus_hash() -> str:
    digest = hashlib.sha256()
    for path in sorted(FIXTURES.glob("*/*")):
        digest.update(path.relative_to(FIXTURES).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def test_the_corpus_is_the_one_that_the_floors_were_set_on():
    assert corpus_hash() == CORPUS


def test_no_figure_is_below_its_floor():
    rows = []
    for page in sorted(FIXTURES.glob("*/input.html")):
        markdown = extract(page.read_bytes(), "https://wall.example/").markdown
        rows.append(figures(markdown, page.with_name("expected.md").read_text(encoding="utf-8")))
    for name, floor in FLOORS.items():
        values = [row[name] for row in rows if row[name] is not None]
        assert sum(values) / len(values) >= floor, name


DAMAGE = {
    "headings": ("## By hand", "By hand"),
    "code": ("    stone.up()", "   stone.up()"),
    "cells": ("| 900 mm | 200 mm |\n", ""),
    "items": ("3. Wedge it.", "Wedge it."),
    "words": ("A lintel carries", "A lintel"),
    "precision": ("# Setting a lintel", "# Setting a lintel\n\nEdit this page"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_the_gate_sees_damage(name):
    expected = (FIXTURES / "sphinx_manual" / "expected.md").read_text(encoding="utf-8")
    whole, damaged = DAMAGE[name]
    assert whole in expected
    assert figures(expected.replace(whole, damaged), expected)[name] < FLOORS[name]
