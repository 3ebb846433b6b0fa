"""Admonitions of the usual generators: a blockquote that starts with its label in bold."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import elements, is_attached, make, remove, text_of

_BOX = re.compile(
    r"(?:^|\s)(?:admonition(?:block)?|theme-admonition|custom-block|custom-container|starlight-aside|markdown-alert|callout|alert|hint|notecard|notice|"
    r"blockquote-tag|md-alert|infobox-note|sl-aside|docs-alert|p-notification|message-box|docs-callout|"
    r"(?:notice|alert|callout|admonition|hint|message|markdown-alert|adm|bd-callout|notification)-{1,2}(?:note|info|tip|warning|danger|caution|important|success|error|secondary|primary))(?=\s|$)"
)
_TITLE = re.compile(
    r"(?:^|[\s_-])(?:admonition-?(?:title|heading)|admonitionheading\S*|custom-block-title|custom-container-title|starlight-aside__title|markdown-alert-title|callout-(?:title|heading|label)|alert-(?:title|heading)|blockquote-tag-title|title|notecard-title|message-header)(?=[\s_]|$)"
)
_KIND = re.compile(
    r"(?:^|[\s_-])(note|info|information|tip|hint|warning|warn|danger|caution|important|attention|error|success|question|example|bug|abstract|quote|seealso|versionadded|versionchanged|deprecated|check|remark)(?=[\s_-]|$)"
)
# docsify and others write a whole admonition as one paragraph of its kind.
_PARAGRAPH_KINDS = frozenset(("tip", "warn", "warning", "note", "info", "danger"))
# What is longer than this is a part of the page whatever its class name says.
MOST_LETTERS = 8000


def box_admonitions(body: HtmlElement) -> None:
    """Turn each admonition into a blockquote; where the box has no title, its kind is the label."""
    for element in elements(body, "div", "aside", "section", "p", "details", "blockquote"):
        names = (element.get("class") or "").lower()
        if names and _is_box(element, names) and is_attached(element, body):
            kind = _KIND.search(names)
            if 0 < len(text_of(element)) <= MOST_LETTERS:
                _box(element, kind.group(1) if kind else "")


def _is_box(element: HtmlElement, names: str) -> bool:
    if element.tag == "details" and not ("admonition" in names or "custom-block" in names):
        return False  # folded text that a theme only colours like an alert
    if element.tag == "p" and names.strip() in _PARAGRAPH_KINDS:
        return True
    return bool(_BOX.search(names)) and (bool(_KIND.search(names)) or _titled(element) is not None)


def _titled(element: HtmlElement) -> HtmlElement | None:
    for child in elements(element, "p", "div", "span", "strong", "summary", "h2", "h3", "h4", "h5", "h6")[:4]:
        if _TITLE.search((child.get("class") or "").lower()) or child.tag == "summary":
            return child
    return None


def _box(element: HtmlElement, kind: str) -> None:
    title = _titled(element)
    label = ""
    if title is not None and title is not element:
        label = text_of(title)
        if len(label) < 200:
            remove(title)
        else:
            label = ""
    if not label and element.tag != "blockquote":
        label = {"warn": "warning", "seealso": "see also"}.get(kind, kind).capitalize()
        if text_of(element).lower().startswith(label.lower()):
            label = ""
    element.tag, was = "blockquote", element.tag
    if was == "p":
        inner = make("p", element.text or "")
        for child in list(element):
            inner.append(child)
        element.text = None
        element.append(inner)
    if label:
        label = label.capitalize() if label.islower() and " " not in label else label  # style sheets write it large
        head = make("p")
        head.append(make("strong", label))
        head.tail = element.text
        element.text = None
        element.insert(0, head)
    element.set("class", "")
    element.attrib.pop("role", None)
