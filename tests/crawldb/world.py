"""A small world for the tests of the crawl database: pages with a word each for URL, text and verdict."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager

from sqlalchemy import delete, select

from mdcrawl.crawldb import frontier, ledger
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.finish import Ending, finish_run, refuse_run
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.crawldb.runs import open_run
from mdcrawl.crawldb.schema import about, corpus, metadata, urls
from mdcrawl.export.rows import change_rows, chunk_rows
from mdcrawl.items import Chunk, Extraction, Page, Verdict

SITE = "example.com"


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def make_chunk(url: str, heading: str, text: str, position: int) -> Chunk:
    """Return a chunk whose id depends on URL and heading alone, so that its text can change under it."""
    return Chunk(
        id=hash_of(f"{url} {heading}")[:32],
        url=url,
        title=url,
        heading_path=(heading,),
        position=position,
        part=0,
        text=text,
        tokens=len(text.split()),
        content_hash=hash_of(text),
    )


def make_page(url: str, text: str = "", verdict: Verdict | str = Verdict.OK, **fields: object) -> Page:
    """Return a judged page; each line of its text is a chunk, `heading: text` or a text that is its own heading."""
    lines = text.split("\n") if text and verdict == Verdict.OK else []
    canonical = str(fields.pop("canonical_url", ""))
    page = Page(
        url=url,
        asked_url=url,
        final_url=url,
        status=200,
        verdict=Verdict(verdict),
        reason=f"{verdict} it is",
        fetched_at="2026-11-03T08:30:00+00:00",
        extraction=Extraction(title=url, markdown=text, canonical_url=canonical),
        content_hash=hash_of(text) if text else "",
        body_hash=hash_of(f"<p>{text}"),
    )
    page.chunks = [make_chunk(url, line.partition(":")[0], line, at) for at, line in enumerate(lines)]
    for name, value in fields.items():
        setattr(page, name, value)
    return page


class World:
    """A crawl database, in memory or on a server, and what a crawl does with it."""

    def __init__(self, url: str = "sqlite://") -> None:
        self.crawldb = CrawlDatabase(url)
        self.run = None

    @contextmanager
    def begin(self):
        with self.crawldb.begin() as connection:
            yield connection

    def clear(self) -> None:
        """Empty every table: to make a database anew takes longer than most tests."""
        with self.begin() as connection:
            for table in metadata.tables.values():
                if table is not about:
                    connection.execute(delete(table))
            connection.execute(delete(about).where(about.c.name != "schema_version"))

    def start(self, *, resume: bool = True, now: str = "2026-11-03T08:00:00+00:00"):
        """Open a run, which may be the last one gone on with."""
        with self.begin() as connection:
            self.run = open_run(connection, now=now, settings={}, resume=resume)
        return self.run

    def know(self, *found: str, **fields: object) -> None:
        with self.begin() as connection:
            frontier.add(connection, [Candidate(url, SITE, **fields) for url in found])

    def take(self, *pages: Page) -> None:
        """Record pages as the Store pipeline does."""
        with self.begin() as connection:
            for page in pages:
                if ledger.record(connection, page, SITE) and page.verdict is Verdict.OK:
                    ledger.store(connection, page, self.run.id, "options")

    def finish(self, *, stopped: str = "", is_over: bool = True, ratio: float = 1.0, in_scope=lambda _: True) -> None:
        ending = Ending("2026-11-03T09:00:00+00:00", stopped, is_over, in_scope, ratio)
        with self.begin() as connection:
            finish_run(connection, self.run, ending)

    def refuse(self) -> None:
        with self.begin() as connection:
            refuse_run(connection, self.run, now="2026-11-03T09:00:00+00:00", reason="too many deletes")

    def crawl(self, *pages: Page, **ending: object) -> None:
        """Do a whole run."""
        self.start()
        self.take(*pages)
        self.finish(**ending)

    @property
    def verdicts(self) -> dict[str, str | None]:
        with self.begin() as connection:
            rows = connection.execute(select(urls.c.url, urls.c.verdict)).all()
        return {row.url: row.verdict for row in rows}

    def row(self, url: str):
        with self.begin() as connection:
            return connection.execute(select(urls).where(urls.c.url == url)).one()

    @property
    def corpus(self) -> list[str]:
        with self.begin() as connection:
            return list(connection.scalars(select(corpus.c.url).order_by(corpus.c.url)))

    @property
    def chunks(self) -> dict[str, str]:
        """The corpus as a vector store would hold it: text by chunk id."""
        with self.begin() as connection:
            return {row["id"]: row["text"] for row in chunk_rows(connection)}

    @property
    def changes(self) -> list[dict[str, object]]:
        with self.begin() as connection:
            return list(change_rows(connection))

    @property
    def moves(self) -> list[tuple[str, str]]:
        """The changes in short: action and URL."""
        return [(change["action"], change["url"]) for change in self.changes]
