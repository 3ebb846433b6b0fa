"""Tables that no pipe table can hold, as HTML of structure only."""

from __future__ import annotations

import html as entities
import re

from lxml.html import HtmlElement

_KEPT_NAMES = """
    table caption tr td th p br ul ol li strong b em i code pre sub sup del blockquote dl dt dd h1 h2 h3 h4 h5 h6
"""
_KEPT = frozenset(_KEPT_NAMES.split())


def table_html(table: HtmlElement) -> str:
    """Return a table as HTML of structure only, on lines none of which is blank."""
    parts: list[str] = []
    _write_html(table, parts)
    return "".join(parts)


def _write_html(element: HtmlElement, parts: list[str]) -> None:
    tag = str(element.tag)
    kept = tag in _KEPT
    if kept:
        spans = "".join(
            f' {name}="{entities.escape(element.get(name) or "")}"'
            for name in ("colspan", "rowspan")
            if (element.get(name) or "").isdigit() and element.get(name) != "1"
        )
        parts.append(f"<{tag}{spans}>")
    if tag == "pre":
        parts.append(_html_text("".join(element.itertext())).replace("\n", "&#10;"))
    else:
        if element.text:
            parts.append(_folded(element.text))
        for child in element:
            if isinstance(child.tag, str):
                _write_html(child, parts)
            if child.tail:
                parts.append("\n" if tag in {"table", "tbody", "thead"} else _folded(child.tail))
    if kept and tag != "br":
        parts.append(f"</{tag}>")
    if tag in {"tr", "caption"} or tag == "table":
        parts.append("\n" if tag != "table" else "")
    if tag == "table":
        text = re.sub(r"\s*\n\s*", "\n", "".join(parts))
        parts[:] = [text]


def _folded(text: str) -> str:
    return _html_text(re.sub(r"\s+", " ", text))


def _html_text(text: str) -> str:
    return entities.escape(text, quote=False)
