"""Headings: signs of anchors and editing gone, each with the id of its place in the page."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import HEADINGS, elements, has_class, is_attached, make, remove, text_of, unwrap

_SIGN = re.compile(r"^[\s\u200b\u200c\u200d\ufeff¶#§🔗⚓∞\uf0c1\ue157]*$")
_BADGE = re.compile(
    r"(?:^|[\s_-])(?:vpbadge|badge|sl-badge|status-badge|sd-badge|tag-badge|label-badge|api-badge)(?=[\s_-]|$)"
)


def clean_headings(body: HtmlElement) -> None:
    """Take anchor links and edit links out of headings and note each heading's anchor."""
    for heading in elements(body, *HEADINGS):
        anchor = _anchor_of(heading)
        for child in elements(heading):
            if is_attached(child, heading) and _is_sign(child):
                remove(child)
        _unwrap_link_to_itself(heading, anchor)
        _move_badges(heading)
        if anchor:
            heading.set("data-anchor", anchor)
        if not text_of(heading) and next(heading.iter("img"), None) is None:
            remove(heading)


def _is_sign(element: HtmlElement) -> bool:
    if element.tag == "a":
        return (bool(_SIGN.match(text_of(element))) and next(element.iter("img"), None) is None) or has_class(
            element, "headerlink", "hash-link", "header-anchor", "anchor-link", "sl-anchor-link"
        )
    return has_class(element, "mw-editsection", "headerlink", "sr-only", "visually-hidden")


def _unwrap_link_to_itself(heading: HtmlElement, anchor: str) -> None:
    """Take the link around a whole heading away where it leads to that heading ("#lime", "?id=lime")."""
    link = next(heading.iter("a"), None)
    if link is not None and anchor and re.search(f"[#=]{re.escape(anchor)}$", link.get("href") or ""):
        unwrap(link)


def _move_badges(heading: HtmlElement) -> None:
    """Put status marks ("experimental") behind the heading: they are no part of its name."""
    for badge in elements(heading, "span", "sup", "sl-badge", "small"):
        if (
            is_attached(badge, heading)
            and _BADGE.search((badge.get("class") or "").lower() + " " + str(badge.tag))
            and len(text_of(heading)) > len(text_of(badge))
        ):
            text = text_of(badge)
            remove(badge)
            if text:
                heading.addnext(make("p", text))


def _anchor_of(heading: HtmlElement) -> str:
    own = heading.get("id")
    if own:
        return own
    for link in heading.iter("a"):
        if link.get("id") or link.get("name"):
            return link.get("id") or link.get("name") or ""
        href = link.get("href") or ""
        if href.startswith("#") and len(href) > 1:
            return href[1:]
    for child in heading.iter():
        if isinstance(child.tag, str) and child.get("id"):
            return child.get("id") or ""
    parent = heading.getparent()
    if parent is not None and parent.get("id") and parent[0] is heading and parent.tag in {"section", "div", "article"}:
        return parent.get("id") or ""
    return ""
