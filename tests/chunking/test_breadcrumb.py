from __future__ import annotations

import pytest

from mdcrawl.chunking.breadcrumb import breadcrumb
from mdcrawl.chunking.tokens import count_tokens


@pytest.mark.parametrize(
    ("path", "max_tokens", "line"),
    [
        (("Doors", "Hinges"), 50, "Doors > Hinges"),
        ((), 50, ""),
        (("Doors", "very " * 30, "Oil"), 20, "Doors > … > Oil"),
        (("Doors and hinges", "Oil"), 2, "Oil"),
        (("Doors and hinges",), 2, ""),
        (("```", "Oil"), 50, "\\``` > Oil"),
        (("<script> elements",), 50, "\\<script> elements"),
        (("<div> elements",), 50, "<div> elements"),
    ],
    ids=[
        "path",
        "none",
        "middle goes first",
        "last one fits",
        "no room",
        "fence",
        "element that runs on",
        "element that does not",
    ],
)
def test_breadcrumb(path, max_tokens, line):
    assert breadcrumb(path, max_tokens) == line


def test_last_heading_is_cut_at_last():
    line = breadcrumb(("Doors", "long " * 100), 12)
    assert line.startswith("long long")
    assert line.endswith("…")
    assert count_tokens(line) <= 12
