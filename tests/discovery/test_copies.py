"""Copies by language and version: cut where a twin was taken, and never by a look-alike segment."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.copies import CopyGuard

SITE = "https://example.com"


def copies(start: str, *paths: str) -> list[str]:
    """Return the paths that are copies, in order."""
    guard = CopyGuard()
    guard.start(SITE + start)
    return [path for path in paths if guard.twin(SITE + path)]


COPIES = {
    "versions below the start": (
        "/docs/",
        ["/docs/a", "/docs/v1.2/", "/docs/v1.2/a", "/docs/2.0/a"],
        ["/docs/v1.2/", "/docs/v1.2/a", "/docs/2.0/a"],
    ),
    "version beside the start's": ("/docs/latest/", ["/docs/latest/a", "/docs/v1/a"], ["/docs/v1/a"]),
    "what the other version has alone is kept": ("/docs/latest/", ["/docs/latest/a", "/docs/v1/b"], []),
    "start in an old version": ("/docs/v1.2/", ["/docs/latest/a", "/docs/v1.2/a", "/docs/v1.3/a"], ["/docs/v1.3/a"]),
    "languages": ("/docs/", ["/docs/a", "/docs/de/a", "/docs/pt-br/a"], ["/docs/de/a", "/docs/pt-br/a"]),
    "start in a language": ("/en/docs/", ["/en/docs/a", "/cs/docs/a"], ["/cs/docs/a"]),
    "language and version": (
        "/en/latest/",
        ["/en/latest/a", "/de/latest/a", "/en/v2/a", "/de/v2/a"],
        ["/de/latest/a", "/en/v2/a", "/de/v2/a"],
    ),
    "word that may be a language": ("/docs/", ["/docs/quickstart", "/docs/it/quickstart"], []),
    "such a word beside a language": ("/docs/", ["/docs/a", "/docs/fr/a", "/docs/it/a"], ["/docs/fr/a", "/docs/it/a"]),
    "code of a programming language": ("/sdk/", ["/sdk/go/a", "/sdk/js/a", "/sdk/a"], []),
    "word that may be a version": ("/docs/", ["/docs/setup", "/docs/dev/setup"], []),
    "such a word beside a version": (
        "/docs/",
        ["/docs/a", "/docs/v1/a", "/docs/next/a"],
        ["/docs/v1/a", "/docs/next/a"],
    ),
    "versions of an API": ("/docs/", ["/docs/api/v1/users", "/docs/api/v2/users"], []),
    "pages about releases": ("/docs/", ["/docs/releases/v1", "/docs/releases/v2"], []),
    "page that is named like a version": ("/docs/", ["/docs/v1", "/docs/v2"], []),
    "query counts": ("/docs/", ["/docs/a?x=1", "/docs/v1/a?x=2"], []),
    "deep in the path": ("/docs/", ["/docs/a/b/c/d/e/v1/x", "/docs/a/b/c/d/e/v2/x"], []),
    "http and https": ("/docs/", ["/docs/a"], []),
}


@pytest.mark.parametrize(("start", "paths", "cut"), COPIES.values(), ids=COPIES.keys())
def test_copies(start, paths, cut):
    assert copies(start, *paths) == cut


def test_the_twin_is_named():
    guard = CopyGuard()
    guard.start(f"{SITE}/docs/")
    assert guard.twin(f"{SITE}/docs/a") == ""
    assert guard.twin(f"{SITE}/docs/v2/a") == f"{SITE}/docs/a"
    assert guard.twin(f"{SITE}/docs/a") == "", "asked again it is no copy of itself"
    assert guard.twin("https://other.example/docs/v2/a") == ""
    assert pickle.loads(pickle.dumps(guard)).twin(f"{SITE}/docs/v3/a") == f"{SITE}/docs/a"


@given(st.lists(st.sampled_from(["/en", "/de", "/v1", "/latest", "/a", "/", "//", "[", "?x", "é"])).map("".join))
def test_total(path):
    guard = CopyGuard()
    guard.start(SITE + path)
    assert guard.twin(SITE + path) == ""
    guard.twin(path)
