"""Selectors of the main content beside the usual choice."""

from __future__ import annotations

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import find_by_css


class CssSelector:
    """The first element that a CSS selector names; the usual choice where it names none."""

    def __init__(self, css: str) -> None:
        self._css = css

    def __call__(self, body: HtmlElement, kinds: frozenset[str]) -> HtmlElement | None:
        """Return the element, None if there is none."""
        return next(iter(find_by_css(body, self._css)), None)
