"""Links are resolved against a page's folder wherever that says the same as its own URL."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.extraction.hrefs import absolute_url, scheme_and_host

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
