"""`scrapy export DIR`: write the output files again from the crawl database in DIR."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader
from sqlalchemy import Connection

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import FILE_NAME, CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.finish import Ending, finish_run
from mdcrawl.crawldb.runs import Run, RunState, last_run, set_settings
from mdcrawl.errors import MdcrawlError, OutputFolderError, SettingError, SpiderArgumentError
from mdcrawl.export.rows import extras_of
from mdcrawl.export.summary import Summary, describe
from mdcrawl.extensions.finish import ExitStatus
from mdcrawl.items import View
from mdcrawl.pipelines.model_options import check_model, model_work
from mdcrawl.pipelines.options import asked_views_of, asking
from mdcrawl.spiders.docs import DocsSpider
from mdcrawl.wishes import add_wishes, wished

if TYPE_CHECKING:
    from mdcrawl.questions import Questions

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
            "network: after a crash, or with other settings; with --reextract also with other views, another query and "
            "other fields. A language model is asked where fields or filter ask one. Example: "
            "scrapy export out/docs.example.com -s MDCRAWL_CHUNK_TOKENS=200"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what this command takes."""
        super().add_options(parser)
        parser.add_argument("--reextract", action="store_true", help="convert the kept answers again before")
        add_wishes(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the files and print what they come to."""
        if len(args) != 1:
            raise UsageError
        folder = Path(args[0])
        try:
            summary = self._export(folder, opts)
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

    def _export(self, folder: Path, opts: argparse.Namespace) -> Summary:
        from mdcrawl.export.export import write_all  # noqa: PLC0415  Scrapy loads every command for each
        from mdcrawl.reconvert import reconvert  # noqa: PLC0415  as above
        from mdcrawl.report.write import write_report  # noqa: PLC0415  as above

        assert self.settings is not None
        crawldb = CrawlDatabase.open_existing(folder, Configuration.from_settings(self.settings).db)
        try:
            with crawldb.begin() as connection:
                run = _ended_run(connection, folder)
                configuration, spider = self._manner(run, opts)
            questions = _ask_beforehand(crawldb, configuration, spider) if opts.reextract else None
            with crawldb.begin() as connection:
                reconvert(connection, configuration, spider, reextract=opts.reextract, questions=questions)
                set_settings(connection, run, _settings_now(run, configuration, spider))
            with crawldb.begin() as connection:
                summary = write_all(connection, folder)
                write_report(connection, folder)
                return summary
        finally:
            crawldb.close()

    def _manner(self, run: Run, opts: argparse.Namespace) -> tuple[Configuration, type[DocsSpider]]:
        """Return how the corpus is to be converted: as in its run, but for what is asked for now."""
        assert self.settings is not None
        of_run = run.settings or {}
        configuration = Configuration.of_run(self.settings, of_run)
        loader = get_spider_loader(self.settings)
        name = str(of_run.get("spider", "docs"))
        spider = loader.load(name) if name in loader.list() else DocsSpider
        assert issubclass(spider, DocsSpider)
        declared = of_run.get("fields")
        as_in_run = asking(spider, str(of_run.get("query") or ""), json.dumps(declared) if declared else "")
        manner = wished(as_in_run, opts)
        if not opts.reextract:
            _refuse_new_views(run, configuration, manner, opts)
        else:
            check_model(configuration, manner)
        return configuration, manner


def _ended_run(connection: Connection, folder: Path) -> Run:
    """Return the last run of a folder; what a killed crawl left is committed before."""
    run = last_run(connection)
    if run is None:
        raise OutputFolderError(f"{folder}: no crawl to export; run scrapy crawl docs into it first")
    if run.state is RunState.RUNNING:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        ending = Ending(now, KILLED, is_over=False, is_in_scope=lambda _: False, max_delete_ratio=1.0)
        finish_run(connection, run, ending)
    return run


def _refuse_new_views(
    run: Run, configuration: Configuration, spider: type[DocsSpider], opts: argparse.Namespace
) -> None:
    """Raise SettingError for what only another conversion can give."""
    for name in ("query", "fields"):
        if getattr(opts, name):
            raise SpiderArgumentError(f"--{name}: add --reextract, so that the kept answers are converted again")
    # The Markdown itself is there without another conversion.
    if new := sorted(set(asked_views_of(configuration, spider)) - {*extras_of(run).views, View.MARKDOWN}):
        raise SettingError(f"MDCRAWL_VIEWS: {new[0]}: add --reextract, so that the kept answers are converted again")


def _ask_beforehand(crawldb: CrawlDatabase, configuration: Configuration, spider: type[DocsSpider]) -> Questions | None:
    """Ask a language model what it is to be asked of the corpus, and say what that came to."""
    if model_work(configuration, spider) is None:
        return None
    from mdcrawl.questions import Questions  # noqa: PLC0415  a second, for those who ask a model
    from mdcrawl.reconvert import ask_beforehand  # noqa: PLC0415  as above

    async def ask() -> Questions:
        questions = Questions(configuration, crawldb)
        try:
            await ask_beforehand(crawldb, configuration, spider, questions)
        finally:
            await questions.close()
        return questions

    questions = asyncio.run(ask())
    sys.stdout.write(f"{questions.describe()}\n")
    return questions


def _settings_now(run: Run, configuration: Configuration, spider: type[DocsSpider]) -> dict[str, object]:
    """Return the settings that now shape what the run left."""
    wishes: dict[str, object] = {"query": spider.query, "fields": spider.fields}
    return dict(run.settings or {}) | configuration.shaping_settings() | {k: v for k, v in wishes.items() if v}
