"""Write every output file of a folder from its crawl database."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from mdcrawl.crawldb.runs import Run, last_run
from mdcrawl.errors import OutputFolderError
from mdcrawl.export.jsonl import write_jsonl
from mdcrawl.export.llms import write_llms_full, write_llms_txt
from mdcrawl.export.markdown import write_markdown_tree
from mdcrawl.export.rows import change_rows, chunk_rows, document_rows, page_rows
from mdcrawl.export.summary import Summary, summarize, write_summary
from mdcrawl.extraction.views import asked_views
from mdcrawl.items import View


def write_all(connection: Connection, folder: Path) -> Summary:
    """Write the files and return the summary of the last run.

    Raises OutputFolderError if there has been no run, and OSError as the file system does.
    """
    # Loading it takes 40 MB, which a crawl that is under way has better use for.
    from mdcrawl.export.parquet import CHUNKS_SCHEMA, pages_schema, write_parquet  # noqa: PLC0415  30 MB until files are written

    run = last_run(connection)
    if run is None:
        raise OutputFolderError(f"{folder}: no crawl to export; run scrapy crawl docs into it first")
    not_fetched = run.reason or "known, not fetched"
    views = _views_of(run)
    write_jsonl(folder / "pages.jsonl", page_rows(connection, not_fetched, views))
    write_parquet(folder / "pages.parquet", page_rows(connection, not_fetched, views), pages_schema(views))
    if declared := (run.settings or {}).get("fields"):
        from mdcrawl.export.fields import write_fields  # noqa: PLC0415  few crawls ask for fields

        assert isinstance(declared, dict)
        write_fields(connection, folder, declared)
    write_jsonl(folder / "chunks.jsonl", chunk_rows(connection))
    write_parquet(folder / "chunks.parquet", chunk_rows(connection), CHUNKS_SCHEMA)
    write_jsonl(folder / "changes.jsonl", change_rows(connection))
    write_markdown_tree(folder, document_rows(connection))
    if (run.settings or {}).get("MDCRAWL_LLMS_FILES") == "on":
        write_llms_txt(folder / "llms.txt", document_rows(connection))
        write_llms_full(folder / "llms-full.txt", document_rows(connection))
    summary = summarize(connection, run)
    write_summary(folder / "summary.json", summary)
    return summary


def _views_of(run: Run) -> tuple[View, ...]:
    """Return the views that a run made of its pages."""
    settings = run.settings or {}
    named = str(settings.get("MDCRAWL_VIEWS") or "").split(",")
    return asked_views(tuple(view for view in View if view in named), str(settings.get("query") or ""))
