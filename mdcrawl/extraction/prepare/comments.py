"""Readers' comments below an article go; the posts of a thread are the page and stay."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import elements, is_attached, remove, text_of

_SECTION = re.compile(
    r"^(?:js-)?(?:(?:post|article|entry|user|reader|blog|site|wp)-)?comments?(?:-?(?:list|lists|section|area|wrap|wrapper|container|block|box|thread|threads|holder|content|inner|app|widget|region|module|tree))?$|"
    r"^(?:comments?list|disqus_?thread|disqus-?comments?|fb-comments|commentsdiv|livefyre\S*|coral-?\S*|respond|responses|trackbacks|pingbacks)$",
    re.IGNORECASE,
)
_THREAD_URL = re.compile(
    r"(?:^|[./])(?:forums?|boards?|community|discuss|discourse|answers|lobste|news\.ycombinator|reddit)\b|/(?:threads?|topics?|discussions?|viewtopic|showthread|t|questions)(?:[/.]|$)", re.IGNORECASE
)
# A page whose text outside its comments has at least this many letters is an article; below it is
# a link with a discussion.
ARTICLE_LETTERS = 600


def remove_comments(body: HtmlElement, url: str) -> None:
    """Remove the comment sections of articles; on question pages the comments under posts."""
    if _is_thread(body, url):
        return
    sections = [element for element in elements(body, "div", "section", "ol", "ul", "aside", "article") if _is_section(element)]
    outer = [section for section in sections if not any(a in sections for a in section.iterancestors())]
    if not outer:
        return
    inside = sum(len(text_of(section)) for section in outer)
    if len(text_of(body)) - inside >= ARTICLE_LETTERS:
        for section in outer:
            if is_attached(section, body) and next(section.iter("h1", "main"), None) is None:
                remove(section)


def _is_section(element: HtmlElement) -> bool:
    names = (element.get("class") or "").split()
    return any(_SECTION.match(name) for name in names) or bool(_SECTION.match(element.get("id") or ""))


def _is_thread(body: HtmlElement, url: str) -> bool:
    """Tell a thread by what its markup or its address calls it; question pages are none: their comments are asides."""
    kinds = " ".join(element.get("itemtype") or "" for element in body.iter("div", "article", "section", "main", "li"))
    if "QAPage" in kinds or "schema.org/Answer" in kinds:
        return False
    if "DiscussionForumPosting" in kinds:
        return True
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(_THREAD_URL.search(parts.netloc + parts.path))
