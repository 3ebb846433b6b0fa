"""`scrapy report DIR`: write DIR/report.html again from the crawl database."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import CrawlDatabase, CrawlDatabaseError
from mdcrawl.errors import MdcrawlError


class Command(ScrapyCommand):
    """Write the report of an output folder, without the network."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the arguments in short."""
        return "[options] <dir>"

    def short_desc(self) -> str:
        """Return the line for the list of commands."""
        return "Write the report of a crawl again: what is good, what is wrong, samples to read"

    def long_desc(self) -> str:
        """Return what --help says, with an example."""
        return (
            "Write report.html again from the crawl.sqlite in DIR, also of a crawl that was killed. No network. "
            "Example: scrapy report out/docs.example.com"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the report and print its path."""
        if len(args) != 1:
            raise UsageError
        folder = Path(args[0])
        try:
            assert self.settings is not None
            report = _write(folder, Configuration.from_settings(self.settings).db)
        except (MdcrawlError, CrawlDatabaseError) as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            self.exitcode = 1
        except OSError as error:
            sys.stderr.write(f"mdcrawl: {error.filename or folder}: cannot write: {error.strerror}\n")
            self.exitcode = 1
        else:
            sys.stdout.write(f"{report}\n")


def _write(folder: Path, db: str) -> Path:
    """Write the report of a folder; return its path."""
    from mdcrawl.report.write import FILE_NAME as REPORT  # noqa: PLC0415  Scrapy loads every command for each
    from mdcrawl.report.write import write_report  # noqa: PLC0415  as above

    crawldb = CrawlDatabase.open_existing(folder, db)
    try:
        with crawldb.begin() as connection:
            write_report(connection, folder)
        return folder / REPORT
    finally:
        crawldb.close()
