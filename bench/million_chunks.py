"""Measure commit and export of a corpus of a million chunks: time and peak memory.

`PYTHONPATH=. python bench/million_chunks.py`, from the project's folder.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from crawls import scrapy
from scrapy.utils.project import get_project_settings
from sqlalchemy import insert

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.runs import open_run
from mdcrawl.crawldb.schema import State, chunks, documents, urls
from mdcrawl.pipelines.options import conversion_key
from mdcrawl.spiders.docs import DocsSpider

CHUNKS_OF_A_PAGE = 20
# That of today's code and settings, so that the export has nothing to convert again.
CONVERSION = conversion_key(Configuration.from_settings(get_project_settings()), DocsSpider)
PARAGRAPH = "The gauge reads the level at each float and sends it on, once a minute, to the panel by the door. "


def fill(folder: Path, count: int) -> None:
    """Write a run of so many chunks into a new crawl database, as a killed crawl would leave it."""
    folder.mkdir(parents=True)
    crawldb = CrawlDatabase.open_folder(folder)
    with crawldb.begin() as connection:
        run = open_run(connection, now="2026-11-03T08:00:00+00:00", settings={"spider": "docs"}, resume=True)
    pages = range(count // CHUNKS_OF_A_PAGE)
    for first in range(0, len(pages), 500):
        batch = [f"https://docs.example.com/guide/{number:06}" for number in pages[first : first + 500]]
        with crawldb.begin() as connection:
            connection.execute(insert(urls), [ledger_row(url) for url in batch])
            connection.execute(insert(documents), [document_row(url, run.id) for url in batch])
            connection.execute(
                insert(chunks), [chunk_row(url, run.id, at) for url in batch for at in range(CHUNKS_OF_A_PAGE)]
            )
    crawldb.close()


def facts(url: str) -> dict[str, object]:
    """Return what is the same in the ledger and in the document."""
    return {
        "canonical_url": "", "source": "html", "extractor": "container", "title": f"Guide {url[-6:]}",
        "description": "", "lang": "en", "published": "", "last_modified": "", "etag": '"1"', "bytes": 50_000,
        "html_tokens": 15_000, "markdown_tokens": 6_000, "words": 4_000, "chunks": CHUNKS_OF_A_PAGE,
        "receipt": {"found": {}, "kept": {}, "losses": []}, "content_hash": url[-6:] * 10, "rights": {},
        "fetched_at": "2026-11-03T08:30:00+00:00",
    }  # fmt: skip


def ledger_row(url: str) -> dict[str, object]:
    """Return the row of a page that is stored."""
    found = {"site": "docs.example.com", "state": State.DONE, "verdict": "ok", "reason": "4000 words", "status": 200}
    return {"url": url, "final_url": url, "flags": [], "duplicate_of": "", "depth": 1} | found | facts(url)


def document_row(url: str, run: int) -> dict[str, object]:
    """Return a document of some 20 KB."""
    return {
        "url": url, "run": run, "content_hash": url[-6:] * 10, "body_hash": "b", "conversion": CONVERSION, "links": [],
        "anchors": [], "sketch": sketch_of(url), "facts": facts(url), "markdown": f"# {url}\n\n" + PARAGRAPH * 200,
    }  # fmt: skip


def sketch_of(url: str) -> list[int]:
    """Return a sketch such as a page of its own has."""
    numbers = random.Random(url)  # noqa: S311  the same in every run
    return sorted(numbers.randrange(2**32) for _ in range(64))


def chunk_row(url: str, run: int, at: int) -> dict[str, object]:
    """Return a chunk of some 1,200 characters."""
    return {
        "url": url, "run": run, "position": at, "id": f"{url[-6:]}{at:026}", "anchor_url": f"{url}#{at}",
        "title": "Guide", "heading_path": ["Guide", f"Part {at}"], "section": f"Guide > Part {at}", "part": 0,
        "text": f"Guide > Part {at}\n\n" + PARAGRAPH * 12, "tokens": 290, "content_hash": f"{url[-6:]}{at}",
        "oversized": False, "has_code": False, "code_languages": [], "has_table": False, "prev_id": "", "next_id": "",
        "lang": "en", "fetched_at": "2026-11-03T08:30:00+00:00", "source": "html", "extractor": "container",
        "rights": {},
    }  # fmt: skip


def main() -> int:
    """Fill a database, export it twice (the first time commits it), print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="work here and keep the output")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.folder or Path(temporary)) / "out"
        fill(folder, arguments.chunks)
        for what in ("commit and export", "export"):
            cost = scrapy("export", str(folder), log=folder.with_suffix(".log"))
            print(f"{what}: {cost}")
        rows = sum(1 for _ in (folder / "chunks.jsonl").open("rb"))
        print(f"{rows} chunks, {(folder / 'crawl.sqlite').stat().st_size / 1e9:.2f} GB of database")
    return 0


if __name__ == "__main__":
    sys.exit(main())
