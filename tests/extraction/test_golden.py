"""Whole pages of each kind beside their Markdown, exactly; `MDCRAWL_REGENERATE=1 pytest …` writes the Markdown anew.

Read the difference of a regenerated page as code: the expected text is the truth, not what came out.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mdcrawl.extraction.extract import extract

FIXTURES = Path(__file__).parents[2] / "fixtures" / "extraction"
PAGES = sorted(path.parent for path in FIXTURES.glob("*/input.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page):
    extraction = extract((page / "input.html").read_bytes(), f"https://wall.example/{page.name}")
    expected = page / "expected.md"
    if os.environ.get("MDCRAWL_REGENERATE"):
        expected.write_text(extraction.markdown + "\n", encoding="utf-8")
    assert extraction.markdown + "\n" == expected.read_text(encoding="utf-8")
    assert extraction.receipt.losses == ()
