"""Find what fields stand in a page: raw values, before they have their types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import jmespath
from jmespath.exceptions import JMESPathError
from parsel import Selector

from mdcrawl.extraction.tree import parse
from mdcrawl.fields.definition import DataSource, FieldDefinition
from mdcrawl.verdicts.embedded.states import find_states


class FieldPage:
    """A page as fields are looked for in it: its HTML, the data that it carries, its text. Each read when asked for."""

    def __init__(self, html: str, text: str, url: str) -> None:
        self._html, self.text, self._url = html, text, url

    @cached_property
    def selector(self) -> Selector:
        """The page for CSS and XPath; empty for one that has no HTML."""
        return Selector(self._html or "<html></html>", type="html", base_url=self._url)

    @cached_property
    def states(self) -> list[tuple[str, object]]:
        """The data that the page carries, with where each stood."""
        return [(state.origin, state.value) for state in find_states(parse(self._html))]

    def data(self, source: DataSource) -> list[object]:
        """Return the data of a source as one list; the nodes of a JSON-LD graph are entries of their own."""
        if source is DataSource.STATE:
            return [value for origin, value in self.states if origin != "JSON-LD"]
        found: list[object] = []
        for origin, value in self.states:
            if origin == "JSON-LD":
                for node in value if isinstance(value, list) else [value]:
                    graph = node.get("@graph") if isinstance(node, dict) else None
                    found += graph if isinstance(graph, list) else [node]
        return found


def find_fields(page: FieldPage, definitions: Sequence[FieldDefinition]) -> dict[str, object]:
    """Return the raw value of each field: None where there is none. Fields for a model are left out."""
    return {field.name: _find(page, page.selector, field) for field in definitions if not field.llm}


def _find(page: FieldPage, here: Selector, field: FieldDefinition) -> object:
    values = [value for value in _values(page, here, field) if value not in (None, "", [], {})]
    if field.many:
        return values or None
    return values[0] if values else None


def _values(page: FieldPage, here: Selector, field: FieldDefinition) -> Iterator[object]:
    if field.css or field.xpath:
        for each in here.css(field.css) if field.css else here.xpath(field.xpath):
            if field.fields:
                record = {inner.name: _find(page, each, inner) for inner in field.fields}
                yield record if any(value is not None for value in record.values()) else None
            else:
                yield from _searched(_text(each), field.regex)
    elif field.jmespath:
        found = _ask(field.jmespath, page.data(field.source))
        for value in found if isinstance(found, list) else [found]:
            yield from _searched(value, field.regex) if isinstance(value, str) else [value]
    else:
        yield from _searched(page.text if here is page.selector else _text(here), field.regex)


def _ask(expression: str, data: list[object]) -> object:
    try:
        return jmespath.search(expression, data)
    except JMESPathError:  # the data has other types than the expression counts on
        return None


def _text(selector: Selector) -> str:
    if isinstance(selector.root, str):
        return " ".join(selector.root.split())
    return " ".join("".join(selector.xpath(".//text()").getall()).split())


def _searched(text: str, pattern: str) -> Iterator[str]:
    if not pattern:
        yield text
        return
    for match in re.finditer(pattern, text):
        yield next((group for group in match.groups() if group), match.group()).strip()
