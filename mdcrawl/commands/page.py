"""`scrapy page URL_OR_FILE`: one page to Markdown, by the same way as in a crawl."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from scrapy import Request, signals
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES

from mdcrawl.arguments import Source
from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.errors import MdcrawlError, SpiderArgumentError
from mdcrawl.export.jsonl import to_line
from mdcrawl.items import Extraction, Fields, Page, Verdict, View
from mdcrawl.local import FileJob, convert_file
from mdcrawl.pipelines.model_options import check_model, model_work
from mdcrawl.pipelines.options import chunk_options, extraction_options, manner_of, verdict_options
from mdcrawl.spiders.docs import DocsSpider
from mdcrawl.wishes import add_wishes, wished

if TYPE_CHECKING:
    from mdcrawl.llm.work import ModelWork


class PageStatus(IntEnum):
    """How the command ends."""

    OK = 0
    USER_MISTAKE = 1
    NOT_OK = 2


class PageSpider(DocsSpider):
    """Ask for the start URL and nothing else: no sitemap, no llms.txt, no link."""

    name = "page"

    def __init__(self, name: str | None = None, **arguments: Any) -> None:
        super().__init__(name, **arguments)
        # A list is all there is: links are not followed.
        self.arguments = replace(self.arguments, sitemap=Source.ONLY)

    async def start(self) -> AsyncIterator[Request]:
        """Yield the one request; no source is read."""
        for url in self.arguments.start:
            yield self.page_request(url, found_in="start")


class Command(ScrapyCommand):
    """Convert one page and show what a crawl would make of it."""

    requires_project = True

    def syntax(self) -> str:
        """Return the arguments in short."""
        return "[options] <url or file>"

    def short_desc(self) -> str:
        """Return the line for the list of commands."""
        return "Convert one page to Markdown and show its verdict"

    def long_desc(self) -> str:
        """Return what --help says, with an example."""
        return (
            "Print the Markdown of one page on standard output, its verdict and receipt on standard error. The exit "
            "status is 0 for ok, 1 for a mistake of yours, 2 for a page that is not ok. "
            "Example: scrapy page https://docs.example.com/intro --chunks"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what this command takes."""
        super().add_options(parser)
        parser.add_argument("--chunks", action="store_true", help="print the chunks in place of the whole page")
        parser.add_argument("--view", choices=list(View), default="", help="print a view in place of the Markdown")
        add_wishes(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object with all that is known")
        parser.add_argument("--render", action="store_true", help="let a browser draw the page first")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Keep the log to errors unless asked for more: what is wrong with the page is its verdict."""
        super().process_options(args, opts)
        assert self.settings is not None
        if (self.settings.getpriority("LOG_LEVEL") or 0) < SETTINGS_PRIORITIES["cmdline"]:
            self.settings.set("LOG_LEVEL", "ERROR", priority="cmdline")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Convert the page, print it, set the exit status."""
        if len(args) != 1:
            raise UsageError
        try:
            page = self._page(args[0], opts)
        except MdcrawlError as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            self.exitcode = PageStatus.USER_MISTAKE
            return
        if page is None:
            sys.stderr.write(f"mdcrawl: {args[0]}: there was no answer to convert\n")
            self.exitcode = PageStatus.NOT_OK
            return
        if opts.json:
            sys.stdout.buffer.write(orjson.dumps(as_json(page), option=orjson.OPT_APPEND_NEWLINE))
        elif opts.fields and not opts.view and not opts.chunks:
            sys.stdout.buffer.write(to_line(fields_row(page)))
        else:
            text = chunks_text(page) if opts.chunks else view_text(page.extraction, opts.view)
            sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace") if text else b"")
        sys.stdout.flush()
        sys.stderr.write(receipt_text(page))
        self.exitcode = PageStatus.OK if page.verdict is Verdict.OK else PageStatus.NOT_OK

    def _page(self, given: str, opts: argparse.Namespace) -> Page | None:
        assert self.settings is not None
        if opts.view:
            self.settings.set("MDCRAWL_VIEWS", opts.view, priority="cmdline")
        configuration = Configuration.from_settings(self.settings)
        if given.lower().startswith(("http://", "https://")):
            return self._crawl(given, opts)
        path = Path(given)
        if not path.is_file():
            why = "a folder; scrapy convert takes those" if path.is_dir() else "neither a URL nor a file"
            raise SpiderArgumentError(f"{given}: {why}")
        if opts.render:
            raise SpiderArgumentError("--render: only for a URL; a file is taken as it is")
        return _convert(path, configuration, wished(DocsSpider, opts))

    def _crawl(self, url: str, opts: argparse.Namespace) -> Page | None:
        """Crawl the one page into a folder that goes away, and return it as it was stored."""
        assert self.crawler_process is not None
        assert self.settings is not None
        arguments = {"start": url, "scope": "any", "max_pages": "1", "query": opts.query, "fields": opts.fields}
        arguments["render"] = "always" if opts.render else "auto"
        check_model(
            Configuration.from_settings(self.settings), manner_of(PageSpider, PageSpider.parse_arguments(arguments))
        )
        pages: list[Page] = []
        with tempfile.TemporaryDirectory(prefix="mdcrawl-") as folder:
            self.settings.set("MDCRAWL_OUTPUT", folder, priority="cmdline")
            self.settings.set("MDCRAWL_WORKERS", 1, priority="cmdline")
            crawler = self.crawler_process.create_crawler(PageSpider)
            # Held here: a receiver that nothing else refers to is forgotten.
            self._keep = pages.append
            crawler.signals.connect(self._kept, signal=signals.item_scraped)
            self.crawler_process.crawl(crawler, **arguments)
            self.crawler_process.start()
        return pages[-1] if pages else None

    def _kept(self, item: object) -> None:
        if isinstance(item, Page):
            self._keep(item)


def _convert(path: Path, configuration: Configuration, spider: type[DocsSpider]) -> Page:
    try:
        with path.open("rb") as file:
            body = file.read(configuration.max_bytes + 1)
    except OSError as error:
        raise SpiderArgumentError(f"{path}: cannot read: {error.strerror}") from error
    if len(body) > configuration.max_bytes:
        raise SpiderArgumentError(f"{path}: over MDCRAWL_MAX_BYTES={configuration.max_bytes}")
    check_model(configuration, spider)
    page = convert_file(
        FileJob(
            body,
            path.name,
            datetime.now(UTC).isoformat(timespec="seconds"),
            extraction_options(configuration, spider),
            verdict_options(configuration),
            chunk_options(configuration),
        )
    )
    work = model_work(configuration, spider)
    if work is not None and page.verdict is Verdict.OK:
        asyncio.run(_complete(page, work, configuration))
    return page


async def _complete(page: Page, work: ModelWork, configuration: Configuration) -> None:
    """Ask a language model what it is to be asked of the page, and say what that came to."""
    from mdcrawl.llm.pages import complete  # noqa: PLC0415  a second, for those who ask a model
    from mdcrawl.questions import Questions  # noqa: PLC0415  as above

    crawldb = CrawlDatabase("sqlite://")  # in memory: one page asks nothing twice
    questions = Questions(configuration, crawldb)
    try:
        await complete(page, work, questions.ask)
    finally:
        await questions.close()
        crawldb.close()
    sys.stderr.write(f"{questions.describe()}\n")


def fields_row(page: Page) -> dict[str, Any]:
    """Return the page's row in fields.jsonl."""
    found = page.extraction.fields or Fields()
    return {"url": page.url, **found.values, "problems": list(found.problems)}


def as_json(page: Page) -> dict[str, Any]:
    """Return all that is known of a page; names are those of pages.jsonl and chunks.jsonl."""
    extraction = page.extraction
    return {
        "url": page.url,
        "final_url": page.final_url,
        "verdict": page.verdict,
        "reason": page.reason,
        "status": page.status or None,
        "flags": page.flags,
        "source": page.source,
        "extractor": extraction.extractor,
        "title": extraction.title,
        "description": extraction.description,
        "lang": extraction.lang,
        "html_tokens": page.html_tokens,
        "markdown_tokens": page.markdown_tokens,
        "words": page.words,
        "receipt": asdict(extraction.receipt),
        "markdown": extraction.markdown,
        "chunks": [asdict(chunk) for chunk in page.chunks],
        **({"views": asdict(extraction.views)} if extraction.views is not None else {}),
        **({"fields": fields_row(page)} if extraction.fields is not None else {}),
    }


def view_text(extraction: Extraction, view: str) -> str:
    """Return the Markdown or the view that was asked for; citations with their references below."""
    views = extraction.views
    if views is None or view in {"", View.MARKDOWN}:
        return extraction.markdown
    if view == View.CITATIONS:
        from mdcrawl.extraction.citations import Cited  # noqa: PLC0415  Scrapy loads every command for each

        return Cited(views.citations, views.references).with_references()
    return str(getattr(views, view))


def chunks_text(page: Page) -> str:
    """Return the chunks one after the other, each below a line with its number and size."""
    return "\n\n".join(
        f"--- chunk {chunk.position + 1} of {len(page.chunks)} · {chunk.tokens} tokens"
        f"{' · oversized' if chunk.oversized else ''} ---\n{chunk.text}"
        for chunk in page.chunks
    )


def receipt_text(page: Page) -> str:
    """Return verdict and receipt in a few lines for a terminal."""
    extraction = page.extraction
    lines = [f"{page.verdict}: {page.reason}"]
    if extraction.markdown:
        found, kept = asdict(extraction.receipt.found), asdict(extraction.receipt.kept)
        parts = ", ".join(f"{name.replace('_', ' ')} {kept[name]}/{found[name]}" for name in found if found[name])
        lines.append(f"{page.source} by {extraction.extractor}; kept of what was found: {parts or 'nothing to count'}")
        lines += [f"lost: {loss}" for loss in extraction.receipt.losses]
        lines.append(
            f"{page.html_tokens:,} tokens of HTML, {page.markdown_tokens:,} of Markdown, {len(page.chunks)} chunks"
        )
    return "".join(f"{line}\n" for line in lines)
