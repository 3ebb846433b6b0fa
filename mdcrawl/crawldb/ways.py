"""The ways to URLs: what a page is found by depends on the links of a site alone, not on the order of the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from mdcrawl.crawldb import frontier, ledger
from mdcrawl.crawldb.frontier import Candidate

# Some 150 bytes each; the links of a site's menus, which are on all its pages, are a few hundred.
MOST = 20_000

# How far a URL is from the start, and the page that leads to it; of two ways the lesser is kept.
Way = tuple[int, str]


class Ways:
    """The shortest ways that this process has put into the frontier, as far as it remembers.

    The frontier only ever takes a shorter way, so it need not be asked about a link that is none.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._shortest: dict[str, Way] = {}

    def shorter(self, urls: Iterable[str], way: Way) -> list[str]:
        """Return those URLs to which a way may be shorter than all before it.

        >>> ways = Ways()
        >>> ways.learn(["b", "c"], (1, "a"))
        >>> ways.shorter(["b", "d"], (2, "c")), ways.shorter(["b"], (0, "a"))
        (['d'], ['b'])
        """
        shortest = self._shortest
        return [url for url in urls if url not in shortest or way < shortest[url]]

    def learn(self, urls: Iterable[str], way: Way) -> None:
        """Take note of a way to URLs that is in the frontier, its transaction committed."""
        if len(self._shortest) > self._most:
            self._shortest.clear()
        for url in self.shorter(urls, way):
            self._shortest[url] = way


@dataclass(frozen=True, slots=True)
class Followed:
    """What came of a page's links: what now waits, and the ways that were put into the frontier."""

    queued: list[Candidate]
    ways: list[tuple[list[str], Way]]


def follow(
    connection: Connection, ways: Ways, url: str, links: Iterable[str], candidate: Callable[[str, Way], Candidate]
) -> Followed:
    """Add the links of a known page to the frontier, and those of stored pages that are nearer to the start by them.

    `candidate` makes what is added of a URL and the way to it.
    """
    followed = Followed([], [])
    pending = [(url, frontier.depth_of(connection, url), links)]
    while pending:
        parent, depth, targets = pending.pop()
        way = depth + 1, parent
        new = ways.shorter(targets, way)
        added = frontier.add(connection, [candidate(target, way) for target in new])
        followed.ways.append((new, way))
        followed.queued.extend(added.queued)
        pending += [(target, now, ledger.links_of(connection, target)) for target, now in added.nearer.items()]
    return followed
