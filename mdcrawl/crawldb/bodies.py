"""The answers themselves, compressed: for conditional requests, and to convert again without the network."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, insert, select

from mdcrawl.crawldb.schema import bodies

# Pages compress to a fifth at any level; the lower levels cost a third of the default's time.
LEVEL = 2


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it came: header names in lower case, values joined by commas."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    stored_at: str


def put(connection: Connection, answer: StoredAnswer) -> None:
    """Keep an answer in place of an older one for the same URL."""
    connection.execute(delete(bodies).where(bodies.c.url == answer.url))
    connection.execute(
        insert(bodies).values(
            url=answer.url,
            status=answer.status,
            headers=dict(answer.headers),
            body=zlib.compress(answer.body, LEVEL),
            stored_at=answer.stored_at,
        )
    )


def get(connection: Connection, url: str) -> StoredAnswer | None:
    """Return the answer kept for a URL, or None."""
    row = connection.execute(select(bodies).where(bodies.c.url == url)).one_or_none()
    if row is None:
        return None
    return StoredAnswer(row.url, row.status, row.headers, zlib.decompress(row.body), row.stored_at)
