"""Write report.html: the survey first, then samples and rows streamed from the database through one template."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape
from sqlalchemy import Connection, and_, func, select

from mdcrawl.crawldb.runs import Run, last_run
from mdcrawl.crawldb.schema import chunks, corpus
from mdcrawl.errors import OutputFolderError
from mdcrawl.export.files import replacing
from mdcrawl.export.summary import summarize
from mdcrawl.report.histogram import BARS, bar_width, draw_bars
from mdcrawl.report.rows import MAX_ROWS, table_rows
from mdcrawl.report.samples import Sample, samples_of
from mdcrawl.report.site_templates import MAX_SHOWN, SiteTemplate
from mdcrawl.report.survey import survey

FILE_NAME = "report.html"
DEFAULT_BUDGET = 300
BAR_PIXELS = 36  # the template's
# How a source of URLs is called in the ledger, and in words.
SOURCES = {
    "start": "the start",
    "link": "links on pages",
    "redirect": "redirects",
    "sitemap": "the sitemap",
    "llms": "llms.txt",
}


@dataclass(frozen=True, slots=True)
class ChunkSizes:
    """What the histogram says: its bars, the budget, and how many chunks are over it."""

    budget: int
    total: int
    over: int
    mean: int
    counts: dict[int, int]


def write_report(connection: Connection, folder: Path) -> None:
    """Write DIR/report.html from the last run.

    Raises OutputFolderError if there has been no run, and OSError as the file system does.
    """
    run = last_run(connection)
    if run is None:
        raise OutputFolderError(f"{folder}: no crawl to report on; run scrapy crawl docs into it first")
    script = _resource("report.js")
    origin = origin_of(run)
    stream = (
        _environment(origin)
        .get_template("report.html.jinja")
        .stream(
            **_facts(connection, run),
            folder=folder.name,
            origin=origin,
            css=Markup(_resource("report.css")),  # noqa: S704  our own
            script=Markup(script),  # noqa: S704  our own
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )
    stream.enable_buffering(100)
    with replacing(folder / FILE_NAME) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(stream)


def _facts(connection: Connection, run: Run) -> dict[str, Any]:
    """Return what the template shows; rows and samples are streams that it draws from once."""
    found = survey(connection, run.not_fetched)
    sizes = _chunk_sizes(connection, run)

    def samples(template: SiteTemplate) -> Iterator[Sample]:
        return samples_of(connection, template)

    return {
        "run": run,
        "sources": SOURCES,
        "summary": summarize(connection, run),
        "survey": found,
        "shown_templates": found.site_templates[:MAX_SHOWN],
        "samples": samples,
        "sizes": sizes,
        "bars": draw_bars(sizes.counts, sizes.budget),
        "bar_count": BARS,
        "budget_x": BAR_PIXELS * sizes.budget / bar_width(sizes.budget),
        "rows": map(Markup, table_rows(connection, run.not_fetched)),
        "max_rows": MAX_ROWS,
    }


def _chunk_sizes(connection: Connection, run: Run) -> ChunkSizes:
    budget = int(str((run.settings or {}).get("MDCRAWL_CHUNK_TOKENS") or DEFAULT_BUDGET))
    of_corpus = and_(corpus.c.url == chunks.c.url, corpus.c.run == chunks.c.run)
    place = chunks.c.tokens.op("/")(bar_width(budget))
    counted = select(place, func.count()).join_from(chunks, corpus, of_corpus).group_by(place)
    counts = {int(row[0]): row[1] for row in connection.execute(counted)}
    total, tokens = connection.execute(
        select(func.count(), func.sum(chunks.c.tokens)).join_from(chunks, corpus, of_corpus)
    ).one()
    over = select(func.count()).join_from(chunks, corpus, of_corpus).where(chunks.c.tokens > budget)
    return ChunkSizes(budget, total, connection.scalar(over) or 0, round((tokens or 0) / total) if total else 0, counts)


def _environment(origin: str = "") -> Environment:
    """Return where templates come from; filter `short` leaves `origin` out of a text."""

    def short(text: str) -> str:
        return text.replace(f"{origin}/", "/") if origin else text

    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["thousands"] = _thousands
    environment.filters["compact"] = compact
    environment.filters["short"] = short
    environment.filters["code"] = _with_code
    return environment


def _thousands(number: int) -> str:
    return f"{number:,}"


def compact(number: int) -> str:
    """Return a number in at most four characters.

    >>> [compact(n) for n in (999, 1_250, 25_000, 1_500_000)]
    ['999', '1.2k', '25k', '1.5M']
    """
    for least, unit in ((1_000_000, "M"), (1_000, "k")):
        if number >= least:
            return f"{number / least:.1f}{unit}" if number < 10 * least else f"{number // least}{unit}"
    return str(number)


def _with_code(text: str) -> Markup:
    pieces = (f"<code>{escape(piece)}</code>" if at % 2 else escape(piece) for at, piece in enumerate(text.split("`")))
    return Markup("").join(map(Markup, pieces))


def origin_of(run: Run) -> str:
    """Return scheme and host of a run's first start URL, which the report leaves out where it would repeat itself."""
    starts = (run.settings or {}).get("start")
    if not isinstance(starts, list) or not starts:
        return ""
    parts = urlsplit(str(starts[0]))
    return f"{parts.scheme}://{parts.netloc}"


def _resource(name: str) -> str:
    # Through importlib, since Scrapyd runs the project from a zipped egg.
    return (files(__package__) / name).read_text(encoding="utf-8")
