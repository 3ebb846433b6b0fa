"""A crawl database for each test, on each engine."""

from __future__ import annotations

import pytest

from tests.crawldb.world import World

ENGINES = ("sqlite", "postgresql")


@pytest.fixture(scope="session", params=ENGINES)
def lasting_world(request):
    """A database for many tests, which each empty it: to make one anew takes longer than most tests."""
    on_server = request.param == "postgresql"
    opened = World(request.getfixturevalue("postgresql").url() if on_server else "sqlite://")
    yield opened
    opened.crawldb.close()


@pytest.fixture
def world(lasting_world):
    lasting_world.clear()
    return lasting_world


@pytest.fixture
def sqlite_world():
    """For what only this engine can be asked."""
    opened = World()
    yield opened
    opened.crawldb.close()
