"""Links out of Markdown pages and Link headers, and which of any page's links can be pages."""

from __future__ import annotations

import html
import re
from typing import NamedTuple, Protocol

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mdcrawl.discovery.urls import join_url
from mdcrawl.items import Link

# Longer than any page of documentation; the worst nesting takes markdown-it 30 µs for each character.
_MAX_CHARS = 500_000
_MAX_LINKS = 20_000

# The default nesting of 20 loses what stands deeper in lists.
_PARSER = MarkdownIt("commonmark", {"maxNesting": 100})
# <a href="…"> and the components of MDX pages, <Card href="…">.
_HTML_HREF = re.compile(r"""<[A-Za-z][^<>]*?\s(?:href|to)\s*=\s*["']([^"'<>]+)["'][^<>]*>""")
_NOFOLLOW = re.compile(r"""\srel\s*=\s*["'][^"'<>]*\bnofollow\b""", re.IGNORECASE)
_HEADER_LINK = re.compile(r"<([^<>]*)>((?:[^,\"<>]|\"[^\"]*\")*)")
_HEADER_PARAMETER = re.compile(r";\s*([\w*-]+)\s*=\s*(?:\"([^\"]*)\"|([^\s;,]+))")
# Names of files that are never pages and that a server does not use as the name of one. Not .js,
# .json, .css or .ts: "/docs/node.js" and "/docs/package.json" are pages about these.
_ASSET = re.compile(
    r"[^?#]*\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|heic|mp3|m4a|ogg|oga|wav|flac|mp4|m4v|webm|mov|avi|mkv|wmv"
    r"|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|whl|egg|deb|rpm|apk|dmg|pkg|msi|exe|iso|img|bin"
    r"|pdf|epub|mobi|docx?|xlsx?|pptx?|odt|ods|odp|ps|rtf|parquet|sqlite|wasm)(?:[?#]|$)",
    re.IGNORECASE,
)


class _Add(Protocol):
    def __call__(self, href: str, text: str = "", *, nofollow: bool = False) -> None: ...


class HeaderLink(NamedTuple):
    """One link of a Link header: absolute URL, relations, type and language in lower case."""

    url: str
    relations: tuple[str, ...]
    type: str
    hreflang: str = ""


def is_page_link(url: str) -> bool:
    """Return whether an absolute URL can be a page: http or https, and no picture, archive or other file by name.

    >>> is_page_link("https://example.com/a"), is_page_link("mailto:a@example.com"), is_page_link("https://x.org/a.zip")
    (True, False, False)
    """
    return url[:8].lower().startswith(("http://", "https://")) and not _ASSET.match(url)


def markdown_links(markdown: str, base_url: str) -> tuple[Link, ...]:
    """Return the links of a Markdown page in order, each target once; nothing out of code. Raises nothing.

    Takes inline links, automatic links, reference definitions (used or not) and href attributes of
    HTML and MDX elements. URLs are absolute as written, fragment included; links to other places on
    the same page are left out.

    >>> [link.url for link in markdown_links("[a](b.md) `[c](d)` <https://x.org/>", "https://x.org/docs/")]
    ['https://x.org/docs/b.md', 'https://x.org/']
    """
    environment: dict[str, dict[str, dict[str, str]]] = {}
    found: dict[str, Link] = {}

    def add(href: str, text: str = "", *, nofollow: bool = False) -> None:
        url = join_url(base_url, html.unescape(href)) if not href.startswith("#") else ""
        if url and len(found) < _MAX_LINKS:
            found.setdefault(url, Link(url, text, nofollow))

    for token in _PARSER.parse(markdown[:_MAX_CHARS], environment):
        if token.type == "html_block":
            _add_html(token.content, add)
        for position, child in enumerate(token.children or ()):
            if child.type == "link_open":
                add(str(child.attrGet("href") or ""), _text_after(token.children or [], position))
            elif child.type == "html_inline":
                _add_html(child.content, add)
    for reference in environment.get("references", {}).values():
        add(reference.get("href", ""), reference.get("title", ""))
    return tuple(found.values())


def _add_html(markup: str, add: _Add) -> None:
    for element in _HTML_HREF.finditer(markup):
        add(element[1], nofollow=_NOFOLLOW.search(element[0]) is not None)


def _text_after(tokens: list[Token], opening: int) -> str:
    words: list[str] = []
    position = opening + 1
    while position < len(tokens) and tokens[position].type != "link_close":
        words.append(tokens[position].content)
        position += 1
    return " ".join("".join(words).split())


def header_links(value: str, base_url: str) -> tuple[HeaderLink, ...]:
    """Return the links of a Link header (RFC 8288); several headers joined by commas or line breaks. Raises nothing.

    >>> header_links('</llms.txt>; rel="describedby llms-txt"; type="text/plain"', "https://example.com/a")[0].relations
    ('describedby', 'llms-txt')
    """
    links = []
    for target, rest in _HEADER_LINK.findall(value[:20_000]):
        parameters = {name.lower(): quoted or bare for name, quoted, bare in _HEADER_PARAMETER.findall(rest)}
        url = join_url(base_url, target)
        if url:
            relations = tuple(parameters.get("rel", "").lower().split())
            media_type, language = parameters.get("type", "").lower(), parameters.get("hreflang", "").lower()
            links.append(HeaderLink(url, relations, media_type, language))
    return tuple(links)
