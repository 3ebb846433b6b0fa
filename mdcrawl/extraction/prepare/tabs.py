"""Tabs and folded parts: every panel stays, opened, under its label."""

from __future__ import annotations

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import elements, has_class, is_attached, make, remove, text_of, with_class

_LIST_CLASSES = (
    "tabbed-labels",
    "tabs",
    "nav-tabs",
    "sd-tab-labels",
    "tab-list",
    "tablist",
    "tab-buttons",
    "tabs-nav",
    "tabs__list",
    "code-tabs-nav",
    "tabset",
)
_PANEL_CLASSES = (
    "tabbed-block",
    "tab-pane",
    "tab-panel",
    "tabpanel",
    "tab-content",
    "sd-tab-content",
    "tabcontent",
    "tabs-panel",
    "tab-item",
    "tabs__panel",
    "code-tab",
)


def open_tabs(body: HtmlElement) -> None:
    """Put each tab's label, in bold, at the head of its panel, and take the row of tabs out."""
    for tab_list in with_class(body, *_LIST_CLASSES, role="tablist"):
        if not is_attached(tab_list, body):
            continue
        tabs = _tabs_of(tab_list)
        labels = [text_of(tab) for tab in tabs]
        panels = _panels_of(tab_list, tabs, body) if tabs else []
        if panels and len(panels) == len(labels):
            for label, panel in zip(labels, panels, strict=True):
                _label(panel, label)
            inside = any(panel is part for panel in panels for part in tab_list.iter())
            for tab in tabs if inside else [tab_list]:
                remove(tab)
    for caption in elements(body, "label"):  # caption and panel in turn, as sphinx-design writes them
        following = caption.getnext()
        if (
            following is not None
            and isinstance(following.tag, str)
            and has_class(following, *_PANEL_CLASSES)
            and following.get("data-md") != "panel"
        ):
            _label(following, text_of(caption))
            remove(caption)


def open_details(body: HtmlElement) -> None:
    """Make each summary a bold label."""
    for summary in elements(body, "summary"):
        text = text_of(summary)
        if not text:
            remove(summary)
        elif next(summary.iter("h1", "h2", "h3", "h4", "h5", "h6"), None) is not None:
            summary.tag = "div"
        else:
            summary.tag = "p"
            bold = make("strong", summary.text or "")
            for child in list(summary):
                bold.append(child)
            summary.text = None
            summary.append(bold)


def _tabs_of(tab_list: HtmlElement) -> list[HtmlElement]:
    tabs = [e for e in tab_list.iter() if isinstance(e.tag, str) and e.get("role") == "tab"]
    tabs = tabs or list(tab_list.iter("label")) or [e for e in tab_list.iter("button", "a") if text_of(e)]
    return [tab for tab in tabs if text_of(tab)]


def _panels_of(tab_list: HtmlElement, tabs: list[HtmlElement], body: HtmlElement) -> list[HtmlElement]:
    targets = [
        (t.get("aria-controls") or t.get("data-bs-target") or t.get("data-target") or t.get("href") or "").lstrip("#")
        for t in tabs
    ]
    if all(targets):
        wanted = set(targets)
        by_id = {e.get("id"): e for e in body.iter() if isinstance(e.tag, str) and e.get("id") in wanted}
        found = [by_id[t] for t in targets if t in by_id]
        if len(found) == len(tabs):
            return found
    scope: HtmlElement | None = tab_list
    for _ in range(3):  # the panels stand beside the row of tabs, or beside its wrapper
        scope = scope.getparent() if scope is not None else None
        if scope is None or scope is body:
            return []
        panels = [
            e
            for e in scope.iter()
            if isinstance(e.tag, str) and (e.get("role") == "tabpanel" or has_class(e, *_PANEL_CLASSES))
        ]
        panels = [
            p
            for p in panels
            if p is not tab_list
            and not any(a in panels for a in p.iterancestors())
            and not any(d is tab_list for d in p.iter())
        ]
        if len(panels) == len(tabs):
            return panels
        for sibling in tab_list.itersiblings():
            children = [c for c in sibling if isinstance(c.tag, str)]
            if len(children) == len(tabs) > 0 and sibling.tag in {"div", "section"}:
                return children
    return []


def _label(panel: HtmlElement, label: str) -> None:
    panel.set("data-md", "panel")
    for attribute in ("hidden", "aria-hidden", "style"):
        panel.attrib.pop(attribute, None)
    paragraph = make("p")
    paragraph.append(make("strong", label))
    if panel.tag == "pre":
        panel.addprevious(paragraph)
        return
    paragraph.tail = panel.text
    panel.text = None
    panel.insert(0, paragraph)
