"""The frontier: what is known, what waits, what is out on lease."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from mdcrawl.crawldb import frontier
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.crawldb.schema import State, urls
from tests.crawldb.world import SITE, make_page


def leased(world, count=10, site=SITE):
    with world.begin() as connection:
        return [lease.url for lease in frontier.lease(connection, site, count)]


def add(world, *candidates):
    with world.begin() as connection:
        frontier.add(connection, candidates)


@pytest.mark.parametrize(
    ("first", "then", "depth", "parent"),
    [
        pytest.param((2, "b"), (1, "c"), 1, "c", id="shorter way"),
        pytest.param((2, "b"), (3, "a"), 2, "b", id="longer way"),
        pytest.param((2, "b"), (2, "a"), 2, "a", id="as long, from an earlier URL"),
        pytest.param((2, "b"), (2, "c"), 2, "b", id="as long, from a later URL"),
        pytest.param((0, ""), (0, "a"), 0, "", id="start URL that is linked too"),
        pytest.param((2, "b"), (0, ""), 2, "b", id="a start URL comes first, so this is none"),
    ],
)
def test_shallowest_way_is_kept(world, first, then, depth, parent):
    """Depth and parent do not depend on which page happened to arrive first."""
    world.start()
    for way in (first, then):
        add(world, Candidate("page", SITE, depth=way[0], parent=way[1]))
    row = world.row("page")
    assert (row.depth, row.parent) == (depth, parent)


def test_shorter_way_to_a_done_url_is_told(world):
    """Its links are nearer too, which only the caller can look up."""
    world.start()
    add(world, Candidate("done", SITE, depth=3, parent="b"), Candidate("queued", SITE, depth=3, parent="b"))
    world.take(make_page("done", "text"))
    with world.begin() as connection:
        longer = frontier.add(connection, [Candidate("done", SITE, depth=4, parent="a")])
        shorter = frontier.add(connection, [Candidate(url, SITE, depth=1, parent="c") for url in ("done", "queued")])
        assert (longer.nearer, shorter.nearer) == ({}, {"done": 1})
        assert [(candidate.url, candidate.depth) for candidate in shorter.queued] == [("queued", 1)]
        assert frontier.depth_of(connection, "done") == 1


def test_known_url_is_not_queued_twice(world):
    world.start()
    world.know("a", "b", "a")
    world.know("b")
    assert leased(world) == ["a", "b"]
    assert leased(world) == []


def test_done_url_is_not_queued_again(world):
    world.start()
    world.know("a")
    world.take(make_page("a", "text"))
    world.know("a")
    assert leased(world) == []


def test_too_deep_url_is_known_and_freed_by_a_shorter_way(world):
    world.start()
    add(world, Candidate("deep", SITE, depth=4, parent="p", reason="deeper than 3"))
    assert leased(world) == []
    assert world.row("deep").reason == "deeper than 3"
    add(world, Candidate("deep", SITE, depth=2, parent="q"))
    row = world.row("deep")
    assert (row.state, row.depth, row.parent, row.reason) == (State.QUEUED, 2, "q", None)
    assert leased(world) == ["deep"]


def test_queued_url_is_not_shut_by_a_longer_way(world):
    world.start()
    add(world, Candidate("page", SITE, depth=2, parent="q"))
    add(world, Candidate("page", SITE, depth=4, parent="p", reason="deeper than 3"))
    assert leased(world) == ["page"]


def test_leases_come_by_priority_then_depth_then_age(world):
    world.start()
    add(
        world,
        Candidate("deep", SITE, depth=2, parent="p"),
        Candidate("old", SITE, depth=1, parent="p"),
        Candidate("new", SITE, depth=1, parent="p"),
        Candidate("urgent", SITE, depth=5, parent="p", priority=1),
        Candidate("elsewhere", "example.org"),
    )
    assert leased(world, 2) == ["urgent", "old"]
    assert leased(world, 5) == ["new", "deep"]


def test_next_lease_does_not_sort_the_queue(sqlite_world):
    """With 200,000 URLs waiting a lease must not look at all of them."""
    with sqlite_world.begin() as connection:
        plan = connection.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT id FROM urls WHERE state = 1 AND site = 's' "
            "ORDER BY priority DESC, depth, id LIMIT 16"
        ).all()
    assert not any("TEMP B-TREE" in row[3] for row in plan), plan


def test_what_was_on_lease_is_queued_again(world):
    world.start()
    world.know("a", "b", "c")
    assert leased(world, 2) == ["a", "b"]
    world.take(make_page("a", "text"))
    with world.begin() as connection:
        assert frontier.release_all(connection) == 1
    assert leased(world) == ["b", "c"]


def test_sites_with_something_queued(world):
    world.start()
    add(world, *(Candidate(f"{site}/", site) for site in ("b.org", "a.org", "c.org")))
    add(world, Candidate("d.org/", "d.org", reason="deeper than 3"))
    leased(world, site="c.org")
    with world.begin() as connection:
        assert frontier.queued_sites(connection) == ["a.org", "b.org"]


@pytest.mark.parametrize("state", ["queued", "leased", "done", "known"])
def test_only_an_unknown_url_can_be_claimed(world, state):
    world.start()
    add(world, Candidate("page", SITE, reason="deeper than 3" if state == "known" else ""))
    if state == "leased":
        leased(world)
    elif state == "done":
        world.take(make_page("page", "text"))
    with world.begin() as connection:
        assert not frontier.claim(connection, Candidate("page", SITE))
        assert frontier.claim(connection, Candidate("fresh", SITE, depth=1, parent="page"))
        assert connection.scalar(select(urls.c.state).where(urls.c.url == "fresh")) == State.LEASED


def test_counts(world):
    world.start()
    world.know("a", "b", "c", "d")
    world.take(make_page("a", "text"), make_page("b", verdict="thin"))
    with world.begin() as connection:
        assert frontier.count_stored(connection) == 1
        assert frontier.count_unfetched(connection) == 2


def test_shelved_site_hands_out_nothing_and_says_why(world):
    world.start()
    world.know("a", "b", "c")
    (first,) = leased(world, 1)
    with world.begin() as connection:
        frontier.shelve(connection, SITE, [first], "given up")
    assert leased(world) == []
    assert {world.row(url).reason for url in ("a", "b", "c")} == {"given up"}
