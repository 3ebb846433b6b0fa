"""How chunk sizes are spread, as the bars of a drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# Bars below the budget, and all; the last takes whatever is larger. More could not be read on a phone.
BARS_TO_BUDGET = 10
BARS = 14


@dataclass(frozen=True, slots=True)
class Bar:
    """Chunks of `least` to `most` tokens (0: without end), and its height from 0 to 1."""

    least: int
    most: int
    count: int
    height: float


def bar_width(budget: int) -> int:
    """Return the tokens that one bar spans.

    >>> bar_width(300)
    30
    """
    return max(1, -(-budget // BARS_TO_BUDGET))


def draw_bars(counts: Mapping[int, int], budget: int) -> list[Bar]:
    """Return the bars of a histogram; `counts` maps tokens // bar_width(budget) to chunks."""
    width = bar_width(budget)
    heights = [0] * BARS
    for place, count in counts.items():
        heights[min(max(place, 0), BARS - 1)] += count
    highest = max(heights) or 1
    return [
        Bar(at * width, 0 if at == BARS - 1 else (at + 1) * width - 1, count, count / highest)
        for at, count in enumerate(heights)
    ]
