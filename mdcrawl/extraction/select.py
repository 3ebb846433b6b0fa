"""Choose the main content of a prepared page among candidates."""

from __future__ import annotations

from dataclasses import dataclass

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import find_by_css, text_of


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen element and which candidate it is."""

    element: HtmlElement
    extractor: str


_DECLARED = ("//main", "//*[@role='main']", "//article", "//*[@id='content']", "//*[@id='main-content']")


def select(body: HtmlElement, selector: str = "") -> Choice:
    """Return the main content of a prepared body: its declared container, or all of it."""
    if selector:
        named = find_by_css(body, selector)
        if named:
            return Choice(named[0], "selector")
    total = len(text_of(body))
    for path in _DECLARED:
        found = body.xpath(path)
        if isinstance(found, list) and len(found) == 1 and isinstance(found[0], HtmlElement):
            element = found[0]
            if len(text_of(element)) > 0.1 * total:
                inner = element.findall(".//article")
                if len(inner) == 1 and len(text_of(inner[0])) > 0.5 * len(text_of(element)):
                    element = inner[0]
                return Choice(element, "declared")
    return Choice(body, "body")
