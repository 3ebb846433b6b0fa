"""Sites in trouble: one crawl over several at once; patience is proved by when they were asked, and how often."""

from __future__ import annotations

from itertools import count, pairwise

import pytest

from tests.conftest import Answer

WAIT_S = 3
CRAWL_DELAY_S = 1.5
MANY = 25


def in_turn(*answers):
    """Answer the first request with the first answer and so on; the last one answers all that follow."""
    turns = count()
    return lambda asked: answers[min(next(turns), len(answers) - 1)]


def busy(status, **headers):
    return Answer(status, {"Content-Type": "text/plain", **headers}, "come back later")


def pages_of(site, *names):
    site.add_page("/docs/", *(f"/docs/{name}" for name in names))
    for name in names:
        site.add_page(f"/docs/{name}")
    return site


@pytest.fixture(scope="module")
def sites(mock_sites):
    """Sites by what is the matter with them."""
    many = tuple(range(MANY))
    sites = {
        "busy": pages_of(mock_sites(), "wait", *range(4)),
        "sound": pages_of(mock_sites(), *range(20)),
        "down": pages_of(mock_sites(), *many),
        "away": pages_of(mock_sites(), *many),
        "slow": pages_of(mock_sites(), *range(3)),
        "faulty": pages_of(mock_sites(), "twice", "ever", *range(3)),
        "guarded": pages_of(mock_sites(), "check", *range(2)),
        "impatient": pages_of(mock_sites(), "hour", "next"),
    }
    wait = sites["busy"].page("/docs/wait")
    sites["busy"].routes["/docs/wait"] = in_turn(busy(429, **{"Retry-After": str(WAIT_S)}), wait)
    for number in many:
        sites["down"].routes[f"/docs/{number}"] = busy(503)
        sites["away"].routes[f"/docs/{number}"] = busy(429, **{"Retry-After": "86400"})
    sites["slow"].robots("User-agent: *", f"Crawl-delay: {CRAWL_DELAY_S}")
    twice = sites["faulty"].page("/docs/twice")
    sites["faulty"].routes["/docs/twice"] = in_turn(busy(500), busy(502), twice)
    sites["faulty"].routes["/docs/ever"] = busy(500)
    sites["guarded"].routes["/docs/check"] = busy(503, **{"cf-mitigated": "challenge"})
    sites["impatient"].routes["/docs/hour"] = busy(429, **{"Retry-After": "3600"})
    return sites


@pytest.fixture(scope="module")
def result(crawl, sites, tmp_path_factory):
    starts = ",".join(site.url("/docs/") for site in sites.values())
    settings = {"DOWNLOAD_DELAY": 0.2, "MDCRAWL_SITE_FAILURES": 2, "CONCURRENT_REQUESTS": 8}
    return crawl(starts, tmp_path_factory.mktemp("throttle"), settings=settings, md_probe="off")


@pytest.fixture(scope="module")
def rows(result, sites):
    by_url = {row["url"]: row for row in result.pages}
    return {
        name: {url.removeprefix(site.url("/docs/")): row for url, row in by_url.items() if url.startswith(site.base)}
        for name, site in sites.items()
    }


def times_of(site, path):
    return [asked.at_s for asked in site.asked if asked.path == path]


def test_crawl_ends_well(result):
    assert result.status == 0
    assert result.is_clean


def test_site_is_left_alone_for_as_long_as_it_asks(rows, sites):
    first, second = times_of(sites["busy"], "/docs/wait")
    assert second - first >= WAIT_S
    assert [asked.path for asked in sites["busy"].asked if first < asked.at_s < first + WAIT_S] == []
    assert {row["verdict"] for row in rows["busy"].values()} == {"ok"}
    assert rows["busy"]["wait"]["flags"] == ["retried"]


def test_other_sites_do_not_wait_for_it(rows, sites):
    first, _ = times_of(sites["busy"], "/docs/wait")
    assert [asked for asked in sites["sound"].asked if first < asked.at_s < first + WAIT_S]
    assert {row["verdict"] for row in rows["sound"].values()} == {"ok"}


@pytest.mark.parametrize(
    ("name", "verdict", "requests"),
    [
        # One page three times, then another page once.
        pytest.param("down", "http_error", 4, id="503 for every page"),
        # Two pages that ask to stay away for a day.
        pytest.param("away", "refused", 2, id="429 with a day's wait for every page"),
    ],
)
def test_site_is_given_up_and_its_other_pages_are_in_the_ledger(rows, sites, name, verdict, requests):
    assert len(rows[name]) == MANY + 1
    asked = [path for path in sites[name].paths if path.removeprefix("/docs/") in rows[name]]
    assert len(asked) == 1 + requests
    verdicts = [row["verdict"] for row in rows[name].values()]
    assert (verdicts.count("ok"), verdicts.count(verdict), verdicts.count("limit")) == (1, 2, MANY - 2)
    reasons = {row["reason"] for row in rows[name].values() if row["verdict"] == "limit"}
    assert len(reasons) == 1
    assert reasons.pop().startswith("site given up")


def test_giving_up_is_said_once(result, sites):
    site = sites["down"].base.removeprefix("http://")
    assert result.stderr.count(f"{site}: site given up after 2 failures in a row: status 503") == 1


def test_crawl_delay_is_kept_from_the_first_page_on(rows, sites):
    times = [asked.at_s for asked in sites["slow"].asked]
    assert len(times) > 4
    # The two clocks are read at different ends of a connection. Scrapy's own jitter would halve the delay.
    assert min(later - earlier for earlier, later in pairwise(times)) >= CRAWL_DELAY_S - 0.1
    assert {row["verdict"] for row in rows["slow"].values()} == {"ok"}


def test_fault_of_one_page_is_tried_again_while_the_others_go_on(rows, sites):
    assert {name: row["verdict"] for name, row in rows["faulty"].items()} == {
        "": "ok", "twice": "ok", "ever": "http_error", "0": "ok", "1": "ok", "2": "ok",
    }  # fmt: skip
    assert len(times_of(sites["faulty"], "/docs/ever")) == 3
    first, second, third = times_of(sites["faulty"], "/docs/twice")
    assert second - first >= 1
    assert third - second >= 1
    assert times_of(sites["faulty"], "/docs/0")[0] < third


def test_bot_check_is_not_tried_again(rows, sites):
    assert rows["guarded"]["check"]["verdict"] == "challenge"
    assert len(times_of(sites["guarded"], "/docs/check")) == 1
    assert rows["guarded"]["1"]["verdict"] == "ok"


def test_page_that_asks_for_too_long_a_wait_is_left_and_the_site_goes_on_after_a_rest(rows, sites):
    (asked,) = times_of(sites["impatient"], "/docs/hour")
    assert rows["impatient"]["hour"]["verdict"] == "refused"
    assert rows["impatient"]["next"]["verdict"] == "ok"
    assert times_of(sites["impatient"], "/docs/next")[0] > asked + 10
