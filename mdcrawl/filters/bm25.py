"""Sections of a page by how well they answer a query, ranked by SQLite's BM25."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import lru_cache

import snowballstemmer
from lxml.html import HtmlElement

from mdcrawl.extraction.parts import Part, parts_of
from mdcrawl.extraction.prune import take_out
from mdcrawl.extraction.seams import FilterPage
from mdcrawl.extraction.tree import HEADINGS, text_of

_WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|\w+")
# Words of questions, which say nothing of what is asked for; a page about "what" has it in quotes.
_ASKING_WORDS = """
    a an and are be by can do does for from how i if in is it my of on or should that the their there to was what
    when where which who why will with you your
"""
_ASKING = frozenset(_ASKING_WORDS.split())
# A word of a heading says as much as so many of the text below it.
HEADING_WEIGHT = 3
# The languages that Snowball knows, by ISO 639-1.
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


def rank(query: str, sections: Sequence[tuple[str, str]], lang: str = "") -> list[tuple[int, float]]:
    """Return (index, score) of the sections that have a word of the query, best first; scores are above 0.

    A section is its heading and the text below it. Words are compared by their stems in `lang` (ISO
    639-1; English if it is unknown); each character of scripts written without spaces is a word.
    """
    stem = _stemmer(lang)
    terms = dict.fromkeys(stem(word) for word in _words(query) if word not in _ASKING)
    if not terms or not sections:
        return []
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute("CREATE VIRTUAL TABLE sections USING fts5(heading, text, tokenize='unicode61')")
        index.executemany(
            "INSERT INTO sections (rowid, heading, text) VALUES (?, ?, ?)",
            (
                (at, " ".join(map(stem, _words(heading))), " ".join(map(stem, _words(text))))
                for at, (heading, text) in enumerate(sections)
            ),
        )
        found = index.execute(
            "SELECT rowid, bm25(sections, ?, 1) AS score FROM sections WHERE sections MATCH ? ORDER BY score, rowid",
            (HEADING_WEIGHT, " OR ".join(f'"{term}"' for term in terms)),
        )
        return [(at, -score) for at, score in found]


def _words(text: str) -> Iterable[str]:
    return (match.group().lower() for match in _WORD.finditer(text))


@lru_cache(maxsize=8)
def _stemmer(lang: str) -> Callable[[str], str]:
    name = _STEMMERS.get(lang.lower()[:2], "english")
    return snowballstemmer.stemmer(name).stemWord  # type: ignore[no-any-return]


class Bm25:
    """Keeps the sections that answer the crawl's query, in the order of the page, below the page's title.

    `least` is the share of the best section's score that a section needs to stay. A page that has no
    word of the query has nothing that is fit; a crawl without a query keeps everything.
    """

    def __init__(self, least: float = 0.3) -> None:
        self._least = least

    def __call__(self, root: HtmlElement, page: FilterPage) -> None:
        """Take out the sections that do not answer the query."""
        if not page.query:
            return
        sections = _sections(parts_of(root))
        ranked = rank(page.query, [(_text(each[:1]), _text(each[1:])) for each in sections], page.lang)
        best = ranked[0][1] if ranked else 0.0
        kept = {at for at, score in ranked if score >= self._least * best}
        for at, section in enumerate(sections):
            if at in kept:
                continue
            for part in section:
                if not (kept and part.element.tag == "h1"):
                    take_out(part)


def _sections(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts by section: each a heading and what stands below it, up to the next."""
    sections: list[list[Part]] = []
    for part in parts:
        if not sections or part.element.tag in HEADINGS:
            sections.append([])
        sections[-1].append(part)
    return sections


def _text(parts: Sequence[Part]) -> str:
    return " ".join(text_of(part.element) for part in parts)
