"""The frontier: which URLs are known, which wait, which are out on lease; a queue for each site.

Every call works inside the caller's transaction, so that a page's new links and its own
acknowledgement are committed together with the page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import Connection, Integer, Row, and_, bindparam, case, func, insert, or_, select, tuple_, update
from sqlalchemy.sql.dml import ReturningInsert

from mdcrawl.crawldb.schema import State, urls
from mdcrawl.crawldb.upsert import upsert
from mdcrawl.items import Verdict

# Statements are made once: making one costs more than SQLite takes to run it.
_ID = select(urls.c.id).where(urls.c.url == bindparam("url"))
_DEPTH = select(urls.c.depth).where(urls.c.url == bindparam("url"))
_SOUND = select(urls.c.url).where(
    urls.c.url.in_(bindparam("wanted", expanding=True)),
    urls.c.verdict.is_(None) | urls.c.verdict.in_((Verdict.OK, Verdict.UNCHANGED, Verdict.DUPLICATE)),
)
LOWEST_PRIORITY = -(2**31)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that may join the frontier. `reason` is why it must not be fetched: it is known, no more."""

    url: str
    site: str
    depth: int = 0
    parent: str = ""
    found_in: str = "link"
    lastmod: str = ""
    priority: int = 0
    reason: str = ""


_OF_CANDIDATE = (
    urls.c.url,
    urls.c.site,
    urls.c.depth,
    urls.c.parent,
    urls.c.found_in,
    urls.c.lastmod,
    urls.c.priority,
)


@dataclass(frozen=True, slots=True)
class Lease:
    """A URL handed out to be fetched; it is acknowledged by its verdict."""

    id: int
    url: str
    site: str
    depth: int
    parent: str
    lastmod: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding URLs: those that now wait (new, or with another way to them), and what is nearer.

    `nearer` is the depth of each URL done already to which a shorter way was found.
    """

    queued: Sequence[Candidate] = ()
    nearer: Mapping[str, int] = field(default_factory=dict)


def add(connection: Connection, candidates: Sequence[Candidate]) -> Added:
    """Add what is not known yet; return what came of it.

    Of a URL that is known already only the depth and parent change, to the shallowest way to it,
    so that they do not depend on the order in which pages happened to arrive. A URL that was too
    deep is freed by a way that is not.
    """
    statement = _upsert(connection.dialect.name)
    queued: list[Candidate] = []
    nearer: dict[str, int] = {}
    for batch in _apart(candidates):
        rows = connection.execute(statement, [_values(candidate) for candidate in batch]).all()
        queued += [_candidate(row) for row in rows if row.state == State.QUEUED]
        nearer |= {row.url: row.depth for row in rows if row.state == State.DONE}
    return Added(queued, nearer)


def _candidate(row: Row[*tuple[Any, ...]]) -> Candidate:
    return Candidate(row.url, row.site, row.depth, row.parent, row.found_in, row.lastmod or "", row.priority)


def _apart(candidates: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """Yield candidates in batches that have no URL twice, which PostgreSQL refuses in one statement."""
    times: Counter[str] = Counter()
    batches: defaultdict[int, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        batches[times[candidate.url]].append(candidate)
        times[candidate.url] += 1
    yield from batches.values()


def depth_of(connection: Connection, url: str) -> int:
    """Return the length of the shortest way to a known URL that has been found so far."""
    return int(connection.execute(_DEPTH, {"url": url}).scalar_one())


def _values(candidate: Candidate) -> dict[str, object]:
    return {
        "url": candidate.url,
        "site": candidate.site,
        "state": State.KNOWN if candidate.reason else State.QUEUED,
        "priority": candidate.priority,
        "depth": candidate.depth,
        "parent": candidate.parent,
        "found_in": candidate.found_in,
        "lastmod": candidate.lastmod or None,
        "reason": candidate.reason or None,
    }


@cache
def _upsert(dialect: str) -> ReturningInsert[tuple[Any, ...]]:
    statement = upsert(dialect, urls)
    new = statement.excluded
    # A start URL has no parent, and keeps none.
    shorter = and_(
        urls.c.parent != "", tuple_(new.depth, new.parent) < tuple_(urls.c.depth, urls.c.parent), new.parent != ""
    )
    freed = and_(urls.c.state == State.KNOWN, new.state == State.QUEUED)
    return statement.on_conflict_do_update(
        index_elements=[urls.c.url],
        set_={
            "depth": case((shorter, new.depth), else_=urls.c.depth),
            "parent": case((shorter, new.parent), else_=urls.c.parent),
            "state": case((freed, new.state), else_=urls.c.state),
            "reason": case((freed, new.reason), else_=urls.c.reason),
            "lastmod": func.coalesce(new.lastmod, urls.c.lastmod),
        },
        where=or_(shorter, freed, new.lastmod.is_not(None)),
    ).returning(urls.c.state, *_OF_CANDIDATE)


def lease(connection: Connection, site: str, count: int, *, least_priority: int | None = None) -> list[Lease]:
    """Hand out up to `count` of a site's queued URLs, the nearest to the start first.

    Those below `least_priority` are left in the queue, if it is given.
    """
    floor = LOWEST_PRIORITY if least_priority is None else least_priority
    rows = connection.execute(_LEASE, {"of_site": site, "count": count, "floor": floor}).all()
    return [_lease(row) for row in sorted(rows, key=lambda row: (-row.priority, row.depth, row.id))]


_CHOSEN = (
    select(urls.c.id)
    .where(urls.c.state == State.QUEUED, urls.c.site == bindparam("of_site"), urls.c.priority >= bindparam("floor"))
    .order_by(urls.c.priority.desc(), urls.c.depth, urls.c.id)
    .limit(bindparam("count", type_=Integer))
)
_LEASE = (
    update(urls)
    .where(urls.c.id.in_(_CHOSEN))
    .values(state=State.LEASED)
    .returning(urls.c.id, urls.c.url, urls.c.site, urls.c.depth, urls.c.parent, urls.c.priority, urls.c.lastmod)
)


def _lease(row: Row[tuple[object, ...]]) -> Lease:
    return Lease(id=row.id, url=row.url, site=row.site, depth=row.depth, parent=row.parent, lastmod=row.lastmod or "")


def release_all(connection: Connection) -> int:
    """Queue again what was on lease when the last worker ended; return how many there were."""
    return connection.execute(update(urls).where(urls.c.state == State.LEASED).values(state=State.QUEUED)).rowcount


def shelve(connection: Connection, site: str, leased: Sequence[str], reason: str) -> None:
    """Leave a site's queued URLs, and those on lease that are named, known but not to be fetched; say why."""
    left = or_(urls.c.state == State.QUEUED, and_(urls.c.state == State.LEASED, urls.c.url.in_(leased)))
    connection.execute(update(urls).where(urls.c.site == site, left).values(state=State.KNOWN, reason=reason))


def queued(connection: Connection) -> Iterator[Candidate]:
    """Yield all that waits, streamed."""
    query = select(*_OF_CANDIDATE).where(urls.c.state == State.QUEUED)
    for row in connection.execute(query, execution_options={"yield_per": 500}):
        yield _candidate(row)


def waiting(connection: Connection, url: str) -> Candidate | None:
    """Return what is known of a URL that waits, None if it has its verdict, must not be fetched or is unknown."""
    row = connection.execute(
        select(*_OF_CANDIDATE).where(urls.c.url == url, urls.c.state == State.QUEUED)
    ).one_or_none()
    return None if row is None else _candidate(row)


def queued_sites(connection: Connection) -> list[str]:
    """Return the sites that have queued URLs, sorted."""
    return list(
        connection.scalars(select(urls.c.site).where(urls.c.state == State.QUEUED).distinct().order_by(urls.c.site))
    )


def count_stored(connection: Connection) -> int:
    """Return how many URLs of the run are stored pages."""
    return connection.scalar(select(func.count()).select_from(urls).where(urls.c.verdict == Verdict.OK)) or 0


def count_unfetched(connection: Connection) -> int:
    """Return how many URLs of the run are known and have no verdict."""
    return connection.scalar(select(func.count()).select_from(urls).where(urls.c.state != State.DONE)) or 0


def count_done(connection: Connection) -> tuple[int, int]:
    """Return how many URLs of the run have their verdict, of how many that are known."""
    rows = connection.execute(select(urls.c.state, func.count()).group_by(urls.c.state)).all()
    counts = {row[0]: row[1] for row in rows}
    return counts.get(State.DONE, 0), sum(counts.values())


def first_sound(connection: Connection, wanted: Sequence[str]) -> str:
    """Return the first of some URLs that is known and not known to be bad, "" if none is."""
    if not wanted:
        return ""
    known = set(connection.scalars(_SOUND, {"wanted": wanted}))
    return next((url for url in wanted if url in known), "")


def is_known(connection: Connection, url: str) -> bool:
    """Tell whether a URL is in the frontier, in whatever state."""
    return connection.scalar(_ID, {"url": url}) is not None


def claim(connection: Connection, candidate: Candidate) -> bool:
    """Put a URL that is not known yet on lease at once; False if it is known, in whatever state.

    Of a known one the way to it may still be the shorter one.
    """
    if is_known(connection, candidate.url):
        add(connection, [candidate])
        return False
    connection.execute(insert(urls).values(_values(candidate) | {"state": State.LEASED}))
    return True
