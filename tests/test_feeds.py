"""What is wrong with a feed is said before the crawl, in one line that names it."""

from __future__ import annotations

import pytest
from scrapy.crawler import Crawler

from mdcrawl import settings as project
from mdcrawl.errors import SettingError
from mdcrawl.export.rows import COLUMNS, Table
from mdcrawl.feeds import check_feeds, exporter_of
from mdcrawl.spiders.docs import DocsSpider


def crawler_with(feeds):
    return Crawler(DocsSpider, {"FEED_EXPORTERS": project.FEED_EXPORTERS, "FEEDS": feeds})


@pytest.mark.parametrize(
    ("feeds", "line"),
    [
        pytest.param(
            {"gopher://a.example/pages.jsonl": {"format": "jsonl"}},
            "FEEDS: gopher://a.example/pages.jsonl: no storage for gopher:; known are file, ftp, ",
            id="unknown storage",
        ),
        pytest.param({"a.yaml": {}}, "FEEDS: a.yaml: unknown format 'yaml'; known are changes-jsonl, ", id="format"),
        pytest.param(
            {"s3://bucket/pages.jsonl": {"format": "jsonl"}},
            "FEEDS: s3://bucket/pages.jsonl: missing boto3 library",
            id="storage that is not installed",
        ),
        pytest.param(
            {"ftp:///a.jsonl": {"format": "jsonl"}},
            "FEEDS: ftp:///a.jsonl: Got a storage URI without a hostname",
            id="no host",
        ),
        pytest.param(
            {"chunks.parquet": {"format": "parquet"}},
            "FEEDS: chunks.parquet: nothing can be added to a Parquet file; use -O, or overwrite in FEEDS",
            id="Parquet to add to",
        ),
        pytest.param(
            {"changes.parquet": {"format": "parquet", "overwrite": True}},
            "FEEDS: changes.parquet: a change has the columns of its action; write changes as jsonl",
            id="changes as a table",
        ),
        pytest.param(
            {"chunks.jsonl": {"format": "jsonl", "fields": ["id", "txt"]}},
            "FEEDS: chunks.jsonl: chunks have no column 'txt'; did you mean text?",
            id="unknown column",
        ),
    ],
)
def test_mistake_is_named(feeds, line):
    with pytest.raises(SettingError) as caught:
        check_feeds(crawler_with(feeds))
    assert str(caught.value).startswith(line)


def test_sound_feeds_pass():
    check_feeds(
        crawler_with({
            "pages.jsonl": {},
            "file:///srv/chunks.parquet": {"format": "parquet", "overwrite": True},
            "ftp://me@a.example/chunks.parquet": {"format": "parquet"},
            "stdout:": {"format": "changes-jsonl"},
            "chunks.csv": {"fields": {"id": "key", "text": "body"}},
        })
    )  # fmt: skip


def test_every_exporter_of_a_table_is_found():
    for table in Table:
        assert exporter_of(table, f"{table}-jsonl", project.FEED_EXPORTERS) == f"{table}-jsonl"
    assert exporter_of(Table.CHUNKS, "parquet", project.FEED_EXPORTERS) == "chunks-parquet"
    assert exporter_of(Table.CHUNKS, "jl", project.FEED_EXPORTERS) == "jl"
    assert set(COLUMNS) == set(Table)
