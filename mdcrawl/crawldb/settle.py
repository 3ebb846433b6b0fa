"""Settle a run's duplicates: which of several equal pages is kept does not depend on who came first."""

from __future__ import annotations

from sqlalchemy import Connection, func, select, update

from mdcrawl.crawldb.ledger import STORED, drop_document
from mdcrawl.crawldb.schema import urls
from mdcrawl.items import Verdict


def settle_duplicates(connection: Connection, run_id: int) -> None:
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
            select(urls.c.url, urls.c.canonical_url).where(
                urls.c.content_hash == content_hash, urls.c.verdict.in_(STORED)
            )
        ).all()
        named = {row.canonical_url for row in rows}
        kept, *copies = sorted((row.url for row in rows), key=lambda url: (url not in named, len(url), url))
        for url in copies:
            _mark_duplicate(connection, url, kept)
            drop_document(connection, url, run_id)
    _settle_redirects(connection)


def _mark_duplicate(connection: Connection, url: str, kept: str) -> None:
    connection.execute(
        update(urls)
        .where(urls.c.url == url)
        .values(verdict=Verdict.DUPLICATE, reason=f"same content as {kept}", duplicate_of=kept)
    )


def _settle_redirects(connection: Connection) -> None:
    """Follow each duplicate to a page that is stored; one that leads to none takes over what is at its end."""
    rows = connection.execute(
        select(urls.c.url, urls.c.verdict, urls.c.reason, urls.c.duplicate_of).where(urls.c.verdict.is_not(None))
    ).all()
    ledger = {row.url: row for row in rows}
    for row in rows:
        if row.verdict != Verdict.DUPLICATE:
            continue
        seen, end = {row.url}, row.duplicate_of
        while end in ledger and ledger[end].verdict == Verdict.DUPLICATE and end not in seen:
            seen.add(end)
            end = ledger[end].duplicate_of
        values: dict[str, str] = {}
        if end in seen:
            values = {"verdict": Verdict.REDIRECT_LOOP, "reason": f"redirects back to {end}", "duplicate_of": ""}
        elif end in ledger and ledger[end].verdict not in STORED:
            reason = f"redirects to {end}: {ledger[end].reason}"
            values = {"verdict": ledger[end].verdict, "reason": reason, "duplicate_of": ""}
        elif end != row.duplicate_of:
            values = {"duplicate_of": end}
        if values:
            connection.execute(update(urls).where(urls.c.url == row.url).values(values))
