"""A crawl database for each test."""

from __future__ import annotations

import pytest

from tests.crawldb.world import World


@pytest.fixture
def world():
    opened = World()
    yield opened
    opened.crawldb.close()
