"""Parquet files with an explicit schema: zstd, typed timestamps, written in row groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from mdcrawl.export.files import replacing
from mdcrawl.export.rows import JsonRow, parse_time, view_columns
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


_REFERENCES = pa.list_(pa.struct([("mark", pa.string()), ("url", pa.string())]))


def pages_schema(asked: Sequence[View]) -> pa.Schema:
    """Return the schema of pages with the columns of the views that are asked for."""
    schema = PAGES_SCHEMA
    for name in view_columns(asked):
        schema = schema.append(pa.field(name, _REFERENCES if name == "references" else pa.string()))
    return schema


def write_parquet(path: Path, rows: Iterable[JsonRow], schema: pa.Schema) -> None:
    """Write rows as a Parquet file; `rights` becomes its JSON text, since its names are the sites' own."""
    times = [field.name for field in schema if pa.types.is_timestamp(field.type)]
    with replacing(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for group in row_groups(rows):
            for row in group:
                row["rights"] = orjson.dumps(row["rights"]).decode()
                row.update((name, parse_time(row[name])) for name in times)
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def row_groups(rows: Iterable[JsonRow]) -> Iterator[list[JsonRow]]:
    """Yield the rows some thousand at a time."""
    iterator = iter(rows)
    while group := list(islice(iterator, ROW_GROUP)):
        yield group
