"""Find the content of a page in the data that it carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from lxml.html import HtmlElement

from mdcrawl.verdicts.embedded.prose import is_html, is_markdown, is_prose, plain
from mdcrawl.verdicts.embedded.rich_text import is_rich_text, to_html
from mdcrawl.verdicts.embedded.states import find_states
from mdcrawl.verdicts.words import count_words

_MAX_VISITS = 100_000

# Keys under which content systems keep the page itself.
_BODY_KEYS = frozenset(
    {
        *("articlebody", "body", "bodyhtml", "body_html", "content", "contenthtml", "content_html", "html", "rendered"),
        *("markdown", "md", "bodymarkdown", "text", "richtext", "rich_text", "article", "post", "page", "document"),
    }
)
_TITLE_KEYS = ("headline", "title", "name", "heading", "frontmatter", "pageTitle")


@dataclass(frozen=True, slots=True)
class EmbeddedContent:
    """The content of a page from its own data.

    `text` is Markdown if `is_markdown`, else an HTML document with a title and a main element.
    `origin` says where it stood, for the reason of a verdict.
    """

    text: str
    is_markdown: bool
    origin: str
    title: str = ""
    words: int = 0


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    origin: str
    title: str
    key: str
    words: int


def find_embedded(tree: HtmlElement) -> EmbeddedContent | None:
    """Return the content that a shell carries in its data; None if nothing there reads as a page.

    `tree` is the raw parsed page, scripts included. Raises nothing.
    """
    page_title = _page_title(tree)
    best = max(_candidates(tree), key=lambda each: _worth(each, page_title), default=None)
    if best is None:
        return None
    title = best.title or page_title
    if is_markdown(best.text):
        head = "" if re.search(r"^# ", best.text, re.MULTILINE) or not title else f"# {title}\n\n"
        return EmbeddedContent(
            head + best.text.strip() + "\n", is_markdown=True, origin=best.origin, title=title, words=best.words
        )
    return EmbeddedContent(
        _document(best.text, title), is_markdown=False, origin=best.origin, title=title, words=best.words
    )


def _page_title(tree: HtmlElement) -> str:
    """Return the page's title without the name of the site behind it."""
    title = tree.find(".//title")
    text = " ".join(title.text_content().split()) if title is not None else ""
    return re.split(r"\s[|–—·-]\s", text, maxsplit=1)[0]


def _candidates(tree: HtmlElement) -> Iterator[_Candidate]:
    for state in find_states(tree):
        for key, text, title in _texts(state.value):
            if is_prose(text):
                origin = f"{state.origin} {key}".strip()
                yield _Candidate(text, origin, title, key.lower(), count_words(plain(text)))


def _texts(value: object) -> Iterator[tuple[str, str, str]]:
    """Yield (key, text, title beside it) for each long string and each rich text of a JSON value."""
    stack: list[tuple[str, object, str]] = [("", value, "")]
    visits = 0
    while stack and visits < _MAX_VISITS:
        visits += 1
        key, node, title = stack.pop()
        if isinstance(node, str):
            if len(node) > 100:
                yield key, node, title
        elif isinstance(node, dict | list) and is_rich_text(node):
            yield key, to_html(node, 1), title
        elif isinstance(node, dict):
            title = _title_of(node) or title
            stack.extend((name, below, title) for name, below in node.items())
        elif isinstance(node, list):
            stack.extend((key, below, title) for below in node)


def _title_of(node: dict[str, object]) -> str:
    for key in _TITLE_KEYS:
        found = node.get(key)
        if isinstance(found, dict):  # WordPress keeps {"rendered": …}, front matter its own title
            found = found.get("rendered") or found.get("title")
        if isinstance(found, str) and 0 < len(found) < 200:
            return " ".join(found.split())
    return ""


def _worth(candidate: _Candidate, page_title: str) -> float:
    """Return how likely a candidate is the page itself: long, kept under a telling key, named as the page is."""
    worth = float(min(candidate.words, 5000))
    if candidate.key in _BODY_KEYS:
        worth *= 1.5
    if is_html(candidate.text) or is_markdown(candidate.text):
        worth *= 1.3
    title, page = candidate.title.lower(), page_title.lower()
    if title and page and (title in page or page in title):
        worth *= 3
    return worth


def _document(text: str, title: str) -> str:
    """Return an HTML document around HTML blocks or plain paragraphs."""
    if is_html(text):
        body = text
    else:
        paragraphs = [part.strip() for part in re.split(r"\n\s*\n|\r\n\s*\r\n|\n", text) if part.strip()]
        body = "".join(f"<p>{part if '<' in part else escape(part, quote=False)}</p>" for part in paragraphs)
    has_heading = bool(re.search(r"<h1\b", body, re.IGNORECASE))
    name = escape(title, quote=False)
    heading = f"<h1>{name}</h1>" if title and not has_heading else ""
    return f"<html><head><title>{name}</title></head><body><main>{heading}{body}</main></body></html>"
