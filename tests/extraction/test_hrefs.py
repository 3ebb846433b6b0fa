"""Links are resolved against a page's folder wherever that says the same as its own URL."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.extraction.hrefs import _joined, _scheme_and_host, absolute_url, scheme_and_host

_PIECES = [
    "a",
    "b.html",
    "/",
    "//",
    "..",
    "/../",
    ".",
    "?",
    "q=1",
    "#",
    "top",
    ";",
    "x:",
    "http:",
    "https://",
    "h.example",
]
_HREFS = st.lists(st.sampled_from([*_PIECES, "mailto:", " ", "[", "%2F", "é"]), max_size=6).map("".join)
_BASES = st.lists(st.sampled_from([*_PIECES, ":8080"]), max_size=6).map("".join)


@given(_BASES.map("https://h.example{}".format) | _BASES, _HREFS)
def test_same_as_against_the_page_itself(base: str, href: str) -> None:
    try:
        expected = urljoin(base, href.strip())
        urlsplit(expected)
    except ValueError:
        expected = ""
    assert absolute_url(base, href) == expected


@given(_BASES)
def test_scheme_and_host(url: str) -> None:
    try:
        parts = urlsplit(url)
    except ValueError:
        assert scheme_and_host(url) == ("", "")
    else:
        assert scheme_and_host(url) == (parts.scheme, parts.netloc)


def test_long_links_do_not_stay_in_memory() -> None:
    """A worker lives as long as its crawl: pages with programs or pictures in their links must not fill it."""
    caches = (_joined, _scheme_and_host)
    before = [cache.cache_info().currsize for cache in caches]
    for number in range(3):
        target = absolute_url("https://h.example/a/b", f"/play?code={number}{'x' * 5_000}")
        assert scheme_and_host(target) == ("https", "h.example")
    assert [cache.cache_info().currsize for cache in caches] == before


def test_what_is_no_url_leads_nowhere_without_a_page_too() -> None:
    assert absolute_url("", "http://[::1") == ""
