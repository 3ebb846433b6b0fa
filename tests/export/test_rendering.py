"""The browser's part in a run, counted site by site from the ledger."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.schema import urls
from mdcrawl.export.rendering import SPARED, rendering_of


@pytest.fixture
def connection(tmp_path):
    database = CrawlDatabase.open_folder(tmp_path)
    with database.begin() as opened:
        yield opened
    database.close()


def add(connection, site, *rows):
    for number, (source, verdict, reason) in enumerate(rows):
        row = {"url": f"https://{site}/{number}", "site": site, "state": 2, "source": source, "verdict": verdict}
        connection.execute(insert(urls).values(**row, reason=reason))


def test_without_a_browser_there_is_nothing_to_tell(connection):
    add(connection, "a.example", ("html", "ok", "90 words"), ("html", "thin", "3 words, fewer than 80"))
    assert rendering_of(connection) == {}


def test_each_site_has_its_counts(connection):
    add(
        connection,
        "b.example",
        ("rendered", "ok", "90 words"),
        ("rendered", "unchanged", ""),
        ("rendered", "duplicate", ""),
        ("rendered", "thin", "3 words"),
        ("html", "render_failed", "the browser died, 2 times"),
        ("html", "ok", "90 words"),
    )
    add(
        connection,
        "a.example",
        ("rendered", "thin", ""),
        ("html", "thin", f"2 words; empty #root; {SPARED} for 5 pages"),
    )
    assert rendering_of(connection) == {
        "a.example": {"rendered": 1, "gained": 0, "failed": 0, "spared": 1},
        "b.example": {"rendered": 4, "gained": 3, "failed": 1, "spared": 0},
    }
    assert list(rendering_of(connection)) == ["a.example", "b.example"]
