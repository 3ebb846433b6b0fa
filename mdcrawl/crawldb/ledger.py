"""The ledger: the verdict on every URL of the run, and the pages and chunks that were kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from dataclasses import fields as fields_of_class

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from mdcrawl.crawldb.frontier import is_known
from mdcrawl.crawldb.schema import State, chunks, corpus, documents, fields, urls, views
from mdcrawl.items import Chunk, Fields, Page, PreviousVersion, Verdict, Views

STORED = (Verdict.OK, Verdict.UNCHANGED)
_COMPLAINT = re.compile("; (?:fields|fit view unfiltered): ")
_CHUNK_FIELDS = tuple(field.name for field in fields_of_class(Chunk))

# Statements are made once: making one costs more than SQLite takes to run it.
_RECORD = update(urls).where(urls.c.url == bindparam("recorded"), urls.c.state != State.DONE)
_DROP, *_DROP_PARTS = (
    delete(table).where(table.c.url == bindparam("of_url"), table.c.run == bindparam("of_run"))
    for table in (documents, chunks, views, fields)
)
_STORE, _STORE_CHUNKS = insert(documents), insert(chunks)
_PREVIOUS = (
    select(
        documents.c.run,
        documents.c.content_hash,
        documents.c.body_hash,
        documents.c.conversion,
        documents.c.facts,
        documents.c.links,
    )
    .join(corpus, (corpus.c.url == documents.c.url) & (corpus.c.run == documents.c.run))
    .where(documents.c.url == bindparam("of_url"))
)
_LINKS = (
    select(documents.c.links).where(documents.c.url == bindparam("of_url")).order_by(documents.c.run.desc()).limit(1)
)
_SAME_CONTENT = (
    select(urls.c.url).where(urls.c.content_hash == bindparam("content_hash"), urls.c.verdict.in_(STORED)).limit(1)
)


def record(connection: Connection, page: Page, site: str) -> bool:
    """Write the verdict on a page, which acknowledges its lease; False if it had one already.

    A page that nobody put into the frontier (the target of a redirect) gets its row here. An
    unchanged page's row says what was found when it was converted.
    """
    values = _facts(page) | _outcome(page)
    if page.verdict is Verdict.UNCHANGED:
        values = _stored_facts(connection, page.url) | _outcome(page)
    values["state"] = State.DONE
    if connection.execute(_RECORD, values | {"recorded": page.url}).rowcount:
        return True
    if is_known(connection, page.url):
        return False
    found = {"url": page.url, "site": site, "depth": page.depth, "parent": page.parent, "found_in": "redirect"}
    connection.execute(insert(urls).values(found | values))
    return True


def update_facts(connection: Connection, page: Page, *, known: Mapping[str, object] = {}) -> None:
    """Write what a page's new conversion says of it into the ledger, beside the verdict of its fetch.

    `known` holds columns that the page cannot tell, since its body is not at hand.
    """
    row = update(urls).where(urls.c.url == page.url, urls.c.verdict.in_(STORED))
    connection.execute(row.values(_facts(page) | dict(known)))


def amend_reason(connection: Connection, url: str, complaint: str) -> None:
    """Put what a new conversion lacks of a good page in place of what the last one did."""
    is_good = (urls.c.url == url) & (urls.c.verdict == Verdict.OK)
    reason = connection.scalar(select(urls.c.reason).where(is_good))
    if reason is not None:
        connection.execute(update(urls).where(is_good).values(reason=_COMPLAINT.split(reason)[0] + complaint))


def store(
    connection: Connection, page: Page, run_id: int, conversion: str, *, known: Mapping[str, object] = {}
) -> None:
    """Write a page's Markdown and chunks as this run's version, in place of an earlier try's; `known` as above."""
    version = {"of_url": page.url, "of_run": run_id}
    if connection.execute(_DROP, version).rowcount:  # its parts are never without it
        for drop in _DROP_PARTS:
            connection.execute(drop, version)
    document = {
        "url": page.url,
        "run": run_id,
        "content_hash": page.content_hash,
        "body_hash": page.body_hash,
        "conversion": conversion,
        "links": page.links,
        "anchors": [list(anchor) for anchor in page.extraction.anchors],
        "sketch": sorted(page.sketch),
        "facts": _facts(page) | {"fetched_at": page.fetched_at} | dict(known),
        "markdown": page.extraction.markdown,
    }
    connection.execute(_STORE, document)
    store_chunks(connection, [_chunk_values(chunk, page, run_id) for chunk in page.chunks])
    if page.extraction.views is not None:
        connection.execute(insert(views).values(url=page.url, run=run_id, **asdict(page.extraction.views)))
    if (found := page.extraction.fields) is not None:
        row = {"url": page.url, "run": run_id, "values": found.values, "problems": list(found.problems)}
        connection.execute(insert(fields).values(row))


def views_of(connection: Connection, url: str, run_id: int) -> Views | None:
    """Return the views that are stored of a version of a page, None if none were asked for."""
    row = connection.execute(select(views).where(views.c.url == url, views.c.run == run_id)).one_or_none()
    if row is None:
        return None
    references = tuple((mark, target) for mark, target in row.references)
    return Views(row.fit_markdown, row.fit_html, row.citations, references, row.text)


def fields_of(connection: Connection, url: str, run_id: int) -> Fields | None:
    """Return the fields that are stored of a version of a page, None if none were asked for."""
    row = connection.execute(select(fields).where(fields.c.url == url, fields.c.run == run_id)).one_or_none()
    return None if row is None else Fields(row.values, tuple(row.problems))


def store_chunks(connection: Connection, rows: Sequence[dict[str, object]]) -> None:
    """Write rows of the table of chunks."""
    if rows:
        connection.execute(_STORE_CHUNKS, rows)


def previous_version(connection: Connection, url: str) -> PreviousVersion | None:
    """Return what the corpus holds of a page, None if nothing."""
    row = connection.execute(_PREVIOUS, {"of_url": url}).one_or_none()
    if row is None:
        return None
    return PreviousVersion(
        row.run, row.content_hash, row.body_hash, row.conversion, row.facts.get("fetched_at", ""), tuple(row.links)
    )


def links_of(connection: Connection, url: str) -> list[str]:
    """Return the links of the newest version of a page, none if it was not stored."""
    return connection.scalar(_LINKS, {"of_url": url}) or []


def previous_source(connection: Connection, url: str) -> str:
    """Return what the corpus's copy of a page was made from (html, md-native, …), "" if there is none."""
    return str(_stored_facts(connection, url).get("source") or "")


def refresh_body(connection: Connection, page: Page) -> None:
    """Note the bytes that now hold an unchanged content, so that the next crawl knows them at once."""
    if page.previous is not None and page.body_hash != page.previous.body_hash:
        here = (documents.c.url == page.url) & (documents.c.run == page.previous.run)
        connection.execute(update(documents).where(here).values(body_hash=page.body_hash, links=page.links))


def reopen_unmodified(connection: Connection, site: str) -> int:
    """Queue a site's pages again that were taken for unchanged on a 304, whose validators proved false."""
    return connection.execute(
        update(urls)
        .where(urls.c.site == site, urls.c.verdict == Verdict.UNCHANGED, urls.c.status == 304)
        .values(state=State.QUEUED, verdict=None, reason=None)
    ).rowcount


def url_with_content(connection: Connection, content_hash: str) -> str:
    """Return a URL of this run that is stored with the same content, or ""."""
    return connection.scalar(_SAME_CONTENT, {"content_hash": content_hash}) or ""


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


def _outcome(page: Page) -> dict[str, object]:
    """Return what is true of this run's fetch only."""
    return {
        "verdict": page.verdict,
        "reason": page.reason,
        "final_url": page.final_url or page.url,
        "status": page.status or None,
        "flags": sorted(set(page.flags)),
        "fetched_at": page.fetched_at or None,
        "duplicate_of": page.duplicate_of,
    }


def _facts(page: Page) -> dict[str, object]:
    """Return what is true of the page's content."""
    extraction = page.extraction
    return {
        "canonical_url": extraction.canonical_url,
        "source": page.source,
        "extractor": extraction.extractor,
        "title": extraction.title,
        "description": extraction.description,
        "lang": extraction.lang,
        "published": extraction.published,
        "last_modified": page.headers.get("last-modified", ""),
        "etag": page.headers.get("etag", ""),
        "bytes": len(page.body),
        "html_tokens": page.html_tokens,
        "markdown_tokens": page.markdown_tokens,
        "words": page.words,
        "receipt": asdict(extraction.receipt),
        "chunks": len(page.chunks),
        "content_hash": page.content_hash,
        "rights": page.rights,
    }


def _stored_facts(connection: Connection, url: str) -> dict[str, object]:
    facts = connection.scalar(
        select(documents.c.facts)
        .join(corpus, (corpus.c.url == documents.c.url) & (corpus.c.run == documents.c.run))
        .where(documents.c.url == url)
    )
    return dict(facts or {})


def _chunk_values(chunk: Chunk, page: Page, run_id: int) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(chunk, name) for name in _CHUNK_FIELDS}
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
