"""The one entry: a page's HTML to an Extraction."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from lxml.html import HtmlElement

from mdcrawl.extraction.decode import Decoded, decode
from mdcrawl.extraction.evidence import collect
from mdcrawl.extraction.metadata import base_url, read_links, read_metadata
from mdcrawl.extraction.options import DEFAULT_OPTIONS, ExtractionOptions
from mdcrawl.extraction.prepare import prepare
from mdcrawl.extraction.receipt import check
from mdcrawl.extraction.render import to_markdown
from mdcrawl.extraction.seams import FilterPage, Renderer, Selector
from mdcrawl.extraction.select import Choice, select
from mdcrawl.extraction.title import place_title
from mdcrawl.extraction.tree import body_of, cut, find_by_css, parse, remove
from mdcrawl.extraction.views import make_views
from mdcrawl.items import Extraction
from mdcrawl.seams import Component, make

# A page past these bounds is cut, and its receipt says so: 25 µs an element, 5 s and 500 MB in all
# (measured on pages of 20 MB of paragraphs, rows, items, code and one text).
MAX_SOURCE = 5_000_000
MAX_ELEMENTS = 100_000
_DATA_URL = re.compile(r"data:[\w/+.-]*;base64,[A-Za-z0-9+/=%]{1000,}")
_SCRIPTS = re.compile(r"<(script|style|svg)\b[^>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)


def extract(
    html: str | bytes, url: str = "", options: ExtractionOptions = DEFAULT_OPTIONS, charset: str = ""
) -> Extraction:
    """Return the main content of a page as Markdown, with its metadata, links and receipt.

    `charset` is what the Content-Type header declares. Raises nothing for any page.
    """
    decoded = decode(html, charset) if isinstance(html, bytes) else Decoded(html, "utf-8")
    source, losses = _bounded(decoded.text)
    tree = parse(source)
    left_out = cut(tree, MAX_ELEMENTS)
    if left_out:
        losses = (*losses, f"{left_out} of {MAX_ELEMENTS + left_out} elements cut off")
    alive = list(tree.iter())  # lxml makes an element's object anew whenever none is held: a seventh of the time
    base = base_url(tree, url)
    evidence = collect(tree)
    links = read_links(tree, base)
    metadata = read_metadata(tree, url)
    body = body_of(tree)
    _drop(body, options.drop)
    prepare(body, base, url, metadata.kinds)
    choice = _choose(tree, metadata.kinds, options.selector)
    place_title(choice.element, body, metadata.full_title)
    render = to_markdown if options.renderer is None else cast("Renderer", make(options.renderer))
    rendered = render(choice.element, options.links, options.images)
    receipt = check(choice.element, rendered.markdown)
    receipt = replace(receipt, losses=losses + receipt.losses) if losses else receipt
    views = None
    if options.views is not None:
        page = FilterPage(metadata.title, metadata.lang, options.views.query, choice.extractor)
        views = make_views(choice.element, options.views, page, options.renderer, options.images)
    del alive
    return Extraction(
        title=metadata.title,
        markdown=rendered.markdown,
        extractor=choice.extractor,
        receipt=receipt,
        description=metadata.description,
        lang=metadata.lang,
        canonical_url=metadata.canonical_url,
        published=metadata.published,
        modified=metadata.modified,
        robots=metadata.robots,
        use=metadata.use,
        markdown_url=metadata.markdown_url,
        llms_url=metadata.llms_url,
        languages=metadata.languages,
        charset=decoded.charset,
        charset_guessed=decoded.guessed,
        anchors=rendered.anchors,
        links=links,
        views=views,
        evidence=evidence,
    )


def _choose(tree: HtmlElement, kinds: frozenset[str], selector: Component | None) -> Choice:
    """Return the main content by the selector at the seam, by the usual one where it says nothing."""
    if selector is not None:
        named = cast("Selector", make(selector))(body_of(tree), kinds)
        if named is not None:
            return Choice(named, "selector")
    return select(tree, kinds)


def _bounded(source: str) -> tuple[str, tuple[str, ...]]:
    """Return a source of bearable size, and the loss where it had to be cut.

    Of a larger one embedded files and scripts go first; they hold no text.
    """
    if len(source) <= MAX_SOURCE:
        return source, ()
    source = _SCRIPTS.sub(" ", _DATA_URL.sub("data:,", source))
    if len(source) <= MAX_SOURCE:
        return source, ()
    return source[:MAX_SOURCE], (f"{len(source) - MAX_SOURCE} of {len(source)} characters of source cut off",)


def _drop(body: HtmlElement, selectors: tuple[str, ...]) -> None:
    """Remove what a site's own selectors name; a selector that is none removes nothing."""
    for selector in selectors:
        for element in find_by_css(body, selector):
            remove(element)
