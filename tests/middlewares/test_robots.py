"""robots.txt: one crawl over a dozen sites at once, each with its own; obedience is proved by what is absent."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from itertools import count
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadConnectionRefusedError, DownloadFailedError, DownloadTimeoutError
from scrapy.http import TextResponse
from scrapy.settings import Settings

from mdcrawl.discovery.pace import Pace, PaceOptions
from mdcrawl.discovery.robots_rules import RobotsRules
from mdcrawl.items import Verdict
from mdcrawl.middlewares import robots
from mdcrawl.middlewares.robots import TRIES, RobotsMiddleware
from mdcrawl.outcomes import RequestVerdict
from tests.conftest import Answer

STARTS_OF_RACE = 10
FORBIDS_ALL = b"User-agent: *\nDisallow: /"


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


def in_turn(*answers):
    turns = count()
    return lambda asked: answers[min(next(turns), len(answers) - 1)]


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
        "late", "huge",
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
    rules = sites["plain"].routes["/robots.txt"]
    sites["late"].routes["/robots.txt"] = in_turn(Answer(503), Answer(500), rules)
    sites["huge"].robots(forbids, *["# what nobody reads to its end"] * 1_000_000)
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


@pytest.mark.parametrize("name", ["plain", "redirected", "elsewhere", "named", "late", "huge"])
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


def test_rules_that_come_late_are_waited_for(sites, result):
    asked = sites["late"].asked
    assert [request.path for request in asked[:4]][:3] == ["/robots.txt"] * TRIES
    assert asked[1].at_s - asked[0].at_s >= 1
    assert "/robots.txt" not in [request.path for request in asked[3:]]


# --- The middleware by itself, with a site that answers as a test wants ---------------------------


class Site:
    """Stands for engine and downloader: `answers` makes the answer to a request for robots.txt."""

    def __init__(self, answers):
        self._answers = answers
        self.asked = []
        self.scheduler = SimpleNamespace(pace=Pace(PaceOptions(base_wait_s=0.01)))
        self.middleware = RobotsMiddleware(
            SimpleNamespace(engine=self, stats=SimpleNamespace(inc_value=lambda name: None), settings=Settings())
        )

    async def download_async(self, request):
        self.asked.append(request.url)
        await asyncio.sleep(random.choice((0, 0, 0.001)))
        answer = self._answers(len(self.asked))
        if isinstance(answer, Exception):
            raise answer
        status, body = answer
        return TextResponse(request.url, status=status, body=body)

    async def ask(self, url):
        """Return the verdict on a page, None where it may be fetched; the scheduler hands out again what came back."""
        request = Request(url, meta={"mdcrawl_url": url})
        try:
            while (again := await self.middleware.process_request(request)) is not None:
                request = again
                await asyncio.sleep(0.001)
        except RequestVerdict as verdict:
            return verdict.verdict
        return None


async def test_of_fifty_first_requests_to_ten_hosts_none_slips_through_in_a_hundred_rounds():
    for _ in range(100):
        site = Site(lambda turn: (200, FORBIDS_ALL))
        urls = [f"http://host{number % 10}.example/docs/{number}" for number in range(50)]
        verdicts = await asyncio.gather(*(site.ask(url) for url in random.sample(urls, len(urls))))
        assert set(verdicts) == {Verdict.ROBOTS_DENIED}
        assert sorted(site.asked) == [f"http://host{number}.example/robots.txt" for number in range(10)]


@pytest.mark.parametrize(
    ("answers", "verdict", "times"),
    [
        pytest.param([(503, b"")] * 2 + [(200, FORBIDS_ALL)], Verdict.ROBOTS_DENIED, 3, id="up at the third try"),
        pytest.param([(500, b""), (404, b"")], None, 2, id="none at the second try"),
        pytest.param([(429, b"")] * 9, Verdict.ROBOTS_UNREACHABLE, TRIES, id="never up"),
        pytest.param([DownloadTimeoutError()] * 9, Verdict.ROBOTS_UNREACHABLE, 2, id="silent"),
        pytest.param([DownloadFailedError()] * 9, Verdict.ROBOTS_UNREACHABLE, TRIES, id="broken connection"),
        pytest.param([DownloadConnectionRefusedError()] * 9, Verdict.NETWORK_ERROR, TRIES, id="nobody there"),
        pytest.param([RequestVerdict(Verdict.TOO_LARGE, "a bomb")] * 9, Verdict.ROBOTS_UNREACHABLE, TRIES, id="bomb"),
    ],
)
async def test_rules_that_cannot_be_had_are_asked_for_again(answers, verdict, times):
    site = Site(lambda turn: answers[turn - 1])
    assert await site.ask("http://a.example/x") is verdict
    assert len(site.asked) == times
    # The next page hears the same without another request.
    assert await site.ask("http://a.example/y") is verdict
    assert len(site.asked) == times


async def test_closed_site_is_asked_again_after_a_while(monkeypatch):
    site = Site(lambda turn: (503, b"") if turn <= TRIES else (200, b""))
    monkeypatch.setattr(robots, "LIFE_CLOSED_S", 0.05)
    assert await site.ask("http://a.example/x") is Verdict.ROBOTS_UNREACHABLE
    await asyncio.sleep(0.06)
    assert await site.ask("http://a.example/x") is None


async def test_each_origin_has_its_own_rules():
    site = Site(lambda turn: (200, FORBIDS_ALL if turn == 1 else b""))
    urls = ["http://a.example/x", "https://a.example/x", "http://a.example:8080/x", "http://b.example/x"]
    assert [await site.ask(url) for url in urls] == [Verdict.ROBOTS_DENIED, None, None, None]


async def test_delay_that_the_rules_ask_for_is_kept_from_then_on():
    site = Site(lambda turn: (200, b"User-agent: *\nCrawl-delay: 7"))
    await site.ask("http://a.example/x")
    assert site.scheduler.pace.delay("a.example") == (7.0, 0.0)
    assert site.scheduler.pace.delay("b.example") == (1.0, 0.5)


async def test_cap_of_a_delay_is_said(caplog):
    caplog.set_level("INFO")
    site = Site(lambda turn: (200, b"User-agent: *\nCrawl-delay: 3600"))
    await site.ask("http://a.example/x")
    assert site.scheduler.pace.delay("a.example")[0] == 60.0
    assert "http://a.example/robots.txt: at least 60 s between two requests (asked: 3600 s)" in caplog.text


@pytest.mark.parametrize(("lines", "is_main"), [(10, True), (5_000, False)], ids=["small", "big"])
async def test_big_file_is_read_and_asked_off_the_event_loop(monkeypatch, lines, is_main):
    threads = []
    read, allows = robots.parse_robots, RobotsRules.allows

    def note(function):
        def noted(*arguments):
            threads.append(threading.current_thread() is threading.main_thread())
            return function(*arguments)

        return noted

    monkeypatch.setattr(robots, "parse_robots", note(read))
    monkeypatch.setattr(RobotsRules, "allows", note(allows))
    site = Site(lambda turn: (200, b"User-agent: *\n" + b"Disallow: /a*b*c$\n" * lines))
    assert await site.ask("http://a.example/x") is None
    assert threads == [is_main, is_main]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(100))
def test_race_over_whole_crawls(crawl, mock_sites, tmp_path, number):
    sites = [mock_sites() for _ in range(10)]
    for site in sites:
        site.robots("User-agent: *", "Disallow: /")
        site.routes["/robots.txt"] = slowly(site.routes["/robots.txt"], random.random() / 2)
    starts = ",".join(site.url(f"/docs/{page}") for page in range(5) for site in sites)
    settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": 16, "CONCURRENT_REQUESTS": 64}
    result = crawl(starts, tmp_path, settings=settings)
    assert [row["verdict"] for row in result.pages] == ["robots_denied"] * 50
    assert {path for site in sites for path in site.paths} == {"/robots.txt"}
