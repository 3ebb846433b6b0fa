"""Commit a run: its documents take their place in the corpus, and what changed is written down.

The caller's transaction makes it all or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from mdcrawl.crawldb.schema import bodies, changes, chunks, corpus, corpus_next, documents, fields, urls, views
from mdcrawl.items import Verdict

# What a verdict does to the page's copy from an earlier run. Every other verdict is trouble and
# holds: the copy stays, since a page that could not be read is not a page that is gone.
DELETES = (
    Verdict.GONE,
    Verdict.OUT_OF_SCOPE,
    Verdict.ROBOTS_DENIED,
    Verdict.BLOCKED_ADDRESS,
    Verdict.NOINDEX,
    Verdict.UNSUPPORTED_TYPE,
    Verdict.DUPLICATE,
)
# Said once it may be a slip of the site's; said twice it is gone.
DELETES_ON_SECOND_MISS = (Verdict.SOFT_404,)
FOUND = (Verdict.OK, Verdict.UNCHANGED)
BATCH = 1000


@dataclass(frozen=True, slots=True)
class Departures:
    """How many pages leave the corpus, of how many."""

    gone: int
    of: int

    @property
    def ratio(self) -> float:
        """The share of pages that leave."""
        return self.gone / self.of if self.of else 0.0


class TooManyDeletesError(Exception):
    """More of the corpus would go than is allowed; nothing may be committed. Holds the Departures."""

    def __init__(self, departures: Departures) -> None:
        super().__init__(f"{departures.gone} of {departures.of} pages would be deleted")
        self.departures = departures


def commit_documents(connection: Connection, version: int, *, max_delete_ratio: float = 1.0) -> None:
    """Make the documents of a version those that count, and `changes` the way from the old corpus to the new.

    Raises TooManyDeletesError if a larger share of pages than `max_delete_ratio` would leave the
    corpus; the caller rolls back.
    """
    _plan(connection, version)
    departures = _departures(connection)
    if departures.ratio > max_delete_ratio:
        raise TooManyDeletesError(departures)
    _write_changes(connection)
    _swap(connection)


def next_version(connection: Connection) -> int:
    """Return a number above those of all documents that are stored."""
    return 1 + (connection.scalar(select(func.max(documents.c.run))) or 0)


def _verdict_of_url() -> ColumnElement[str]:
    return select(urls.c.verdict).where(urls.c.url == corpus.c.url).scalar_subquery()


def count_misses(connection: Connection, run_id: int, is_missed: Callable[[str], bool]) -> None:
    """Note which pages of the corpus a run did not find; the second miss in a row is the last.

    `is_missed` says of a page that the run did not come across whether it should have. A page that
    says it does not exist is missed in any case.
    """
    verdict = _verdict_of_url()
    connection.execute(update(corpus).where(verdict.in_(FOUND)).values(misses=0))
    is_known = select(urls.c.id).where(urls.c.url == corpus.c.url).exists()
    # A run that was stopped and gone on with counts once.
    once = update(corpus).where(corpus.c.missed_in != run_id).values(misses=corpus.c.misses + 1, missed_in=run_id)
    connection.execute(once.where(verdict.in_(DELETES_ON_SECOND_MISS)))
    for unlinked in _batches(connection, select(corpus.c.url).where(~is_known)):
        missed = [{"missed_url": url} for url in unlinked if is_missed(url)]
        if missed:
            connection.execute(once.where(corpus.c.url == bindparam("missed_url")), missed)


def _batches(connection: Connection, query: Select[str]) -> Iterator[Sequence[str]]:
    """Yield the URLs of a query over the corpus some thousand at a time, so that it may be changed between."""
    last = ""
    while found := connection.scalars(query.where(corpus.c.url > last).order_by(corpus.c.url).limit(BATCH)).all():
        yield found
        last = found[-1]


def _plan(connection: Connection, version: int) -> None:
    """Fill `corpus_next`: the version's documents but copies, and of the others what is not deleted.

    A run that was stopped and is gone on with may find that a page it has committed is a copy.
    """
    connection.execute(delete(corpus_next))
    columns = ["url", "run", "misses", "missed_in"]
    is_copy = select(urls.c.id).where(urls.c.url == documents.c.url, urls.c.verdict == Verdict.DUPLICATE).exists()
    found = select(documents.c.url, documents.c.run, literal(0), literal(0)).where(documents.c.run == version, ~is_copy)
    connection.execute(insert(corpus_next).from_select(columns, found))
    others = select(corpus.c.url, corpus.c.run, corpus.c.misses, corpus.c.missed_in).where(
        corpus.c.misses < 2, corpus.c.url.not_in(select(corpus_next.c.url))
    )
    said = urls.c.url == corpus.c.url
    gone = select(urls.c.id).where(said, urls.c.verdict.in_(DELETES)).exists()
    connection.execute(insert(corpus_next).from_select(columns, others.where(~gone)))
    # A copy goes when the page it is a copy of is there; that one may not have been fetched yet.
    is_stored = urls.c.duplicate_of.in_(select(corpus_next.c.url))
    copy = select(urls.c.id).where(said, urls.c.verdict == Verdict.DUPLICATE, ~is_stored).exists()
    connection.execute(insert(corpus_next).from_select(columns, others.where(copy)))


def _departures(connection: Connection) -> Departures:
    gone = select(func.count()).select_from(corpus).where(corpus.c.url.not_in(select(corpus_next.c.url)))
    return Departures(
        gone=connection.scalar(gone) or 0, of=connection.scalar(select(func.count()).select_from(corpus)) or 0
    )


def _write_changes(connection: Connection) -> None:
    connection.execute(delete(changes))
    reason = func.coalesce(select(urls.c.reason).where(urls.c.url == corpus.c.url).scalar_subquery(), "linked nowhere")
    verdict = func.coalesce(_verdict_of_url(), "")
    stays = select(corpus_next.c.run).where(corpus_next.c.url == corpus.c.url).scalar_subquery()
    old = (
        select(literal("delete"), corpus.c.url, chunks.c.id, verdict, reason)
        .join(chunks, and_(chunks.c.url == corpus.c.url, chunks.c.run == corpus.c.run))
        .where(or_(stays.is_(None), stays != corpus.c.run))
        .where(~_same_chunk(corpus_next).exists())
    )
    was = select(corpus.c.run).where(corpus.c.url == corpus_next.c.url).scalar_subquery()
    new = (
        select(literal("upsert"), corpus_next.c.url, chunks.c.id, literal(""), literal(""))
        .join(chunks, and_(chunks.c.url == corpus_next.c.url, chunks.c.run == corpus_next.c.run))
        .where(or_(was.is_(None), was != corpus_next.c.run))
        .where(~_same_chunk(corpus, same_text=True).exists())
    )
    held = (
        select(literal("hold"), corpus_next.c.url, literal(""), urls.c.verdict, urls.c.reason)
        .join(urls, urls.c.url == corpus_next.c.url)
        .where(urls.c.verdict.not_in(FOUND))
    )
    for rows in (old, new, held):
        connection.execute(insert(changes).from_select(["action", "url", "chunk_id", "verdict", "reason"], rows))


def _same_chunk(table: Table, *, same_text: bool = False) -> Select[int]:
    """Return a query for the chunk's like in the corpus of `table`: the same id, and the same text if asked."""
    other = chunks.alias("other")
    query = (
        select(literal(1))
        .select_from(other)
        .join(table, and_(other.c.url == table.c.url, other.c.run == table.c.run))
        .where(other.c.id == chunks.c.id)
    )
    return query.where(other.c.content_hash == chunks.c.content_hash) if same_text else query


def _swap(connection: Connection) -> None:
    connection.execute(delete(corpus))
    columns = [column.name for column in corpus.columns]
    connection.execute(insert(corpus).from_select(columns, select(*(corpus_next.c[name] for name in columns))))
    connection.execute(delete(corpus_next))
    for table in (documents, chunks, views, fields):
        kept = select(corpus.c.url).where(and_(corpus.c.url == table.c.url, corpus.c.run == table.c.run))
        connection.execute(delete(table).where(~kept.exists()))
    # Of what is no page any more the answer is of no use either.
    known = [select(table.c.url).where(table.c.url == bodies.c.url).exists() for table in (corpus, urls)]
    connection.execute(delete(bodies).where(~or_(*known)))
