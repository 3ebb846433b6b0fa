"""Crawl databases for the tests of the report, made without a crawl."""

from __future__ import annotations

from mdcrawl.chunking.chunk import chunk_markdown
from mdcrawl.crawldb import bodies, frontier, ledger
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.finish import Ending, finish_run
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.crawldb.runs import open_run
from mdcrawl.discovery.traps import sketch
from mdcrawl.items import Extraction, Inventory, Page, Receipt, Verdict

NOW = "2026-11-03T08:00:00+00:00"
SITE = "docs.example.com"
BASE = f"https://{SITE}"


def good_page(path, markdown, *, title="A page", losses=(), extractor="container", html=""):
    """Return a stored page and the body it came from."""
    url = BASE + path
    words = len(markdown.split())
    page = Page(
        url=url,
        asked_url=url,
        final_url=url,
        status=200,
        fetched_at=NOW,
        verdict=Verdict.OK,
        reason=f"{words} words",
        words=words,
        html_tokens=10 * words,
        markdown_tokens=2 * words,
        content_hash=f"hash of {url}",
        extraction=Extraction(
            title=title,
            markdown=markdown,
            extractor=extractor,
            receipt=Receipt(
                Inventory(headings=2, words=words), Inventory(headings=2 - len(losses), words=words), tuple(losses)
            ),
        ),
    )
    page.chunks = chunk_markdown(markdown, url=url, title=title)
    page.sketch = sketch(markdown)
    return page, html or f"<main><h1>{title}</h1><p>{markdown}</p></main>"


def bad_page(path, verdict, reason):
    """Return a page that was not stored; it has no body."""
    url = BASE + path
    return Page(url=url, asked_url=url, verdict=Verdict(verdict), reason=reason, fetched_at=NOW), ""


def write_crawl(folder, pages, *, known=(), stopped=""):
    """Write pages with their bodies as a finished run; `known` are paths that were never fetched."""
    folder.mkdir(parents=True, exist_ok=True)
    crawldb = CrawlDatabase.open_folder(folder)
    with crawldb.begin() as connection:
        run = open_run(
            connection, now=NOW, settings={"MDCRAWL_CHUNK_TOKENS": 300, "start": [f"{BASE}/docs/"]}, resume=True
        )
        frontier.add(connection, [Candidate(BASE + path, SITE, found_in="sitemap") for path in known])
        for page, html in pages:
            assert ledger.record(connection, page, SITE)
            if page.verdict is Verdict.OK:
                ledger.store(connection, page, run.id, "options")
            if html:
                answer = bodies.StoredAnswer(page.url, 200, {"content-type": "text/html"}, html.encode(), NOW)
                bodies.put(connection, answer)
        finish_run(connection, run, Ending(NOW, stopped, True, lambda _: True, 1.0))
    return crawldb
