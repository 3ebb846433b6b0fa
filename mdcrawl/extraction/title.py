"""The page's title stands in its Markdown once: brought in from outside the main content, or freed of repetition."""

from __future__ import annotations

from copy import deepcopy

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import text_of


def place_title(element: HtmlElement, body: HtmlElement, full_title: str) -> None:
    """Put the h1 that stands alone above the main content at its head; drop an h1 that repeats the first.

    `full_title` is the text of the page's title element. An h1 that only ends it ("Page | Site") is
    the site's name.
    """
    titles = list(element.iter("h1"))
    if titles:
        first = text_of(titles[0]).lower()
        for title in titles[1:]:
            if text_of(title).lower() == first:
                title.drop_tree()
        return
    outside = list(body.iter("h1"))
    if len(outside) == 1 and element is not body:
        name, full = text_of(outside[0]).lower(), full_title.lower()
        if full != name and full.endswith(name):
            return
        title = deepcopy(outside[0])
        title.tail = None
        element.insert(0, title)
