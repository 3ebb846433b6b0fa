"""The one entry: a page's HTML to an Extraction."""

from __future__ import annotations

from dataclasses import dataclass

from lxml.html import HtmlElement

from mdcrawl.extraction.decode import Decoded, decode
from mdcrawl.extraction.evidence import collect
from mdcrawl.extraction.metadata import base_url, read_links, read_metadata
from mdcrawl.extraction.prepare import prepare
from mdcrawl.extraction.receipt import check
from mdcrawl.extraction.render import to_markdown
from mdcrawl.extraction.select import select
from mdcrawl.extraction.tree import body_of, find_by_css, parse, remove
from mdcrawl.items import Extraction, ImageMode, LinkMode


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """How to extract: link and image mode; CSS selectors of the main content and of what to drop."""

    links: LinkMode = LinkMode.STRIP
    images: ImageMode = ImageMode.ALT
    main_content: str = ""
    drop: tuple[str, ...] = ()


def extract(
    html: str | bytes, url: str = "", options: ExtractionOptions = ExtractionOptions(), charset: str = ""
) -> Extraction:
    """Return the main content of a page as Markdown, with its metadata, links and receipt.

    `charset` is what the Content-Type header declares. Raises nothing for any page.
    """
    decoded = decode(html, charset) if isinstance(html, bytes) else Decoded(html, "utf-8")
    tree = parse(decoded.text)
    alive = list(tree.iter())  # lxml makes an element's object anew whenever none is held: a seventh of the time
    base = base_url(tree, url)
    evidence = collect(tree)
    links = read_links(tree, base)
    metadata = read_metadata(tree, url)
    body = body_of(tree)
    _drop(body, options.drop)
    prepare(body, base, url, metadata.kinds)
    choice = select(tree, options.main_content, metadata.kinds)
    rendered = to_markdown(choice.element, options.links, options.images)
    receipt = check(choice.element, rendered.markdown)
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
        languages=metadata.languages,
        charset=decoded.charset,
        charset_guessed=decoded.guessed,
        anchors=rendered.anchors,
        links=links,
        evidence=evidence,
    )


def _drop(body: HtmlElement, selectors: tuple[str, ...]) -> None:
    """Remove what a site's own selectors name; a selector that is none removes nothing."""
    for selector in selectors:
        for element in find_by_css(body, selector):
            remove(element)
