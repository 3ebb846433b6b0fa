"""Parquet files: the schema holds whatever the rows are, times are times, nothing is written by halves."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mdcrawl.export import parquet
from mdcrawl.export.parquet import CHUNKS_SCHEMA, PAGES_SCHEMA, schema_of, write_parquet
from mdcrawl.export.rows import CHUNK_COLUMNS, PAGE_COLUMNS, Extras, Table, definitions_of

INVENTORY = {"headings": 2, "code_blocks": 1, "tables": 0, "list_items": 3, "words": 120}
PAGE = dict.fromkeys(PAGE_COLUMNS, "") | {
    "url": "https://a.example/", "verdict": "ok", "status": 200, "flags": ["retried"], "depth": 1,
    "bytes": 4_000_000_000, "html_tokens": 10, "markdown_tokens": 5, "words": 120, "chunks": 2,
    "published": "2026-03-04", "fetched_at": "2026-12-01T10:20:30+00:00",
    "last_modified": None, "rights": {"robots": "noai"},
    "receipt": {"found": INVENTORY, "kept": INVENTORY, "losses": ["one code block"]},
}  # fmt: skip
UNFETCHED = PAGE | {
    "url": "https://a.example/b", "verdict": "limit", "status": None, "flags": [], "bytes": None, "html_tokens": None,
    "markdown_tokens": None, "words": None, "published": "", "fetched_at": None, "rights": {}, "receipt": None,
}  # fmt: skip
CHUNK = dict.fromkeys(CHUNK_COLUMNS, "") | {
    "id": "0" * 32, "heading_path": ["Guide", "Set up"], "position": 0, "part": 0, "text": "Guide\n\n寸法 🙂",
    "tokens": 7, "oversized": False, "has_code": True, "code_languages": ["python"], "has_table": False,
    "fetched_at": "2026-12-01T10:20:30+00:00", "rights": {},
}  # fmt: skip


def test_schemas_have_the_columns_of_the_rows():
    assert tuple(PAGES_SCHEMA.names) == PAGE_COLUMNS
    assert tuple(CHUNKS_SCHEMA.names) == CHUNK_COLUMNS


def test_pages_come_back(tmp_path):
    write_parquet(tmp_path / "p.parquet", [dict(PAGE), dict(UNFETCHED)], PAGES_SCHEMA)
    first, second = pq.read_table(tmp_path / "p.parquet").to_pylist()
    assert first == PAGE | {
        "published": datetime(2026, 3, 4, tzinfo=UTC),
        "fetched_at": datetime(2026, 12, 1, 10, 20, 30, tzinfo=UTC),
        "rights": '{"robots":"noai"}',
    }
    assert second == UNFETCHED | {"published": None, "rights": "{}"}


def test_chunks_come_back(tmp_path):
    write_parquet(tmp_path / "c.parquet", [dict(CHUNK)], CHUNKS_SCHEMA)
    (row,) = pq.read_table(tmp_path / "c.parquet").to_pylist()
    assert row == CHUNK | {"fetched_at": datetime(2026, 12, 1, 10, 20, 30, tzinfo=UTC), "rights": "{}"}


def test_columns_without_a_value_keep_their_type(tmp_path):
    """Where a schema is guessed from the rows, a list that is always empty has no type."""
    write_parquet(tmp_path / "c.parquet", [CHUNK | {"heading_path": [], "code_languages": []}], CHUNKS_SCHEMA)
    schema = pq.read_schema(tmp_path / "c.parquet")
    assert schema.field("heading_path").type.value_type == pa.string()
    assert schema.field("code_languages").type.value_type == pa.string()


@pytest.mark.parametrize("schema", [PAGES_SCHEMA, CHUNKS_SCHEMA], ids=["pages", "chunks"])
def test_no_rows_are_a_file_with_a_schema(tmp_path, schema):
    write_parquet(tmp_path / "x.parquet", [], schema)
    table = pq.read_table(tmp_path / "x.parquet")
    assert table.num_rows == 0
    assert table.column_names == schema.names
    assert str(table.schema.field("fetched_at").type) == "timestamp[ms, tz=UTC]"


def test_many_rows_are_row_groups(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROW_GROUP", 4)
    write_parquet(tmp_path / "c.parquet", (CHUNK | {"position": number} for number in range(10)), CHUNKS_SCHEMA)
    file = pq.ParquetFile(tmp_path / "c.parquet")
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == [4, 4, 2]
    assert file.read().column("position").to_pylist() == list(range(10))
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        pytest.param("published", "0001-01-01T00:00:00+14:00", id="a date outside the calendar"),
        pytest.param("published", "soon", id="a date of words"),
        pytest.param("title", "a\u2028b", id="separator"),
        pytest.param("status", 999, id="an odd status"),
        pytest.param("bytes", 2**40, id="a tebibyte"),
        pytest.param("markdown_tokens", 2**33, id="many tokens"),
    ],
)
def test_odd_values_stop_no_export(tmp_path, column, value):
    write_parquet(tmp_path / "p.parquet", [PAGE | {column: value}], PAGES_SCHEMA)
    assert pq.read_table(tmp_path / "p.parquet").num_rows == 1


def test_failure_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "c.parquet"
    write_parquet(path, [dict(CHUNK)], CHUNKS_SCHEMA)
    before = path.read_bytes()

    def rows():
        yield dict(CHUNK)
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        write_parquet(path, rows(), CHUNKS_SCHEMA)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["c.parquet"]


def test_fields_get_their_types_in_lists_and_records_too(tmp_path):
    declared = {
        "rights": {"css": ".by"},
        "at": {"css": "time", "type": "datetime", "many": True},
        "kept": {"css": "tr", "many": True, "fields": {"until": {"css": "td", "type": "date"}, "by": {"css": "th"}}},
    }
    rows = [
        {
            "url": "https://a.example/", "rights": "reserved", "at": ["2024-05-03T10:00:00+02:00", None],
            "kept": [{"until": "2024-05-03", "by": "post"}, {"until": None, "by": None}, None], "problems": ["kept: …"],
        },
        {"url": "https://a.example/b", "rights": None, "at": None, "kept": None, "problems": []},
    ]  # fmt: skip
    schema = schema_of(Table.FIELDS, Extras(fields=definitions_of(declared)))
    write_parquet(tmp_path / "f.parquet", [dict(row) for row in rows], schema)
    first, second = pq.read_table(tmp_path / "f.parquet").to_pylist()
    assert first == rows[0] | {
        "at": [datetime(2024, 5, 3, 8, tzinfo=UTC), None],
        "kept": [{"until": date(2024, 5, 3), "by": "post"}, {"until": None, "by": None}, None],
    }
    assert second == rows[1]
