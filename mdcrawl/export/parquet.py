"""Parquet files with an explicit schema: zstd, typed timestamps, written in row groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from mdcrawl.crawldb.runs import Run
from mdcrawl.export.files import replacing
from mdcrawl.export.rows import JsonRow, Table, parse_time, view_columns, views_of
from mdcrawl.items import View

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
SCHEMAS = {Table.PAGES: PAGES_SCHEMA, Table.CHUNKS: CHUNKS_SCHEMA}


class ParquetRows:
    """Write rows to an open file as Parquet, a group at a time; `columns` are the names of those that are wanted.

    `rights` becomes its JSON text, since its names are the sites' own. The file stays open.
    """

    def __init__(self, file: IO[bytes], schema: pa.Schema, columns: Mapping[str, str] | None = None) -> None:
        self._schema = schema
        self._times = [field.name for field in schema if pa.types.is_timestamp(field.type)]
        self._columns = columns if columns is not None else {name: name for name in schema.names}
        wanted = pa.schema([schema.field(name).with_name(new_name) for name, new_name in self._columns.items()])
        self._writer = pq.ParquetWriter(file, wanted, compression="zstd")
        self._group: list[JsonRow] = []

    def write(self, row: JsonRow) -> None:
        """Take a row."""
        times = {name: parse_time(row[name]) for name in self._times}
        self._group.append(row | times | {"rights": orjson.dumps(row["rights"]).decode()})
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


_REFERENCES = pa.list_(pa.struct([("mark", pa.string()), ("url", pa.string())]))


def pages_schema(asked: Sequence[View]) -> pa.Schema:
    """Return the schema of pages with the columns of the views that are asked for."""
    schema = PAGES_SCHEMA
    for name in view_columns(asked):
        schema = schema.append(pa.field(name, _REFERENCES if name == "references" else pa.string()))
    return schema


def schema_of(table: Table, run: Run) -> pa.Schema:
    """Return the schema of a table after a run: pages have the views that it made."""
    return pages_schema(views_of(run)) if table is Table.PAGES else SCHEMAS[table]


def write_parquet(path: Path, rows: Iterable[JsonRow], schema: pa.Schema) -> None:
    """Write rows as a Parquet file."""
    with replacing(path) as temporary, temporary.open("wb") as file, closing(ParquetRows(file, schema)) as parquet:
        for row in rows:
            parquet.write(row)
