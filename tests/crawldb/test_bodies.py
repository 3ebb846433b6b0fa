"""Kept answers: they come back as they were, the last one counts, and they go with their page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdcrawl.crawldb import bodies
from mdcrawl.crawldb.bodies import StoredAnswer
from tests.crawldb.world import make_page


def answer(url, body=b"<p>text", **headers):
    return StoredAnswer(url, 200, headers, body, "2026-11-03T08:00:00+00:00")


@settings(deadline=None)
@given(body=st.binary(max_size=200))
def test_answer_comes_back_as_it_was(lasting_world, body):
    with lasting_world.begin() as connection:
        bodies.put(connection, answer("a", body, etag='"1"'))
        assert bodies.get(connection, "a") == answer("a", body, etag='"1"')


def test_newest_answer_counts(world):
    with world.begin() as connection:
        bodies.put(connection, answer("a", b"old"))
        bodies.put(connection, answer("a", b"new", etag='"2"'))
        assert bodies.get(connection, "a") == answer("a", b"new", etag='"2"')
        assert bodies.get(connection, "b") is None


@pytest.mark.parametrize(
    ("page", "stays"),
    [
        pytest.param(make_page("a", verdict="http_error"), True, id="held page"),
        pytest.param(make_page("a", "new text"), True, id="page that is there"),
        pytest.param(make_page("a", verdict="gone"), False, id="page that went, once its row goes too"),
    ],
)
def test_answer_goes_with_its_page(world, page, stays):
    world.crawl(make_page("a", "text"), make_page("b", "other"))
    with world.begin() as connection:
        bodies.put(connection, answer("a"))
    world.crawl(page, make_page("b", "other"))
    world.crawl(make_page("b", "other"))
    with world.begin() as connection:
        assert (bodies.get(connection, "a") is not None) is stays
