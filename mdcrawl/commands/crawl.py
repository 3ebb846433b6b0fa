"""`scrapy crawl`: mistakes end it before it starts, in one line; its exit status tells cron how it went."""

from __future__ import annotations

import argparse
import errno
import logging
import sys
import tempfile
from pathlib import Path

from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spiders import Spider

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.lock import FolderLock
from mdcrawl.errors import DiskFullError, MdcrawlError, OutputFolderError, SpiderArgumentError
from mdcrawl.extensions.finish import EXIT_STATUS, ExitStatus
from mdcrawl.extensions.terminal import can_draw
from mdcrawl.feeds import check_feeds
from mdcrawl.pipelines.model_options import check_model
from mdcrawl.pipelines.options import asked_views_of, manner_of
from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)

# Bytes that a crawl surely needs, to find a full disk before anything is asked of a site.
ROOM = 100_000
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Command(CrawlCommand):
    """Scrapy's crawl command with checks before and a status after."""

    def syntax(self) -> str:
        """Return the arguments in short."""
        return "[options] <spider>"

    def long_desc(self) -> str:
        """Return what --help says, with an example."""
        return "Run a spider by name. Example: scrapy crawl docs -a start=https://docs.example.com/ -a max_pages=100"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """On a terminal keep the log to warnings, unless it was asked for: the live view says the rest."""
        super().process_options(args, opts)
        assert self.settings is not None
        is_asked_for = (self.settings.getpriority("LOG_LEVEL") or 0) >= SETTINGS_PRIORITIES["cmdline"]
        if can_draw() and not is_asked_for and not self.settings.get("LOG_FILE"):
            self.settings.set("LOG_LEVEL", "WARNING", priority="cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check, crawl, set the exit status."""
        if not args:
            raise UsageError
        try:
            crawler = self._checked_crawler(args, opts)
        except MdcrawlError as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            assert self.settings is not None
            if self.settings.get("LOG_FILE"):  # who looks there has no terminal; without a traceback
                logger.log(logging.ERROR, "%s", error)
            self.exitcode = ExitStatus.STOPPED if isinstance(error, DiskFullError) else ExitStatus.USER_MISTAKE
            return
        assert self.crawler_process is not None
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        # A crawl that never came to its end has left no status.
        failed = ExitStatus.USER_MISTAKE if self.crawler_process.bootstrap_failed else ExitStatus.STOPPED
        assert crawler.stats is not None
        self.exitcode = crawler.stats.get_value(EXIT_STATUS, int(failed))

    def _checked_crawler(self, args: list[str], opts: argparse.Namespace) -> Crawler:
        """Return the crawler to run. Raises MdcrawlError for whatever the user can mend before it is."""
        if len(args) > 1:
            raise SpiderArgumentError(f"{args[1]}: one spider at a time; arguments of the spider follow -a")
        spider_class = self._spider_class(args[0])
        crawler = self._create_crawler(spider_class)
        configuration = Configuration.from_settings(crawler.settings)
        if not issubclass(spider_class, DocsSpider):
            check_feeds(crawler)
        else:
            arguments = spider_class.parse_arguments(opts.spargs)
            manner = manner_of(spider_class, arguments)
            check_feeds(crawler, asked_views_of(configuration, manner))
            check_model(configuration, manner)
            # Held until this process ends, so that no other comes between the check and the crawl.
            self._lock = check_folder(configuration.output_folder(arguments.start[0]))
        return crawler

    def _spider_class(self, name: str) -> type[Spider]:
        assert self.crawler_process is not None
        loader = self.crawler_process.spider_loader
        try:
            return loader.load(name)
        except KeyError as error:
            known = ", ".join(sorted(loader.list()))
            raise SpiderArgumentError(f"{name}: no such spider; known are {known}") from error


def check_folder(folder: Path) -> FolderLock:
    """Make the output folder, try to write in it and take its lock.

    Raises OutputFolderError naming the folder, DiskFullError if there is no room.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
            file.flush()
    except OSError as error:
        kind = DiskFullError if error.errno in NO_ROOM else OutputFolderError
        raise kind(
            f"{folder}: cannot write there ({error.strerror}); choose another with -s MDCRAWL_OUTPUT=FOLDER"
        ) from error
    CrawlDatabase.open_folder(folder).close()
    return FolderLock(folder)
