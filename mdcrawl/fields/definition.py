"""What a field is: where it stands in a page, its type, and whether a page may lack it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import jmespath
from lxml import etree
from parsel.csstranslator import css2xpath

E = TypeVar("E", bound=StrEnum)

_CURRENCIES = r"(?:USD|EUR|GBP|CHF|JPY)"
# Ready regular expressions, by name; the first group is the value where there is one.
PATTERNS: Mapping[str, str] = {
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "date": r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4})\b",
    "price": rf"(?:[$€£¥]|\b{_CURRENCIES}\b)\s?(\d[\d.,'’]*)|(\d[\d.,'’]*)\s?(?:[$€£¥]|{_CURRENCIES}\b)",
    "phone": r"(?:\+|\b00|\(0|\b0)\d[\d ()/.-]{5,}\d",
    "url": r"https?://[^\s<>\"')\]]+",
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = frozenset(("url", "problems"))
_PLACES = ("css", "xpath", "jmespath", "regex", "llm")
_KEYS = frozenset((*_PLACES, "from", "type", "many", "required", "fields"))


class FieldType(StrEnum):
    """The types that a field can have."""

    STR = "str"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    DATE = "date"
    DATETIME = "datetime"
    URL = "url"


class DataSource(StrEnum):
    """The data of a page that JMESPath is asked of: its JSON-LD, or the states of its scripts."""

    JSON_LD = "json-ld"
    STATE = "state"


class FieldsError(ValueError):
    """A definition of fields is wrong; says which field and what about it."""


@dataclass(frozen=True, slots=True)
class FieldDefinition:
    """One field. Exactly one of css, xpath, jmespath and llm says where it stands, or regex alone does.

    `regex` beside another is searched for in what that found. A field with `fields` is a record, one
    with `many` a list. `llm` is what a language model is asked for.
    """

    name: str
    css: str = ""
    xpath: str = ""
    jmespath: str = ""
    regex: str = ""
    llm: str = ""
    source: DataSource = DataSource.JSON_LD
    type: FieldType = FieldType.STR
    many: bool = False
    required: bool = True
    fields: tuple[FieldDefinition, ...] = ()


def parse_fields(given: object, path: str = "") -> tuple[FieldDefinition, ...]:
    """Return the definitions in a mapping of names to what each field is. Raises FieldsError."""
    if not isinstance(given, Mapping) or not given:
        raise FieldsError(f"{path or 'fields'}: not a mapping of names to definitions")
    return tuple(_parse_field(str(name), definition, path) for name, definition in given.items())


def _parse_field(name: str, given: object, path: str) -> FieldDefinition:
    where = f"{path}.{name}" if path else name
    if not _NAME.fullmatch(name) or (name in _RESERVED and not path):
        raise FieldsError(f"{where}: no name for a field; letters, digits and _ only, not url or problems")
    if not isinstance(given, Mapping):
        raise FieldsError(f'{where}: not a definition; give for example {{css: "h1::text"}}')
    if unknown := sorted(set(map(str, given)) - _KEYS):
        raise FieldsError(f"{where}: {unknown[0]!r} is none of {', '.join(sorted(_KEYS))}")
    texts = {place: str(given.get(place) or "") for place in _PLACES}
    if sum(bool(texts[place]) for place in _PLACES if place != "regex") > 1 or not any(texts.values()):
        raise FieldsError(f"{where}: give one of css, xpath, jmespath, llm, with or without regex, or regex alone")
    texts["regex"] = PATTERNS.get(texts["regex"], texts["regex"])
    _check(where, texts)
    nested = parse_fields(given["fields"], where) if "fields" in given else ()
    if nested and not (texts["css"] or texts["xpath"]):
        raise FieldsError(f"{where}: a record of fields stands where css or xpath says")
    if any(field.llm for field in nested):
        raise FieldsError(f"{where}: a model is asked for whole fields, not for parts of one")
    return FieldDefinition(
        name=name,
        source=_choice(where, "from", DataSource, given.get("from", DataSource.JSON_LD)),
        type=_choice(where, "type", FieldType, given.get("type", FieldType.STR)),
        many=_switch(where, "many", given.get("many", False)),
        required=_switch(where, "required", given.get("required", True)),
        fields=nested,
        **texts,
    )


def _check(where: str, texts: Mapping[str, str]) -> None:
    compilers: Mapping[str, Callable[[str], object]] = {
        "css": css2xpath,
        "xpath": etree.XPath,
        "jmespath": jmespath.compile,
        "regex": re.compile,
    }
    for place, compile_it in compilers.items():
        try:
            if texts[place]:
                compile_it(texts[place])
        except (ValueError, SyntaxError, etree.XPathError, re.error) as error:
            said = " ".join(str(error).split())
            raise FieldsError(f"{where}: {place}: cannot be read: {texts[place]!r} ({said})") from error


def _choice(where: str, key: str, kind: type[E], value: object) -> E:
    try:
        return kind(str(value))
    except ValueError as error:
        raise FieldsError(f"{where}: {key}: {value!r} is none of {', '.join(kind)}") from error


def _switch(where: str, key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise FieldsError(f"{where}: {key}: {value!r} is neither true nor false")
    return value
