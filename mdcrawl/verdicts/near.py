"""Pages that nearly repeat another: counted and shown, never left out, since a manual of the next version is one."""

from __future__ import annotations

import heapq
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Share of their wording that two pages have in common to be near. Below 0.8 pages of one template
# whose subjects differ are caught too.
NEAR_SHARE = 0.9
# A sketch holds the smallest hashes of a text's shingles. Fewer than these say too little.
MIN_HASHES = 16
# Two near pages share nearly all of their hashes, and so almost surely one of their smallest few.
KEYS = 6
# Only the last few pages with a hash are looked at, so that what stands on every page costs little.
LAST = 3
MAX_EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class NearPages:
    """How many pages nearly repeat an earlier one, and the first few with the page that they repeat."""

    count: int
    examples: tuple[tuple[str, str], ...]


def find_near(pages: Iterable[tuple[str, Sequence[int]]]) -> NearPages:
    """Return which of the pages, given as URL and sketch, nearly repeat one before them.

    >>> find_near([("a", range(64)), ("b", range(1, 65)), ("c", range(900, 964))])
    NearPages(count=1, examples=(('b', 'a'),))
    """
    seen: defaultdict[int, deque[tuple[str, array[int]]]] = defaultdict(lambda: deque(maxlen=LAST))
    count = 0
    examples: list[tuple[str, str]] = []
    for url, hashes in pages:
        if len(hashes) < MIN_HASHES:
            continue
        entry = (url, array("Q", sorted(hashes)))
        keys = entry[1][:KEYS]
        candidates = {other: sketch for key in keys for other, sketch in seen[key]}
        near = next((other for other, sketch in candidates.items() if share(entry[1], sketch) >= NEAR_SHARE), "")
        if near:
            count += 1
            if len(examples) < MAX_EXAMPLES:
                examples.append((url, near))
        for key in keys:
            seen[key].append(entry)
    return NearPages(count, tuple(examples))


def share(one: Sequence[int], other: Sequence[int]) -> float:
    """Return an estimate of the share of their wording that two texts have in common (Jaccard), from their sketches.

    >>> share(range(64), range(64)), share(range(64), range(64, 128))
    (1.0, 0.0)
    """
    size = min(len(one), len(other))
    smallest = heapq.nsmallest(size, {*one, *other})
    both = {*one} & {*other}
    return sum(value in both for value in smallest) / size
