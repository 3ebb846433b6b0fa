"""Where the Markdown of a page may be, and which page a Markdown file belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from mdcrawl.discovery.links import header_links

_URL = re.compile(r"(https?://[^/?#]+)(/[^?#]*)?(\?[^#]*)?", re.IGNORECASE)
_MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})
_HTML_NAME = re.compile(r"\.x?html?$", re.IGNORECASE)
_MARKDOWN_NAME = re.compile(r"\.(?:md|mdx|markdown)$", re.IGNORECASE)


class MarkdownPattern(StrEnum):
    """How a site names the Markdown of its pages."""

    # /a and /a.html and /a/ -> /a.md
    SWAPPED = "swapped"
    # /a.html -> /a.html.md, /a/ -> /a/index.html.md (llms.txt, version 1)
    APPENDED = "appended"
    # /a/ and /a -> /a/index.md
    INDEX = "index"


def declared_markdown(headers: Mapping[str, str], url: str) -> str:
    """Return where a page's Link header says that its Markdown is, "" if it does not. Raises nothing.

    >>> declared_markdown({"link": '</a.md>; rel="alternate"; type="text/markdown"'}, "https://example.com/a")
    'https://example.com/a.md'
    """
    value = next((value for name, value in headers.items() if name.lower() == "link"), "")
    links = header_links(value, url)
    return next((link.url for link in links if "alternate" in link.relations and link.type in _MARKDOWN_TYPES), "")


def markdown_url(url: str, pattern: MarkdownPattern) -> str:
    """Return where a page's Markdown is by a pattern; "" for what has none (a query, a Markdown file, no URL).

    >>> markdown_url("https://example.com/docs/a.html", MarkdownPattern.SWAPPED)
    'https://example.com/docs/a.md'
    """
    found = _URL.match(url)
    if found is None or found[3] or _MARKDOWN_NAME.search(found[2] or ""):
        return ""
    origin, path = found[1], found[2] or "/"
    name = path.rpartition("/")[2]
    if pattern is MarkdownPattern.APPENDED:
        return f"{origin}{path}index.html.md" if not name else f"{origin}{path}.md"
    stem = _HTML_NAME.sub("", path).rstrip("/")
    if pattern is MarkdownPattern.INDEX:
        # A site of folders has no names of files but index.html.
        if _HTML_NAME.search(path) and not stem.endswith("/index"):
            return ""
        return f"{origin}{stem.removesuffix('/index')}/index.md"
    return f"{origin}{stem or '/index'}.md"


def page_urls(markdown: str) -> tuple[str, ...]:
    """Return the pages that a Markdown file may be the Markdown of, the likeliest first; none for other URLs.

    >>> page_urls("https://example.com/a.html.md"), page_urls("https://example.com/b/index.md")[0]
    (('https://example.com/a.html',), 'https://example.com/b/')
    """
    found = _URL.match(markdown)
    if found is None or not found[2] or not _MARKDOWN_NAME.search(found[2]):
        return ()
    origin, stem = found[1], _MARKDOWN_NAME.sub("", found[2])
    if _HTML_NAME.search(stem):
        folder = re.sub(r"/index\.x?html?$", "/", stem, flags=re.IGNORECASE)
        return tuple(dict.fromkeys((origin + folder, origin + stem)))
    if stem.endswith("/index"):
        folder = stem.removesuffix("index")
        paths = (folder, folder.rstrip("/") or "/", f"{stem}.html")
    else:
        paths = (stem, f"{stem}/", f"{stem}.html")
    return tuple(dict.fromkeys(origin + path for path in paths))
