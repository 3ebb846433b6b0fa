"""robots.txt: one crawl over a dozen sites at once, each with its own; obedience is proved by what is absent."""

from __future__ import annotations

import time

import pytest

STARTS_OF_RACE = 10


def add(site, *extra):
    """Let a site have a start page with a public and a secret page below it."""
    site.add_page("/docs/", "/docs/public", "/docs/secret", *extra)
    site.add_page("/docs/public")
    site.add_page("/docs/secret")
    return site


def slowly(answer, seconds):
    def route(asked):
        time.sleep(seconds)
        return answer

    return route


def hang_up(asked):
    raise ConnectionAbortedError


@pytest.fixture(scope="module")
def sites(mock_sites):
    """Sites by what is odd about their robots.txt."""
    forbids = "User-agent: *\nDisallow: /docs/secret"
    closes = "User-agent: *\nDisallow: /"
    named = ("User-agent: mdcrawl", "Disallow: /docs/secret", "", "User-agent: *", "Disallow: /")
    sites = {name: add(mock_sites()) for name in (
        "plain", "404", "403", "429", "503", "hangs up", "redirected", "elsewhere", "loops", "html", "named", "prefix",
    )}  # fmt: skip
    sites["race"] = mock_sites()
    for number in range(STARTS_OF_RACE):
        sites["race"].add_page(f"/docs/{number}")
    sites["plain"].robots(forbids)
    # What an error page says is not a rule, whatever it looks like.
    sites["404"].robots(closes, status=404)
    sites["403"].robots(closes, status=403)
    sites["429"].robots("", status=429)
    sites["503"].robots("User-agent: *\nAllow: /", status=503)
    sites["hangs up"].routes["/robots.txt"] = hang_up
    sites["redirected"].redirect("/robots.txt", "/rules/robots.txt", status=301)
    sites["redirected"].routes["/rules/robots.txt"] = sites["plain"].routes["/robots.txt"]
    sites["elsewhere"].redirect("/robots.txt", sites["plain"].url("/robots.txt"))
    sites["loops"].redirect("/robots.txt", "/robots.txt")
    sites["html"].routes["/robots.txt"] = sites["html"].page("/robots.txt")
    sites["named"].robots(*named)
    sites["prefix"].robots("User-agent: md", "Disallow: /", "", "User-agent: mdcrawler", "Disallow: /")
    sites["race"].robots(closes)
    sites["race"].routes["/robots.txt"] = slowly(sites["race"].routes["/robots.txt"], 0.5)
    return sites


@pytest.fixture(scope="module")
def result(crawl, sites, tmp_path_factory):
    race = [sites["race"].url(f"/docs/{number}") for number in range(STARTS_OF_RACE)]
    others = [site.url("/docs/") for name, site in sites.items() if name != "race"]
    settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": STARTS_OF_RACE, "CONCURRENT_REQUESTS": 64}
    return crawl(",".join(race + others), tmp_path_factory.mktemp("robots"), settings=settings)


def verdicts_of(result, site):
    return {
        row["url"].removeprefix(site.base): row["verdict"] for row in result.pages if row["url"].startswith(site.base)
    }


def test_crawl_ends_well(result):
    assert result.status == 0
    assert result.is_clean


@pytest.mark.parametrize("name", ["plain", "redirected", "elsewhere", "named"])
def test_forbidden_page_is_not_asked_for(result, sites, name):
    assert verdicts_of(result, sites[name]) == {"/docs/": "ok", "/docs/public": "ok", "/docs/secret": "robots_denied"}
    assert "/docs/secret" not in sites[name].paths


@pytest.mark.parametrize("name", ["404", "403", "loops", "html", "prefix"])
def test_without_rules_everything_is_open(result, sites, name):
    assert verdicts_of(result, sites[name]) == {"/docs/": "ok", "/docs/public": "ok", "/docs/secret": "ok"}


@pytest.mark.parametrize(("name", "reason"), [("429", "429"), ("503", "503"), ("hangs up", "robots.txt")])
def test_site_whose_rules_cannot_be_had_is_closed(result, sites, name, reason):
    assert verdicts_of(result, sites[name]) == {"/docs/": "robots_unreachable"}
    assert set(sites[name].paths) == {"/robots.txt"}
    (row,) = [row for row in result.pages if row["url"] == sites[name].url("/docs/")]
    assert reason in row["reason"]
    assert "closed for now" in row["reason"]


def test_of_many_first_requests_none_slips_through(result, sites):
    assert verdicts_of(result, sites["race"]) == {
        f"/docs/{number}": "robots_denied" for number in range(STARTS_OF_RACE)
    }
    assert sites["race"].paths == ["/robots.txt"]


@pytest.mark.parametrize("name", ["plain", "404", "html", "named"])
def test_rules_are_fetched_once_and_first(result, sites, name):
    # The site that another borrows its rules from is asked for it too.
    assert sites[name].paths.count("/robots.txt") == (2 if name == "plain" else 1)
    assert sites[name].paths[0] == "/robots.txt"


def test_reason_names_the_forbidden_path(result, sites):
    (row,) = [row for row in result.pages if row["url"] == sites["plain"].url("/docs/secret")]
    assert row["reason"] == "robots.txt forbids /docs/secret"
    assert row["status"] is None
