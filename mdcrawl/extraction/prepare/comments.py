"""Readers' comments below an article and reviews of a product go; the posts of a thread are the page and stay."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mdcrawl.extraction.prepare.phrases import section_of
from mdcrawl.extraction.tree import HEADINGS, elements, is_attached, remove, text_of

_SECTION = re.compile(
    r"^(?:js-)?(?:(?:post|article|entry|user|reader|blog|site|wp)-)?comments?"
    r"(?:-?(?:lists?|section|area|wrap|wrapper|container|block|box|threads?|holder|content|inner|app|widget|region|tree))?$|"
    r"^(?:comments?list|disqus_?thread|disqus-?comments?|fb-comments|commentsdiv|respond|responses|trackbacks|pingbacks)$",
    re.IGNORECASE,
)
_THREAD_URL = re.compile(
    r"(?:^|[./])(?:forums?|boards?|community|discuss|discourse|answers)\b|"
    r"/(?:threads?|topics?|discussions?|viewtopic|showthread|t|questions)(?:[/.]|$)",
    re.IGNORECASE,
)
# A page whose text outside its comments has at least this many letters is an article; below it is
# a link with a discussion.
ARTICLE_LETTERS = 600
_REVIEWS = re.compile(
    r"^(?:(?:customer|product|user|verified|guest)-)*(?:reviews?|ratings?|testimonials?)"
    r"(?:-(?:list|section|area|container|wrapper|widget|tab|app|block|root|summary|grid))*$|"
    r"^(?:yotpo|bv|trustpilot|okendo|stamped|judgeme|jdgm|loox)-\S*$",
    re.IGNORECASE,
)
_REVIEW_HEADING = re.compile(
    r"^(?:[\d,.]+\s+)?(?:(?:most )?(?:helpful|recent|top|customer|user|verified|product|guest|buyer)s?[’']?\s+)*"
    r"(?:reviews?|ratings?|testimonials)\b.{0,60}$|"
    r"^what (?:our|other) (?:clients|customers|users|buyers) .{0,30}$|"
    r"^(?:kunden)?bewertungen\b.{0,30}$|"
    r"^(?:avis(?: clients?)?|opiniones|recensioni|avaliações|opinie|отзывы|レビュー|评价)\b.{0,9}$",
    re.IGNORECASE,
)


def remove_comments(body: HtmlElement, url: str, kinds: frozenset[str] = frozenset()) -> None:
    """Remove the comment sections of articles, the comments under posts of question pages, reviews of products.

    `kinds` holds the schema.org and Open Graph types that the page declares, lower case.
    """
    if "product" in kinds:
        _remove_reviews(body)
    if _is_thread(kinds, url):
        return
    sections = [
        element for element in elements(body, "div", "section", "ol", "ul", "aside", "article") if _is_section(element)
    ]
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


def _remove_reviews(body: HtmlElement) -> None:
    total = len(text_of(body))
    for element in elements(body, "div", "section", "ul", "ol", *HEADINGS):
        if not is_attached(element, body):
            continue
        box = element
        if element.tag in HEADINGS:
            text = text_of(element)
            if not _REVIEW_HEADING.match(text):
                continue
            box = section_of(element, text)
        elif not any(_REVIEWS.match(name) for name in [*(element.get("class") or "").split(), element.get("id") or ""]):
            continue
        if next(box.iter("h1", "main"), None) is None and len(text_of(box)) < 0.7 * total:
            remove(box)


def _is_thread(kinds: frozenset[str], url: str) -> bool:
    """Tell a thread by what it declares or by its address; question pages are none: their comments are asides."""
    if not kinds.isdisjoint(("qapage", "answer")):
        return False
    if "discussionforumposting" in kinds:
        return True
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(_THREAD_URL.search(parts.netloc + parts.path))
