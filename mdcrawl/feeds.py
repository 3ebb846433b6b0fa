"""Which rows a feed of Scrapy's holds, and what about it the user can mend before the crawl starts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.utils.conf import feed_complete_default_values_from_settings
from scrapy.utils.misc import build_from_crawler, load_object

from mdcrawl.errors import SettingError
from mdcrawl.export.rows import Extras, Table, columns_of, view_columns
from mdcrawl.items import View

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def table_of(uri: str, feed_format: str) -> Table:
    """Return what a feed holds: what its format names first, else its file, else pages.

    >>> table_of("s3://bucket/latest.parquet", "chunks-parquet")
    <Table.CHUNKS: 'chunks'>
    >>> table_of("file:///srv/docs_chunks.%(time)s.jsonl", "jsonl")
    <Table.CHUNKS: 'chunks'>
    >>> table_of("items.json", "json")
    <Table.PAGES: 'pages'>
    """
    words = [feed_format.partition("-")[0], *re.findall("[a-z]+", PurePosixPath(urlsplit(uri).path).name.lower())]
    return next((Table(word) for word in words if word in set(Table)), Table.PAGES)


def exporter_of(table: Table, feed_format: str, exporters: Collection[str]) -> str:
    """Return the name of the exporter of a table in a format: one for this table goes before one for any."""
    return next((name for name in (f"{table}-{feed_format}", feed_format) if name in exporters), "")


def check_feeds(crawler: Crawler, extras: Extras) -> None:
    """Raise SettingError for the first of the crawl's feeds that could not be written as it is asked for.

    `extras` are what the crawl is asked for.
    """
    settings = crawler.settings
    storages = {name: path for name, path in settings.getwithbase("FEED_STORAGES").items() if path}
    exporters = [name for name, path in settings.getwithbase("FEED_EXPORTERS").items() if path]
    for given, given_options in settings.getdict("FEEDS").items():
        uri = str(given)
        options = feed_complete_default_values_from_settings(given_options, settings, uri)
        _check_format(uri, options, exporters)
        _check_columns(uri, options, extras)
        scheme = urlsplit(uri).scheme
        if scheme not in storages:
            raise SettingError(f"FEEDS: {uri}: no storage for {scheme}:; known are {', '.join(filter(None, storages))}")
        try:
            build_from_crawler(load_object(storages[scheme]), crawler, uri, feed_options=None)
        except (NotConfigured, ValueError) as error:
            raise SettingError(f"FEEDS: {uri}: {error}") from error


def _check_format(uri: str, options: Mapping[str, Any], exporters: Collection[str]) -> None:
    table = table_of(uri, options["format"])
    exporter = exporter_of(table, options["format"], exporters)
    if not exporter:
        known = ", ".join(sorted(exporters))
        raise SettingError(f"FEEDS: {uri}: unknown format {options['format']!r}; known are {known}")
    if table is Table.CHANGES and exporter in {"csv", "parquet"}:
        raise SettingError(f"FEEDS: {uri}: a change has the columns of its action; write changes as jsonl")
    if exporter.endswith("parquet") and urlsplit(uri).scheme in {"", "file"} and not options.get("overwrite"):
        raise SettingError(f"FEEDS: {uri}: nothing can be added to a Parquet file; use -O, or overwrite in FEEDS")


def _check_columns(uri: str, options: Mapping[str, Any], extras: Extras) -> None:
    table = table_of(uri, options["format"])
    if table is Table.FIELDS and not extras.fields:
        raise SettingError(f"FEEDS: {uri}: the crawl has no fields; name their file with -a fields=FILE")
    known = columns_of(table, extras)
    for name in options["fields"] or ():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            is_view = table is Table.PAGES and name in view_columns(tuple(View))
            hint = "; ask for it with MDCRAWL_VIEWS" if is_view else hint
            raise SettingError(f"FEEDS: {uri}: {table} have no column {name!r}{hint}")
