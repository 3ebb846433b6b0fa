"""What a crawl learns about one site's own Markdown: where it is, and whether it can be relied on. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mdcrawl.discovery.markdown_urls import MarkdownPattern, markdown_url

# What a site sends that negotiates its representation; HTML stays welcome.
ACCEPT = "text/markdown, text/html;q=0.9, */*;q=0.8"

# Pages of a site whose Markdown must have proved equal before its HTML is only fetched as a sample,
# and how many of those there must be for each that lost something.
PROVEN = 5
EQUAL_PER_LOST = 4
# Pages compared after which a site is relied on or left alone: two requests a page are not to go on.
DECIDED = 10
# Every so-manieth page of a proven site is fetched as HTML and compared again: with as many refusals
# as are borne, a page costs 1.1 requests.
SAMPLE = 20
# Files guessed at before a site that names none is taken to have none, whatever it answers for them.
MAX_GUESSES = 2
# Answers in place of Markdown (a page of HTML, a stub, "not found") before a site is left alone that names
# its Markdown, or sent some for a guess: it may well have that of other pages. Of a proven site one in SAMPLE more.
MAX_REFUSED = 5
# Markdown files, named by other Markdown and by nothing else, that may be missing before the rest are left
# alone: sources name each other by file, which a generator resolves and a server may not.
MAX_STRAYS = 5

# How the URLs of pages end.
ENDINGS = ("", "/", ".html")


class Standing(StrEnum):
    """Where a site stands: nothing known, worth comparing, relied on, not asked again in this crawl."""

    UNKNOWN = "unknown"
    TRIED = "tried"
    PROVEN = "proven"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Place:
    """Where to ask for a page's Markdown: at a URL of its own, or at the page's and by negotiation."""

    url: str
    is_negotiated: bool = False
    is_guess: bool = False

    @property
    def source(self) -> str:
        """What the ledger calls a page that was taken from there."""
        return "md-negotiated" if self.is_negotiated else "md-native"


@dataclass(slots=True)
class SiteMarkdown:
    """One site. `pattern` or `negotiates` is how it gives the Markdown of its pages, once that is known.

    A site that names no Markdown is guessed at: by negotiation once, if its answers vary by it, and at
    the files of a few pages (`guesses`), until one is not there or some Markdown came. `has_slashes`
    says how the site's redirects settle the end of a page's URL, None while none did; `is_due` that the
    next page of a proven site that came as HTML is a sample; `strays` counts Markdown files that were
    named and missing, until one was there (-1); `ending` is how the URLs of its pages end; `reason` is
    why the site failed.
    """

    standing: Standing = Standing.UNKNOWN
    pattern: MarkdownPattern | None = None
    negotiates: bool = False
    has_slashes: bool | None = None
    ending: str | None = None
    equal: int = 0
    lost: int = 0
    has_negotiated: bool = False
    guesses: int = 0
    refused: int = 0
    asked: int = 0
    strays: int = 0
    is_due: bool = False
    is_author_s: bool = True
    reason: str = ""

    def place(self, url: str, declared: str, *, negotiates: bool = False, is_start: bool = False) -> Place | None:
        """Return where to look for the Markdown of a page that came as HTML, None to leave it.

        `declared` is where page, headers or llms.txt say that it is; `negotiates` says that the answer
        depends on what is accepted (Vary). Of a proven site only samples are compared.
        """
        if self.standing is Standing.FAILED or (self.standing is Standing.PROVEN and not self.is_due):
            return None
        self.is_due = False
        if declared:
            return Place(declared)
        return self._known(url) or self._guess(url, negotiates=negotiates, is_start=is_start)

    def direct(self, url: str) -> Place | None:
        """Return where to ask for a page's Markdown instead of its HTML, None to ask for its HTML."""
        place = self._known(url) if self.standing is Standing.PROVEN else None
        if place is None:
            return None
        self.asked += 1
        if self.asked % SAMPLE == 0:
            self.is_due = True
            return None
        return place

    def see_redirect(self, asked: str, final: str) -> None:
        """Take in where a page was found that was asked for."""
        if asked != final and asked.rstrip("/") == final.rstrip("/"):
            self.has_slashes = final.endswith("/")

    def settled(self, url: str) -> str:
        """Return the URL that a proven site would redirect to, since its Markdown is asked for without a redirect.

        Only the slash at the end is settled, of URLs that can have one.
        """
        path, _, name = url.rstrip("/").rpartition("/")
        if self.standing is not Standing.PROVEN or self.has_slashes is None or path.endswith("/") or "?" in url:
            return url
        return url.rstrip("/") + "/" * (self.has_slashes and "." not in name)

    def see_file(self, *, is_there: bool) -> None:
        """Take in whether a Markdown file was there that belongs to no page that is known."""
        if self.strays >= 0:
            self.strays = -1 if is_there else self.strays + 1

    @property
    def names_strays(self) -> bool:
        """Whether further files of that kind are not worth asking for."""
        return self.strays >= MAX_STRAYS

    def _known(self, url: str) -> Place | None:
        if self.pattern is not None:
            target = markdown_url(url, self.pattern)
            return Place(target) if target else None
        return Place(url, is_negotiated=True) if self.negotiates else None

    def _guess(self, url: str, *, negotiates: bool, is_start: bool) -> Place | None:
        if self.pattern is not None:
            return None
        if negotiates and not self.has_negotiated:
            return Place(url, is_negotiated=True, is_guess=True)
        # The index of the whole tells nothing of the names of its pages' files.
        if not self._may_guess or (is_start and url.endswith("/")):
            return None
        target = markdown_url(url, MarkdownPattern.SWAPPED)
        return Place(target, is_guess=True) if target else None

    def miss(self, url: str, place: Place) -> None:
        """Take in that there was nothing where a page's Markdown was looked for."""
        if place.is_guess and not place.is_negotiated:
            self.guesses = MAX_GUESSES
        else:
            self.refuse(url, place, "some of its pages")

    def refuse(self, url: str, place: Place, what: str, *, is_markdown: bool = False) -> None:
        """Take in that something else came in place of a page's Markdown; a stub in Markdown shows where that is."""
        if is_markdown:
            self._learn(url, place)
        elif place.is_guess and place.is_negotiated:
            self.has_negotiated = True
            return
        elif place.is_guess:
            self.guesses += 1
            return
        self.refused += 1
        if self.refused >= MAX_REFUSED + self.asked // SAMPLE:
            self._fail(f"the site's Markdown lacks {what}")

    def lose(self, url: str, place: Place, lacks: str) -> None:
        """Take in that a page's Markdown lacks something."""
        self.lost += 1
        self._learn(url, place)
        self._decide(lacks)

    def accept(self, url: str, place: Place, *, is_author_s: bool) -> None:
        """Take in that a page's Markdown lacks nothing.

        What a server converts on the way is compared page by page and never relied on.
        """
        self.equal += 1
        self._learn(url, place)
        self.is_author_s = self.is_author_s and is_author_s
        self._decide("")

    def page_like(self, candidates: Sequence[str]) -> str:
        """Return the one of the pages that a Markdown file may be of that ends as the site's pages do, "" for none."""
        if self.standing is not Standing.PROVEN or self.ending is None:
            return ""
        return self.settled(next((url for url in candidates if _ending_of(url) == self.ending), ""))

    def _learn(self, url: str, place: Place) -> None:
        # The index of a folder ends in a slash on any site.
        if self.ending is None or not url.endswith("/"):
            self.ending = _ending_of(url)
        if place.is_negotiated:
            self.negotiates = True
        elif self.pattern is None:
            self.pattern = next(
                (pattern for pattern in MarkdownPattern if markdown_url(url, pattern) == place.url), None
            )

    def _decide(self, lacks: str) -> None:
        is_good = self.equal >= EQUAL_PER_LOST * self.lost
        has_place = self.pattern is not None or self.negotiates
        if is_good and self.equal >= PROVEN and self.is_author_s and has_place:
            self.standing = Standing.PROVEN
        elif not is_good and self.lost > 1:
            self._fail(f"the site's Markdown lacks {lacks}")
        elif self.equal + self.lost >= DECIDED:
            self._fail(
                "where the site's Markdown is cannot be told from a page's URL"
                if self.is_author_s
                else "a machine makes the site's Markdown out of its HTML"
            )
        else:
            self.standing = Standing.TRIED

    def _fail(self, reason: str) -> None:
        self.standing, self.reason = Standing.FAILED, reason

    @property
    def is_undecided(self) -> bool:
        """Whether a further page may tell more about the site."""
        if self.standing is Standing.UNKNOWN:
            return self.refused > 0 or self._may_guess
        return self.standing is Standing.TRIED

    @property
    def _may_guess(self) -> bool:
        return self.guesses < MAX_GUESSES

    def to_text(self) -> str:
        """Return what the next crawl is to know of a proven site."""
        return json.dumps(
            {
                "pattern": self.pattern or "",
                "negotiates": self.negotiates,
                "has_slashes": self.has_slashes,
                "ending": self.ending,
            }
        )

    @classmethod
    def from_text(cls, text: str) -> SiteMarkdown:
        """Return a site as the last crawl left it; nothing known where that cannot be read. Raises nothing."""
        try:
            known = json.loads(text)
            pattern = MarkdownPattern(known["pattern"]) if known["pattern"] else None
            negotiates = known["negotiates"] is True
            has_slashes = {True: True, False: False}.get(known["has_slashes"])
            ending = {each: each for each in ENDINGS}.get(known["ending"])
        except (ValueError, TypeError, KeyError):
            return cls()
        if pattern is None and not negotiates:
            return cls()
        return cls(Standing.PROVEN, pattern, negotiates, has_slashes, ending, equal=PROVEN)


def _ending_of(url: str) -> str:
    return next((ending for ending in ENDINGS[1:] if url.endswith(ending)), "")
