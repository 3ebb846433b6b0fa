"""Where a page's Markdown may be, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.markdown_urls import MarkdownPattern, declared_markdown, markdown_url, page_urls

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("path", "swapped", "appended", "index"),
    [
        ("/docs/a", "/docs/a.md", "/docs/a.md", "/docs/a/index.md"),
        ("/docs/a.html", "/docs/a.md", "/docs/a.html.md", ""),
        ("/docs/a/", "/docs/a.md", "/docs/a/index.html.md", "/docs/a/index.md"),
        ("/docs/index.html", "/docs/index.md", "/docs/index.html.md", "/docs/index.md"),
        ("/docs/v1.2", "/docs/v1.2.md", "/docs/v1.2.md", "/docs/v1.2/index.md"),
        ("/", "/index.md", "/index.html.md", "/index.md"),
        ("", "/index.md", "/index.html.md", "/index.md"),
        ("/a#b", "/a.md", "/a.md", "/a/index.md"),
    ],
)
def test_markdown_url(path, swapped, appended, index):
    patterns = (MarkdownPattern.SWAPPED, MarkdownPattern.APPENDED, MarkdownPattern.INDEX)
    found = [markdown_url(SITE + path, pattern) for pattern in patterns]
    assert [url.removeprefix(SITE) for url in found] == [swapped, appended, index]


@pytest.mark.parametrize("url", [f"{SITE}/a?x=1", f"{SITE}/a.md", f"{SITE}/a.mdx", "mailto:a@example.com", ""])
def test_what_has_no_markdown(url):
    assert {markdown_url(url, pattern) for pattern in MarkdownPattern} == {""}


@pytest.mark.parametrize(
    ("path", "pages"),
    [
        ("/docs/a.md", ["/docs/a", "/docs/a/", "/docs/a.html"]),
        ("/docs/a.html.md", ["/docs/a.html"]),
        ("/docs/index.md", ["/docs/", "/docs", "/docs/index.html"]),
        ("/docs/index.html.md", ["/docs/", "/docs/index.html"]),
        ("/index.md", ["/", "/index.html"]),
        ("/docs/a", []),
        ("", []),
    ],
)
def test_page_urls(path, pages):
    assert page_urls(SITE + path) == tuple(SITE + page for page in pages)


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ('<a.md>; rel="alternate"; type="text/markdown"', f"{SITE}/docs/a.md"),
        (
            '</feed>; rel=alternate; type="application/rss+xml", </a.md>; rel=alternate; type=text/markdown',
            f"{SITE}/a.md",
        ),
        ("</a.md>; rel=next; type=text/markdown", ""),
        ("", ""),
    ],
)
def test_declared_markdown(link, url):
    assert declared_markdown({"Link": link}, f"{SITE}/docs/a") == url


@given(
    st.sampled_from(["/docs/a", "/docs/a/", "/docs/a.html", "/docs/", "/", "/x/index.html"]),
    st.sampled_from(MarkdownPattern),
)
def test_a_page_is_among_those_of_its_markdown(path, pattern):
    found = markdown_url(SITE + path, pattern)
    if not found:
        return
    assert SITE + path in page_urls(found)


@given(st.text())
def test_total(url):
    assert all(isinstance(markdown_url(url, pattern), str) for pattern in MarkdownPattern)
    assert isinstance(page_urls(url), tuple)
