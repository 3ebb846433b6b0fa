"""The options of extraction, apart from it: who only hands them on need not load it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mdcrawl.items import ImageMode, LinkMode, View
from mdcrawl.seams import Component

# Short names in the settings.
RENDERERS: Mapping[str, str] = {"html-to-markdown": "mdcrawl.extraction.html_to_markdown.render"}
FILTERS: Mapping[str, str] = {
    "pruning": "mdcrawl.filters.pruning.Pruning",
    "bm25": "mdcrawl.filters.bm25.Bm25",
    "model": "mdcrawl.filters.model.keep_all",
}


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """Which views are made, what filters the fit ones (None: they stay empty), and what the crawl asks about."""

    views: tuple[View, ...] = ()
    filter: Component | None = None
    query: str = ""


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """How to extract: link and image mode, CSS selectors of what to drop, and what stands at the seams.

    None at a seam is the usual part. `fields` says what fields are wanted, as JSON; `tokenizer`
    counts what a page costs a model before and after.
    """

    links: LinkMode = LinkMode.STRIP
    images: ImageMode = ImageMode.ALT
    drop: tuple[str, ...] = ()
    selector: Component | None = None
    renderer: Component | None = None
    tokenizer: Component | None = None
    views: ViewOptions | None = None
    fields: str = ""


DEFAULT_OPTIONS = ExtractionOptions()


def asked_views(views: tuple[View, ...], query: str) -> tuple[View, ...]:
    """Return the views to make: a query that no fit view was asked for with asks for the fit Markdown."""
    if not query or {View.FIT_MARKDOWN, View.FIT_HTML} & set(views):
        return views
    return (*views, View.FIT_MARKDOWN)


def css_selector(css: str) -> Component:
    """Return the component of a CSS selector."""
    return Component.of("mdcrawl.extraction.selectors.CssSelector", css=css)
