"""Scope: folders end at path boundaries, hosts are compared whole, a moved start takes its area along."""

import pickle

import pytest

from mdcrawl.discovery.scope import ScopeKind, ScopeOptions, make_scope, move_scope, registered_domain

FOLDER = "https://example.com/docs/"
PAGE = "https://example.com/docs/intro.html"
BARE = "https://example.com/docs"
VERSION = "https://example.com/docs/v1.2"
ROOT = "https://example.com"

PREFIX = [
    (FOLDER, "https://example.com/docs/", ""),
    (FOLDER, "https://example.com/docs/a/b?c=1", ""),
    (FOLDER, "http://example.com/docs/a", ""),
    (FOLDER, "https://www.example.com/docs/a", ""),
    (FOLDER, "https://example.com/docs", "outside /docs/"),
    (FOLDER, "https://example.com/docs-old/a", "outside /docs/"),
    (FOLDER, "https://example.com/docs.html", "outside /docs/"),
    (FOLDER, "https://example.com/Docs/a", "outside /docs/"),
    (FOLDER, "https://example.com/", "outside /docs/"),
    (FOLDER, "https://api.example.com/docs/a", "host api.example.com"),
    (FOLDER, "https://example.com.evil.example/docs/a", "host example.com.evil.example"),
    (FOLDER, "https://notexample.com/docs/a", "host notexample.com"),
    (FOLDER, "https://example.com:8443/docs/a", "host example.com:8443"),
    (FOLDER, "ftp://example.com/docs/a", "not an http or https URL"),
    (PAGE, "https://example.com/docs/other.html", ""),
    (PAGE, "https://example.com/docs/deep/a", ""),
    (PAGE, "https://example.com/other.html", "outside /docs/"),
    (BARE, "https://example.com/docs", ""),
    (BARE, "https://example.com/docs/a", ""),
    (BARE, "https://example.com/docs?page=2", ""),
    (BARE, "https://example.com/docs-old", "outside /docs"),
    (BARE, "https://example.com/docs.html", "outside /docs"),
    (VERSION, "https://example.com/docs/v1.2/a", ""),
    (VERSION, "https://example.com/docs/v1.3/a", "outside /docs/v1.2"),
    (ROOT, "https://example.com/anything/at/all", ""),
    ("https://www.example.com/docs/", "https://example.com/docs/a", ""),
]


@pytest.mark.parametrize(("start", "url", "reason"), PREFIX, ids=[f"{start} {url}" for start, url, _ in PREFIX])
def test_prefix(start, url, reason):
    assert make_scope((start,)).admits(url) == reason


HOST_AND_DOMAIN = [
    (ScopeKind.HOST, "https://docs.example.com/blog/", ""),
    (ScopeKind.HOST, "https://www.docs.example.com/", ""),
    (ScopeKind.HOST, "https://example.com/", "host example.com"),
    (ScopeKind.DOMAIN, "https://example.com/", ""),
    (ScopeKind.DOMAIN, "https://api.eu.example.com/x", ""),
    (ScopeKind.DOMAIN, "https://example.org/", "domain example.org"),
    (ScopeKind.DOMAIN, "https://example.com.evil.org/", "domain evil.org"),
    (ScopeKind.ANY, "https://anywhere.example/x", ""),
    (ScopeKind.ANY, "mailto:a@example.com", "not an http or https URL"),
]


@pytest.mark.parametrize(("kind", "url", "reason"), HOST_AND_DOMAIN, ids=[f"{k} {u}" for k, u, _ in HOST_AND_DOMAIN])
def test_wider_scopes(kind, url, reason):
    assert make_scope(("https://docs.example.com/docs/",), ScopeOptions(kind=kind)).admits(url) == reason


@pytest.mark.parametrize(
    ("site", "domain"),
    [
        ("docs.example.co.uk", "example.co.uk"),
        ("example.com:8080", "example.com"),
        ("a.user.github.io", "user.github.io"),
        ("github.io", "github.io"),
        ("a.manual.test", "manual.test"),
        ("localhost:8000", "localhost:8000"),
        ("127.0.0.1:8000", "127.0.0.1:8000"),
        ("[::1]:8000", "[::1]:8000"),
    ],
)
def test_registered_domain(site, domain):
    assert registered_domain(site) == domain


def test_several_starts_open_several_areas():
    scope = make_scope(("https://a.example/docs/", "https://a.example/api/", "https://b.example/x.html"))
    assert scope.admits("https://a.example/api/1") == ""
    assert scope.admits("https://b.example/y.html") == ""
    assert scope.admits("https://a.example/blog/") == "outside /docs/ and /api/"
    assert scope.admits("https://c.example/") == "host c.example"


def test_patterns_and_depth():
    options = ScopeOptions(include=(r"/guide/", r"\?p="), exclude=(r"/guide/old",), max_depth=2)
    scope = make_scope(("https://a.example/",), options)
    assert scope.admits("https://a.example/guide/x", 2) == ""
    assert scope.admits("https://a.example/x?p=1", 1) == ""
    assert scope.admits("https://a.example/guide/old/x", 1) == "exclude: /guide/old"
    assert scope.admits("https://a.example/blog/", 1) == "matches no include pattern"
    assert scope.admits("https://a.example/guide/x", 3) == "depth 3, more than 2"
    assert scope.leaves("https://a.example/guide/x") == ""
    assert scope.admits("https://a.example/") == "", "the start page itself is needed for its links"


@pytest.mark.parametrize("name", ["include", "exclude"])
def test_a_bad_pattern_is_named(name):
    with pytest.raises(ValueError, match=rf"{name}: not a regular expression: '\(' "):
        ScopeOptions(**{name: ("(",)})


def test_a_start_that_moves_takes_its_area_along_once():
    scope = make_scope(("https://old.example/docs/", "https://c.example/"))
    moved, sentence = move_scope(scope, "https://old.example/docs/", "https://new.example/book/index.html")
    assert sentence == (
        "https://old.example/docs/ redirects to https://new.example/book/index.html: "
        "the scope moves to new.example/book/"
    )
    assert moved.admits("https://new.example/book/a") == ""
    assert moved.admits("https://old.example/docs/a") == "host old.example"
    assert moved.admits("https://c.example/a") == ""
    assert scope.admits("https://new.example/book/a") == "host new.example", "the old value stays as it was"
    assert move_scope(moved, "https://old.example/docs/", "https://third.example/") == (moved, "")


@pytest.mark.parametrize(
    ("start", "landed"),
    [
        ("https://a.example/docs/", "https://www.a.example/docs/"),
        ("https://a.example/docs/", "http://a.example/docs/en/"),
        ("https://a.example/other", "https://b.example/"),
        ("https://a.example/docs/", "mailto:x@a.example"),
    ],
    ids=["www", "deeper", "no start", "not a page"],
)
def test_the_scope_stays(start, landed):
    scope = make_scope(("https://a.example/docs/",))
    assert move_scope(scope, start, landed) == (scope, "")


def test_scope_travels_to_other_processes():
    scope = make_scope(("https://a.example/docs/",), ScopeOptions(kind=ScopeKind.DOMAIN, exclude=("x+",)))
    assert pickle.loads(pickle.dumps(scope)) == scope
