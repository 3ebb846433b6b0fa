"""Two sites in one crawl: each has its own delay, neither waits for the other, both are told who asks."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from mdcrawl import __version__

DELAY_S = 0.3
PAGES = 6


@pytest.fixture(scope="module")
def sites(mock_sites):
    """A quick site and one that takes its time over every answer."""
    quick, slow = mock_sites(), mock_sites()
    for site in (quick, slow):
        site.add_page("/docs/", *(f"/docs/{number}" for number in range(PAGES)))
        for number in range(PAGES):
            site.add_page(f"/docs/{number}")
    for path, answer in list(slow.routes.items()):
        slow.routes[path] = lambda asked, answer=answer: time.sleep(2 * DELAY_S) or answer
    return quick, slow


@pytest.fixture(scope="module")
def result(crawl, sites, tmp_path_factory):
    starts = ",".join(site.url("/docs/") for site in sites)
    settings = {"DOWNLOAD_DELAY": DELAY_S, "MDCRAWL_CONTACT": "bots@example.com"}
    return crawl(starts, tmp_path_factory.mktemp("two"), settings=settings)


def test_both_sites_are_stored(result, sites):
    assert result.status == 0
    assert result.is_clean
    assert {row["url"] for row in result.pages if row["verdict"] == "ok"} == {
        site.url(path) for site in sites for path in ["/docs/", *(f"/docs/{number}" for number in range(PAGES))]
    }


@pytest.mark.parametrize("number", [0, 1], ids=["quick site", "slow site"])
def test_requests_to_one_site_keep_their_distance(result, sites, number):
    times = [asked.at_s for asked in sites[number].asked]
    assert len(times) >= PAGES + 2  # robots.txt, the start and what it links to
    # Scrapy varies the delay by half. 10 ms: the two clocks are read at different ends of a connection.
    assert min(later - earlier for earlier, later in pairwise(times)) >= DELAY_S / 2 - 0.01


def test_slow_site_does_not_hold_up_the_quick_one(result, sites):
    quick, slow = sites
    assert quick.asked[-1].at_s < slow.asked[-2].at_s
    assert slow.asked[0].at_s < quick.asked[2].at_s  # and they ran at the same time


def test_every_request_says_who_asks(result, sites):
    agents = {asked.headers["user-agent"] for site in sites for asked in site.asked}
    assert agents == {f"mdcrawl/{__version__} (+bots@example.com)"}
