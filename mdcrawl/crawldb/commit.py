"""Commit a run: settle its duplicates, then let its documents take their place in the corpus."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, insert, literal, select, update

from mdcrawl.crawldb.ledger import drop_document
from mdcrawl.crawldb.schema import chunks, corpus, documents, urls
from mdcrawl.items import Verdict

# What a verdict does to the page's copy from an earlier run. Every other verdict is trouble and
# holds: the copy stays, since a page that could not be read is not a page that is gone.
DELETES = frozenset(
    {Verdict.GONE, Verdict.OUT_OF_SCOPE, Verdict.ROBOTS_DENIED, Verdict.BLOCKED_ADDRESS, Verdict.NOINDEX,
     Verdict.UNSUPPORTED_TYPE, Verdict.DUPLICATE}
)  # fmt: skip
DELETES_AFTER_TWO = frozenset({Verdict.SOFT_404})


def settle_duplicates(connection: Connection, run_id: int) -> None:
    """Keep one of each group of equal pages, whichever order they came in.

    The winner is the one that the others name as canonical, else the shortest URL, else the first
    in order. A page that only redirects takes over the verdict of its target.
    """
    for content_hash in list(_repeated_contents(connection)):
        rows = connection.execute(
            select(urls.c.url, urls.c.canonical_url).where(
                urls.c.content_hash == content_hash, urls.c.verdict == Verdict.OK
            )
        ).all()
        named = {row.canonical_url for row in rows}
        ranked = sorted((row.url for row in rows), key=lambda url: (url not in named, len(url), url))
        for url in ranked[1:]:
            mark_duplicate(connection, url, ranked[0], f"same content as {ranked[0]}")
            drop_document(connection, url, run_id)
    _settle_redirects(connection)


def mark_duplicate(connection: Connection, url: str, duplicate_of: str, reason: str) -> None:
    """Turn the verdict on a URL into `duplicate`."""
    connection.execute(
        update(urls)
        .where(urls.c.url == url)
        .values(verdict=Verdict.DUPLICATE, reason=reason, duplicate_of=duplicate_of, chunks=0)
    )


def _repeated_contents(connection: Connection) -> Iterator[str]:
    yield from connection.scalars(
        select(urls.c.content_hash)
        .where(urls.c.verdict == Verdict.OK, urls.c.content_hash != "")
        .group_by(urls.c.content_hash)
        .having(func.count() > 1)
    )


def _settle_redirects(connection: Connection) -> None:
    target = urls.alias("target")
    rows = connection.execute(
        select(urls.c.url, target.c.url.label("target_url"), target.c.verdict, target.c.reason, target.c.duplicate_of)
        .join(target, urls.c.duplicate_of == target.c.url)
        .where(urls.c.verdict == Verdict.DUPLICATE, target.c.verdict.is_not(None), target.c.verdict != Verdict.OK)
    ).all()
    for row in rows:
        if row.verdict == Verdict.DUPLICATE:
            connection.execute(update(urls).where(urls.c.url == row.url).values(duplicate_of=row.duplicate_of))
        elif row.verdict != Verdict.UNCHANGED:
            connection.execute(
                update(urls)
                .where(urls.c.url == row.url)
                .values(verdict=row.verdict, reason=f"redirects to {row.target_url}: {row.reason}", duplicate_of="")
            )


def commit_documents(connection: Connection, run_id: int, *, complete: bool) -> None:
    """Make the corpus what it is after this run.

    `complete` says that every known URL was fetched: only then does a page that is linked nowhere
    count as missed, and it leaves the corpus on the second miss.
    """
    _count_misses(connection, complete=complete)
    stored = select(documents.c.url).where(documents.c.run == run_id)
    connection.execute(delete(corpus).where(corpus.c.url.in_(stored)))
    found = select(documents.c.url, documents.c.run, literal(0)).where(documents.c.run == run_id)
    connection.execute(insert(corpus).from_select(["url", "run", "misses"], found))
    gone = select(urls.c.url).where(urls.c.verdict.in_(DELETES))
    connection.execute(delete(corpus).where(corpus.c.url.in_(gone) | (corpus.c.misses >= 2)))
    for table in (documents, chunks):
        kept = select(corpus.c.url).where(and_(corpus.c.url == table.c.url, corpus.c.run == table.c.run))
        connection.execute(delete(table).where(~kept.exists()))


def _count_misses(connection: Connection, *, complete: bool) -> None:
    verdict = select(urls.c.verdict).where(urls.c.url == corpus.c.url).scalar_subquery()
    known = select(urls.c.id).where(urls.c.url == corpus.c.url).exists()
    missed: ColumnElement[bool] = verdict.in_(DELETES_AFTER_TWO)
    if complete:
        missed |= ~known
    found = verdict.in_((Verdict.OK, Verdict.UNCHANGED))
    connection.execute(
        update(corpus).values(misses=case((missed, corpus.c.misses + 1), (found, 0), else_=corpus.c.misses))
    )
