"""Lists: items where lists want them, task boxes as [x], definition lists without wrappers."""

from __future__ import annotations

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import ancestors, elements, make, remove, unwrap

_LISTS = frozenset(("ul", "ol", "menu", "dir"))


def mark_tasks(body: HtmlElement) -> None:
    """Write the check boxes of task lists as text, before form controls go."""
    for box in elements(body, "input"):
        if (box.get("type") or "").lower() != "checkbox":
            continue
        item = next((a for a in ancestors(box, 3) if a.tag == "li"), None)
        if item is None or not (box.get("disabled") is not None or "task" in (item.get("class") or "").lower()):
            continue  # a control, not a mark
        first = next((e for e in item.iter("input")), None)
        if first is not box:
            continue
        mark = "[x] " if box.get("checked") is not None else "[ ] "
        box.tag = "span"
        box.text = mark
        box.set("data-md", "raw")
        box.tail = (box.tail or "").lstrip() or None


def repair_lists(body: HtmlElement) -> None:
    """Put every child of a list into an item, and lists that stand between items into the one before."""
    for listing in elements(body, *_LISTS):
        if listing.tag in {"menu", "dir"}:
            listing.tag = "ul"
        for child in list(listing):
            if isinstance(child.tag, str) and child.tag != "li":
                _place(listing, child)
    for item in elements(body, "li"):
        parent = item.getparent()
        if parent is not None and parent.tag not in _LISTS:
            _adopt(item, parent)
    for definitions in elements(body, "dl"):
        for child in elements(definitions, "div"):
            if child.getparent() is definitions:
                unwrap(child)


def _place(listing: HtmlElement, child: HtmlElement) -> None:
    before = child.getprevious()
    if child.tag in _LISTS and before is not None and before.tag == "li":
        before.append(child)
    elif child.tag in {"div", "span"} and child.find("./li") is not None:
        unwrap(child)
    elif "".join(child.itertext()).strip() or child.find(".//img") is not None:
        item = make("li")
        listing.replace(child, item)
        child.tail, item.tail = None, child.tail
        item.append(child)
    else:
        remove(child)


def _adopt(item: HtmlElement, parent: HtmlElement) -> None:
    before = item.getprevious()
    if before is not None and before.get("data-md") == "adopted":
        before.append(item)
        return
    listing = make("ul")
    listing.set("data-md", "adopted")
    parent.replace(item, listing)
    item.tail, listing.tail = None, item.tail
    listing.append(item)
