"""Coverage of a run, in counts that add up."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import create_engine, insert

from mdcrawl.crawldb.notes import INCOMPLETE_SOURCES, write_note
from mdcrawl.crawldb.schema import State, metadata, urls
from mdcrawl.export.coverage import coverage_of
from mdcrawl.items import Verdict

FETCHED = {"fetched_at": "2026-12-01T10:00:00+00:00"}


@pytest.fixture
def connection():
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.begin() as opened:
        yield opened
    engine.dispose()


def add(connection, number, found_in="link", **values):
    row = {"url": f"https://example.com/{number}", "site": "example.com", "state": State.DONE, "found_in": found_in}
    connection.execute(insert(urls).values(row | values))


def test_nothing_known_covers_nothing(connection):
    assert coverage_of(connection) == {"known_from": {}, "asked": 0, "not_asked": {}, "incomplete": {}}


def test_asked_and_not_asked_add_up(connection):
    rows = [
        {"found_in": "start", "verdict": Verdict.OK, "status": 200, **FETCHED},
        {"verdict": Verdict.DUPLICATE, "status": 200, **FETCHED},
        {"verdict": Verdict.DUPLICATE, "status": 200, "fetched_at": ""},
        {"verdict": Verdict.UNCHANGED, "status": 304, **FETCHED},
        {"found_in": "sitemap", "verdict": Verdict.UNCHANGED, **FETCHED},
        {"verdict": Verdict.NETWORK_ERROR, **FETCHED},
        {"found_in": "llms", "verdict": Verdict.ROBOTS_DENIED, **FETCHED},
        {"verdict": Verdict.LIMIT},
        {"state": State.QUEUED},
    ]
    for number, row in enumerate(rows):
        add(connection, number, **row)
    write_note(connection, INCOMPLETE_SOURCES, json.dumps({"https://example.com/llms.txt": "cut off"}))
    coverage = coverage_of(connection)
    assert coverage == {
        "known_from": {"link": 6, "llms": 1, "sitemap": 1, "start": 1},
        "asked": 4,
        "not_asked": {"duplicate": 1, "limit": 2, "robots_denied": 1, "unchanged": 1},
        "incomplete": {"https://example.com/llms.txt": "cut off"},
    }
    assert coverage["asked"] + sum(coverage["not_asked"].values()) == len(rows)
