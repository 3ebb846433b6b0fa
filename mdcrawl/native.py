"""What a crawl learns about each site's own Markdown: where it is, and whether it can be relied on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mdcrawl.discovery.markdown_urls import MarkdownPattern, markdown_url

# Pages of a site whose Markdown must have proved equal before its HTML is only fetched as a sample,
# and how many of those there must be for each that lost something.
PROVEN = 5
EQUAL_PER_LOST = 4
# Pages compared after which a site is relied on or left alone: two requests a page are not to go on.
DECIDED = 10
# Every so-manieth page of a proven site is fetched as HTML and compared again.
SAMPLE = 10
# Guesses that may meet nothing before a site that names no Markdown is left alone.
MAX_PROBES = 2
# Answers in place of Markdown (a page of HTML, a stub, "not found") before a site is left alone.
MAX_REFUSED = 5


class Standing(StrEnum):
    """Where a site stands: nothing known, worth comparing, relied on, not asked again in this crawl."""

    UNKNOWN = "unknown"
    TRIED = "tried"
    PROVEN = "proven"
    FAILED = "failed"


@dataclass(slots=True)
class SiteMarkdown:
    """One site. `pattern` is how it names the Markdown of its pages, once that is known; `reason` why it failed."""

    standing: Standing = Standing.UNKNOWN
    pattern: MarkdownPattern | None = None
    equal: int = 0
    lost: int = 0
    probes: int = 0
    refused: int = 0
    asked: int = 0
    is_author_s: bool = True
    reason: str = ""

    def candidate(self, url: str, declared: str) -> str:
        """Return where to look for a page's Markdown, "" to leave it: declared, by the pattern, or a guess."""
        if self.standing is Standing.FAILED:
            return ""
        if declared:
            return declared
        if self.pattern is not None:
            return markdown_url(url, self.pattern)
        # The index of a folder is where patterns differ; by the second guess another page tells.
        return markdown_url(url, MarkdownPattern.SWAPPED)

    def miss(self) -> None:
        """Take in that there was nothing where Markdown was looked for."""
        self.probes += 1
        if self.probes >= MAX_PROBES and not self.equal and not self.refused:
            self._fail("")

    def refuse(self, what: str) -> None:
        """Take in that something else came in place of a page's Markdown."""
        self.refused += 1
        if self.refused >= MAX_REFUSED:
            self._fail(f"the site's Markdown lacks {what}")

    def lose(self, lacks: str) -> None:
        """Take in that a page's Markdown lacks something."""
        self.lost += 1
        self._decide(lacks)

    def accept(self, url: str, markdown: str, *, is_author_s: bool) -> None:
        """Take in that a page's Markdown lacks nothing.

        What a server converts on the way is compared page by page and never relied on.
        """
        self.equal += 1
        self.pattern = self.pattern or _pattern_of(url, markdown)
        self.is_author_s = self.is_author_s and is_author_s
        self._decide("")

    def _decide(self, lacks: str) -> None:
        is_good = self.equal >= EQUAL_PER_LOST * self.lost
        if is_good and self.equal >= PROVEN and self.is_author_s and self.pattern is not None:
            self.standing = Standing.PROVEN
        elif not is_good and self.lost > 1:
            self._fail(f"the site's Markdown lacks {lacks}")
        elif self.equal + self.lost >= DECIDED:
            self._fail(
                "the site's Markdown has no URLs to tell" if self.is_author_s else "a machine makes its Markdown"
            )
        else:
            self.standing = Standing.TRIED

    def _fail(self, reason: str) -> None:
        self.standing, self.reason = Standing.FAILED, reason

    def direct_url(self, url: str) -> str:
        """Return the URL to ask for instead of a page's own, "" to ask for the page."""
        if self.standing is not Standing.PROVEN or self.pattern is None:
            return ""
        self.asked += 1
        return "" if self.asked % SAMPLE == 0 else markdown_url(url, self.pattern)


def _pattern_of(url: str, markdown: str) -> MarkdownPattern | None:
    return next((pattern for pattern in MarkdownPattern if markdown_url(url, pattern) == markdown), None)
