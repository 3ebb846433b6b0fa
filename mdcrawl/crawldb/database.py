"""Open the crawl database of an output folder; every other module here works on its connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import orjson
from sqlalchemy import ColumnElement, Connection, create_engine, event, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from mdcrawl.crawldb.lock import FolderLock
from mdcrawl.crawldb.migrations import bring_up_to_date
from mdcrawl.errors import OutputFolderError

FILE_NAME = "crawl.sqlite"
POSTGRESQL = "postgresql"
# First halves of PostgreSQL's advisory locks, held by a crawl and by a transaction that writes; the
# second half is the database schema, so that many crawls can have a schema each.
_CRAWL, _WRITE, _WORKER = 0x6D64, 0x6D65, 0x6D66
_COUNT_OTHERS = """
SELECT count(*) FROM pg_locks
WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid::bigint = :kind AND objid::bigint = (hashtext(current_schema())::bigint & 4294967295)
"""


class CrawlDatabaseError(Exception):
    """The crawl database cannot be read or written any more; what was committed before is safe. Holds the cause."""


class CrawlDatabase:
    """One connection to the crawl database, used by one thread; `lock` is let go of when it is closed.

    `is_shared` says that other workers of the same crawl use the database too: then whoever writes is
    alone, as with SQLite, so that no two transactions wait for one another. Only PostgreSQL can be
    shared. Raises OutputFolderError if the database cannot be opened, was written by a newer mdcrawl
    or is in use by another crawl. `on_failure` is called with the cause when a transaction fails for
    the first time.
    """

    def __init__(self, url: str | URL, lock: FolderLock | None = None, *, is_shared: bool = False) -> None:
        self.on_failure: Callable[[str], None] = lambda _: None
        self._lock = lock
        self._failure = ""
        self._is_shared = is_shared
        self.name = name_of(url)
        try:
            self._engine = create_engine(url, json_serializer=_to_json, json_deserializer=orjson.loads)
        except ModuleNotFoundError as error:
            self._unlock()
            raise OutputFolderError(
                f"{self.name}: {error.name} is not installed; pip install -r requirements-scale.txt"
            ) from error
        configure = _configure_sqlite if self._engine.dialect.name == "sqlite" else _configure_postgresql
        event.listen(self._engine, "connect", configure)
        try:
            self._connection = self._engine.connect()
            with self._connection.begin():
                self._prepare()
        except DatabaseError as error:
            self._dispose()
            raise OutputFolderError(f"{self.name}: cannot open the crawl database: {_cause(error)}") from error
        except OutputFolderError:
            self._dispose()
            raise

    @classmethod
    def open_folder(cls, folder: Path, url: str = "", *, is_shared: bool = False) -> Self:
        """Return the database of an output folder, made if it is not there, with the folder's lock.

        `url` names a database on a server in place of the file. The workers that share one each write
        files at the end only, and need no lock before. Raises OutputFolderError if another process is
        at work there.
        """
        lock = None if is_shared else FolderLock(folder)
        return cls(url or f"sqlite:///{folder / FILE_NAME}", lock, is_shared=is_shared)

    @classmethod
    def open_existing(cls, folder: Path, url: str = "") -> Self:
        """Return the database of an earlier crawl; files may be written into a folder that it did not write to.

        Raises OutputFolderError as `open_folder` does, and if there is none.
        """
        if not url and not (folder / FILE_NAME).is_file():
            raise OutputFolderError(f"{folder}: there is no {FILE_NAME}; give the output folder of a crawl")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputFolderError(f"{folder}: cannot write there ({error.strerror})") from error
        return cls.open_folder(folder, url)

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Give the connection for one transaction: committed at the end, rolled back on any error.

        Raises CrawlDatabaseError when the disk is full or the database is gone, and ever after.
        """
        with self.read() as connection:
            if self._is_shared:
                connection.execute(select(func.pg_advisory_xact_lock(_WRITE, _schema_key())))
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give the connection for a transaction that writes nothing, which waits for no other worker's.

        Raises as `begin` does.
        """
        if self._failure:
            raise CrawlDatabaseError(self._failure)
        try:
            with self._connection.begin():
                yield self._connection
        except OperationalError as error:
            self._failure = _cause(error)
            self.on_failure(self._failure)
            raise CrawlDatabaseError(self._failure) from error

    def count_others(self, connection: Connection) -> int:
        """Return how many other workers are at work on the crawl; those that died are not among them."""
        return connection.scalar(text(_COUNT_OTHERS), {"kind": _WORKER}) or 0

    def step_in(self, connection: Connection) -> None:
        """Be a worker of the crawl, in the eyes of the others."""
        connection.execute(select(func.pg_advisory_lock_shared(_WORKER, _schema_key())))

    def step_back(self, connection: Connection) -> None:
        """Be no worker of the crawl any more, in the eyes of the others."""
        connection.execute(select(func.pg_advisory_unlock_shared(_WORKER, _schema_key())))

    @property
    def has_failed(self) -> bool:
        """Whether a transaction has failed, so that no other is tried."""
        return bool(self._failure)

    def close(self) -> None:
        """Close the connection; what was not committed is rolled back."""
        self._dispose()

    def _prepare(self) -> None:
        """Take the crawl's lock of the server, then make or change the tables."""
        if self._engine.dialect.name == POSTGRESQL:
            _make_schema(self._connection)
            take = func.pg_try_advisory_lock_shared if self._is_shared else func.pg_try_advisory_lock
            if not self._connection.scalar(select(take(_CRAWL, _schema_key()))):
                raise OutputFolderError(
                    f"{self.name}: another crawl is at work in this database; wait for its end or choose another "
                    "with -s MDCRAWL_DB=URL"
                )
            self._connection.execute(select(func.pg_advisory_xact_lock(_WRITE, _schema_key())))
        bring_up_to_date(self._connection, self.name)

    def _dispose(self) -> None:
        if hasattr(self, "_connection"):
            self._connection.close()
        self._engine.dispose()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()


def name_of(url: str | URL) -> str:
    """Return how to call a database: its file, or its server and name. Never a password.

    >>> name_of("postgresql+psycopg://ada:secret@db.example.com:5433/crawls?password=secret")
    'db.example.com:5433/crawls'
    """
    parts = make_url(url)
    if parts.get_backend_name() == "sqlite":
        return parts.database or ":memory:"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.host or 'localhost'}{port}/{parts.database or ''}"


def _schema_key() -> ColumnElement[int]:
    return func.hashtext(func.current_schema())


def _make_schema(connection: Connection) -> None:
    """Make the schema that the URL names (`?options=-csearch_path%3DNAME`), unless it is there."""
    # Workers that are started together find it missing together.
    connection.execute(select(func.pg_advisory_xact_lock(_CRAWL, 0)))
    if connection.scalar(select(func.current_schema())) is None:
        first = str(connection.scalar(select(func.current_setting("search_path")))).split(",")[0].strip(' "')
        quoted = connection.dialect.identifier_preparer.quote_identifier(first)
        connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {quoted}")


def _cause(error: DatabaseError) -> str:
    return " ".join(str(error.orig).split())


def _configure_postgresql(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # As with SQLite: after a power failure the last commits, here of less than a second, may be missing.
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("SET synchronous_commit TO off")
    # The locks of a machine that is gone without a word are free after a minute, not after two hours.
    cursor.execute("SET tcp_keepalives_idle TO 30")
    cursor.execute("SET tcp_keepalives_interval TO 10")
    cursor.execute("SET tcp_keepalives_count TO 3")
    cursor.close()
    connection.autocommit = False


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
