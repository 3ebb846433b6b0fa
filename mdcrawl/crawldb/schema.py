"""Tables of the crawl database. `urls` is the frontier and the ledger of the run in hand at once.

A URL is one row from the moment it is known to its verdict, so nothing can fall between the two.
Documents and chunks carry the number of the run that stored them; `corpus` says which run's
document of a URL counts. A run changes the corpus only when it is committed, in one transaction.
"""

from __future__ import annotations

import hashlib
import re
from enum import IntEnum

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    text,
)
from sqlalchemy.types import TypeEngine

SCHEMA_VERSION = 2

metadata = MetaData()


# PostgreSQL sorts by the rules of a language unless it is told to sort by bytes, as SQLite does.
BY_BYTES = "C"
# PostgreSQL counts on for every URL that is met again, SQLite counts by itself and only in this type.
Number = BigInteger().with_variant(Integer, "sqlite")
# Bytes of a URL that fit into an index of PostgreSQL (2,704 bytes), with the rest of its row. What is cut
# is still so long that it is a trap: nobody ever asks for it.
MAX_URL = 2_300
_HALF_ESCAPE = re.compile(r"%[0-9A-Fa-f]?\Z")


class Word(TypeDecorator[str]):
    """A short text that every database and every reader of the output takes: no NUL, no lone surrogate."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        """Return the type that sorts by bytes."""
        return dialect.type_descriptor(String(collation=_collation(dialect)))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text without NUL, lone surrogates as U+FFFD."""
        return None if value is None else _clean(value)


class CleanText(Word):
    """A text of any length, as clean as a word."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        """Return the type that sorts by bytes."""
        return dialect.type_descriptor(Text(collation=_collation(dialect)))


class UrlText(CleanText):
    """A URL that is looked up. PostgreSQL gets a longer one than it can look up cut, with its hash at the end."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the clean URL, cut where it must be."""
        url = super().process_bind_param(value, dialect)
        if url is None or dialect.name != "postgresql" or len(url.encode()) <= MAX_URL:
            return url
        kept = _HALF_ESCAPE.sub("", url.encode()[: MAX_URL - 70].decode(errors="ignore"))
        return f"{kept}#{hashlib.sha256(url.encode()).hexdigest()}"


class CleanJSON(TypeDecorator[object]):
    """JSON whose texts are as clean as those of the columns of text."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> object:
        """Return the value with all its texts clean."""
        return _clean_all(value)


def _collation(dialect: Dialect) -> str | None:
    return BY_BYTES if dialect.name == "postgresql" else None


def _clean(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "")


def _clean_all(value: object) -> object:
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, dict):
        return {_clean(str(name)): _clean_all(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_all(item) for item in value]
    return value


class State(IntEnum):
    """Where a URL stands in the frontier. `KNOWN` is counted but never handed out."""

    KNOWN = 0
    QUEUED = 1
    LEASED = 2
    DONE = 3


about = Table(
    "about",
    metadata,
    Column("name", Word, primary_key=True),
    Column("value", CleanText, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("started_at", Word, nullable=False),
    Column("finished_at", Word, nullable=False, default=""),
    Column("state", Word, nullable=False),  # a RunState
    Column("reason", CleanText, nullable=False, default=""),  # why the rest was not fetched; empty when all was
    Column("settings", CleanJSON, nullable=False),
)

urls = Table(
    "urls",
    metadata,
    Column("id", Number, primary_key=True),
    Column("url", UrlText, nullable=False, unique=True),
    # frontier
    Column("site", CleanText, nullable=False),
    Column("state", Integer, nullable=False),
    Column("priority", Integer, nullable=False, default=0),
    Column("depth", Integer, nullable=False, default=0),
    Column("parent", CleanText, nullable=False, default=""),
    Column("found_in", Word, nullable=False, default="link"),
    Column("lastmod", Word),  # what a sitemap says, ISO 8601
    # ledger
    Column("verdict", Word),
    Column("reason", CleanText),
    Column("final_url", CleanText),
    Column("canonical_url", CleanText),
    Column("status", Integer),
    Column("flags", CleanJSON),
    Column("source", Word),
    Column("extractor", Word),
    Column("title", CleanText),
    Column("description", CleanText),
    Column("lang", Word),
    Column("published", Word),
    Column("fetched_at", Word),
    Column("last_modified", Word),
    Column("etag", CleanText),
    Column("bytes", Integer),
    Column("html_tokens", Integer),
    Column("markdown_tokens", Integer),
    Column("words", Integer),
    Column("receipt", CleanJSON),
    Column("chunks", Integer),
    Column("content_hash", Word),
    Column("duplicate_of", CleanText),
    Column("rights", CleanJSON),
    Index("urls_next", "state", "site", text("priority DESC"), "depth", "id"),
    Index("urls_content", "content_hash"),
)

documents = Table(
    "documents",
    metadata,
    Column("url", UrlText, primary_key=True),
    Column("run", Integer, primary_key=True),
    Column("content_hash", Word, nullable=False),
    # what decides whether the next crawl must convert the page again
    Column("body_hash", Word, nullable=False),
    Column("conversion", Word, nullable=False),
    Column("links", CleanJSON, nullable=False),
    Column("anchors", CleanJSON, nullable=False),
    Column("sketch", CleanJSON, nullable=False),  # of its wording, to tell near pages
    # the ledger's columns as they were when the page was converted
    Column("facts", CleanJSON, nullable=False),
    Column("markdown", CleanText, nullable=False),
)

# Which pages are others in another language, by hreflang, and which page or sitemap says so. Kept from
# run to run: a page that is unchanged is not read again.
translations = Table(
    "translations",
    metadata,
    Column("url", UrlText, primary_key=True),
    Column("original", UrlText, primary_key=True),
    Column("named_by", UrlText, primary_key=True),
    Column("language", Word, nullable=False),
    Column("original_language", Word, nullable=False),
    Index("translations_named", "named_by"),
)

# Views of documents that were asked for, by name; none in most crawls, so they have a table of their own.
views = Table(
    "views",
    metadata,
    Column("url", UrlText, primary_key=True),
    Column("run", Integer, primary_key=True),
    Column("fit_markdown", CleanText, nullable=False),
    Column("fit_html", CleanText, nullable=False),
    Column("citations", CleanText, nullable=False),
    Column("references", CleanJSON, nullable=False),
    Column("text", CleanText, nullable=False),
)

# Fields of documents, likewise.
fields = Table(
    "fields",
    metadata,
    Column("url", UrlText, primary_key=True),
    Column("run", Integer, primary_key=True),
    Column("values", CleanJSON, nullable=False),
    Column("problems", CleanJSON, nullable=False),
)

# What language models answered, by the hash of the question.
answers = Table(
    "answers",
    metadata,
    Column("key", Word, primary_key=True),
    Column("answer", CleanText, nullable=False),
)

bodies = Table(
    "bodies",
    metadata,
    Column("url", UrlText, primary_key=True),
    Column("status", Integer, nullable=False),
    Column("headers", CleanJSON, nullable=False),
    Column("body", LargeBinary, nullable=False),  # zlib
    Column("stored_at", Word, nullable=False),
)

chunks = Table(
    "chunks",
    metadata,
    Column("url", UrlText, primary_key=True),
    Column("run", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("id", Word, nullable=False),
    Column("anchor_url", CleanText, nullable=False),
    Column("title", CleanText, nullable=False),
    Column("heading_path", CleanJSON, nullable=False),
    Column("section", CleanText, nullable=False),
    Column("part", Integer, nullable=False),
    Column("text", CleanText, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("content_hash", Word, nullable=False),
    Column("oversized", Boolean, nullable=False),
    Column("has_code", Boolean, nullable=False),
    Column("code_languages", CleanJSON, nullable=False),
    Column("has_table", Boolean, nullable=False),
    Column("prev_id", Word, nullable=False),
    Column("next_id", Word, nullable=False),
    Column("lang", Word, nullable=False),
    Column("fetched_at", Word, nullable=False),
    Column("source", Word, nullable=False),
    Column("extractor", Word, nullable=False),
    Column("rights", CleanJSON, nullable=False),
    # All that is asked of a chunk known by its id, so that SQLite does not read its whole page instead.
    Index("chunks_id", "id", "url", "run"),
)


def _corpus_table(name: str) -> Table:
    return Table(
        name,
        metadata,
        Column("url", UrlText, primary_key=True),
        Column("run", Integer, nullable=False),
        # how many runs in a row did not find the page, and the last that counted
        Column("misses", Integer, nullable=False, default=0),
        Column("missed_in", Integer, nullable=False, default=0),
    )


corpus = _corpus_table("corpus")
# what the corpus is about to become; empty but during a commit
corpus_next = _corpus_table("corpus_next")

changes = Table(
    "changes",
    metadata,
    Column("id", Number, primary_key=True),
    Column("action", Word, nullable=False),  # upsert, delete or hold
    Column("url", UrlText, nullable=False),
    Column("chunk_id", Word, nullable=False, default=""),
    Column("verdict", Word, nullable=False, default=""),
    Column("reason", CleanText, nullable=False, default=""),
    Index("changes_order", "url", "action", "chunk_id"),
)
