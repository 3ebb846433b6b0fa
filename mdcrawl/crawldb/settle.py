"""Settle a run's duplicates: which of several equal pages is kept does not depend on who came first."""

from __future__ import annotations

from sqlalchemy import Connection, func, select, update

from mdcrawl.crawldb.ledger import STORED
from mdcrawl.crawldb.schema import urls
from mdcrawl.items import Verdict


def settle_duplicates(connection: Connection) -> None:
    """Keep one of each group of equal pages, and give redirects the verdict of where they lead.

    The page that is kept is the one that the others name as canonical, else the shortest URL, else
    the first in order.
    """
    repeated = (
        select(urls.c.content_hash)
        .where(urls.c.verdict.in_(STORED), urls.c.content_hash != "")
        .group_by(urls.c.content_hash)
        .having(func.count() > 1)
    )
    for content_hash in connection.scalars(repeated).all():
        rows = connection.execute(
            select(urls.c.url, urls.c.verdict, urls.c.canonical_url).where(urls.c.content_hash == content_hash)
        ).all()
        # Copies that an earlier part of the run settled still say which page is the canonical one.
        named = {row.canonical_url for row in rows}
        stored = [row.url for row in rows if row.verdict in STORED]
        kept, *copies = sorted(stored, key=lambda url: (url not in named, len(url), url))
        for url in copies:
            _mark_duplicate(connection, url, kept)
    _settle_redirects(connection)


def _mark_duplicate(connection: Connection, url: str, kept: str) -> None:
    connection.execute(
        update(urls)
        .where(urls.c.url == url)
        .values(verdict=Verdict.DUPLICATE, reason=f"same content as {kept}", duplicate_of=kept)
    )


def _settle_redirects(connection: Connection) -> None:
    """Follow each duplicate to a page that is stored; one that leads to none takes over what is at its end.

    What a redirect's row says does not depend on whether its target was known before.
    """
    duplicates = connection.execute(
        select(urls.c.url, urls.c.duplicate_of, urls.c.content_hash).where(urls.c.verdict == Verdict.DUPLICATE)
    ).all()
    leads_to = {row.url: row.duplicate_of for row in duplicates}
    for row in duplicates:
        end = row.duplicate_of
        seen = {row.url}
        while end in leads_to and end not in seen:
            seen.add(end)
            end = leads_to[end]
        values = _values_at(connection, end, is_copy=bool(row.content_hash))
        if end in seen:
            values = {"verdict": Verdict.REDIRECT_LOOP, "reason": f"redirects back to {end}", "duplicate_of": ""}
        if values:
            connection.execute(update(urls).where(urls.c.url == row.url).values(values))


def _values_at(connection: Connection, end: str, *, is_copy: bool) -> dict[str, object]:
    """Return what a duplicate's row takes over from where it leads, nothing if that has no verdict yet."""
    there = connection.execute(
        select(urls.c.verdict, urls.c.reason, urls.c.status, urls.c.final_url).where(
            urls.c.url == end, urls.c.verdict.is_not(None)
        )
    ).one_or_none()
    if there is None:
        return {}
    if is_copy:
        return {"duplicate_of": end}
    reached: dict[str, object] = {"status": there.status, "final_url": there.final_url}
    if there.verdict in STORED:
        return reached | {"duplicate_of": end, "reason": f"redirects to {end}"}
    return reached | {"verdict": there.verdict, "duplicate_of": "", "reason": f"redirects to {end}: {there.reason}"}
