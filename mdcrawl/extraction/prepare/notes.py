"""Footnotes as `[^1]` with their definitions; citation marks of wikis gone; ruby glosses in parentheses."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import ancestors, elements, has_class, is_attached, make, remove, replace, text_of, unwrap

_TARGET = re.compile(
    r"#(?:user-content-)?(?:fn|footnote|note|ftnt?|_ftn|_edn|sdfootnote|id\d)[\w:.-]*$|#_?(?:footnotedef|foot)[\w-]*$"
)
_BACK = re.compile(
    r"#(?:user-content-)?(?:fnref|footnote-?ref|ref|cite_ref|note-?ref|_ftnref|_ednref|ftnt_ref|id\d|footnote-anchor)[\w:.-]*$"
)
_MARK = re.compile(r"^\[?\(?(\d{1,3}|[a-z*†‡]|[ivx]{1,4})\)?\]?$")
_BACK_SIGNS = frozenset(("↩", "↩︎", "↑", "^", "⏎", "↵", "⤴", "back", "return", "[return]"))


def write_notes(body: HtmlElement) -> None:
    """Mark footnotes and their references where both stand on the page."""
    for mark in elements(body, "sup"):
        if has_class(mark, "reference", "noprint", "citation-needed") and mark.find(".//a") is not None:
            remove(mark)
    ids = {
        e.get("id") or e.get("name") or "": e
        for e in body.iter()
        if isinstance(e.tag, str) and (e.get("id") or (e.tag == "a" and e.get("name")))
    }
    defined: dict[HtmlElement, str] = {}
    for link in elements(body, "a"):
        href = link.get("href") or ""
        if not is_attached(link, body) or not _is_reference(link, href):
            continue
        definition = _definition(ids.get(href.rpartition("#")[2]), body)
        if definition is None or any(a is definition for a in link.iterancestors()):
            continue
        label = defined.setdefault(definition, _label(link, len(defined) + 1, defined))
        whole = link.getparent()
        target = whole if whole is not None and whole.tag == "sup" and text_of(whole) == text_of(link) else link
        replace(target, make("span", f"[^{label}]", data_md="raw"))
    for definition, label in defined.items():
        _write_definition(definition, label)


def _is_reference(link: HtmlElement, href: str) -> bool:
    if "#" not in href or not _MARK.match(text_of(link)):
        return False
    if (
        has_class(link, "footnote-ref", "footnote-reference")
        or link.get("role") == "doc-noteref"
        or link.get("data-footnote-ref") is not None
    ):
        return True
    raised = any(a.tag == "sup" for a in ancestors(link, 2)) or next(link.iter("sup"), None) is not None
    return raised and bool(_TARGET.search(href))


def _label(link: HtmlElement, count: int, taken: dict[HtmlElement, str]) -> str:
    match = _MARK.match(text_of(link))
    label = match.group(1) if match else str(count)
    return label if label not in taken.values() and label.isalnum() else f"n{count}"


def _definition(target: HtmlElement | None, body: HtmlElement) -> HtmlElement | None:
    """Return the block that defines a footnote: the item or paragraph at the reference's target."""
    if target is None or target is body:
        return None
    if target.tag in {"li", "p", "div", "aside", "dd", "dt"}:
        return target if len(text_of(target)) < 3000 else None
    return next(
        (a for a in ancestors(target, 4) if a.tag in {"li", "p", "aside", "dd"} and len(text_of(a)) < 3000), None
    )


def _write_definition(definition: HtmlElement, label: str) -> None:
    for link in elements(definition, "a"):
        text = text_of(link)
        if (
            text in _BACK_SIGNS
            or has_class(link, "footnote-backref", "footnote-backref", "fn-backref", "data-footnote-backref")
            or link.get("role") == "doc-backlink"
            or (_BACK.search(link.get("href") or "") and (_MARK.match(text) or not text.isalnum()))
        ):
            remove(link)
    for mark in elements(definition, "span", "sup"):
        if has_class(mark, "label", "fn-bracket", "backrefs", "brackets") or not text_of(mark).strip("[]()., "):
            remove(mark)
    definition.tag = "div"
    first = next((p for p in definition.iter("p")), definition)
    mark = make("span", f"[^{label}]: ", data_md="raw")
    mark.tail = (first.text or "").lstrip(" \n\t.:)")
    first.text = None
    first.insert(0, mark)
    _keep(definition)
    for ancestor in ancestors(definition, 3):  # what holds the notes is no furniture and no list any more
        if ancestor.tag in {"ol", "ul", "aside", "footer"} or has_class(ancestor, "footnotes", "footnote-list"):
            _keep(ancestor)


def _keep(element: HtmlElement) -> None:
    element.tag = "div"
    for name in ("class", "role"):
        element.attrib.pop(name, None)


def write_ruby(body: HtmlElement) -> None:
    """Write ruby glosses in parentheses behind what they gloss."""
    for parenthesis in elements(body, "rp"):
        remove(parenthesis)
    for gloss in elements(body, "rt"):
        text = text_of(gloss)
        for child in list(gloss):
            gloss.remove(child)
        gloss.text = f"({text})" if text else ""
    for base in elements(body, "ruby", "rb", "rt", "rtc"):
        unwrap(base)
