"""Notes: small facts that a folder keeps from one crawl to the next, by name."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from mdcrawl.crawldb.schema import about

# Sources of URLs that left some out in the run in hand: JSON, why by URL.
INCOMPLETE_SOURCES = "incomplete sources"


def read_note(connection: Connection, name: str) -> str:
    """Return a note, "" if there is none."""
    return connection.scalar(select(about.c.value).where(about.c.name == f"note:{name}")) or ""


def write_note(connection: Connection, name: str, text: str) -> None:
    """Keep a note in place of the last of its name; "" drops it."""
    connection.execute(delete(about).where(about.c.name == f"note:{name}"))
    if text:
        connection.execute(insert(about).values(name=f"note:{name}", value=text))
