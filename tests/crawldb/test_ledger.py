"""The ledger: one verdict a URL, and what is kept of a page."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.schema import State, chunks, documents, urls
from mdcrawl.items import PreviousVersion, Verdict
from tests.crawldb.world import SITE, make_page


def test_first_verdict_counts(world):
    world.start()
    world.know("a")
    with world.begin() as connection:
        assert ledger.record(connection, make_page("a", verdict="thin"), SITE)
        assert not ledger.record(connection, make_page("a", "text"), SITE)
    assert world.verdicts == {"a": "thin"}
    assert world.row("a").state == State.DONE


def test_page_keeps_the_way_it_was_found_on(world):
    world.start()
    world.know("a", depth=2, parent="b", found_in="sitemap")
    world.take(make_page("a", "text", depth=9, parent="c"))
    row = world.row("a")
    assert (row.depth, row.parent, row.found_in) == (2, "b", "sitemap")


def test_target_of_a_redirect_gets_a_row_of_its_own(world):
    world.start()
    world.take(make_page("target", "text", depth=3, parent="a"))
    row = world.row("target")
    assert (row.verdict, row.depth, row.parent, row.found_in) == ("ok", 3, "a", "redirect")


def test_unchanged_page_keeps_what_was_found_when_it_was_converted(world):
    world.crawl(make_page("a", "one: text", words=7, headers={"etag": '"1"'}, canonical_url="c"))
    world.start()
    again = make_page("a", verdict="unchanged", fetched_at="2026-12-01T00:00:00+00:00", status=304)
    world.take(again)
    row = world.row("a")
    assert (row.verdict, row.status, row.fetched_at) == ("unchanged", 304, "2026-12-01T00:00:00+00:00")
    assert (row.words, row.etag, row.canonical_url, row.chunks) == (7, '"1"', "c", 1)
    assert world.corpus == ["a"]


def test_second_try_of_a_run_replaces_the_first(world):
    run = world.start()
    with world.begin() as connection:
        ledger.store(connection, make_page("a", "one\ntwo"), run.id, "options")
        ledger.store(connection, make_page("a", "one"), run.id, "options")
        assert connection.scalar(select(func.count()).select_from(documents)) == 1
        assert connection.scalar(select(func.count()).select_from(chunks)) == 1


def test_previous_version_is_that_of_the_corpus(world):
    page = make_page("a", "text", links=["b", "c"])
    world.start()
    with world.begin() as connection:
        assert ledger.previous_version(connection, "a") is None
    world.take(page)
    with world.begin() as connection:
        assert ledger.previous_version(connection, "a") is None, "not committed yet"
    world.finish()
    with world.begin() as connection:
        assert ledger.previous_version(connection, "a") == PreviousVersion(
            run=1,
            content_hash=page.content_hash,
            body_hash=page.body_hash,
            conversion="options",
            fetched_at=page.fetched_at,
            links=("b", "c"),
        )


def test_new_bytes_of_an_unchanged_page_are_noted(world):
    world.crawl(make_page("a", "text", links=["b"]))
    world.start()
    with world.begin() as connection:
        previous = ledger.previous_version(connection, "a")
        page = make_page("a", verdict="unchanged", previous=previous, body_hash="new", links=["b", "c"])
        ledger.refresh_body(connection, page)
        again = ledger.previous_version(connection, "a")
    assert (again.body_hash, again.links, again.content_hash) == ("new", ("b", "c"), previous.content_hash)


def test_only_what_a_304_vouched_for_is_fetched_again(world):
    world.start()
    world.take(
        make_page("a", verdict="unchanged", status=304),
        make_page("b", verdict="unchanged"),
        make_page("c", "text"),
        make_page("d", verdict="thin", status=304),
    )
    with world.begin() as connection:
        assert ledger.reopen_unmodified(connection, SITE) == 1
        assert ledger.reopen_unmodified(connection, "example.org") == 0
    assert world.verdicts == {"a": None, "b": "unchanged", "c": "ok", "d": "thin"}
    assert world.row("a").state == State.QUEUED


def test_page_with_the_same_content_is_found(world):
    world.start()
    world.take(make_page("a", "text"), make_page("b", "other", verdict="thin"))
    with world.begin() as connection:
        assert ledger.url_with_content(connection, make_page("x", "text").content_hash) == "a"
        assert ledger.url_with_content(connection, make_page("x", "other").content_hash) == "", "it is not stored"


def test_counts_add_up(world):
    world.start()
    world.know("a", "b", "c", "d")
    world.take(make_page("a", "text"), make_page("b", verdict="thin"))
    with world.begin() as connection:
        counts = ledger.count_verdicts(connection)
        assert ledger.verdicts_of(connection, ["a", "c", "x"]) == {"a": "ok"}
    assert counts == {"limit": 2, "ok": 1, "thin": 1}


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_fits_and_acknowledges(world, verdict):
    world.start()
    world.know("a")
    world.take(make_page("a", verdict=verdict))
    with world.begin() as connection:
        assert connection.scalar(select(urls.c.state)) == State.DONE
