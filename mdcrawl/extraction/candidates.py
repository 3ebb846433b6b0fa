"""The declared container of a page's main content."""

from __future__ import annotations

from dataclasses import dataclass

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import class_names, has_class, text_of

# Containers that documentation generators write around the page's text and nothing else.
_GENERATOR_NAMES = (
    "theme-doc-markdown",  # Docusaurus
    "md-content__inner",  # Material for MkDocs, Zensical
    "sl-markdown-content",  # Starlight
    "vp-doc",  # VitePress
    "theme-default-content",  # VuePress
    "markdown-section",  # docsify, GitBook
    "rst-content",  # Sphinx, Read the Docs theme
    "bd-article",  # Sphinx, PyData theme
    "furo-main-content",
    "gitbook-markdown",
    "nextra-content",
    "mdx-content",
    "prose-docs",
)
_GENERATORS = frozenset(_GENERATOR_NAMES)
# Least share of the page's text that a container must hold to be believed.
LEAST_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Container:
    """A declared container; `certain` when a documentation generator is known to have written it."""

    element: HtmlElement
    name: str
    certain: bool = False


def declared_container(body: HtmlElement) -> Container:
    """Return the container that a prepared body declares, or the body itself."""
    size = len(text_of(body))
    for finder in (_generated, _main, _only_article, _by_id):
        container = finder(body)
        if container is not None and len(text_of(container.element)) > LEAST_SHARE * size:
            return container
    return Container(body, "body")


def _generated(body: HtmlElement) -> Container | None:
    for element in body.iter("div", "article", "section", "main"):
        if not _GENERATORS.isdisjoint(class_names(element.get("class"))):
            return Container(_inner_article(element), "container", certain=True)
    for element in body.iter("div", "main", "article", "section"):
        # Sphinx's classic and furo themes; mdBook, whose page is `<div id="content"><main>`; MkDocs
        if element.get("role") == "main" and (
            has_class(element, "body", "document")
            or element.get("id") == "furo-main-content"
            or element.get("itemprop") == "articleBody"
            or has_class(element, "col-md-9")
        ):
            return Container(element, "container", certain=True)
    return None


def _main(body: HtmlElement) -> Container | None:
    mains = list(body.iter("main")) or [e for e in body.iter() if isinstance(e.tag, str) and e.get("role") == "main"]
    if not mains:
        return None
    main = max(mains, key=lambda element: len(text_of(element)))
    return Container(_inner_article(main), "main")


def _inner_article(main: HtmlElement) -> HtmlElement:
    """Return the only article of a main that holds most of it; several are its parts."""
    articles = [a for a in main.iter("article") if not any(x.tag == "article" for x in a.iterancestors())]
    if len(articles) == 1 and 2 * len(text_of(articles[0])) > len(text_of(main)):
        return articles[0]
    return main


def _only_article(body: HtmlElement) -> Container | None:
    articles = [a for a in body.iter("article") if not any(x.tag == "article" for x in a.iterancestors())]
    if len(articles) == 1 and 10 * len(text_of(articles[0])) > 3 * len(text_of(body)):
        return Container(articles[0], "article")
    return None


def _by_id(body: HtmlElement) -> Container | None:
    for name in ("main-content", "maincontent", "content", "main", "mw-content-text", "bodyContent"):
        for element in body.iter("div", "section"):
            if element.get("id") == name and 2 * len(text_of(element)) > len(text_of(body)):
                return Container(element, "id")
    return None
