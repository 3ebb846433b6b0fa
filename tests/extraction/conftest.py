"""A page around a fragment, converted: what every table of these tests calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mdcrawl.extraction.extract import extract
from mdcrawl.extraction.options import ExtractionOptions

FILLER = (
    "The keeper walks the wall each morning and writes down which stones the frost has moved, "
    "so that whoever mends it in spring knows where to begin and what to bring along."
)


@pytest.fixture
def convert() -> Callable[..., str]:
    def call(fragment: str, url: str = "https://wall.example/guide/", **options: object) -> str:
        page = f"<html><body><main><h1>Walls</h1>{fragment}<p>{FILLER}</p></main></body></html>"
        markdown = extract(page, url, ExtractionOptions(**options)).markdown
        assert markdown.startswith("# Walls\n\n")
        assert markdown.endswith(FILLER)
        return markdown[len("# Walls\n\n") : -len(FILLER)].strip("\n")

    return call
