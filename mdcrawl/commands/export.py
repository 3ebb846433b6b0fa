"""`scrapy export DIR`: write the output files again from the crawl database in DIR."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader
from sqlalchemy import Connection

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import FILE_NAME, CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.finish import Ending, finish_run
from mdcrawl.crawldb.runs import RunState, last_run, set_settings
from mdcrawl.errors import MdcrawlError, OutputFolderError
from mdcrawl.export.summary import Summary, describe
from mdcrawl.extensions.finish import ExitStatus
from mdcrawl.pipelines.model_options import model_work
from mdcrawl.spiders.docs import DocsSpider

KILLED = "the crawl was killed; the same command goes on with it"


class Command(ScrapyCommand):
    """Write the files of an output folder again, without the network."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the arguments in short."""
        return "[options] <dir>"

    def short_desc(self) -> str:
        """Return the line for the list of commands."""
        return "Write the output files of a crawl again from its database"

    def long_desc(self) -> str:
        """Return what --help says, with an example."""
        return (
            "Write pages, chunks, changes, Markdown and summary again from the crawl.sqlite in DIR, without the "
            "network: after a crash, or with other settings. Example: "
            "scrapy export out/docs.example.com -s MDCRAWL_CHUNK_TOKENS=200"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what this command takes."""
        super().add_options(parser)
        parser.add_argument("--reextract", action="store_true", help="convert the kept answers again before")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the files and print what they come to."""
        if len(args) != 1:
            raise UsageError
        folder = Path(args[0])
        try:
            summary = self._export(folder, reextract=opts.reextract)
        except MdcrawlError as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            self.exitcode = ExitStatus.USER_MISTAKE
        except CrawlDatabaseError as error:
            sys.stderr.write(f"mdcrawl: {folder / FILE_NAME}: cannot write: {error}\n")
            self.exitcode = ExitStatus.STOPPED
        except OSError as error:
            sys.stderr.write(f"mdcrawl: {error.filename or folder}: cannot write: {error.strerror}\n")
            self.exitcode = ExitStatus.STOPPED
        else:
            sys.stdout.write(describe(summary, folder) + "\n")

    def _export(self, folder: Path, *, reextract: bool) -> Summary:
        from mdcrawl.export.export import write_all  # noqa: PLC0415  Scrapy loads every command for each
        from mdcrawl.report.write import write_report  # noqa: PLC0415  as above

        assert self.settings is not None
        crawldb = CrawlDatabase.open_existing(folder, Configuration.from_settings(self.settings).db)
        try:
            with crawldb.begin() as connection:
                self._bring_up_to_date(connection, folder, reextract=reextract)
            with crawldb.begin() as connection:
                summary = write_all(connection, folder)
                write_report(connection, folder)
                return summary
        finally:
            crawldb.close()

    def _bring_up_to_date(self, connection: Connection, folder: Path, *, reextract: bool) -> None:
        """Commit what a killed crawl left, and convert again what other settings ask for."""
        from mdcrawl.reconvert import reconvert  # noqa: PLC0415  Scrapy loads every command for each

        run = last_run(connection)
        if run is None:
            raise OutputFolderError(f"{folder}: no crawl to export; run scrapy crawl docs into it first")
        assert self.settings is not None
        of_run = run.settings or {}
        configuration = Configuration.of_run(self.settings, of_run)
        if run.state is RunState.RUNNING:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            ending = Ending(now, KILLED, is_over=False, is_in_scope=lambda _: False, max_delete_ratio=1.0)
            finish_run(connection, run, ending)
        loader = get_spider_loader(self.settings)
        name = str(of_run.get("spider", "docs"))
        spider = loader.load(name) if name in loader.list() else DocsSpider
        assert issubclass(spider, DocsSpider)
        spider.query = str(of_run.get("query") or spider.query)
        declared = of_run.get("fields")
        spider.fields = declared if isinstance(declared, dict) else spider.fields
        if reextract and model_work(configuration, spider) is not None:
            raise OutputFolderError("--reextract: no model is asked here; crawl again with -a incremental=off")
        reconvert(connection, configuration, spider, reextract=reextract)
        set_settings(connection, run, dict(of_run) | configuration.shaping_settings())
