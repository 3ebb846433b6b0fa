"""Remove what is no content, in three layers: never, by meaning of the element, by conventional name."""

from __future__ import annotations

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import HEADINGS, ancestors, elements, is_attached, remove, text_of, unwrap

_NEVER_NAMES = """
    script style template iframe canvas svg object embed applet audio track map area datalist progress meter link meta
    base head frameset frame param colgroup col portal
"""
_NEVER = frozenset(_NEVER_NAMES.split())
# A form that asks for an address or a password goes with what it says, up to this share of the page's text.
MOST_OF_FORM = 0.2
_CONTROLS = frozenset(("button", "input", "select", "textarea", "option", "optgroup", "output", "keygen"))
_ROLES = frozenset(
    (
        "navigation",
        "contentinfo",
        "banner",
        "search",
        "complementary",
        "dialog",
        "alertdialog",
        "menu",
        "menubar",
        "toolbar",
        "tooltip",
    )
)


def remove_never(body: HtmlElement) -> None:
    """Remove scripts, styles, frames and drawings; noscript unless most of the text stands in it.

    Some forums and lazy pages carry their content in noscript.
    """
    noscripts = elements(body, "noscript")
    for element in elements(body, *_NEVER):
        remove(element)
    inside = sum(len(text_of(noscript)) for noscript in noscripts)
    keep = bool(noscripts) and 2 * inside > len(text_of(body))
    for noscript in noscripts:
        unwrap(noscript) if keep else remove(noscript)
    for noframes in elements(body, "noframes"):
        unwrap(noframes)


def remove_controls(body: HtmlElement) -> None:
    """Remove form controls, and forms of little text or that ask who one is; a form around the page is unwrapped."""
    forms = elements(body, "form")
    total = len(text_of(body)) if forms else 0
    for form in forms:
        holds_page = len(text_of(form)) > MOST_OF_FORM * total or next(form.iter("h1", "main"), None) is not None
        if _asks_who(form) and not holds_page:
            remove(form)
    _remove_field_labels(body)
    for element in elements(body, *_CONTROLS):
        # Some sites make whole cards or accordion heads buttons
        if element.tag == "button" and (next(element.iter("p", *HEADINGS), None) is not None or _in_heading(element)):
            unwrap(element)
        else:
            remove(element)
    for form in reversed(elements(body, "form")):
        unwrap(form) if len(text_of(form)) > 300 or next(form.iter(*HEADINGS), None) is not None else remove(form)
    for label in elements(body, "label", "fieldset"):
        unwrap(label)


def _asks_who(form: HtmlElement) -> bool:
    """Tell a form that signs somebody up or in."""
    return any((field.get("type") or "").lower() in {"email", "password"} for field in form.iter("input"))


def _remove_field_labels(body: HtmlElement) -> None:
    """Remove the labels of fields to fill in; those of boxes to check are tabs, folds and tasks."""
    fields = [
        field
        for field in elements(body, "input", "select", "textarea")
        if (field.get("type") or "").lower() not in {"checkbox", "radio"}
    ]
    names = {field.get("id") for field in fields} - {None}
    for label in elements(body, "label"):
        if label.get("for") in names:
            remove(label)


def _in_heading(element: HtmlElement) -> bool:
    return any(ancestor.tag in HEADINGS for ancestor in ancestors(element, 2))


def remove_landmarks(body: HtmlElement) -> None:
    """Remove navigation, footers, side columns and dialogs, unless one holds the page itself."""
    total = len(text_of(body))
    for element in elements(body):
        if not _is_landmark(element) or not is_attached(element, body):
            continue
        if not _is_the_page(element, total):
            remove(element)


def _is_landmark(element: HtmlElement) -> bool:
    tag = element.tag
    if tag in {"nav", "dialog"} or (element.get("role") or "") in _ROLES:
        return True
    if tag in {"footer", "aside"}:
        # The foot of a quotation or a figure names its source; an aside in the text is a remark of the author.
        return not any(a.tag in {"blockquote", "figure"} for a in ancestors(element, 3))
    return tag == "header" and not any(a.tag in {"main", "article", "section"} for a in element.iterancestors())


def _is_the_page(element: HtmlElement, total: int) -> bool:
    if (
        any(child.tag in {"main", "article", "h1"} for child in element.iter() if child is not element)
        and element.tag != "aside"
    ):
        return True
    size = len(text_of(element))
    if element.tag == "dialog" or (element.get("role") or "").endswith("dialog"):
        return False
    return size > 0.4 * total and link_density(element, size) < 0.4


def link_density(element: HtmlElement, size: int = 0) -> float:
    """Return the share of an element's text that stands in links."""
    size = size or len(text_of(element))
    return sum(len(text_of(link)) for link in element.iter("a")) / size if size else 0.0
