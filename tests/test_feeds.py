"""What is wrong with a feed is said before the crawl, in one line that names it."""

from __future__ import annotations

import pytest
from scrapy.crawler import Crawler

from mdcrawl import settings as project
from mdcrawl.errors import SettingError
from mdcrawl.export.rows import Extras, Table, definitions_of
from mdcrawl.feeds import check_feeds, exporter_of
from mdcrawl.items import View
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
        pytest.param(
            {"pages.jsonl": {"format": "jsonl", "fields": ["url", "fit_markdown"]}},
            "FEEDS: pages.jsonl: pages have no column 'fit_markdown'; ask for it with MDCRAWL_VIEWS",
            id="view that is not asked for",
        ),
        pytest.param(
            {"fields.jsonl": {"format": "jsonl"}},
            "FEEDS: fields.jsonl: the crawl has no fields; name their file with -a fields=FILE",
            id="fields that are not asked for",
        ),
    ],
)
def test_mistake_is_named(feeds, line):
    with pytest.raises(SettingError) as caught:
        check_feeds(crawler_with(feeds), Extras())
    assert str(caught.value).startswith(line)


def test_views_that_are_asked_for_are_columns_of_pages_only():
    citations = {"a.jsonl": {"fields": ["url", "citations", "references"]}}
    asked = Extras(views=(View.CITATIONS,))
    check_feeds(crawler_with(citations), asked)
    with pytest.raises(SettingError, match="chunks have no column 'citations'"):
        check_feeds(crawler_with({"chunks.jsonl": citations["a.jsonl"]}), asked)


def test_fields_that_are_asked_for_are_columns_of_their_table():
    asked = Extras(fields=definitions_of({"price": {"css": ".price"}}))
    check_feeds(crawler_with({"fields.csv": {"fields": ["url", "price", "problems"]}}), asked)
    with pytest.raises(SettingError, match=r"fields have no column 'prize'; did you mean price\?"):
        check_feeds(crawler_with({"fields.csv": {"fields": ["prize"]}}), asked)


def test_sound_feeds_pass():
    feeds = {
        "pages.jsonl": {},
        "file:///srv/chunks.parquet": {"format": "parquet", "overwrite": True},
        "ftp://me@a.example/chunks.parquet": {"format": "parquet"},
        "stdout:": {"format": "changes-jsonl"},
        "chunks.csv": {"fields": {"id": "key", "text": "body"}},
    }
    check_feeds(crawler_with(feeds), Extras())


def test_every_exporter_of_a_table_is_found():
    for table in Table:
        assert exporter_of(table, f"{table}-jsonl", project.FEED_EXPORTERS) == f"{table}-jsonl"
    for table in (Table.CHUNKS, Table.FIELDS):
        assert exporter_of(table, "parquet", project.FEED_EXPORTERS) == f"{table}-parquet"
    assert exporter_of(Table.CHUNKS, "jl", project.FEED_EXPORTERS) == "jl"
