"""The bars of the histogram."""

from __future__ import annotations

from mdcrawl.report.histogram import BARS, bar_width, draw_bars


def test_bars_meet_the_budget():
    assert [bar_width(budget) for budget in (16, 300, 301, 8_000)] == [2, 30, 31, 800]


def test_heights_are_shares_of_the_highest_and_the_last_takes_the_rest():
    bars = draw_bars({0: 2, 3: 8, BARS: 1, 500: 3}, 300)
    assert (bars[0].least, bars[0].most, bars[0].count, bars[0].height) == (0, 29, 2, 0.25)
    assert (bars[3].count, bars[3].height) == (8, 1.0)
    assert (bars[-1].least, bars[-1].most, bars[-1].count) == (390, 0, 4)
    assert sum(bar.count for bar in bars) == 14


def test_no_chunk_is_no_trouble():
    assert {bar.height for bar in draw_bars({}, 300)} == {0.0}
