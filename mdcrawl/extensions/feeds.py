"""Feeds: what `-O` and FEEDS ask for, written from the database when the run is committed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.extensions import feedexport
from scrapy.extensions.feedexport import FeedExporter, FeedSlot

from mdcrawl.crawldb.runs import last_run
from mdcrawl.export.rows import Table, read_table
from mdcrawl.feeds import exporter_of, table_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)


class Feeds(FeedExporter):
    """Scrapy's feed exports of rows instead of items.

    An item is not the last word on its page: until the end of a run pages become duplicates, are held
    or deleted. So nothing is written while items pass; Finish has the feeds written when the run is
    committed. Storages, batches, post-processing, fields and filters are Scrapy's own.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        feedexport.logger.addFilter(_shorten)
        self._tables: dict[str, Table] = {}
        for uri, options in self.feeds.items():
            self._tables[uri] = table_of(uri, options["format"])
            options["format"] = exporter_of(self._tables[uri], options["format"], self.exporters)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl; it listens to the opening only."""
        feeds = cls(crawler)
        crawler.signals.connect(feeds.open_spider, signal=signals.spider_opened)
        return feeds

    def write(self, connection: Connection) -> None:
        """Write every feed with the rows of the last run, one after another."""
        run = last_run(connection)
        assert run is not None
        written: list[FeedSlot] = []
        for slot in self.slots:
            self.slots = [slot]
            try:
                for row in read_table(connection, self._tables[slot.uri_template], run):
                    self.item_scraped(row, slot.spider)
                if slot.itemcount:
                    slot.finish_exporting()
            except OSError as error:
                # On the error level, without a traceback: it is the user's disk.
                message = f"feed {slot.uri}: cannot write: {error.strerror}; the output folder has its rows"
                logger.log(logging.ERROR, message)
            else:
                written += self.slots
        self.slots = written

    async def store(self) -> bool:
        """Hand what was written to the storages; tell whether every feed is where it belongs."""
        is_whole = len(self.slots) >= len(self.feeds)
        assert self.crawler.spider is not None
        assert self.crawler.stats is not None
        await self.close_spider(self.crawler.spider)
        failed = [name for name in self.crawler.stats.get_stats() if name.startswith("feedexport/failed_count/")]
        return is_whole and not failed


def _shorten(record: logging.LogRecord) -> bool:
    """Let Scrapy say in one line that a storage refused a feed: it is down or wants another password."""
    if record.exc_info:
        record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]}; the output folder has its rows", ()
        record.exc_info = None
    return True
