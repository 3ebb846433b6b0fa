"""What a page's Markdown left out: told by words that stand together, not by words that occur."""

from __future__ import annotations

import pytest

from mdcrawl.report.left_out import fates_of

LINES = ["Oil the pin of the hinge once.", "Do so twice a year, not more."]


@pytest.mark.parametrize(
    ("texts", "markdown", "fates"),
    [
        pytest.param(LINES, " ".join(LINES), "kept kept", id="all kept"),
        pytest.param(LINES, "Something else.", "out out", id="nothing kept"),
        pytest.param(LINES, "", "out out", id="no Markdown"),
        pytest.param(["Hinge", "Pin", *LINES], "\n".join(LINES), "out out kept kept", id="menu of words that occur"),
        pytest.param([LINES[0], "hinge", LINES[1]], "\n".join(LINES), "kept gap kept", id="lost in the midst"),
        pytest.param([*LINES, "Made by nobody"], "\n".join(LINES), "kept kept out", id="footer"),
        pytest.param(["\n", LINES[0], "¶"], LINES[0], "kept kept kept", id="without a word"),
        pytest.param(["Call ", "read_all", " now"], r"Call `read\_all` now", "kept kept kept", id="escaped"),
        pytest.param(
            ["See ", "the guide", " first"], "See [the guide](https://x.org/a) first", "kept kept kept", id="link"
        ),
        pytest.param(["水をやる。", "目次"], "水をやる。", "kept out", id="no spaces"),
        pytest.param(["One"], "One", "kept", id="one word"),
    ],
)
def test_fates(texts, markdown, fates):
    assert fates_of(texts, markdown) == fates.split()
