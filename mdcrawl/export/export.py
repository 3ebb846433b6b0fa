"""Write every output file of a folder from its crawl database."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from mdcrawl.crawldb.runs import last_run
from mdcrawl.errors import OutputFolderError
from mdcrawl.export.jsonl import write_jsonl
from mdcrawl.export.llms import write_llms_full, write_llms_txt
from mdcrawl.export.markdown import write_markdown_tree
from mdcrawl.export.rows import Extras, Table, document_rows, extras_of, field_rows, read_table
from mdcrawl.export.summary import Summary, summarize, write_summary

FIELD_FILES = ("fields.jsonl", "fields.parquet")


def write_all(connection: Connection, folder: Path) -> Summary:
    """Write the files and return the summary of the last run.

    Raises OutputFolderError if there has been no run, and OSError as the file system does.
    """
    # Loading it takes 40 MB, which a crawl that is under way has better use for.
    from mdcrawl.export.parquet import schema_of, write_parquet  # noqa: PLC0415  30 MB until files are written

    run = last_run(connection)
    if run is None:
        raise OutputFolderError(f"{folder}: no crawl to export; run scrapy crawl docs into it first")
    extras = extras_of(run)
    for table in (Table.PAGES, Table.CHUNKS, Table.CHANGES):
        write_jsonl(folder / f"{table}.jsonl", read_table(connection, table, run))
    for table in (Table.PAGES, Table.CHUNKS):
        write_parquet(folder / f"{table}.parquet", read_table(connection, table, run), schema_of(table, extras))
    write_fields(connection, folder, extras)
    write_markdown_tree(folder, document_rows(connection))
    if (run.settings or {}).get("MDCRAWL_LLMS_FILES") == "on":
        write_llms_txt(folder / "llms.txt", document_rows(connection))
        write_llms_full(folder / "llms-full.txt", document_rows(connection))
    summary = summarize(connection, run)
    write_summary(folder / "summary.json", summary)
    return summary


def write_fields(connection: Connection, folder: Path, extras: Extras) -> None:
    """Write a row for each page with its fields; where none are asked for remove what an earlier run has written."""
    lines, parquet = (folder / name for name in FIELD_FILES)
    if not extras.fields:
        lines.unlink(missing_ok=True)
        parquet.unlink(missing_ok=True)
        return
    from mdcrawl.export.parquet import schema_of, write_parquet  # noqa: PLC0415  30 MB until files are written

    write_jsonl(lines, field_rows(connection, extras.fields))
    write_parquet(parquet, field_rows(connection, extras.fields), schema_of(Table.FIELDS, extras))
