"""Versions of the schema: a new database gets the newest, an older one is changed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, inspect, select, text, update

from mdcrawl.crawldb.schema import SCHEMA_VERSION, about, metadata
from mdcrawl.errors import OutputFolderError

# What makes of each version the next. Tables that are new are made by themselves.
STEPS: Mapping[int, Sequence[str]] = {
    # Pages stored before have no sketch, as very short ones have none: they are near to nothing.
    1: ("ALTER TABLE documents ADD COLUMN sketch JSON NOT NULL DEFAULT '[]'",),
}


def bring_up_to_date(connection: Connection, name: str) -> None:
    """Make the tables, or change those of an older version; the caller's transaction makes it all or nothing.

    Raises OutputFolderError naming the database if its version is newer.
    """
    version = _version_of(connection)
    if version is None:
        metadata.create_all(connection)
        connection.execute(insert(about).values(name="schema_version", value=str(SCHEMA_VERSION)))
        return
    if version > SCHEMA_VERSION:
        raise OutputFolderError(
            f"{name}: written with version {version} of the database, this mdcrawl knows {SCHEMA_VERSION}; "
            "upgrade mdcrawl or choose another MDCRAWL_OUTPUT"
        )
    for step in range(version, SCHEMA_VERSION):
        for statement in STEPS[step]:
            connection.execute(text(statement))
    metadata.create_all(connection)
    if version < SCHEMA_VERSION:
        newest = update(about).where(about.c.name == "schema_version").values(value=str(SCHEMA_VERSION))
        connection.execute(newest)


def _version_of(connection: Connection) -> int | None:
    if not inspect(connection).has_table(about.name):
        return None
    version = connection.scalar(select(about.c.value).where(about.c.name == "schema_version"))
    return None if version is None else int(version)
