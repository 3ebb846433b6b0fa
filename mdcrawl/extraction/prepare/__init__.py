"""Prepare a page's tree: every family of markup brought to one plain form, furniture taken out."""

from __future__ import annotations

from collections.abc import Callable

from lxml.html import HtmlElement

from mdcrawl.extraction.prepare.blocks import normalise_blocks
from mdcrawl.extraction.prepare.chrome import remove_controls, remove_furniture, remove_never
from mdcrawl.extraction.prepare.code import canonical_code
from mdcrawl.extraction.prepare.headings import clean_headings

Step = Callable[[HtmlElement], None]

STEPS: tuple[Step, ...] = (
    canonical_code,  # first: gutters and labels still carry their classes, and code is safe from the rest
    remove_never,
    clean_headings,
    remove_controls,
    remove_furniture,
    normalise_blocks,  # last: whatever the steps before left is now blocks that hold inline runs
)


def prepare(body: HtmlElement) -> None:
    """Bring a parsed body, in place, to the plain form that selection and rendering work on."""
    for step in STEPS:
        step(body)
