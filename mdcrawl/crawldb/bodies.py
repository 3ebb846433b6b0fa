"""The answers themselves, compressed: for conditional requests, and to convert again without the network."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, delete, insert, select

from mdcrawl.crawldb.schema import bodies

# Pages compress to a fifth at any level; the lower levels cost a third of the default's time.
LEVEL = 2

_GET = select(bodies).where(bodies.c.url == bindparam("of_url"))
_DROP, _PUT = delete(bodies).where(bodies.c.url == bindparam("of_url")), insert(bodies)


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
    connection.execute(_DROP, {"of_url": answer.url})
    row = {
        "url": answer.url,
        "status": answer.status,
        "headers": dict(answer.headers),
        "body": zlib.compress(answer.body, LEVEL),
        "stored_at": answer.stored_at,
    }
    connection.execute(_PUT, row)


def get(connection: Connection, url: str) -> StoredAnswer | None:
    """Return the answer kept for a URL, or None."""
    row = connection.execute(_GET, {"of_url": url}).one_or_none()
    if row is None:
        return None
    return StoredAnswer(row.url, row.status, row.headers, zlib.decompress(row.body), row.stored_at)
