"""Views of the main content from the one pass that found it: fit Markdown and HTML, citations, plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import cast

from lxml.html import HtmlElement, tostring
from markdown_it import MarkdownIt

from mdcrawl.extraction.citations import split_references
from mdcrawl.extraction.options import ViewOptions
from mdcrawl.extraction.prepare import prepare
from mdcrawl.extraction.render import cite, to_markdown
from mdcrawl.extraction.seams import ContentFilter, FilterPage, Renderer
from mdcrawl.extraction.tree import BLOCK_TAGS, body_of, parse
from mdcrawl.items import ImageMode, LinkMode, View, Views
from mdcrawl.seams import Component, make

_PARSER = MarkdownIt("commonmark", {"maxNesting": 1000, "html": True}).enable("table")
# Attributes that mean something without the page around them.
_KEPT = frozenset(("href", "src", "alt", "colspan", "rowspan", "start", "lang", "dir"))
_SPACE = re.compile(r"\s+")


def make_views(
    root: HtmlElement, options: ViewOptions, page: FilterPage, renderer: Component | None, images: ImageMode
) -> Views:
    """Return the views of a prepared main content that are asked for; the element stays as it is."""
    asked = frozenset(options.views)
    render = to_markdown if renderer is None else cast("Renderer", make(renderer))
    fit_markdown = fit_html = ""
    if options.filter is not None and asked & {View.FIT_MARKDOWN, View.FIT_HTML}:
        fit = deepcopy(root)
        fit.tail = None
        cast("ContentFilter", make(options.filter))(fit, page)
        fit_html = plain_html(fit) if View.FIT_HTML in asked else ""
        fit_markdown = render(fit, LinkMode.STRIP, images).markdown if View.FIT_MARKDOWN in asked else ""
    if View.CITATIONS not in asked:
        cited = split_references("")
    elif renderer is None:
        cited, _ = cite(root, images)
    else:
        cited = split_references(render(root, LinkMode.CITATIONS, images).markdown)
    return Views(
        fit_markdown=fit_markdown,
        fit_html=fit_html,
        citations=cited.markdown,
        references=cited.references,
        text=plain_text(root) if View.TEXT in asked else "",
    )


def views_of_markdown(
    markdown: str, url: str, options: ViewOptions, page: FilterPage, images: ImageMode = ImageMode.ALT
) -> Views:
    """Return the views of a page that its site serves as Markdown, made of what the Markdown reads as."""
    body = body_of(parse(f"<main>{_PARSER.render(markdown)}</main>"))
    prepare(body, url, url)
    return make_views(body, options, page, None, images)


def plain_text(root: HtmlElement) -> str:
    """Return the text of a prepared element: a blank line between blocks, code as it is, cells between tabs."""
    return "\n\n".join(_texts(root)).strip("\n")


def _texts(node: HtmlElement) -> Iterator[str]:
    if node.tag == "pre":
        yield "".join(node.itertext()).strip("\n")
    elif node.tag == "table":
        caption = node.find("caption")
        lines = [_line(caption)] if caption is not None else []
        lines += ["\t".join(_line(cell) for cell in row if cell.tag in {"td", "th"}) for row in node.iter("tr")]
        yield from filter(None, ["\n".join(line for line in lines if line.strip())])
    elif any(child.tag in BLOCK_TAGS for child in node):
        for child in node:
            if isinstance(child.tag, str):
                yield from _texts(child)
    elif line := _line(node):
        yield line


def _line(node: HtmlElement) -> str:
    return _SPACE.sub(" ", "".join(_runs(node))).strip()


def _runs(node: HtmlElement) -> Iterator[str]:
    if node.tag == "img":
        yield node.get("alt") or ""
        return
    yield " " if node.tag == "br" or node.tag in BLOCK_TAGS else ""
    yield node.text or ""
    for child in node:
        if isinstance(child.tag, str):
            yield from _runs(child)
        yield child.tail or ""


def plain_html(root: HtmlElement) -> str:
    """Return the HTML of a prepared element with nothing but what its text needs: no classes but languages of code."""
    root = deepcopy(root)
    for element in root.iter():
        anchor = element.get("data-anchor")
        for name, value in list(element.attrib.items()):
            if name not in _KEPT and not (name == "class" and value.startswith("language-")):
                del element.attrib[name]
        if anchor:
            element.set("id", anchor)
    root.tail = None
    return str(tostring(root, encoding="unicode"))
