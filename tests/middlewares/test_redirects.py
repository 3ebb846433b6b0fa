"""Redirects: one crawl over a site of nothing but redirects; where each may lead, and what is never asked for."""

from __future__ import annotations

import re

import pytest


@pytest.fixture(scope="module")
def abroad(mock_sites):
    site = mock_sites()
    site.add_page("/x")
    return site


@pytest.fixture(scope="module")
def moved(mock_sites, abroad):
    site = mock_sites()
    site.robots("User-agent: *", "Disallow: /docs/private/")
    site.add_page("/docs/known")
    site.add_page("/docs/new")
    site.add_page("/docs/five-5")
    site.add_page("/docs/private/x")
    site.add_page("/elsewhere/")
    site.redirect("/docs/to-known", "/docs/known", status=301)
    site.redirect("/docs/to-part", "known#part", status=308)
    site.redirect("/docs/to-new", "/docs/new")
    site.redirect("/docs/to-new-too", "/docs/new", status=307)
    site.redirect("/docs/leaves", "/elsewhere/")
    site.redirect("/docs/goes-abroad", abroad.url("/x"))
    site.redirect("/docs/circle", "/docs/circle-2")
    site.redirect("/docs/circle-2", "/docs/circle")
    site.redirect("/docs/self", "/docs/self")
    site.routes["/docs/cookie"] = lambda asked: (
        site.page("/docs/cookie")
        if "seen=1" in asked.headers.get("cookie", "")
        else site.page("/")._replace(status=302, headers={"Location": "/docs/cookie", "Set-Cookie": "seen=1; Path=/"})
    )
    for hop in range(5):
        site.redirect(f"/docs/five-{hop}", f"/docs/five-{hop + 1}")
    for hop in range(8):
        site.redirect(f"/docs/long-{hop}", f"/docs/long-{hop + 1}")
    site.redirect("/docs/members", "/login?next=/docs/members")
    site.redirect("/docs/to-private", "/docs/private/x")
    site.redirect("/docs/mail", "mailto:post@example.com")
    site.redirect("/docs/secret", site.url("/docs/known").replace("http://", "http://me:pass@"))
    site.redirect("/docs/to-missing", "/docs/missing")
    # Targets that only a redirect leads to.
    unlinked = re.compile(r"/docs/(new|private/x|missing|[a-z]+-[1-9])|/elsewhere/|/robots.txt")
    site.add_page("/docs/", *(path for path in site.routes if not unlinked.fullmatch(path)))
    return site


@pytest.fixture(scope="module")
def result(crawl, moved, tmp_path_factory):
    return crawl(moved.url("/docs/"), tmp_path_factory.mktemp("redirects"))


def test_crawl_ends_well(result):
    assert result.status == 0
    assert result.is_clean, result.stderr


@pytest.mark.parametrize(
    ("path", "verdict", "reason"),
    [
        pytest.param("/docs/known", "ok", "", id="target that is linked too"),
        pytest.param("/docs/to-known", "duplicate", "/docs/known", id="to a known page"),
        pytest.param("/docs/to-part", "duplicate", "/docs/known", id="to a part of a known page, relative"),
        pytest.param("/docs/new", "ok", "", id="target that is linked nowhere"),
        pytest.param("/docs/to-new", "duplicate", "/docs/new", id="to a new page"),
        pytest.param("/docs/to-new-too", "duplicate", "/docs/new", id="to a page found by another redirect"),
        pytest.param("/docs/leaves", "out_of_scope", "/elsewhere/: outside /docs/", id="out of the folder"),
        pytest.param("/docs/goes-abroad", "out_of_scope", "/x: host 127.0.0.1:", id="to another host"),
        pytest.param("/docs/circle", "redirect_loop", "redirects back to", id="circle of two"),
        pytest.param("/docs/self", "redirect_loop", "redirects back to", id="to itself"),
        pytest.param("/docs/cookie", "ok", "", id="to itself, once, for a cookie"),
        pytest.param("/docs/five-5", "ok", "", id="target after five hops"),
        pytest.param("/docs/five-0", "duplicate", "/docs/five-5", id="five hops"),
        pytest.param("/docs/long-0", "redirect_loop", "more than 5 redirects", id="six hops"),
        pytest.param("/docs/five-3", "duplicate", "/docs/five-5", id="hop on the way to a page"),
        pytest.param("/docs/circle-2", "redirect_loop", "redirects back to", id="hop of a circle"),
        pytest.param("/docs/long-4", "redirect_loop", "more than 5 redirects", id="hop of a long chain"),
        pytest.param("/docs/private/x", "robots_denied", "robots.txt forbids /docs/private/x", id="forbidden target"),
        pytest.param("/docs/members", "gated", "login page", id="to a login outside the scope"),
        pytest.param(
            "/docs/to-private", "robots_denied", "robots.txt forbids /docs/private/x", id="to a forbidden path"
        ),
        pytest.param("/docs/mail", "blocked_address", "scheme mailto", id="to a mail address"),
        pytest.param("/docs/secret", "blocked_address", "credentials in the URL", id="to a URL with credentials"),
        pytest.param("/docs/to-missing", "http_error", "404", id="to a page that is missing"),
    ],
)
def test_redirect_has_its_verdict_and_reason(result, path, verdict, reason):
    row = result.row(path)
    assert row["verdict"] == verdict
    assert reason in row["reason"]


@pytest.mark.parametrize("path", ["/elsewhere/", "/docs/private/x", "/login?next=/docs/members", "/docs/long-6"])
def test_what_may_not_be_asked_for_is_not(result, moved, path):
    assert path not in moved.paths


def test_no_request_leaves_for_another_host(result, abroad):
    assert abroad.paths == []


@pytest.mark.parametrize("path", ["/docs/known", "/docs/new", "/docs/to-known", "/docs/to-new"])
def test_each_page_is_fetched_once(result, moved, path):
    assert moved.paths.count(path) == 1


def test_duplicate_names_the_page_and_says_that_it_was_redirected(result, moved):
    for path, target in [("to-known", "known"), ("to-part", "known"), ("to-new", "new"), ("five-0", "five-5")]:
        row = result.row(f"/docs/{path}")
        assert row["duplicate_of"] == moved.url(f"/docs/{target}"), path
        assert row["flags"] == ["redirected"], path
        assert (row["chunks"], row["markdown_path"]) == (0, ""), path
    assert result.row("/docs/new")["flags"] == []


def test_password_of_a_location_does_not_reach_the_files(result):
    assert ":pass@" not in (result.folder / "pages.jsonl").read_text(encoding="utf-8")


def test_moved_start_takes_its_scope_along(crawl, mock_site, abroad, tmp_path):
    mock_site.redirect("/old/", "/new/docs/", status=301)
    mock_site.add_page("/new/docs/", "/new/docs/a", "/new/blog/", abroad.url("/x"))
    mock_site.add_page("/new/docs/a")
    mock_site.add_page("/new/blog/")
    result = crawl(mock_site.url("/old/"), tmp_path, md_probe="off")
    assert result.verdicts == {"/old/": "duplicate", "/new/docs/": "ok", "/new/docs/a": "ok"}
    assert result.status == 0
    assert sorted(mock_site.page_paths) == ["/new/docs/", "/new/docs/a", "/old/"]
