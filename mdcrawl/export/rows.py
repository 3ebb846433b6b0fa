"""The rows of the output files, streamed from the crawl database in their order."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from sqlalchemy import Connection, and_, func, select

from mdcrawl.crawldb.schema import changes, chunks, corpus, documents, urls
from mdcrawl.items import Verdict

# Rows fetched from the database at a time.
FETCH = 500

JsonRow = dict[str, Any]

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


class MarkdownPaths:
    """Where each stored page's file lies; give it the URLs in their order, once each.

    The path follows the URL: host, folders, name. Whatever a file system may not hold or may take
    for the same as another is told apart by the first digits of the URL's hash.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def path_of(self, url: str) -> str:
        """Return the path for a URL, relative to the output folder.

        >>> MarkdownPaths().path_of("https://docs.example.com/guide/intro.html")
        'markdown/docs.example.com/guide/intro.md'
        """
        parts = urlsplit(url)
        *folders, name = [_safe_name(segment) for segment in unquote(parts.path).lstrip("/").split("/")]
        stem = re.sub(r"\.(?:x?html?|php|md|markdown)$", "", name, flags=re.IGNORECASE) or "index"
        host = parts.netloc.rpartition("@")[2].replace(":", "_").strip("[]")
        path = "/".join(["markdown", host, *folders, stem])
        if parts.query or parts.fragment or len(path) > 200 or path.lower() in self._taken:
            path = f"{path[:200]}-{hashlib.sha256(url.encode()).hexdigest()[:8]}"
        self._taken.add(path.lower())
        return f"{path}.md"


def _safe_name(segment: str) -> str:
    # Control characters and what Windows forbids; no name of dots, no name over what file systems take.
    name = re.sub(r'[\x00-\x1f\x7f<>:"|?*\\]', "_", segment).strip(" ")
    name = name.encode("utf-8", "replace")[:120].decode("utf-8", "ignore")
    return "_" if segment and not name.strip(".") else name


def page_rows(connection: Connection, not_fetched: str) -> Iterator[JsonRow]:
    """Yield a row for each URL of the run; `not_fetched` says why those that are only known were not fetched."""
    kept = (
        select(corpus.c.url, func.count(chunks.c.id).label("kept_chunks"))
        .outerjoin(chunks, and_(chunks.c.url == corpus.c.url, chunks.c.run == corpus.c.run))
        .group_by(corpus.c.url)
        .subquery()
    )
    query = select(urls, kept.c.kept_chunks).outerjoin(kept, kept.c.url == urls.c.url).order_by(urls.c.url)
    paths = MarkdownPaths()
    for row in connection.execution_options(yield_per=FETCH).execute(query):
        values = {name: getattr(row, name, None) for name in PAGE_COLUMNS}
        is_kept = row.kept_chunks is not None
        values.update(
            verdict=row.verdict or Verdict.LIMIT,
            reason=row.reason or not_fetched,
            final_url=row.final_url or "",
            flags=row.flags or [],
            receipt=row.receipt or None,
            rights=row.rights or {},
            chunks=row.kept_chunks or 0,
            last_modified=_iso_date(row.last_modified),
            markdown_path=paths.path_of(row.url) if is_kept else "",
        )
        yield {name: "" if value is None and name in _TEXTS else value for name, value in values.items()}


# Columns of text, where "nothing" is the empty string and not null.
_TEXTS = frozenset(PAGE_COLUMNS) - {
    "status", "bytes", "html_tokens", "markdown_tokens", "words", "receipt", "fetched_at", "last_modified",
}  # fmt: skip


def _iso_date(http_date: str | None) -> str | None:
    if not http_date:
        return None
    try:
        parsed = parsedate_to_datetime(http_date)
    except ValueError:
        return None
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="seconds")


def chunk_rows(connection: Connection) -> Iterator[JsonRow]:
    """Yield a row for each chunk of the corpus, by URL and position."""
    query = (
        select(*(chunks.c[name] for name in CHUNK_COLUMNS))
        .join(corpus, and_(corpus.c.url == chunks.c.url, corpus.c.run == chunks.c.run))
        .order_by(chunks.c.url, chunks.c.position)
    )
    for row in connection.execution_options(yield_per=FETCH).execute(query):
        yield dict(zip(CHUNK_COLUMNS, row, strict=True))


def document_rows(connection: Connection) -> Iterator[tuple[str, JsonRow, str]]:
    """Yield path, front matter and Markdown of each stored page, by URL."""
    query = (
        select(documents.c.url, documents.c.facts, documents.c.markdown)
        .join(corpus, and_(corpus.c.url == documents.c.url, corpus.c.run == documents.c.run))
        .order_by(documents.c.url)
    )
    paths = MarkdownPaths()
    for row in connection.execution_options(yield_per=FETCH).execute(query):
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
    for row in connection.execution_options(yield_per=FETCH).execute(query):
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
    except ValueError:
        return None
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
