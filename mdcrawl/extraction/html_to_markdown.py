"""A second renderer: the html-to-markdown package, written in Rust. Imported only when it is chosen.

Faster than ours and less exact: docs/seams.md lists where its Markdown differs.
"""

from __future__ import annotations

from copy import deepcopy

import html_to_markdown
from lxml.html import HtmlElement, tostring

from mdcrawl.extraction.render import Rendered
from mdcrawl.extraction.tree import HEADINGS
from mdcrawl.items import ImageMode, LinkMode

_LINK_STYLES = {LinkMode.KEEP: "inline", LinkMode.CITATIONS: "reference"}


def render(root: HtmlElement, links: LinkMode, images: ImageMode) -> Rendered:
    """Return the Markdown of a prepared element."""
    root = deepcopy(root)
    root.tail = None
    if links is LinkMode.STRIP:
        for link in list(root.iter("a")):
            if link is not root:
                link.drop_tag()
    for caption in root.iter("figcaption"):
        caption.tag = "p"  # it would become emphasis
    if images is ImageMode.ALT:
        for image in list(root.iter("img")):
            # Without an address it would take another attribute for one.
            image.tail = f"![{image.get('alt')}]()" * bool(image.get("alt")) + (image.tail or "")
            image.drop_tree()
    options = html_to_markdown.ConversionOptions(
        bullets="-",
        autolinks=False,
        extract_metadata=False,
        skip_images=images is ImageMode.STRIP,
        link_style=_LINK_STYLES.get(links, "inline"),
    )
    markdown = html_to_markdown.convert(tostring(root, encoding="unicode"), options).content or ""
    headings = ((" ".join(str(h.text_content()).split()), h.get("data-anchor") or "") for h in root.iter(*HEADINGS))
    return Rendered(markdown.strip("\n"), tuple(heading for heading in headings if heading[0]))
