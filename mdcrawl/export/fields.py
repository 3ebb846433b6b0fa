"""fields.jsonl and fields.parquet: a row for each page with the fields that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection

from mdcrawl.export.files import replacing
from mdcrawl.export.jsonl import write_jsonl
from mdcrawl.export.parquet import ROW_GROUP, STRINGS, TIME
from mdcrawl.export.rows import JsonRow, field_rows, parse_time
from mdcrawl.fields.definition import FieldDefinition, FieldType, parse_fields


def write_fields(connection: Connection, folder: Path, declared: Mapping[str, object]) -> None:
    """Write both files; `declared` is what the run was asked for."""
    definitions = parse_fields(declared)
    write_jsonl(folder / "fields.jsonl", _complete(field_rows(connection), definitions))
    write_parquet(folder / "fields.parquet", _complete(field_rows(connection), definitions), definitions)


def _complete(rows: Iterable[JsonRow], definitions: Sequence[FieldDefinition]) -> Iterable[JsonRow]:
    """Yield the rows with every field of the definitions and no other: a kept page may have been asked for others."""
    for row in rows:
        yield {
            "url": row["url"],
            **{each.name: row.get(each.name) for each in definitions},
            "problems": row["problems"],
        }


def fields_schema(definitions: Sequence[FieldDefinition]) -> pa.Schema:
    """Return the schema of fields.parquet: URL, each field by its type, problems."""
    return pa.schema([("url", pa.string()), *map(_field, definitions), ("problems", STRINGS)])


def _field(definition: FieldDefinition) -> pa.Field:
    inner = (
        pa.struct([_field(each) for each in definition.fields]) if definition.fields else _FIELD_TYPES[definition.type]
    )
    return pa.field(definition.name, pa.list_(inner) if definition.many else inner)


_FIELD_TYPES = {
    FieldType.STR: pa.string(),
    FieldType.URL: pa.string(),
    FieldType.INT: pa.int64(),
    FieldType.FLOAT: pa.float64(),
    FieldType.BOOL: pa.bool_(),
    FieldType.DATE: pa.date32(),
    FieldType.DATETIME: TIME,
}


def write_parquet(path: Path, rows: Iterable[JsonRow], definitions: Sequence[FieldDefinition]) -> None:
    """Write the rows of fields as a Parquet file, dates as dates."""
    schema = fields_schema(definitions)
    with replacing(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        typed_rows = (row | _typed(row, definitions) for row in rows)
        while typed := list(islice(typed_rows, ROW_GROUP)):
            writer.write_table(pa.Table.from_pylist(typed, schema=schema))


def _typed(values: JsonRow, definitions: Sequence[FieldDefinition]) -> JsonRow:
    """Return the values of fields with times in place of their texts."""
    return {each.name: _typed_value(values.get(each.name), each) for each in definitions}


def _typed_value(value: Any, definition: FieldDefinition) -> Any:
    if isinstance(value, list):
        return [_typed_value(each, definition) for each in value]
    if value is None:
        return None
    if definition.fields:
        return _typed(value, definition.fields)
    if definition.type is FieldType.DATE:
        return date.fromisoformat(value)
    return parse_time(value) if definition.type is FieldType.DATETIME else value
