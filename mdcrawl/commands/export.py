"""`scrapy export DIR`: write the output files again from the crawl database in DIR."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from mdcrawl.crawldb.database import FILE_NAME, CrawlDatabase
from mdcrawl.errors import MdcrawlError, OutputFolderError
from mdcrawl.export.export import write_all
from mdcrawl.export.summary import describe


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
            "Write pages, chunks, Markdown and summary again from the crawl.sqlite in DIR, without the network. "
            "Example: scrapy export out/docs.example.com"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the files and print what they come to."""
        if len(args) != 1:
            raise UsageError
        folder = Path(args[0])
        try:
            if not (folder / FILE_NAME).is_file():
                raise OutputFolderError(f"{folder}: there is no {FILE_NAME}; give the output folder of a crawl")
            crawldb = CrawlDatabase.open_folder(folder)
            try:
                with crawldb.begin() as connection:
                    summary = write_all(connection, folder)
            finally:
                crawldb.close()
        except MdcrawlError as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            self.exitcode = 1
            return
        sys.stdout.write(describe(summary, folder) + "\n")
