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
from typing import TYPE_CHECKING

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
from mdcrawl.export.export import FIELD_FILES, write_fields
from mdcrawl.export.jsonl import write_jsonl
from mdcrawl.export.markdown import write_markdown_tree
from mdcrawl.export.rows import Extras, chunk_rows, document_rows, page_rows
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.items import Page, Verdict
from mdcrawl.local import FileJob, convert_file
from mdcrawl.local_files import LocalFile, local_files
from mdcrawl.pipelines.model_options import check_model, model_work
from mdcrawl.pipelines.options import asked_extras, chunk_options, extraction_options, verdict_options
from mdcrawl.spiders.docs import DocsSpider
from mdcrawl.wishes import add_wishes, wished

if TYPE_CHECKING:
    from mdcrawl.questions import Questions

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
            "(a verdict for each file, and the views that MDCRAWL_VIEWS asks for) into DIR; with --fields also "
            "fields.jsonl and fields.parquet. No network, but for a language model where fields or filter ask one. "
            "Example: scrapy convert manual/ old-site.zip --output out/manual"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what this command takes."""
        super().add_options(parser)
        parser.add_argument("--output", metavar="DIR", default="", help="folder to write into (required)")
        add_wishes(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Convert, write the files, name what could not be converted, set the exit status."""
        if not args or not opts.output:
            raise UsageError("give at least one path and --output DIR")
        output = Path(opts.output)
        try:
            verdicts, failed = self._convert([Path(arg) for arg in args], output, opts)
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
            written = (*FILES, *(FIELD_FILES if opts.fields else ()))
            counts = [f"{sum(verdicts.values())} files", *(f"  {count:>6} {name}" for name, count in verdicts.items())]
            sys.stdout.write("\n".join([*counts, "", *(str(output / name) for name in written)]) + "\n")
            self.exitcode = 0 if verdicts.get(Verdict.OK) else 2

    def _convert(self, paths: list[Path], output: Path, opts: argparse.Namespace) -> tuple[dict[str, int], list[str]]:
        """Convert into a database that goes away, export it; return verdicts and the files without Markdown."""
        assert self.settings is not None
        configuration = Configuration.from_settings(self.settings)
        spider = wished(DocsSpider, opts)
        check_model(configuration, spider)
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
                asyncio.run(_Conversion(configuration, spider, crawldb, run).convert_all(files))
                with crawldb.begin() as connection:
                    ending = Ending(now, "", is_over=True, is_in_scope=lambda _: True, max_delete_ratio=1.0)
                    finish_run(connection, run, ending)
                with crawldb.begin() as connection:
                    failed = _export(connection, output, asked_extras(configuration, spider))
                    return ledger.count_verdicts(connection), failed
            finally:
                crawldb.close()


class _Conversion:
    """Convert files in worker processes, batch by batch, each batch stored in one transaction."""

    def __init__(
        self, configuration: Configuration, spider: type[DocsSpider], crawldb: CrawlDatabase, run: Run
    ) -> None:
        self._crawldb, self._run = crawldb, run
        self._pool = WorkerPool(workers=configuration.workers, timeout_s=configuration.page_timeout_s)
        self._options = (
            extraction_options(configuration, spider),
            verdict_options(configuration),
            chunk_options(configuration),
        )
        self._work = model_work(configuration, spider)
        self._questions: Questions | None = None
        if self._work is not None:
            from mdcrawl.questions import Questions  # noqa: PLC0415  a second, for those who ask a model

            self._questions = Questions(configuration, crawldb)

    async def convert_all(self, files: Iterator[LocalFile]) -> None:
        try:
            while batch := list(islice(files, BATCH)):
                pages = await asyncio.gather(*map(self._convert_one, batch))
                with self._crawldb.begin() as connection:
                    for page in pages:
                        if ledger.record(connection, page, "") and page.verdict is Verdict.OK:
                            ledger.store(connection, page, self._run.id, "")
        finally:
            self._pool.close()
            if self._questions is not None:
                await self._questions.close()
                sys.stdout.write(f"{self._questions.describe()}\n")

    async def _convert_one(self, file: LocalFile) -> Page:
        now = self._run.started_at
        if file.verdict is not None:
            return _page_of(file, now)
        try:
            page = await self._pool.run(convert_file, FileJob(file.body, file.url, now, *self._options))
        except ConversionError as error:
            return _page_of(LocalFile(file.url, verdict=Verdict.BAD_CONTENT, reason=str(error)), now)
        if self._questions is not None and self._work is not None and page.verdict is Verdict.OK:
            from mdcrawl.llm.pages import complete  # noqa: PLC0415  as above

            await complete(page, self._work, self._questions.ask)
        return page


def _page_of(file: LocalFile, now: str) -> Page:
    return Page(url=file.url, asked_url=file.url, verdict=file.verdict, reason=file.reason, fetched_at=now)


def _export(connection: Connection, output: Path, extras: Extras) -> list[str]:
    """Write the files; return a line for each file that is no page of the corpus, copies and assets left out."""
    failed: list[str] = []

    def watched() -> Iterable[dict[str, object]]:
        for row in page_rows(connection, "", extras.views):
            if row["verdict"] not in {Verdict.OK, Verdict.DUPLICATE} and row["reason"] not in ASSETS:
                failed.append(f"{row['verdict']}: {row['url']} ({row['reason']})")
            yield row

    write_jsonl(output / "pages.jsonl", watched())
    write_jsonl(output / "chunks.jsonl", chunk_rows(connection))
    write_markdown_tree(output, document_rows(connection))
    write_fields(connection, output, extras)
    return failed
