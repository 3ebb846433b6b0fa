"""Runs: which one a crawl works in, and how it ends."""

from __future__ import annotations

import pytest

from mdcrawl.crawldb.runs import RunState, last_run
from tests.crawldb.world import make_page


def state(world):
    with world.begin() as connection:
        run = last_run(connection)
    return run.state, run.reason


@pytest.mark.parametrize(
    ("end", "resumes"),
    [
        pytest.param(lambda world: None, True, id="killed"),
        pytest.param(lambda world: world.finish(stopped="by hand", is_over=False), True, id="stopped"),
        pytest.param(lambda world: world.finish(stopped="max_pages", is_over=True), False, id="limit reached"),
        pytest.param(lambda world: world.refuse(), False, id="refused"),
    ],
)
def test_only_what_did_not_come_to_its_end_is_gone_on_with(world, end, resumes):
    first = world.start()
    world.know("a", "b")
    world.take(make_page("a", "text"))
    end(world)
    second = world.start(now="2026-11-04T00:00:00+00:00")
    assert second.resumed is resumes
    assert (second.id == first.id) is resumes
    assert second.started_at == (first.started_at if resumes else "2026-11-04T00:00:00+00:00")
    assert set(world.verdicts) == ({"a", "b"} if resumes else set())


def test_complete_run_is_over_even_if_it_was_interrupted_at_the_end(world):
    world.start()
    world.take(make_page("a", "text"))
    world.finish(stopped="by hand", is_over=False)
    assert state(world) == (RunState.COMMITTED, "")
    assert not world.start().resumed


def test_without_resume_a_killed_run_is_left_behind(world):
    world.start()
    world.take(make_page("a", "text"))
    second = world.start(resume=False)
    assert (second.id, second.resumed) == (2, False)
    world.take(make_page("b", "text of b"))
    world.finish()
    assert world.corpus == ["b"], "the killed run was never committed"


def test_stopped_run_says_why(world):
    world.start()
    world.know("a")
    world.finish(stopped="the crawl was stopped", is_over=False)
    assert state(world) == (RunState.STOPPED, "the crawl was stopped")
