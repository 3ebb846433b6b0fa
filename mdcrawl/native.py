"""What a crawl learns about each site's own Markdown: where it is, and whether it can be relied on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from mdcrawl.discovery.markdown_urls import MarkdownPattern, markdown_url

# Pages of a site whose Markdown must have proved equal before its HTML is only fetched as a sample.
PROVEN = 5
# Every so-manieth page of a proven site is fetched as HTML and compared again.
SAMPLE = 10
# Guesses for a site that names no Markdown itself.
GUESSES = (MarkdownPattern.SWAPPED, MarkdownPattern.APPENDED)


class Standing(StrEnum):
    """Where a site stands: nothing known, worth comparing, relied on, not asked again in this crawl."""

    UNKNOWN = "unknown"
    TRIED = "tried"
    PROVEN = "proven"
    FAILED = "failed"


@dataclass(slots=True)
class SiteMarkdown:
    """One site. `pattern` is how it names the Markdown of its pages, once that is known."""

    standing: Standing = Standing.UNKNOWN
    pattern: MarkdownPattern | None = None
    equal: int = 0
    lost: int = 0
    probes: int = 0
    asked: int = 0
    reason: str = ""
    named: dict[str, str] = field(default_factory=dict)

    def candidate(self, url: str, declared: str) -> str:
        """Return where to look for a page's Markdown, "" to leave it: declared, by the pattern, or a guess."""
        if self.standing is Standing.FAILED:
            return ""
        if declared:
            return declared
        if self.pattern is not None:
            return markdown_url(url, self.pattern)
        while self.probes < len(GUESSES):
            self.probes += 1
            if guess := markdown_url(url, GUESSES[self.probes - 1]):
                return guess
        self.fail("no Markdown found")
        return ""

    def learn(self, url: str, markdown: str, loss: str, *, is_author_s: bool) -> None:
        """Take in how a page's Markdown compared: `loss` is what it lacks, "" for nothing.

        What a server converts on the way is compared page by page and never relied on.
        """
        if loss:
            self.lost += 1
            if self.lost > 1 and self.lost > self.equal:
                self.fail(f"its Markdown lacks {loss}")
            elif self.standing is Standing.PROVEN:
                self.standing, self.equal = Standing.TRIED, 0
            return
        self.equal += 1
        self.pattern = self.pattern or _pattern_of(url, markdown)
        if self.standing is not Standing.PROVEN:
            is_proven = self.equal >= PROVEN and not self.lost and is_author_s and self.pattern is not None
            self.standing = Standing.PROVEN if is_proven else Standing.TRIED

    def miss(self, *, was_declared: bool) -> None:
        """Take in that there was no Markdown where it was looked for."""
        if was_declared or self.pattern is not None:
            self.lost += 1
            if self.lost > 2 and self.lost > self.equal:
                self.fail("its Markdown is not where it should be")

    def fail(self, reason: str) -> None:
        """Leave the site's Markdown alone for the rest of the crawl."""
        self.standing, self.reason = Standing.FAILED, reason

    def direct_url(self, url: str) -> str:
        """Return the URL to ask for instead of a page's own, "" to ask for the page."""
        if self.standing is not Standing.PROVEN or self.pattern is None:
            return ""
        self.asked += 1
        return "" if self.asked % SAMPLE == 0 else markdown_url(url, self.pattern)


def _pattern_of(url: str, markdown: str) -> MarkdownPattern | None:
    return next((pattern for pattern in MarkdownPattern if markdown_url(url, pattern) == markdown), None)
