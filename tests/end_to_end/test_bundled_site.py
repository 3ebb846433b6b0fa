"""A crawl of the bundled site from its start URL to every output file, once for all tests here."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from fixtures.serve import FOLDER, Site
from mdcrawl import __version__
from mdcrawl.items import Verdict

EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
# A browser is slow and not everywhere; what it adds has tests of its own.
WITHOUT_BROWSER = {path: row["verdict"] for path, row in EXPECTED.items() if "browser" not in row["needs"]}

TIME = "timestamp[ms, tz=UTC]"
PAGE_TYPES = {
    "url": "string", "final_url": "string", "canonical_url": "string", "verdict": "string", "reason": "string",
    "status": "int16", "flags": "list<string>", "depth": "int32", "parent": "string", "source": "string",
    "extractor": "string", "title": "string", "description": "string", "lang": "string", "published": TIME,
    "fetched_at": TIME, "last_modified": TIME, "etag": "string", "bytes": "int64", "html_tokens": "int64",
    "markdown_tokens": "int64", "words": "int64", "receipt": "struct", "chunks": "int32", "content_hash": "string",
    "duplicate_of": "string", "rights": "string", "markdown_path": "string",
}  # fmt: skip
CHUNK_TYPES = {
    "id": "string", "url": "string", "anchor_url": "string", "title": "string", "heading_path": "list<string>",
    "section": "string", "position": "int32", "part": "int32", "text": "string", "tokens": "int32",
    "content_hash": "string", "oversized": "bool", "has_code": "bool", "code_languages": "list<string>",
    "has_table": "bool", "prev_id": "string", "next_id": "string", "lang": "string", "fetched_at": TIME,
    "source": "string", "extractor": "string", "rights": "string",
}  # fmt: skip


@pytest.fixture(scope="module")
def twice(crawl, tmp_path_factory):
    """Two crawls of the same address into fresh folders, and what the server saw of the first."""
    with Site() as site:
        first = crawl(site.url("/docs/"), tmp_path_factory.mktemp("first") / "out", render="never")
        requests = site.requests
        second = crawl(site.url("/docs/"), tmp_path_factory.mktemp("second") / "out", render="never")
    return first, second, requests


@pytest.fixture(scope="module")
def first(twice):
    return twice[0]


@pytest.fixture(scope="module")
def requests(twice):
    return twice[2]


def test_crawl_ends_well(first):
    assert first.status == 0
    assert first.is_clean
    assert first.complaints == []


@pytest.mark.parametrize("path", sorted(WITHOUT_BROWSER))
def test_every_url_has_the_expected_verdict(first, path):
    assert first.verdicts.get(path) == WITHOUT_BROWSER[path]


def test_no_url_has_two_rows_or_was_not_expected(first):
    assert len(first.pages) == len(first.verdicts)
    assert set(first.verdicts) == set(WITHOUT_BROWSER)


def test_every_row_has_a_known_verdict_and_a_reason(first):
    assert {row["verdict"] for row in first.pages} <= set(Verdict)
    assert [row["url"] for row in first.pages if not row["reason"].strip()] == []


def test_rows_are_sorted(first):
    assert [row["url"] for row in first.pages] == sorted(row["url"] for row in first.pages)
    places = [(row["url"], row["position"]) for row in first.chunks]
    assert places == sorted(places)


def test_counts_add_up(first):
    summary = first.summary
    counted = Counter(row["verdict"] for row in first.pages)
    assert summary["pages"]["verdicts"] == counted
    assert summary["pages"]["total"] == sum(counted.values()) == len(first.pages)
    stored = [row for row in first.pages if row["verdict"] == "ok"]
    assert summary["corpus"] == {"pages": len(stored), "chunks": len(first.chunks)}
    assert summary["tokens"]["html"] == sum(row["html_tokens"] for row in stored)
    assert summary["tokens"]["markdown"] == sum(row["markdown_tokens"] for row in stored)
    assert summary["tokens"]["chunks"] == sum(row["tokens"] for row in first.chunks)
    assert summary["state"] == "committed"
    assert summary["not_fetched"] == ""
    assert summary["mdcrawl"] == __version__


def test_chunks_belong_to_stored_pages(first):
    counted = Counter(row["url"] for row in first.chunks)
    for row in first.pages:
        assert row["chunks"] == counted.get(row["url"], 0), row["url"]
        assert bool(row["chunks"]) == (row["verdict"] == "ok"), row["url"]
    assert len({row["id"] for row in first.chunks}) == len(first.chunks)


def test_chunks_of_a_page_form_a_chain(first):
    by_page: dict[str, list[dict]] = {}
    for row in first.chunks:
        by_page.setdefault(row["url"], []).append(row)
    for rows in by_page.values():
        assert [row["position"] for row in rows] == list(range(len(rows)))
        assert [row["prev_id"] for row in rows] == ["", *(row["id"] for row in rows[:-1])]
        assert [row["next_id"] for row in rows] == [*(row["id"] for row in rows[1:]), ""]


def test_server_saw_an_honest_and_polite_guest(requests):
    paths = [seen.path for seen in requests]
    agents = {seen.headers["user-agent"] for seen in requests}
    assert agents == {f"mdcrawl/{__version__} (+https://example.com/bot)"}
    assert {seen.method for seen in requests} == {"GET"}
    assert paths[0] == "/robots.txt"
    assert paths.count("/robots.txt") == 1
    assert [path for path in paths if path.startswith(("/docs/internal/", "/newsletter/"))] == []
    about_the_site = {"/robots.txt", "/sitemap.xml", "/llms.txt", "/.well-known/tdmrep.json"}
    assert [path for path in paths if not path.startswith("/docs/") and path not in about_the_site] == []


def test_no_page_is_asked_for_twice(requests):
    counted = Counter(seen.path for seen in requests if seen.status == 200)
    # Pages that two addresses lead to, and only those, may come again.
    assert [path for path, count in counted.items() if count > 1] == []


def type_of(column: pa.DataType) -> str:
    """Return a column's type in short; how a format names the element of a list is its own business."""
    return f"list<{column.value_type}>" if pa.types.is_list(column) else str(column).partition("<")[0]


@pytest.mark.parametrize(("name", "types"), [("pages", PAGE_TYPES), ("chunks", CHUNK_TYPES)])
def test_parquet_has_the_columns_and_types_of_the_contract(first, name, types):
    schema = pq.read_schema(first.folder / f"{name}.parquet")
    assert {field.name: type_of(field.type) for field in schema} == types
    assert list(getattr(first, name)[0]) == schema.names == list(types)
    assert pq.ParquetFile(first.folder / f"{name}.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


def test_receipt_in_parquet_is_a_record(first):
    receipt = pq.read_schema(first.folder / "pages.parquet").field("receipt").type
    assert [field.name for field in receipt] == ["found", "kept", "losses"]
    for side in ("found", "kept"):
        assert [field.name for field in receipt.field(side).type] == [
            "headings", "code_blocks", "tables", "list_items", "words",
        ]  # fmt: skip


@pytest.mark.parametrize("name", ["pages", "chunks"])
def test_parquet_says_the_same_as_json_lines(first, name):
    rows = getattr(first, name)
    table = pq.read_table(first.folder / f"{name}.parquet")
    assert table.num_rows == len(rows) > 0
    for column in ("url", "title", "content_hash"):
        assert table.column(column).to_pylist() == [row[column] for row in rows]
    # What was never asked for has no time.
    times = [time and time.isoformat() for time in table.column("fetched_at").to_pylist()]
    assert times == [row["fetched_at"] for row in rows]


def test_no_stored_page_has_lost_anything(first):
    losses = {row["url"]: row["receipt"]["losses"] for row in first.pages if row["verdict"] == "ok"}
    # What is taken out of a site's own Markdown on purpose is counted there too.
    assert {url: lost for url, lost in losses.items() if any("removed" not in loss for loss in lost)} == {}


def test_no_chunk_holds_furniture(first):
    texts = [chunk["text"] for chunk in first.chunks]
    assert not [text for text in texts if "Edit this page" in text or "¶" in text or text.endswith("\nCopy")]


def test_every_stored_page_has_its_markdown_file(first):
    listed = {row["markdown_path"]: row for row in first.pages if row["verdict"] == "ok"}
    assert set(first.documents) == set(listed)
    assert {row["markdown_path"] for row in first.pages if row["verdict"] != "ok"} == {""}
    for path, row in listed.items():
        empty, header, body = first.documents[path].split("---\n", 2)
        fields = yaml.safe_load(header)
        assert empty == ""
        assert fields["title"] == row["title"]
        assert fields["source"] == row["final_url"]
        assert fields["content_hash"] == row["content_hash"]
        assert fields["verdict"] == "ok"
        assert body.startswith("\n")
        assert body.endswith("\n")
        assert body.strip()


def test_folder_holds_what_the_contract_names(first):
    assert {path.name for path in first.folder.iterdir()} >= {
        "pages.jsonl", "pages.parquet", "chunks.jsonl", "chunks.parquet", "markdown", "summary.json", "crawl.sqlite",
    }  # fmt: skip
    assert [path.name for path in first.folder.iterdir() if path.name.startswith(".")] == []


def test_same_site_gives_the_same_bytes(twice):
    first, second, _ = twice
    assert lines_without_time(first.folder / "chunks.jsonl") == lines_without_time(second.folder / "chunks.jsonl")
    assert lines_without_time(first.folder / "pages.jsonl") == lines_without_time(second.folder / "pages.jsonl")
    assert first.summary["pages"] == second.summary["pages"]


def lines_without_time(path: Path) -> list[bytes]:
    """Return the lines of a file, with every value of fetched_at cut out of its bytes."""
    lines = []
    for line in path.read_bytes().splitlines():
        head, _, tail = line.partition(b'"fetched_at":')
        lines.append(head + tail.partition(b",")[2])
    return lines
