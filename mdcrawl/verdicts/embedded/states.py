"""Data that a page carries for its scripts: JSON-LD, framework states, data attributes, Markdown blocks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

# Larger states hold whole catalogues; reading them costs more than a browser gains.
_MAX_SCRIPT_CHARS = 3_000_000
_MAX_VALUES = 100_000
# Shorter string literals in a program are labels.
_MIN_LITERAL_CHARS = 200

_MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})
_PROGRAM_TYPES = frozenset({"", "module", "text/javascript", "application/javascript"})
_DATA_ATTRIBUTES = ("data-page", "data-props", "data-react-props", "data-state", "data-content", "props")

_ASSIGNED = re.compile(r"([\w$.\]\[\"']{2,60})\s*=\s*(?=[{\[])")
_PARSED = re.compile(r"JSON\.parse\(\s*(?=[\"'])")
_LITERAL = re.compile(
    rf"\"((?:[^\"\\\n]|\\.){{{_MIN_LITERAL_CHARS},}})\"|'((?:[^'\\\n]|\\.){{{_MIN_LITERAL_CHARS},}})'"
    rf"|`((?:[^`\\]|\\.){{{_MIN_LITERAL_CHARS},}})`",
    re.DOTALL,
)
_FLIGHT = re.compile(r"self\.__next_f\.push\(\s*(?=\[)")
_FLIGHT_ROW = re.compile(r"^[0-9a-f]+:(?=[\[{\"])", re.MULTILINE)
_FLIGHT_TEXT = re.compile(rb"(?:^|\n)?[0-9a-f]+:T([0-9a-f]+),")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " ", "v": " ", "0": "", "\n": ""}

_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class State:
    """One value found in a page: where it stood and what it is (a JSON value; Markdown is a string)."""

    origin: str
    value: object


def find_states(tree: HtmlElement) -> Iterator[State]:
    """Yield every piece of data that a page carries, in document order. Raises nothing."""
    flight: list[str] = []
    for script in tree.iter("script"):
        text = script.text or ""
        if script.get("src") or not text.strip() or len(text) > _MAX_SCRIPT_CHARS:
            continue
        kind = (script.get("type") or "").lower().split(";")[0].strip()
        name = script.get("id") or ""
        if kind in _MARKDOWN_TYPES or (kind == "text/template" and script.get("data-template") is not None):
            yield State("a Markdown block", text)
        elif kind.endswith("json"):
            value = _load(text)
            origin = "JSON-LD" if kind == "application/ld+json" else f"#{name}" if name else "a JSON block"
            yield State(origin, _hydrate(value) if _is_flattened(value) else value)
        elif kind in _PROGRAM_TYPES:
            if _FLIGHT.search(text):
                flight.extend(_flight_parts(text))
            else:
                yield from _program_states(text)
    if flight:
        yield from _flight_states("".join(flight))
    yield from _attribute_states(tree)


def _load(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _load_at(text: str, start: int) -> object:
    try:
        value: object = _DECODER.raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None
    return value


def _program_states(text: str) -> Iterator[State]:
    """Yield JSON values that a program assigns or parses; else its long string literals."""
    found = False
    for match in _ASSIGNED.finditer(text):
        value = _load_at(text, match.end())
        if isinstance(value, dict | list) and len(str(value)) > _MIN_LITERAL_CHARS:
            found = True
            yield State(match.group(1).rsplit(".", 1)[-1], value)
    for match in _PARSED.finditer(text):
        literal = _LITERAL.match(text, match.end())
        value = _load(_unescape(_body(literal))) if literal else None
        if value is not None:
            found = True
            yield State("JSON.parse", value)
    if not found:
        literals = [_unescape(_body(match)) for match in _LITERAL.finditer(text)]
        if literals:
            yield State("a script", literals)


def _body(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None)


def _unescape(literal: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match.group(1) or match.group(2)
        if code:
            return chr(int(code, 16))
        return _ESCAPED.get(match.group(3), match.group(3))

    # Pairs of escaped surrogates are one character each.
    return _ESCAPE.sub(one, literal).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _flight_parts(text: str) -> Iterator[str]:
    """Yield the strings of a script of the Next.js app router, pieces of one stream of rows."""
    for match in _FLIGHT.finditer(text):
        value = _load_at(text, match.end())
        if isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
            yield value[1]


def _flight_states(stream: str) -> Iterator[State]:
    """Yield the elements of the stream ("id:JSON" rows) and its texts ("id:Tlength,text", length in bytes)."""
    raw = stream.encode("utf-8", "replace")
    for text_row in _FLIGHT_TEXT.finditer(raw):
        size = int(text_row.group(1), 16)
        yield State("the page's stream", [raw[text_row.end() : text_row.end() + size].decode("utf-8", "replace")])
    for row in _FLIGHT_ROW.finditer(stream):
        value = _load_at(stream, row.end())
        if isinstance(value, dict | list):
            yield State("the page's stream", value)


def _is_flattened(value: object) -> bool:
    """Return whether a value is a list of values that refer to each other by index (devalue, Nuxt 3)."""
    if not isinstance(value, list) or len(value) < 2:
        return False
    first = value[0]
    if isinstance(first, dict):
        return all(isinstance(each, int) for each in first.values())
    return isinstance(first, list) and bool(first) and all(isinstance(each, int | str) for each in first)


def _hydrate(flat: object) -> object:
    """Return the value at index 0 of a flattened list with its references resolved, within bounds."""
    assert isinstance(flat, list)
    budget = _MAX_VALUES

    def resolve(index: object, depth: int) -> object:
        nonlocal budget
        budget -= 1
        if not isinstance(index, int) or not 0 <= index < len(flat) or depth > 60 or budget < 0:
            return None
        value = flat[index]
        if isinstance(value, dict):
            return {key: resolve(each, depth + 1) for key, each in value.items()}
        if isinstance(value, list):
            if value and isinstance(value[0], str):  # ["Reactive", 3]: a kind and what it wraps
                return resolve(value[1], depth + 1) if len(value) > 1 else None
            return [resolve(each, depth + 1) for each in value]
        return value

    return resolve(0, 0)


def _attribute_states(tree: HtmlElement) -> Iterator[State]:
    for name in _DATA_ATTRIBUTES:
        for element in tree.iter():
            text = element.get(name) if isinstance(element.tag, str) else None
            if text and text.lstrip()[:1] in ("{", "[") and len(text) > _MIN_LITERAL_CHARS:
                yield State(f"the attribute {name}", _load(text))
