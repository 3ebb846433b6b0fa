"""The seams of extraction: what a function or class must take and return to stand there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lxml.html import HtmlElement

from mdcrawl.extraction.render import Rendered
from mdcrawl.items import ImageMode, LinkMode


class Selector(Protocol):
    """Finds a page's main content."""

    def __call__(self, body: HtmlElement, kinds: frozenset[str]) -> HtmlElement | None:
        """Return the element of the main content, None for the usual choice.

        `body` is the prepared body; what is changed in it stays changed. `kinds` are the types that
        the page declares of itself, lower case.
        """


class Renderer(Protocol):
    """Writes the main content as Markdown."""

    def __call__(self, root: HtmlElement, links: LinkMode, images: ImageMode) -> Rendered:
        """Return the Markdown of a prepared element, and its headings with their ids."""


@dataclass(frozen=True, slots=True)
class FilterPage:
    """What a filter knows of a page beside its main content.

    `lang` is as the page declares it ("" if it does not), `query` the crawl's own, `extractor` what
    found the main content ("container": a documentation generator wrote nothing else into it).
    """

    title: str = ""
    lang: str = ""
    query: str = ""
    extractor: str = ""


class ContentFilter(Protocol):
    """Leaves of the main content what is fit to be read by a model."""

    def __call__(self, root: HtmlElement, page: FilterPage) -> None:
        """Take out of `root`, a copy of the main content, what is not fit. `root` itself stays."""
