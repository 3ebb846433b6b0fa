"""`scrapy crawl`: mistakes end it before it starts, in one line; its exit status tells cron how it went."""

from __future__ import annotations

import argparse
import errno
import sys
import tempfile
from pathlib import Path

from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spiders import Spider

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.lock import FolderLock
from mdcrawl.errors import DiskFullError, MdcrawlError, OutputFolderError, SettingError, SpiderArgumentError
from mdcrawl.extensions.finish import EXIT_STATUS, ExitStatus
from mdcrawl.spiders.docs import DocsSpider

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
        if sys.stderr.isatty() and not is_asked_for and not self.settings.get("LOG_FILE"):
            self.settings.set("LOG_LEVEL", "WARNING", priority="cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check, crawl, set the exit status."""
        if not args:
            raise UsageError
        try:
            self._check(args, opts)
        except MdcrawlError as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            self.exitcode = ExitStatus.STOPPED if isinstance(error, DiskFullError) else ExitStatus.USER_MISTAKE
            return
        assert self.crawler_process is not None
        crawler = self._create_crawler(args[0])
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        # A crawl that never came to its end has left no status.
        failed = ExitStatus.USER_MISTAKE if self.crawler_process.bootstrap_failed else ExitStatus.STOPPED
        assert crawler.stats is not None
        self.exitcode = crawler.stats.get_value(EXIT_STATUS, int(failed))

    def _check(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raise MdcrawlError for whatever the user can mend before anything is asked of a site."""
        if len(args) > 1:
            raise SpiderArgumentError(f"{args[1]}: one spider at a time; arguments of the spider follow -a")
        spider_class = self._spider_class(args[0])
        assert self.settings is not None
        settings = self.settings.copy()
        spider_class.update_settings(settings)
        configuration = Configuration.from_settings(settings)
        if issubclass(spider_class, DocsSpider):
            arguments = spider_class.parse_arguments(opts.spargs)
            # Held until this process ends, so that no other comes between the check and the crawl.
            folder = configuration.output_folder(arguments.start[0])
            if configuration.frontier:
                check_shared(folder, configuration)
            else:
                self._lock = check_folder(folder, configuration.db)

    def _spider_class(self, name: str) -> type[Spider]:
        assert self.crawler_process is not None
        loader = self.crawler_process.spider_loader
        try:
            return loader.load(name)
        except KeyError as error:
            known = ", ".join(sorted(loader.list()))
            raise SpiderArgumentError(f"{name}: no such spider; known are {known}") from error


def check_shared(folder: Path, configuration: Configuration) -> None:
    """See to it that a worker of a shared crawl will reach all that it needs.

    Raises SettingError if a database on a server is missing, OutputFolderError naming what cannot be reached.
    """
    try:
        from mdcrawl.shared.server import RedisAwayError, Server  # noqa: PLC0415  only where it is wanted
    except ModuleNotFoundError as error:
        raise SettingError(
            f"MDCRAWL_FRONTIER: {error.name} is not installed; pip install -r requirements-scale.txt"
        ) from error
    if not configuration.db:
        raise SettingError("MDCRAWL_FRONTIER: workers that share a crawl need MDCRAWL_DB too")
    check_writable(folder)
    server = Server(configuration.frontier, "")
    try:
        server.call(server.client.ping)
    except RedisAwayError as error:
        raise OutputFolderError(
            f"{server.name}: Redis cannot be reached; start it or see to MDCRAWL_FRONTIER"
        ) from error
    finally:
        server.close()
    CrawlDatabase.open_folder(folder, configuration.db, is_shared=True).close()


def check_folder(folder: Path, db: str = "") -> FolderLock:
    """Make the output folder, try to write in it and take its lock; open the crawl database, which `db` may name.

    Raises OutputFolderError naming the folder or the database, DiskFullError if there is no room.
    """
    check_writable(folder)
    CrawlDatabase.open_folder(folder, db).close()
    return FolderLock(folder)


def check_writable(folder: Path) -> None:
    """Make the output folder and try to write in it.

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
