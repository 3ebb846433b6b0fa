"""Write every output file of a folder from its crawl database."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from mdcrawl.crawldb.runs import last_run
from mdcrawl.errors import OutputFolderError
from mdcrawl.export.jsonl import write_jsonl
from mdcrawl.export.llms import write_llms_full, write_llms_txt
from mdcrawl.export.markdown import write_markdown_tree
from mdcrawl.export.rows import Table, document_rows, read_table
from mdcrawl.export.summary import Summary, summarize, write_summary


def write_all(connection: Connection, folder: Path) -> Summary:
    """Write the files and return the summary of the last run.

    Raises OutputFolderError if there has been no run, and OSError as the file system does.
    """
    # Loading it takes 40 MB, which a crawl that is under way has better use for.
    from mdcrawl.export.parquet import schema_of, write_parquet  # noqa: PLC0415  30 MB until files are written

    run = last_run(connection)
    if run is None:
        raise OutputFolderError(f"{folder}: no crawl to export; run scrapy crawl docs into it first")
    for table in Table:
        write_jsonl(folder / f"{table}.jsonl", read_table(connection, table, run))
    for table in (Table.PAGES, Table.CHUNKS):
        write_parquet(folder / f"{table}.parquet", read_table(connection, table, run), schema_of(table, run))
    if declared := (run.settings or {}).get("fields"):
        from mdcrawl.export.fields import write_fields  # noqa: PLC0415  few crawls ask for fields

        assert isinstance(declared, dict)
        write_fields(connection, folder, declared)
    write_markdown_tree(folder, document_rows(connection))
    if (run.settings or {}).get("MDCRAWL_LLMS_FILES") == "on":
        write_llms_txt(folder / "llms.txt", document_rows(connection))
        write_llms_full(folder / "llms-full.txt", document_rows(connection))
    summary = summarize(connection, run)
    write_summary(folder / "summary.json", summary)
    return summary
