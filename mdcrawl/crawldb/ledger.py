"""The ledger: the verdict on every URL of the run, and the pages and chunks that were kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, delete, func, insert, select, update

from mdcrawl.crawldb.schema import State, chunks, documents, urls
from mdcrawl.items import Chunk, Page, Verdict


def record(connection: Connection, page: Page, site: str) -> bool:
    """Write the verdict on a page, which acknowledges its lease; False if it had one already.

    A page that nobody put into the frontier (the target of a redirect) gets its row here.
    """
    values = {**_ledger_values(page), "state": State.DONE}
    if connection.execute(
        update(urls).where(urls.c.url == page.url, urls.c.state != State.DONE).values(values)
    ).rowcount:
        return True
    if connection.scalar(select(urls.c.id).where(urls.c.url == page.url)) is not None:
        return False
    connection.execute(
        insert(urls).values(
            url=page.url, site=site, depth=page.depth, parent=page.parent, found_in="redirect", **values
        )
    )
    return True


def store(connection: Connection, page: Page, run_id: int) -> None:
    """Write a page's Markdown and chunks as this run's version, in place of an earlier try's."""
    drop_document(connection, page.url, run_id)
    connection.execute(
        insert(documents).values(
            url=page.url,
            run=run_id,
            content_hash=page.content_hash,
            front_matter=_front_matter(page),
            markdown=page.extraction.markdown,
        )
    )
    if page.chunks:
        connection.execute(insert(chunks), [_chunk_values(chunk, page, run_id) for chunk in page.chunks])


def drop_document(connection: Connection, url: str, run_id: int) -> None:
    """Remove one run's version of a page with its chunks."""
    for table in (documents, chunks):
        connection.execute(delete(table).where(table.c.url == url, table.c.run == run_id))


def url_with_content(connection: Connection, content_hash: str) -> str:
    """Return a URL of this run that is stored with the same content, or ""."""
    found = connection.scalar(
        select(urls.c.url).where(urls.c.content_hash == content_hash, urls.c.verdict == Verdict.OK).limit(1)
    )
    return found or ""


def is_done(connection: Connection, url: str) -> bool:
    """Tell whether a URL has its verdict in this run."""
    return connection.scalar(select(urls.c.id).where(urls.c.url == url, urls.c.state == State.DONE)) is not None


def count_verdicts(connection: Connection) -> dict[str, int]:
    """Return how many URLs of the run ended in each verdict, those not fetched as `limit`."""
    verdict = func.coalesce(urls.c.verdict, Verdict.LIMIT)
    rows = connection.execute(select(verdict, func.count()).group_by(verdict).order_by(verdict)).all()
    return {row[0]: row[1] for row in rows}


def verdicts_of(connection: Connection, wanted: Sequence[str]) -> dict[str, str]:
    """Return the verdict of each of the wanted URLs that has one."""
    rows = connection.execute(
        select(urls.c.url, urls.c.verdict).where(urls.c.url.in_(wanted), urls.c.verdict.is_not(None))
    )
    return {row.url: row.verdict for row in rows}


def _ledger_values(page: Page) -> dict[str, object]:
    extraction = page.extraction
    return {
        "verdict": page.verdict,
        "reason": page.reason,
        "final_url": page.final_url or page.url,
        "canonical_url": extraction.canonical_url,
        "status": page.status or None,
        "flags": sorted(set(page.flags)),
        "source": page.source,
        "extractor": extraction.extractor,
        "title": extraction.title,
        "description": extraction.description,
        "lang": extraction.lang,
        "published": extraction.published,
        "fetched_at": page.fetched_at,
        "last_modified": page.headers.get("last-modified", ""),
        "etag": page.headers.get("etag", ""),
        "bytes": len(page.body),
        "html_tokens": page.html_tokens,
        "markdown_tokens": page.markdown_tokens,
        "words": page.words,
        "receipt": asdict(extraction.receipt),
        "chunks": len(page.chunks),
        "content_hash": page.content_hash,
        "duplicate_of": page.duplicate_of,
        "rights": page.rights,
    }


def _front_matter(page: Page) -> dict[str, object]:
    extraction = page.extraction
    return {
        "title": extraction.title,
        "description": extraction.description,
        "source": page.final_url or page.url,
        "canonical_url": extraction.canonical_url,
        "fetched_at": page.fetched_at,
        "last_modified": page.headers.get("last-modified", ""),
        "language": extraction.lang,
        "content_hash": page.content_hash,
        "tokens": page.markdown_tokens,
        "verdict": str(page.verdict),
        "extractor": extraction.extractor,
    }


def _chunk_values(chunk: Chunk, page: Page, run_id: int) -> dict[str, object]:
    values = asdict(chunk)
    values.update(
        run=run_id,
        heading_path=list(chunk.heading_path),
        code_languages=list(chunk.code_languages),
        lang=page.extraction.lang,
        fetched_at=page.fetched_at,
        source=page.source,
        extractor=page.extraction.extractor,
        rights=page.rights,
    )
    return values
