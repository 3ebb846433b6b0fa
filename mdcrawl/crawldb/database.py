"""Open the crawl database of an output folder; every other module here works on its connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import orjson
from sqlalchemy import Connection, create_engine, event, insert, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from mdcrawl.crawldb.lock import FolderLock
from mdcrawl.crawldb.schema import SCHEMA_VERSION, about, metadata
from mdcrawl.errors import OutputFolderError

FILE_NAME = "crawl.sqlite"


class CrawlDatabaseError(Exception):
    """The crawl database cannot be read or written any more; what was committed before is safe. Holds the cause."""


class CrawlDatabase:
    """One connection to the crawl database, used by one thread; `lock` is let go of when it is closed.

    Raises OutputFolderError if the file cannot be opened or was written by a newer mdcrawl.
    `on_failure` is called with the cause when a transaction fails for the first time.
    """

    def __init__(self, url: str, lock: FolderLock | None = None) -> None:
        self.on_failure: Callable[[str], None] = lambda _: None
        self._lock = lock
        self._failure = ""
        self._engine = create_engine(url, json_serializer=_to_json, json_deserializer=orjson.loads)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _configure_sqlite)
        try:
            with self._engine.begin() as connection:
                metadata.create_all(connection)
                _check_version(connection)
            self._connection = self._engine.connect()
        except DatabaseError as error:
            self._dispose()
            raise OutputFolderError(
                f"{self._engine.url.database}: cannot open the crawl database: {error.orig}"
            ) from error
        except OutputFolderError:
            self._dispose()
            raise

    @classmethod
    def open_folder(cls, folder: Path) -> Self:
        """Return the database of an output folder, made if it is not there, with the folder's lock.

        Raises OutputFolderError if another process is at work there.
        """
        return cls(f"sqlite:///{folder / FILE_NAME}", FolderLock(folder))

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Give the connection for one transaction: committed at the end, rolled back on any error.

        Raises CrawlDatabaseError when the disk is full or the file is gone, and ever after.
        """
        if self._failure:
            raise CrawlDatabaseError(self._failure)
        try:
            with self._connection.begin():
                yield self._connection
        except OperationalError as error:
            self._failure = str(error.orig)
            self.on_failure(self._failure)
            raise CrawlDatabaseError(self._failure) from error

    def close(self) -> None:
        """Close the connection; what was not committed is rolled back."""
        self._connection.close()
        self._dispose()

    def _dispose(self) -> None:
        self._engine.dispose()
        if self._lock is not None:
            self._lock.close()


def _to_json(value: object) -> str:
    return orjson.dumps(value).decode()


def _configure_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    # WAL: a killed process loses nothing that was committed, and readers never wait. NORMAL: after a
    # power failure the last commits may be missing but never half there; their pages are fetched again.
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA busy_timeout=30000")
    cursor.close()


def _check_version(connection: Connection) -> None:
    version = connection.scalar(select(about.c.value).where(about.c.name == "schema_version"))
    if version is None:
        connection.execute(insert(about).values(name="schema_version", value=str(SCHEMA_VERSION)))
    elif int(version) != SCHEMA_VERSION:
        raise OutputFolderError(
            f"{connection.engine.url.database}: written with version {version} of the database, "
            f"this mdcrawl knows {SCHEMA_VERSION}; upgrade it or choose another MDCRAWL_OUTPUT"
        )
