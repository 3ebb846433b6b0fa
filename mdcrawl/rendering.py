"""What is decided about the browser without one: which pages go there, which requests it may make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Shell:
    """A page as the server sent it, to be filled by its scripts; `headers` has lower-case names."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


class Way(StrEnum):
    """How the next page of a site is taken."""

    ASK = "ask"  # converted as it came; to the browser if it turns out to be a shell
    STRAIGHT = "straight"  # to the browser at once
    NEVER = "never"  # not to the browser any more


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """After how many pages a site's way is settled.

    Three shells in a row are a habit of the site: a docs site has one template. A site that has
    gained from none of five has pages that are short by nature, and a browser costs a hundred
    times a plain page.
    """

    straight_after: int = 3
    never_after: int = 5


@dataclass(slots=True)
class SiteMemory:
    """What the pages of one site have taught: whether any was fine as it came, how many were rendered and gained."""

    plain: bool = False
    rendered: int = 0
    gained: int = 0
    failed: int = 0

    def way(self, options: MemoryOptions) -> Way:
        """Return how its next page is taken."""
        if not self.gained and self.rendered >= options.never_after:
            return Way.NEVER
        if not self.plain and self.gained == self.rendered >= options.straight_after:
            return Way.STRAIGHT
        return Way.ASK


class RenderMemory:
    """What is known of each site. Sites that gain go straight to the browser, the others stop paying for it."""

    def __init__(self, options: MemoryOptions = MemoryOptions()) -> None:
        self._options = options
        self._sites: dict[str, SiteMemory] = {}

    def way(self, site: str) -> Way:
        """Return how the next page of a site is taken."""
        return self.of(site).way(self._options)

    def of(self, site: str) -> SiteMemory:
        """Return what is known of a site; counts in it are raised by who learns something."""
        return self._sites.setdefault(site, SiteMemory())

    def facts(self) -> dict[str, dict[str, int | str]]:
        """Return, for each site with a rendered page, its counts and its way from now on."""
        return {
            site: {
                "rendered": memory.rendered,
                "gained": memory.gained,
                "failed": memory.failed,
                "way": str(memory.way(self._options)),
            }
            for site, memory in sorted(self._sites.items())
            if memory.rendered or memory.failed
        }


# Kinds of resources, in Playwright's words, that carry no text of a page.
_BLOCKED_KINDS = frozenset(
    {"image", "font", "media", "texttrack", "ping", "cspviolationreport", "manifest", "prefetch"}
)


def is_blocked(kind: str, url: str, page_url: str) -> bool:
    """Tell whether a request that a page makes beside its own address is not let out.

    `kind` is Playwright's resource type. A frame of another origin is blocked too: nothing of it
    would be in the result, and most are advertisements and players.

    >>> is_blocked("image", "https://a.example/x.png", "https://a.example/")
    True
    >>> is_blocked("fetch", "https://api.example/x", "https://a.example/")
    False
    """
    if kind in _BLOCKED_KINDS:
        return True
    return kind == "document" and origin(url) != origin(page_url)


def origin(url: str) -> tuple[str, str]:
    """Return the scheme and the authority of a URL."""
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.netloc.lower()


def is_same_document(url: str, other: str) -> bool:
    """Tell whether two URLs differ in their fragment at most.

    >>> is_same_document("https://a.example/x#top", "https://a.example/x")
    True
    """
    return url.partition("#")[0] == other.partition("#")[0]
