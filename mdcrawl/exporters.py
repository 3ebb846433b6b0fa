"""What Scrapy's feeds write rows with: JSON lines and Parquet, the same bytes as the files of the output folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, ClassVar, Self, cast

from scrapy.exporters import BaseItemExporter

from mdcrawl.configuration import Configuration
from mdcrawl.export.jsonl import to_line
from mdcrawl.export.rows import Extras, JsonRow, Table
from mdcrawl.pipelines.options import asked_extras

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.export.parquet import ParquetRows
    from mdcrawl.spiders.docs import DocsSpider


class JsonLinesExporter(BaseItemExporter):
    """Write a row a line, empty columns too; always UTF-8."""

    def __init__(self, file: IO[bytes], **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        self.export_empty_fields = True
        self._file = file

    def export_item(self, item: JsonRow) -> None:
        """Write the columns that the feed's `fields` name, or all."""
        self._file.write(to_line(item if self.fields_to_export is None else dict(self.get_serialized_fields(item))))

    def finish_exporting(self) -> None:
        """Let a full disk be met here, and not when the file is closed."""
        self._file.flush()


class ParquetExporter(BaseItemExporter):
    """Write rows in groups, with the schema of their table."""

    table: ClassVar[Table]

    def __init__(self, file: IO[bytes], extras: Extras, **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        self._file = file
        self._extras = extras

    @classmethod
    def from_crawler(cls, crawler: Crawler, file: IO[bytes], **options: Any) -> Self:
        """Make the exporter of a feed; it has the columns that the crawl is asked for."""
        configuration = Configuration.from_settings(crawler.settings)
        return cls(file, asked_extras(configuration, cast("DocsSpider", crawler.spider)), **options)

    def start_exporting(self) -> None:
        """Begin the file, with the columns that the feed's `fields` name, or all."""
        from mdcrawl.export.parquet import ParquetRows, schema_of  # noqa: PLC0415  30 MB until files are written

        fields = self.fields_to_export
        columns = fields if fields is None or isinstance(fields, Mapping) else {name: name for name in fields}
        self._rows: ParquetRows = ParquetRows(self._file, schema_of(self.table, self._extras), columns)

    def export_item(self, item: JsonRow) -> None:
        """Write a row, or keep it until its group is full."""
        self._rows.write(item)

    def finish_exporting(self) -> None:
        """Write what is left and the footer."""
        self._rows.close()
        self._file.flush()


class PagesParquetExporter(ParquetExporter):
    """Write pages."""

    table = Table.PAGES


class ChunksParquetExporter(ParquetExporter):
    """Write chunks."""

    table = Table.CHUNKS


class FieldsParquetExporter(ParquetExporter):
    """Write the fields that the crawl is asked for."""

    table = Table.FIELDS
