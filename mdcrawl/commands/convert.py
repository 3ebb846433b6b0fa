"""`scrapy convert PATH… --output DIR`: local files, folders and .zip archives to Markdown and chunks."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from sqlalchemy import Connection

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.database import FILE_NAME, CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.finish import Ending, finish_run
from mdcrawl.crawldb.runs import Run, open_run
from mdcrawl.discovery.sniff import Kind
from mdcrawl.errors import MdcrawlError, OutputFolderError
from mdcrawl.export.jsonl import write_jsonl
from mdcrawl.export.markdown import write_markdown_tree
from mdcrawl.export.rows import chunk_rows, document_rows, page_rows
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.items import Page, Verdict
from mdcrawl.local import FileJob, convert_file
from mdcrawl.local_files import LocalFile, local_files
from mdcrawl.pipelines.options import chunk_options, extraction_options, verdict_options
from mdcrawl.spiders.docs import DocsSpider

# Files in memory at a time.
BATCH = 16
# Files named on the terminal that could not be converted; pages.jsonl has them all.
MAX_NAMED = 50
# What belongs to pages and is none: counted, not named.
ASSETS = frozenset(f"{kind}, not a page" for kind in (Kind.SCRIPT, Kind.STYLE, Kind.IMAGE, Kind.FONT))
FILES = ("pages.jsonl", "chunks.jsonl", "markdown")


class Command(ScrapyCommand):
    """Convert local files by the same way as the pages of a crawl. Never asks the network."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the arguments in short."""
        return "[options] <path>... --output <dir>"

    def short_desc(self) -> str:
        """Return the line for the list of commands."""
        return "Convert local HTML files, folders or .zip archives to Markdown and chunks"

    def long_desc(self) -> str:
        """Return what --help says, with an example."""
        return (
            "Convert files, the files of folders and of .zip archives; write markdown/, chunks.jsonl and pages.jsonl "
            "(a verdict for each file) into DIR. No network. "
            "Example: scrapy convert manual/ old-site.zip --output out/manual"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what this command takes."""
        super().add_options(parser)
        parser.add_argument("--output", metavar="DIR", default="", help="folder to write into (required)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Convert, write the files, name what could not be converted, set the exit status."""
        if not args or not opts.output:
            raise UsageError("give at least one path and --output DIR")
        output = Path(opts.output)
        try:
            verdicts, failed = self._convert([Path(arg) for arg in args], output)
        except (MdcrawlError, CrawlDatabaseError) as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            self.exitcode = 1
        except OSError as error:
            sys.stderr.write(f"mdcrawl: {error.filename or output}: cannot write: {error.strerror}\n")
            self.exitcode = 1
        else:
            for line in failed[:MAX_NAMED]:
                sys.stderr.write(f"{line}\n")
            if len(failed) > MAX_NAMED:
                sys.stderr.write(f"and {len(failed) - MAX_NAMED} more; see {output / 'pages.jsonl'}\n")
            counts = [f"{sum(verdicts.values())} files", *(f"  {count:>6} {name}" for name, count in verdicts.items())]
            sys.stdout.write("\n".join([*counts, "", *(str(output / name) for name in FILES)]) + "\n")
            self.exitcode = 0 if verdicts.get(Verdict.OK) else 2

    def _convert(self, paths: list[Path], output: Path) -> tuple[dict[str, int], list[str]]:
        """Convert into a database that goes away, export it; return verdicts and the files without Markdown."""
        assert self.settings is not None
        configuration = Configuration.from_settings(self.settings)
        files = local_files(paths, configuration.max_bytes)
        if (output / FILE_NAME).exists():
            raise OutputFolderError(f"{output}: the output folder of a crawl; choose another with --output DIR")
        output.mkdir(parents=True, exist_ok=True)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with tempfile.TemporaryDirectory(prefix=".convert-", dir=output) as folder:
            crawldb = CrawlDatabase.open_folder(Path(folder))
            try:
                with crawldb.begin() as connection:
                    run = open_run(connection, now=now, settings={}, resume=False)
                asyncio.run(_convert_all(files, crawldb, run, configuration))
                with crawldb.begin() as connection:
                    ending = Ending(now, "", is_over=True, is_in_scope=lambda _: True, max_delete_ratio=1.0)
                    finish_run(connection, run, ending)
                with crawldb.begin() as connection:
                    failed = _export(connection, output)
                    return ledger.count_verdicts(connection), failed
            finally:
                crawldb.close()


async def _convert_all(
    files: Iterator[LocalFile], crawldb: CrawlDatabase, run: Run, configuration: Configuration
) -> None:
    """Convert batch by batch in worker processes, and store each batch in one transaction."""
    pool = WorkerPool(workers=configuration.workers, timeout_s=configuration.page_timeout_s)
    try:
        while batch := list(islice(files, BATCH)):
            pages = await asyncio.gather(*(_convert_one(file, run, pool, configuration) for file in batch))
            with crawldb.begin() as connection:
                for page in pages:
                    if ledger.record(connection, page, "") and page.verdict is Verdict.OK:
                        ledger.store(connection, page, run.id, "")
    finally:
        pool.close()


async def _convert_one(file: LocalFile, run: Run, pool: WorkerPool, configuration: Configuration) -> Page:
    if file.verdict is None:
        job = FileJob(
            file.body,
            file.url,
            run.started_at,
            extraction_options(configuration, DocsSpider),
            verdict_options(configuration),
            chunk_options(configuration),
        )
        try:
            return await pool.run(convert_file, job)
        except ConversionError as error:
            file = LocalFile(file.url, verdict=Verdict.BAD_CONTENT, reason=str(error))
    return Page(url=file.url, asked_url=file.url, verdict=file.verdict, reason=file.reason, fetched_at=run.started_at)


def _export(connection: Connection, output: Path) -> list[str]:
    """Write the files; return a line for each file that is no page of the corpus, copies and assets left out."""
    failed: list[str] = []

    def watched() -> Iterable[dict[str, object]]:
        for row in page_rows(connection, ""):
            if row["verdict"] not in {Verdict.OK, Verdict.DUPLICATE} and row["reason"] not in ASSETS:
                failed.append(f"{row['verdict']}: {row['url']} ({row['reason']})")
            yield row

    write_jsonl(output / "pages.jsonl", watched())
    write_jsonl(output / "chunks.jsonl", chunk_rows(connection))
    write_markdown_tree(output, document_rows(connection))
    return failed
