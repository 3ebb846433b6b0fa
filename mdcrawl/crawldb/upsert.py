"""Insert statements that say what becomes of a row that is there: each engine's own, of one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.dialects import postgresql


def upsert(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert of a dialect that takes `on_conflict_do_update` and `on_conflict_do_nothing`."""
    if dialect != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415  it comes with all its drivers, few crawls need it

    return postgresql.insert(table)
