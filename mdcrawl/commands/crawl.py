"""`scrapy crawl`: mistakes end it before it starts, in one line; its exit status tells cron how it went."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import sys
import tempfile
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spiders import Spider

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.lock import FolderLock
from mdcrawl.errors import DiskFullError, MdcrawlError, OutputFolderError, SettingError, SpiderArgumentError
from mdcrawl.export.rows import Extras
from mdcrawl.extensions.finish import EXIT_STATUS, ExitStatus
from mdcrawl.extensions.terminal import can_draw
from mdcrawl.feeds import check_feeds
from mdcrawl.pipelines.model_options import check_model
from mdcrawl.pipelines.options import asked_extras, manner_of
from mdcrawl.spiders.docs import DocsSpider

if TYPE_CHECKING:
    from mdcrawl.shared.sites import SiteList

logger = logging.getLogger(__name__)

# Where a worker keeps the highest exit status so far from one process to the next.
WORST = "MDCRAWL_WORST_STATUS"
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
        # It inspects the whole stack as it is loaded, three times, and where the engine loads it the stack is deep.
        import_module("scrapy.core.downloader.contextfactory")
        try:
            sites = self._sites(args, opts)
            if sites is not None:
                self._run_by_site(sites, args, opts)
                return
            crawler = self._checked_crawler(args, opts)
        except MdcrawlError as error:
            self._refuse(error)
            return
        self._crawl(crawler, opts)

    def _refuse(self, error: MdcrawlError) -> None:
        sys.stderr.write(f"mdcrawl: {error}\n")
        assert self.settings is not None
        if self.settings.get("LOG_FILE"):  # who looks there has no terminal; without a traceback
            logger.log(logging.ERROR, "%s", error)
        self.exitcode = ExitStatus.STOPPED if isinstance(error, DiskFullError) else ExitStatus.USER_MISTAKE

    def _crawl(self, crawler: Crawler, opts: argparse.Namespace) -> str:
        """Crawl and set the exit status; return the reason for the end, "" if there was no beginning."""
        assert self.crawler_process is not None
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        # A crawl that never came to its end has left no status.
        failed = ExitStatus.USER_MISTAKE if self.crawler_process.bootstrap_failed else ExitStatus.STOPPED
        assert crawler.stats is not None
        self.exitcode = crawler.stats.get_value(EXIT_STATUS, int(failed))
        return str(crawler.stats.get_value("finish_reason", ""))

    def _sites(self, args: list[str], opts: argparse.Namespace) -> SiteList | None:
        """Return the list that start URLs come from, None if one is given."""
        spider_class = self._spider_class(args[0])
        assert self.settings is not None
        settings = self.settings.copy()
        spider_class.update_settings(settings)
        configuration = Configuration.from_settings(settings)
        if not configuration.frontier or not issubclass(spider_class, DocsSpider):
            return None
        if "start" in {**spider_class.arguments_by_default, **opts.spargs}:
            return None
        check_redis(configuration.frontier)
        from mdcrawl.shared.sites import SiteList  # noqa: PLC0415  only where it is wanted

        self._of_site = configuration.of_site
        return SiteList(configuration.frontier, spider_class.name, lease_s=configuration.frontier_lease_s)

    def _run_by_site(self, sites: SiteList, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl one site of a list, then be a new process for the next: an event loop cannot begin again.

        The exit status is the highest of all sites.
        """
        reap()
        worst = int(os.environ.get(WORST, "0"))
        self.exitcode = worst
        try:
            start = sites.take()
        except KeyboardInterrupt:  # while it waited; it has no site to give back
            return
        if start is None:
            return
        assert self.settings is not None
        for name, value in self._of_site(start.url).items():
            self.settings.set(name, value, priority="cmdline")
        opts.spargs = {**opts.spargs, **start.arguments, "start": start.url}
        reason = ""
        try:
            reason = self._crawl(self._checked_crawler(args, opts), opts)
        except SpiderArgumentError as error:  # of this entry; the next may be right
            self._refuse(error)
            reason = "finished"
        except MdcrawlError as error:
            self._refuse(error)
        from mdcrawl.shared.sites import Ending  # noqa: PLC0415  only where it is wanted

        sites.end(start.site, Ending.DONE if reason == "finished" else Ending.GO_ON if reason else Ending.TRY_LATER)
        self.exitcode = max(worst, int(self.exitcode))
        if reason == "finished":
            os.environ[WORST] = str(self.exitcode)
            logging.shutdown()
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  this very command

    def _checked_crawler(self, args: list[str], opts: argparse.Namespace) -> Crawler:
        """Return the crawler to run. Raises MdcrawlError for whatever the user can mend before it is."""
        if len(args) > 1:
            raise SpiderArgumentError(f"{args[1]}: one spider at a time; arguments of the spider follow -a")
        spider_class = self._spider_class(args[0])
        crawler = self._create_crawler(spider_class)
        configuration = Configuration.from_settings(crawler.settings)
        if not issubclass(spider_class, DocsSpider):
            check_feeds(crawler, Extras())
        else:
            arguments = spider_class.parse_arguments(opts.spargs)
            manner = manner_of(spider_class, arguments)
            check_feeds(crawler, asked_extras(configuration, manner))
            check_model(configuration, manner)
            folder = configuration.output_folder(arguments.start[0])
            if configuration.frontier:
                check_shared(folder, configuration)
            else:
                # Held until this process ends, so that no other comes between the check and the crawl.
                self._lock = check_folder(folder, configuration.db)
        return crawler

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

    Raises SettingError if a database on a server is missing, OutputFolderError naming what cannot be reached
    or that the workers of the last crawl are ending.
    """
    if not configuration.db:
        raise SettingError("MDCRAWL_FRONTIER: workers that share a crawl need MDCRAWL_DB too")
    check_writable(folder)
    check_redis(configuration.frontier)
    from mdcrawl.shared.scheduler import check_others  # noqa: PLC0415  only where it is wanted

    crawldb = CrawlDatabase.open_folder(folder, configuration.db, is_shared=True)
    try:
        with crawldb.read() as connection:
            check_others(crawldb, connection)
    finally:
        crawldb.close()


def check_redis(url: str) -> None:
    """See to it that Redis can be reached. Raises SettingError, OutputFolderError naming it."""
    try:
        from redis.exceptions import RedisError  # noqa: PLC0415  only where it is wanted

        from mdcrawl.shared.server import RedisAwayError, Server  # noqa: PLC0415  as above
    except ModuleNotFoundError as error:
        raise SettingError(
            f"MDCRAWL_FRONTIER: {error.name} is not installed; pip install -r requirements-scale.txt"
        ) from error
    try:
        server = Server(url, "")
        with closing(server):
            server.call(server.client.ping)
    except RedisAwayError as error:
        raise OutputFolderError(
            f"{server.name}: Redis cannot be reached; start it or see to MDCRAWL_FRONTIER"
        ) from error
    except (RedisError, ValueError, TypeError) as error:  # the last two: a parameter that there is not, or not so
        raise SettingError(f"MDCRAWL_FRONTIER: not to be used as it is: {error}") from error


def reap() -> None:
    """Take leave of the child processes of what this process was before."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


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
