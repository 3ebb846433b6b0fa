"""The rows of the output files, streamed from the crawl database in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, Select, and_, func, select

from mdcrawl.crawldb.runs import Run
from mdcrawl.crawldb.schema import changes, chunks, corpus, documents, fields, urls, views
from mdcrawl.export.paths import MarkdownPaths
from mdcrawl.extraction.options import asked_views
from mdcrawl.items import Verdict, View

if TYPE_CHECKING:
    from mdcrawl.fields.definition import FieldDefinition

# How to execute what may have more rows than fit into memory: so many are fetched at a time, by a cursor
# on the server where there is one. Never for the whole connection, whose other statements need none.
STREAMED = {"yield_per": 500}

JsonRow = dict[str, Any]


class Table(StrEnum):
    """The kinds of rows that are exported."""

    PAGES = "pages"
    CHUNKS = "chunks"
    CHANGES = "changes"
    FIELDS = "fields"


@dataclass(frozen=True, slots=True)
class Extras:
    """What a run was asked for beside the columns that every run has: views of its pages, fields."""

    views: tuple[View, ...] = ()
    fields: tuple[FieldDefinition, ...] = ()


PAGE_COLUMNS = (
    "url", "final_url", "canonical_url", "verdict", "reason", "status", "flags", "depth", "parent", "source",
    "extractor", "title", "description", "lang", "published", "fetched_at", "last_modified", "etag", "bytes",
    "html_tokens", "markdown_tokens", "words", "receipt", "chunks", "content_hash", "duplicate_of", "rights",
    "markdown_path",
)  # fmt: skip
CHUNK_COLUMNS = (
    "id", "url", "anchor_url", "title", "heading_path", "section", "position", "part", "text", "tokens",
    "content_hash", "oversized", "has_code", "code_languages", "has_table", "prev_id", "next_id", "lang",
    "fetched_at", "source", "extractor", "rights",
)  # fmt: skip
# A change has those of its action: an upsert the chunk's, a delete its id and url with verdict and reason.
CHANGE_COLUMNS = ("action", *CHUNK_COLUMNS, "verdict", "reason")


def columns_of(table: Table, extras: Extras) -> tuple[str, ...]:
    """Return the names of the columns of a table, in their order."""
    match table:
        case Table.PAGES:
            return (*PAGE_COLUMNS, *view_columns(extras.views))
        case Table.CHUNKS:
            return CHUNK_COLUMNS
        case Table.CHANGES:
            return CHANGE_COLUMNS
        case Table.FIELDS:
            return ("url", *(field.name for field in extras.fields), "problems")


def read_table(connection: Connection, table: Table, run: Run) -> Iterator[JsonRow]:
    """Yield the rows of a table after a run, in their order."""
    match table:
        case Table.PAGES:
            return page_rows(connection, run.not_fetched, extras_of(run).views)
        case Table.CHUNKS:
            return chunk_rows(connection)
        case Table.CHANGES:
            return change_rows(connection)
        case Table.FIELDS:
            return field_rows(connection, extras_of(run).fields)


def extras_of(run: Run) -> Extras:
    """Return what a run was asked for."""
    settings = run.settings or {}
    named = str(settings.get("MDCRAWL_VIEWS") or "").split(",")
    views = asked_views(tuple(view for view in View if view in named), str(settings.get("query") or ""))
    return Extras(views, definitions_of(settings.get("fields")))


def definitions_of(declared: object) -> tuple[FieldDefinition, ...]:
    """Return the definitions of fields that were found right when they were declared, none for none."""
    if not declared:
        return ()
    from mdcrawl.fields.definition import parse_fields  # noqa: PLC0415  few crawls ask for fields

    return parse_fields(declared)


def view_columns(asked: Sequence[View]) -> list[str]:
    """Return the names of the columns that views take in the rows of pages."""
    return [name for view in asked for name in ([view.value, "references"] if view is View.CITATIONS else [view.value])]


def page_rows(connection: Connection, not_fetched: str, asked: Sequence[View] = ()) -> Iterator[JsonRow]:
    """Yield a row for each URL of the run, with the views that are asked for.

    `not_fetched` says why those that are only known were not fetched.
    """
    kept = (
        select(corpus.c.url, func.count(chunks.c.id).label("kept_chunks"))
        .outerjoin(chunks, and_(chunks.c.url == corpus.c.url, chunks.c.run == corpus.c.run))
        .group_by(corpus.c.url)
        .subquery()
    )
    query = select(urls, kept.c.kept_chunks).outerjoin(kept, kept.c.url == urls.c.url).order_by(urls.c.url)
    extra = view_columns(asked)
    if extra:
        query = _with_views(query, extra)
    paths = _paths_in_order(connection)
    url, path = next(paths, ("", ""))
    for row in connection.execute(query, execution_options=STREAMED):
        # Both come in the order of the URLs, so that one look ahead finds a page's file.
        while url and url < row.url:
            url, path = next(paths, ("", ""))
        values = {name: getattr(row, name, None) for name in PAGE_COLUMNS}
        values.update(
            verdict=row.verdict or Verdict.LIMIT,
            reason=row.reason or not_fetched,
            final_url=row.final_url or "",
            flags=row.flags or [],
            receipt=row.receipt or None,
            rights=row.rights or {},
            chunks=row.kept_chunks or 0,
            last_modified=_iso_date(row.last_modified),
            markdown_path=path if url == row.url else "",
        )
        row_values = {name: "" if value is None and name in _TEXTS else value for name, value in values.items()}
        yield row_values | {name: _view_value(row, name) for name in extra}


def _with_views(query: Select[Any], names: Sequence[str]) -> Select[Any]:
    """Return the query of pages with their stored views."""
    forms = (
        select(documents.c.url, documents.c.markdown, *(column for column in views.c if column.name in names))
        .join(corpus, and_(corpus.c.url == documents.c.url, corpus.c.run == documents.c.run))
        .outerjoin(views, and_(views.c.url == documents.c.url, views.c.run == documents.c.run))
        .subquery()
    )
    return query.add_columns(*(forms.c[name] for name in names)).outerjoin(forms, forms.c.url == urls.c.url)


def _view_value(row: Row[Any], name: str) -> object:
    value = getattr(row, name)
    if name == "references":
        return [{"mark": mark, "url": url} for mark, url in value or ()]
    return value or ""


def _paths_in_order(connection: Connection) -> Iterator[tuple[str, str]]:
    paths = MarkdownPaths()
    query = select(corpus.c.url).order_by(corpus.c.url)
    for url in connection.scalars(query, execution_options=STREAMED):
        yield url, paths.path_of(url)


# Columns of text, where "nothing" is the empty string and not null.
_TEXTS = frozenset(PAGE_COLUMNS) - {
    "status", "bytes", "html_tokens", "markdown_tokens", "words", "receipt", "fetched_at", "last_modified",
}  # fmt: skip


def _iso_date(http_date: str | None) -> str | None:
    if not http_date:
        return None
    try:
        parsed = parsedate_to_datetime(http_date)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):  # any server may send any year
        return None


def chunk_rows(connection: Connection) -> Iterator[JsonRow]:
    """Yield a row for each chunk of the corpus, by URL and position."""
    query = (
        select(*(chunks.c[name] for name in CHUNK_COLUMNS))
        .join(corpus, and_(corpus.c.url == chunks.c.url, corpus.c.run == chunks.c.run))
        .order_by(chunks.c.url, chunks.c.position)
    )
    for row in connection.execute(query, execution_options=STREAMED):
        yield dict(zip(CHUNK_COLUMNS, row, strict=True))


def field_rows(connection: Connection, definitions: Sequence[FieldDefinition]) -> Iterator[JsonRow]:
    """Yield a row for each page of the corpus with its fields and what is wrong with them, by URL.

    A row has every field of the definitions and no other: a page that was kept may have been asked for others.
    """
    query = (
        select(fields)
        .join(corpus, and_(corpus.c.url == fields.c.url, corpus.c.run == fields.c.run))
        .order_by(fields.c.url)
    )
    for row in connection.execute(query, execution_options=STREAMED):
        values = {each.name: row.values.get(each.name) for each in definitions}
        yield {"url": row.url, **values, "problems": row.problems}


def document_rows(connection: Connection) -> Iterator[tuple[str, JsonRow, str]]:
    """Yield path, front matter and Markdown of each stored page, by URL."""
    query = (
        select(documents.c.url, documents.c.facts, documents.c.markdown)
        .join(corpus, and_(corpus.c.url == documents.c.url, corpus.c.run == documents.c.run))
        .order_by(documents.c.url)
    )
    paths = MarkdownPaths()
    for row in connection.execute(query, execution_options=STREAMED):
        yield paths.path_of(row.url), _front_matter(row.url, row.facts), row.markdown


def _front_matter(url: str, facts: JsonRow) -> JsonRow:
    return {
        "title": facts["title"],
        "description": facts["description"],
        "source": url,
        "canonical_url": facts["canonical_url"],
        "fetched_at": facts["fetched_at"],
        "last_modified": _iso_date(facts["last_modified"]),
        "language": facts["lang"],
        "content_hash": facts["content_hash"],
        "tokens": facts["markdown_tokens"],
        "verdict": str(Verdict.OK),
        "extractor": facts["extractor"],
    }


def change_rows(connection: Connection) -> Iterator[JsonRow]:
    """Yield a row for each change that the last commit made: deletes, holds and upserts of each URL in turn."""
    stored = and_(corpus.c.url == changes.c.url, corpus.c.run == chunks.c.run)
    query = (
        select(
            changes.c.action,
            changes.c.chunk_id,
            changes.c.url.label("of_url"),
            changes.c.verdict,
            changes.c.reason.label("why"),
            *(chunks.c[name].label(f"its_{name}") for name in CHUNK_COLUMNS),
        )
        .outerjoin(corpus, and_(corpus.c.url == changes.c.url, changes.c.action == "upsert"))
        .outerjoin(chunks, and_(chunks.c.url == changes.c.url, chunks.c.id == changes.c.chunk_id, stored))
        .order_by(changes.c.url, changes.c.action, chunks.c.position, changes.c.chunk_id)
    )
    for row in connection.execute(query, execution_options=STREAMED):
        if row.action == "upsert":
            yield {"action": "upsert"} | {name: getattr(row, f"its_{name}") for name in CHUNK_COLUMNS}
        elif row.action == "delete":
            yield {"action": "delete", "id": row.chunk_id, "url": row.of_url, "verdict": row.verdict, "reason": row.why}
        else:
            yield {"action": "hold", "url": row.of_url, "verdict": row.verdict, "reason": row.why}


def parse_time(text: str | None) -> datetime | None:
    """Return an ISO 8601 date or time as a time in UTC; None for what is not one."""
    if not text:
        return None
    try:
        parsed = datetime.fromisoformat(text)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # any page may declare any year
        return None
