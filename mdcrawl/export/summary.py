"""summary.json: what one run came to, in counts that add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, and_, func, select

from mdcrawl import __version__
from mdcrawl.crawldb.ledger import count_verdicts
from mdcrawl.crawldb.runs import Run
from mdcrawl.crawldb.schema import changes, chunks, corpus, documents, urls
from mdcrawl.export.coverage import coverage_of
from mdcrawl.export.files import replacing
from mdcrawl.export.rendering import rendering_of
from mdcrawl.export.rows import STREAMED
from mdcrawl.items import Verdict
from mdcrawl.verdicts.near import find_near

Summary = dict[str, Any]


def summarize(connection: Connection, run: Run) -> Summary:
    """Return the summary of a run; `pages.total` is the sum of `pages.verdicts`."""
    verdicts = count_verdicts(connection)
    before, after = connection.execute(
        select(func.sum(urls.c.html_tokens), func.sum(urls.c.markdown_tokens)).where(urls.c.verdict == Verdict.OK)
    ).one()
    chunk_count, chunk_tokens = connection.execute(
        select(func.count(), func.sum(chunks.c.tokens)).join_from(
            chunks, corpus, and_(corpus.c.url == chunks.c.url, corpus.c.run == chunks.c.run)
        )
    ).one()
    return {
        "mdcrawl": __version__,
        "run": run.id,
        "state": run.state,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "not_fetched": run.reason,
        "pages": {"total": sum(verdicts.values()), "verdicts": verdicts},
        "corpus": {"pages": connection.scalar(select(func.count()).select_from(corpus)), "chunks": chunk_count},
        "near_duplicates": _near_pages(connection),
        "rendering": rendering_of(connection),
        "coverage": coverage_of(connection),
        "changes": _count_changes(connection),
        "tokens": {"html": before or 0, "markdown": after or 0, "chunks": chunk_tokens or 0},
        "settings": run.settings,
    }


def _count_changes(connection: Connection) -> dict[str, int]:
    counted = {"upsert": 0, "delete": 0, "hold": 0}
    rows = connection.execute(select(changes.c.action, func.count()).group_by(changes.c.action)).all()
    return counted | {row[0]: row[1] for row in rows}


def _near_pages(connection: Connection) -> dict[str, object]:
    """Return how many pages of the corpus nearly repeat another, with the first few pairs."""
    query = (
        select(documents.c.url, documents.c.sketch)
        .join(corpus, and_(corpus.c.url == documents.c.url, corpus.c.run == documents.c.run))
        .order_by(documents.c.url)
    )
    near = find_near((row.url, row.sketch) for row in connection.execute(query, execution_options=STREAMED))
    return {"pages": near.count, "examples": [{"url": url, "like": other} for url, other in near.examples]}


def write_summary(path: Path, summary: Summary) -> None:
    """Write the summary as indented JSON."""
    with replacing(path) as temporary:
        temporary.write_bytes(orjson.dumps(summary, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def describe(summary: Summary, folder: Path) -> str:
    """Return the summary in a few lines for a terminal."""
    pages, tokens = summary["pages"], summary["tokens"]
    lines = [f"{pages['total']} URLs"]
    lines += [
        f"  {count:>6} {verdict}" for verdict, count in sorted(pages["verdicts"].items(), key=lambda item: -item[1])
    ]
    lines.append(f"{summary['corpus']['pages']} pages and {summary['corpus']['chunks']} chunks in the corpus")
    moves = summary["changes"]
    lines.append(f"{moves['upsert']} chunks to upsert, {moves['delete']} to delete, {moves['hold']} pages on hold")
    if near := summary["near_duplicates"]["pages"]:
        lines.append(f"{near} pages nearly repeat another: near_duplicates in summary.json shows some")
    if tokens["html"]:
        lines.append(f"{tokens['html']:,} tokens of HTML became {tokens['markdown']:,} of Markdown")
    if summary["not_fetched"]:
        lines.append(f"not everything was fetched: {summary['not_fetched']}")
    lines += ["", *(str(path) for path in (folder / name for name in FILES) if path.exists())]
    return "\n".join(lines)


FILES = (
    "pages.jsonl",
    "pages.parquet",
    "chunks.jsonl",
    "chunks.parquet",
    "changes.jsonl",
    "markdown",
    "summary.json",
    "crawl.sqlite",
    "report.html",
)
