"""Tables: layout ones unwrapped, simple data ones for pipes, those with spans or blocks kept as HTML."""

from __future__ import annotations

import re
from copy import deepcopy

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import BLOCK_TAGS, HEADINGS, ancestors, elements, is_attached, make, text_of, unwrap

_CELLS = frozenset(("td", "th"))
# Blocks that no cell of a pipe table can hold.
_TOO_MUCH = frozenset(("pre", "table", "blockquote"))
MAX_COLUMNS = 60  # a page may write colspan="1000" for "all"
_NUMBER = re.compile(r"^[\s$€£¥₹~<>≤≥≈(+-]*\d[\d\s.,:/%()+-]*\S{0,4}$")


def sort_tables(body: HtmlElement) -> None:
    """Unwrap layout tables; mark data tables as html or headless where they are."""
    for table in reversed(elements(body, "table")):
        if not is_attached(table, body):
            continue
        rows = rows_of(table)
        if _is_layout(table, rows):
            _unwrap_layout(table)
        elif _needs_html(rows):
            table.set("data-md", "html")
        else:
            _expand_spans(rows)
            _hoist_header(table, rows)
            for cell in elements(table, "td", "th"):
                _make_inline(cell)


def rows_of(table: HtmlElement) -> list[list[HtmlElement]]:
    """Return the cells of a table by row, nested tables left out; empty rows are none."""
    rows = []
    for row in table.iter("tr"):
        if next((a for a in row.iterancestors() if a.tag == "table"), None) is table:
            cells = [cell for cell in row if cell.tag in _CELLS]
            if cells:
                rows.append(cells)
    return rows


def _is_layout(table: HtmlElement, rows: list[list[HtmlElement]]) -> bool:
    if table.get("role") in {"presentation", "none"} or not rows:
        return True
    headed = table.find(".//th") is not None or table.find(".//thead") is not None or table.find("caption") is not None
    width = max(len(row) for row in rows)
    if any(True for _ in table.iterdescendants("table")):
        return not headed or width == 1
    if headed or table.get("role") in {"table", "grid", "treegrid"}:
        return width == 1 and len(rows) == 1
    if width == 1 or len(rows) == 1:
        return True
    cells = [cell for row in rows for cell in row]
    filled = [cell for cell in cells if text_of(cell)]
    if 2 * len(filled) < len(cells):
        return True
    heavy = sum(1 for cell in cells if _is_heavy(cell))
    return heavy > 0.2 * len(cells)


def _is_heavy(cell: HtmlElement) -> bool:
    """Tell a cell that is a part of the page rather than a value."""
    if any(child.tag in HEADINGS or child.tag in {"form", "hr"} for child in cell.iter()):
        return True
    return len(text_of(cell)) > 400 or sum(1 for _ in cell.iter("p")) > 2


def _unwrap_layout(table: HtmlElement) -> None:
    for part in elements(table, "caption", "thead", "tbody", "tfoot", "tr", "td", "th"):
        if next((a for a in part.iterancestors() if a.tag == "table"), None) is table:
            part.tag = "div"
    table.tag = "div"


def _needs_html(rows: list[list[HtmlElement]]) -> bool:
    if any(child.tag in _TOO_MUCH for row in rows for cell in row for child in cell.iter()):
        return True
    # A header of several rows cannot be put in one; spans in rows can be written out.
    heads = sum(1 for row in rows if all(cell.tag == "th" for cell in row) or _in_head(row[0]))
    spans = any(_span(cell, "colspan") > 1 or _span(cell, "rowspan") > 1 for row in rows[:heads] for cell in row)
    return heads > 1 and spans


def _in_head(cell: HtmlElement) -> bool:
    return any(ancestor.tag == "thead" for ancestor in ancestors(cell, 3))


def _expand_spans(rows: list[list[HtmlElement]]) -> None:
    """Write spans out: a cell over several rows stands in each of them, one over several columns in the first."""
    open_cells: dict[int, tuple[int, HtmlElement]] = {}
    for row in rows:
        column, position = 0, 0
        while position < len(row) or column in open_cells:
            if column in open_cells:
                left, cell = open_cells.pop(column)
                again = deepcopy(cell)
                again.tail = None
                if position < len(row):
                    row[position].addprevious(again)
                else:
                    row[-1].addnext(again)
                row.insert(position, again)
                if left > 1:
                    open_cells[column] = (left - 1, cell)
                position, column = position + 1, column + 1
                continue
            cell = row[position]
            down, across = min(_span(cell, "rowspan"), len(rows)), min(_span(cell, "colspan"), MAX_COLUMNS)
            if down > 1:
                open_cells[column] = (down - 1, cell)
            for _ in range(across - 1):
                blank = make("td")
                cell.addnext(blank)
                row.insert(position + 1, blank)
                position += 1
            position, column = position + 1, column + across


def _span(cell: HtmlElement, name: str) -> int:
    written = (cell.get(name) or "").strip()
    return int(written) if written.isascii() and written.isdigit() and len(written) < 5 else 1


def _hoist_header(table: HtmlElement, rows: list[list[HtmlElement]]) -> None:
    """Mark a table whose first row is no header as headless."""
    first = rows[0]
    if _in_head(first[0]) or all(cell.tag == "th" for cell in first) or _reads_as_header(rows):
        return
    table.set("data-md", "headless")


def _reads_as_header(rows: list[list[HtmlElement]]) -> bool:
    """Tell a header without th: short, all filled, and set apart from the rows below (bold, or words over numbers)."""
    if len(rows) < 2 or any(cell.tag == "th" for row in rows[1:] for cell in row[:1]):
        return False
    texts = [text_of(cell) for cell in rows[0]]
    if not all(texts) or any(len(text) > 60 or _NUMBER.match(text) for text in texts):
        return False
    if all(cell.find(".//b") is not None or cell.find(".//strong") is not None for cell in rows[0]):
        return True
    return any(_NUMBER.match(text_of(row[at])) for at in range(len(texts)) for row in rows[1:3] if at < len(row))


def _make_inline(cell: HtmlElement) -> None:
    """Leave only inline content in a cell: blocks and items part by breaks."""
    for block in elements(cell):
        if block.tag in BLOCK_TAGS:
            block.addprevious(make("br"))
            end = make("br")
            end.tail, block.tail = block.tail, None
            block.addnext(end)
            unwrap(block)
