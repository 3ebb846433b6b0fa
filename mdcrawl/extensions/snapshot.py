"""How a crawl stands, and as one line for a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Lines that the view takes up at most: it must not jump about.
MAX_SITES = 4
# What the browser's counts mean, in the order in which a page meets them.
BROWSER = {
    "embedded": "spared by data in the page",
    "shells": "without content",
    "pages": "drawn",
    "retried": "tried again",
    "failed": "failed",
    "gained": "with content then",
    "blocked_addresses": "requests to private addresses stopped",
}


@dataclass(frozen=True, slots=True)
class ParkedSite:
    """A site that is left alone for some seconds, or for good (`wait_s` is 0), and why."""

    site: str
    wait_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How a crawl stands. `done` and `known` count URLs; `verdicts` those of this process."""

    elapsed_s: float
    done: int
    known: int
    per_second: float
    verdicts: Mapping[str, int]
    parked: Sequence[ParkedSite]
    browser: Mapping[str, int]
    memory_bytes: int


def to_line(snapshot: Snapshot) -> str:
    """Return a snapshot as one line of a log."""
    parts = [
        f"{snapshot.done} of {snapshot.known} URLs done, {snapshot.per_second:.1f} a second",
        ", ".join(f"{count} {verdict}" for verdict, count in most_first(snapshot.verdicts)),
        f"browser: {browser_words(snapshot)}" if snapshot.browser else "",
        "; ".join(f"{wait_words(each)}: {each.site} ({each.reason})" for each in snapshot.parked[:MAX_SITES]),
        f"{snapshot.memory_bytes / 1e6:.0f} MB",
    ]
    return "; ".join(part for part in parts if part)


def most_first(verdicts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return verdicts and their counts, the most frequent first."""
    return sorted(verdicts.items(), key=lambda item: (-item[1], item[0]))


def browser_words(snapshot: Snapshot) -> str:
    """Return what the browser did, in words."""
    return ", ".join(f"{snapshot.browser[name]} {words}" for name, words in BROWSER.items() if name in snapshot.browser)


def wait_words(parked: ParkedSite) -> str:
    """Return for how long a site is left alone, in words."""
    return f"parked for {parked.wait_s:.0f} s" if parked.wait_s else "given up"
