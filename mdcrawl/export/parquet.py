"""Parquet files with an explicit schema: zstd, typed dates and times, written in row groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from mdcrawl.export.files import replacing
from mdcrawl.export.rows import Extras, JsonRow, Table, parse_time, view_columns

if TYPE_CHECKING:
    from mdcrawl.fields.definition import FieldDefinition

# Rows of a row group: some MB of chunks, so that memory stays bounded and readers can skip.
ROW_GROUP = 5_000

TIME = pa.timestamp("s", tz="UTC")
STRINGS = pa.list_(pa.string())
_INVENTORY = pa.struct([(name, pa.int32()) for name in ("headings", "code_blocks", "tables", "list_items", "words")])

PAGES_SCHEMA = pa.schema(
    [
        ("url", pa.string()),
        ("final_url", pa.string()),
        ("canonical_url", pa.string()),
        ("verdict", pa.string()),
        ("reason", pa.string()),
        ("status", pa.int16()),
        ("flags", STRINGS),
        ("depth", pa.int32()),
        ("parent", pa.string()),
        ("source", pa.string()),
        ("extractor", pa.string()),
        ("title", pa.string()),
        ("description", pa.string()),
        ("lang", pa.string()),
        ("published", TIME),
        ("fetched_at", TIME),
        ("last_modified", TIME),
        ("etag", pa.string()),
        ("bytes", pa.int64()),
        ("html_tokens", pa.int64()),
        ("markdown_tokens", pa.int64()),
        ("words", pa.int64()),
        ("receipt", pa.struct([("found", _INVENTORY), ("kept", _INVENTORY), ("losses", STRINGS)])),
        ("chunks", pa.int32()),
        ("content_hash", pa.string()),
        ("duplicate_of", pa.string()),
        ("rights", pa.string()),
        ("markdown_path", pa.string()),
    ]
)
CHUNKS_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("anchor_url", pa.string()),
        ("title", pa.string()),
        ("heading_path", STRINGS),
        ("section", pa.string()),
        ("position", pa.int32()),
        ("part", pa.int32()),
        ("text", pa.string()),
        ("tokens", pa.int32()),
        ("content_hash", pa.string()),
        ("oversized", pa.bool_()),
        ("has_code", pa.bool_()),
        ("code_languages", STRINGS),
        ("has_table", pa.bool_()),
        ("prev_id", pa.string()),
        ("next_id", pa.string()),
        ("lang", pa.string()),
        ("fetched_at", TIME),
        ("source", pa.string()),
        ("extractor", pa.string()),
        ("rights", pa.string()),
    ]
)


class ParquetRows:
    """Write rows to an open file as Parquet, a group at a time; `columns` are the names of those that are wanted.

    Dates and times get their types; `rights` becomes its JSON text, since its names are the sites' own. The file
    stays open.
    """

    def __init__(self, file: IO[bytes], schema: pa.Schema, columns: Mapping[str, str] | None = None) -> None:
        self._schema = schema
        converters = {field.name: _converter(field) for field in schema}
        self._converters = {name: converter for name, converter in converters.items() if converter is not None}
        self._columns = columns if columns is not None else {name: name for name in schema.names}
        wanted = pa.schema([schema.field(name).with_name(new_name) for name, new_name in self._columns.items()])
        self._writer = pq.ParquetWriter(file, wanted, compression="zstd")
        self._group: list[JsonRow] = []

    def write(self, row: JsonRow) -> None:
        """Take a row."""
        self._group.append(row | {name: convert(row[name]) for name, convert in self._converters.items()})
        if len(self._group) >= ROW_GROUP:
            self._write_group()

    def close(self) -> None:
        """Write what is left, and the footer."""
        if self._group:
            self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        table = pa.Table.from_pylist(self._group, schema=self._schema).select(list(self._columns))
        self._writer.write_table(table.rename_columns(list(self._columns.values())))
        self._group.clear()


def _converter(field: pa.Field) -> Callable[[Any], Any] | None:
    """Return what makes of a column's JSON values what Arrow takes for them; None where that is the same."""
    kind = field.type
    if pa.types.is_timestamp(kind):
        return parse_time
    if pa.types.is_date(kind):
        return lambda value: None if value is None else date.fromisoformat(value)
    if pa.types.is_list(kind) and (of_one := _converter(kind.value_field)):
        return lambda values: None if values is None else [of_one(value) for value in values]
    if pa.types.is_struct(kind):
        inner = {each.name: converter for each in kind if (converter := _converter(each))}
        if inner:
            return lambda record: record and record | {name: to(record.get(name)) for name, to in inner.items()}
    if field.name == "rights" and pa.types.is_string(kind):  # a field of the user's may be called that, too
        return lambda value: orjson.dumps(value).decode() if isinstance(value, dict) else value
    return None


_REFERENCES = pa.list_(pa.struct([("mark", pa.string()), ("url", pa.string())]))
# By FieldType, whose room a crawl without fields does not load.
_FIELD_TYPES = {
    "str": pa.string(),
    "url": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "date": pa.date32(),
    "datetime": TIME,
}


def schema_of(table: Table, extras: Extras) -> pa.Schema:
    """Return the schema of a table: pages with the views, fields with the types that were asked for.

    Raises ValueError for changes, each of which has the columns of its action.
    """
    match table:
        case Table.PAGES:
            schema = PAGES_SCHEMA
            for name in view_columns(extras.views):
                schema = schema.append(pa.field(name, _REFERENCES if name == "references" else pa.string()))
            return schema
        case Table.CHUNKS:
            return CHUNKS_SCHEMA
        case Table.FIELDS:
            return pa.schema([("url", pa.string()), *map(_field, extras.fields), ("problems", STRINGS)])
        case Table.CHANGES:
            raise ValueError("changes have no one schema")


def _field(definition: FieldDefinition) -> pa.Field:
    inner = (
        pa.struct([_field(each) for each in definition.fields]) if definition.fields else _FIELD_TYPES[definition.type]
    )
    return pa.field(definition.name, pa.list_(inner) if definition.many else inner)


def write_parquet(path: Path, rows: Iterable[JsonRow], schema: pa.Schema) -> None:
    """Write rows as a Parquet file."""
    with replacing(path) as temporary, temporary.open("wb") as file, closing(ParquetRows(file, schema)) as parquet:
        for row in rows:
            parquet.write(row)
