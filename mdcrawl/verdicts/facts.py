"""The facts of one answer in the form that the rules for walls and missing pages weigh."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import SplitResult, urlsplit

from mdcrawl.items import Evidence, Extraction
from mdcrawl.verdicts.lexicon import Concept, is_headline, languages_of, ways_said
from mdcrawl.verdicts.words import count_words

_MAX_TEXT = 2000
_MAX_WEIGHED = 5000
_MAX_HEADINGS = 3
# A page of at least so many words lies under its overlay; a wall leaves nothing there.
_PAGE_BESIDE_OVERLAY = 12

_SENTENCES = re.compile(r"[.!?](?=\s)|[。！？।؟]|\n+")


@dataclass(frozen=True)
class Facts:
    """One answer: what was extracted, how it was answered, and what follows from both.

    `headers` has lower-case names; `url` is the final URL and `asked_url` the one asked for. Not
    slotted: the derived facts are computed once, when first asked for.
    """

    extraction: Extraction
    status: int
    url: str
    asked_url: str
    headers: Mapping[str, str]

    @property
    def evidence(self) -> Evidence:
        """The facts about the raw page."""
        return self.extraction.evidence

    @cached_property
    def words(self) -> int:
        """Words of the main content."""
        return count_words(self.extraction.markdown)

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The first headings of the page, those of an overlay left out when there is a page below it."""
        first = self.extraction.markdown.lstrip().split("\n", 1)[0]
        headings = self.evidence.headings[:_MAX_HEADINGS]
        if self.beside_overlay > _PAGE_BESIDE_OVERLAY:
            headings = tuple(heading for heading in headings if heading not in self.evidence.overlay_text)
        found = (*headings, first.lstrip("# ") if first[:1] == "#" else "")
        return tuple(dict.fromkeys(heading for heading in found if heading))

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The title and the first headings, without empty ones."""
        found = (self.evidence.title, self.extraction.title, *self.headings)
        return tuple(dict.fromkeys(title for title in found if title))

    @cached_property
    def text(self) -> str:
        """The start of what the page says: its whole body if that is short, else its main content."""
        return (self.evidence.body_text or self.extraction.markdown)[:_MAX_TEXT]

    @cached_property
    def sources(self) -> str:
        """Addresses, names and script starts of the raw page, where the marks of vendors stand."""
        evidence = self.evidence
        return "\n".join(
            (
                *evidence.scripts,
                *evidence.iframes,
                *evidence.actions,
                *evidence.marks,
                evidence.meta_refresh,
                evidence.inline_scripts,
            )
        )

    @cached_property
    def beside_overlay(self) -> int:
        """Words of the main content that are not the overlay's own."""
        overlay = self.evidence.overlay_text
        if not overlay:
            return self.words
        start = self.extraction.markdown[: 2 * len(overlay)].lower().split()
        own = set(overlay.lower().split())
        shared = sum(word.strip("#*-_>") in own for word in start)
        return self.words - shared if shared > len(start) / 2 else self.words

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that the page may be in."""
        return languages_of(f"{' '.join(self.titles)} {self.text}")

    def is_headline(self, idea: Concept, titles: Iterable[str] | None = None) -> bool:
        """Return whether a title or heading says the concept and little else."""
        return is_headline(idea, self.titles if titles is None else titles, self.languages)

    def is_in_titles(self, idea: Concept) -> bool:
        """Return whether a title or heading says the concept, among other things."""
        return any(idea.found_in(title, self.languages) for title in self.titles)

    def says(self, idea: Concept) -> bool:
        """Return whether the page's text says the concept."""
        return idea.found_in(self.text, self.languages)

    def ways_said(self, idea: Concept) -> int:
        """Return in how many different words the page's text says the concept."""
        return ways_said(idea, self.text, self.languages)

    def words_beside(self, *ideas: Concept) -> int:
        """Return how many words of the main content stand in sentences that say none of the concepts.

        A wall speaks of itself in nearly every sentence; a page about walls also says other things.
        """
        patterns = [pattern for idea in ideas for pattern in idea.patterns(self.languages)]
        return sum(
            count_words(sentence)
            for sentence in _SENTENCES.split(self.extraction.markdown[:_MAX_WEIGHED].replace("’", "'"))
            if sentence[:1] != "#" and not any(pattern.search(sentence) for pattern in patterns)
        )

    @cached_property
    def has_structure(self) -> bool:
        """Whether the main content holds code or tables, which no wall does."""
        kept = self.extraction.receipt.kept
        return kept.code_blocks > 0 or kept.tables > 0 or "```" in self.extraction.markdown

    @cached_property
    def parts(self) -> SplitResult:
        """The final URL in its parts; empty parts for what is no URL."""
        return _split(self.url)

    @cached_property
    def was_moved(self) -> bool:
        """Whether a redirect led to another path or host than was asked for."""
        asked, final = _split(self.asked_url), self.parts
        return bool(self.asked_url) and (asked.netloc, asked.path.rstrip("/")) != (final.netloc, final.path.rstrip("/"))


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")
