"""Types of fields: a pydantic model made of their definitions; what does not fit it is named and left out."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator, Sequence
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AnyHttpUrl, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from mdcrawl.fields.definition import FieldDefinition, FieldType
from mdcrawl.items import Fields

_NUMBER = re.compile(r"-?\d[\d.,'’\s]*")
# A comma or dot is the decimal sign when one to two digits end the number, or when it is the last of two kinds.
_DECIMALS = re.compile(r"[.,](?=\d{1,2}$)")


def read_number(value: object) -> object:
    """Return a number written for people as one for Python; anything else as it is.

    >>> read_number("1.299,50 €"), read_number("$1,299"), read_number("3.5 kg"), read_number("none")
    ('1299.50', '1299', '3.5', 'none')
    """
    found = _NUMBER.search(value) if isinstance(value, str) else None
    if found is None:
        return value
    number = re.sub(r"['’\s]", "", found.group()).rstrip(".,")
    decimal = _DECIMALS.search(number)
    last = max(number.rfind("."), number.rfind(","))
    both = "." in number and "," in number
    if decimal or both:
        return re.sub(r"[.,]", "", number[:last]) + "." + number[last + 1 :]
    return re.sub(r"[.,]", "", number) if re.fullmatch(r"-?\d{1,3}(?:[.,]\d{3})+", number) else number.replace(",", ".")


def _read_time(value: object) -> object:
    """Return a date as Python reads it: ISO 8601, day.month.year, or as in an HTTP header."""
    if not isinstance(value, str):
        return value
    german = re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", value.strip())
    if german:
        return f"{german[3]}-{int(german[2]):02}-{int(german[1]):02}"
    try:
        return parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return value.strip()


def _read_date(value: object) -> object:
    read = _read_time(value)
    if isinstance(read, dt.datetime):
        return read.date()
    return read[:10] if isinstance(read, str) and re.match(r"\d{4}-\d{2}-\d{2}T", read) else read


def _read_text(value: object) -> object:
    return str(value) if isinstance(value, int | float) else value


_TYPES: dict[FieldType, Any] = {
    FieldType.STR: Annotated[str, BeforeValidator(_read_text)],
    # What a column of whole numbers holds in Parquet.
    FieldType.INT: Annotated[int, BeforeValidator(read_number), Field(ge=-(2**63), le=2**63 - 1)],
    FieldType.FLOAT: Annotated[float, BeforeValidator(read_number)],
    FieldType.BOOL: bool,
    FieldType.DATE: Annotated[dt.date, BeforeValidator(_read_date)],
    FieldType.DATETIME: Annotated[dt.datetime, BeforeValidator(_read_time)],
    FieldType.URL: AnyHttpUrl,
}


@lru_cache(maxsize=8)
def build_model(definitions: tuple[FieldDefinition, ...]) -> type[BaseModel]:
    """Return the model of some fields, each of which may be None."""
    fields: dict[str, Any] = {}
    for field in definitions:
        kind: Any = build_model(field.fields) if field.fields else _TYPES[field.type]
        fields[field.name] = (list[kind] | None if field.many else kind | None, None)
    return create_model("PageFields", __config__=ConfigDict(extra="ignore", allow_inf_nan=False), **fields)


def validate(definitions: Sequence[FieldDefinition], raw: dict[str, object]) -> Fields:
    """Return the values that fit their types, and what is wrong with the others. Raises nothing.

    Of a record and of a list only what does not fit is left out.
    """
    definitions = tuple(definitions)
    model = build_model(definitions)
    problems: dict[str, str] = {}
    fitting: Any = _sound(raw)
    try:
        valid = model.model_validate(fitting)
    except ValidationError as error:
        for found in error.errors():
            problems.setdefault(str(found["loc"][0]), f"{'.'.join(map(str, found['loc']))}: {found['msg']}")
            _forget(fitting, found["loc"])
        valid = model.model_validate(_without_forgotten(fitting))
    values = json.loads(valid.model_dump_json())
    for field in definitions:
        for path in _missing(field, values[field.name], field.name):
            problems.setdefault(field.name, f"{path}: missing")
    return Fields(values, tuple(problems[field.name] for field in definitions if field.name in problems))


def _sound(value: Any) -> Any:
    """Return a copy whose texts are texts: lone halves of a character, as of cut-off JSON, become U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_sound(name): _sound(each) for name, each in value.items()}
    return [_sound(each) for each in value] if isinstance(value, list) else value


# Stands in a list for an entry that does not fit.
_FORGOTTEN = object()


def _forget(values: Any, path: Sequence[str | int]) -> None:
    for step in path[:-1]:
        values = values[step]
    values[path[-1]] = _FORGOTTEN if isinstance(values, list) else None


def _without_forgotten(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_forgotten(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_without_forgotten(each) for each in value if each is not _FORGOTTEN] or None
    return value


def _missing(field: FieldDefinition, value: Any, path: str) -> Iterator[str]:
    """Yield the paths of what is required and not there, also in the records of a field."""
    if value is None:
        yield from [path] if field.required else []
    elif field.fields:
        for at, record in enumerate(value) if field.many else [(None, value)]:
            for inner in field.fields:
                yield from _missing(inner, record[inner.name], f"{path}.{'' if at is None else f'{at}.'}{inner.name}")
