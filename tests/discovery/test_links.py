"""Links of Markdown pages and Link headers, and what can be a page by its URL."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.links import HeaderLink, header_links, is_page_link, markdown_links
from mdcrawl.items import Link

BASE = "https://example.com/docs/page.md"

MARKDOWN = {
    "inline": ("See [the hinge](hinge.md).", ["https://example.com/docs/hinge.md"]),
    "with title": ('[a](/a "the title")', ["https://example.com/a"]),
    "in angle brackets": ("[a](</two words>)", ["https://example.com/two%20words"]),
    "parentheses": ("[a](/a_(b))", ["https://example.com/a_(b)"]),
    "automatic": ("<https://other.example/x>", ["https://other.example/x"]),
    "reference": ("[a][one]\n\n[one]: /a", ["https://example.com/a"]),
    "reference without use": ("text\n\n[one]: /a 'title'", ["https://example.com/a"]),
    "in a heading, a list and a quote": (
        "# [a](/a)\n- [b](/b)\n\n> [c](/c)",
        [f"https://example.com/{x}" for x in "abc"],
    ),
    "in a table": ("| x |\n|---|\n| [a](/a) |", ["https://example.com/a"]),
    "around a picture": ("[![pic](/p.png)](/a)", ["https://example.com/a"]),
    "each once": ("[a](/a) [b](/a) <https://example.com/a>", ["https://example.com/a"]),
    "fragment stays": ("[a](/a#b)", ["https://example.com/a#b"]),
    "same page": ("[a](#b)", []),
    "picture": ("![a](/a.png)", []),
    "inline code": ("`[a](/a)`", []),
    "fence": ("```\n[a](/a)\n```", []),
    "indented code": ("    [a](/a)", []),
    "escaped": (r"\[a](/a)", []),
    "bare": ("https://example.com/a", []),
    "html": ("<p><a class='x' href='/a'>a</a></p>", ["https://example.com/a"]),
    "html within a line": ('text <a href="/a?x=1&amp;y=2">a</a>', ["https://example.com/a?x=1&y=2"]),
    "component": ('<Card title="A" href="/a">\n  text\n</Card>', ["https://example.com/a"]),
    "component with to": ("<Link to='/a'/>", ["https://example.com/a"]),
    "html in code": ("`<a href='/a'>`", []),
    "other schemes are for the filter": ("[a](mailto:a@example.com)", ["mailto:a@example.com"]),
    "empty": ("", []),
}


@pytest.mark.parametrize(("markdown", "urls"), MARKDOWN.values(), ids=MARKDOWN.keys())
def test_markdown_links(markdown, urls):
    assert [link.url for link in markdown_links(markdown, BASE)] == urls


def test_text_and_nofollow():
    links = markdown_links("[the *big* `hinge`](/a)\n\n<a href='/b' rel='noopener NoFollow'>b</a>", BASE)
    assert links == (
        Link("https://example.com/a", "the big hinge"),
        Link("https://example.com/b", "", nofollow=True),
    )


PAGES = {
    "https://example.com/": True,
    "HTTPS://example.com/a.html": True,
    "https://example.com/docs/node.js": True,
    "https://example.com/docs/package.json": True,
    "https://example.com/v1.2": True,
    "https://example.com/a.md": True,
    "https://example.com/download?file=a.zip": True,
    "https://example.com/a.zip": False,
    "https://example.com/a.PDF?x=1": False,
    "https://example.com/pic.png#x": False,
    "https://example.com/f.woff2": False,
    "mailto:a@example.com": False,
    "javascript:void(0)": False,
    "data:text/html,hi": False,
    "tel:+49": False,
    "ftp://example.com/a": False,
    "#top": False,
    "": False,
}


@pytest.mark.parametrize(("url", "is_page"), PAGES.items(), ids=lambda value: str(value) or "empty")
def test_is_page_link(url, is_page):
    assert is_page_link(url) is is_page


HEADERS = {
    "one": (
        "</a.md>; rel=alternate; type=text/markdown",
        [("https://example.com/a.md", ("alternate",), "text/markdown")],
    ),
    "quoted, upper case": (
        '<a.md>; REL="Alternate"; TYPE="Text/Markdown"',
        [("https://example.com/docs/a.md", ("alternate",), "text/markdown")],
    ),
    "two in one": (
        '</llms.txt>; rel="llms-txt describedby", </llms-full.txt>; rel="llms-full-txt"',
        [
            ("https://example.com/llms.txt", ("llms-txt", "describedby"), ""),
            ("https://example.com/llms-full.txt", ("llms-full-txt",), ""),
        ],
    ),
    "comma in a title": ('</a>; title="x, y"; rel=next', [("https://example.com/a", ("next",), "")]),
    "line break between headers": (
        "</a>; rel=a\n</b>; rel=b",
        [("https://example.com/a", ("a",), ""), ("https://example.com/b", ("b",), "")],
    ),
    "no relation": ("</a>", [("https://example.com/a", (), "")]),
    "language": (
        '</de/a>; rel="alternate"; hreflang=DE; type="text/html"',
        [("https://example.com/de/a", ("alternate",), "text/html", "de")],
    ),
    "broken": ("a; rel=b", []),
    "empty": ("", []),
}


@pytest.mark.parametrize(("value", "links"), HEADERS.values(), ids=HEADERS.keys())
def test_header_links(value, links):
    assert header_links(value, BASE) == tuple(HeaderLink(*link) for link in links)


def test_long_and_nested_markdown_ends_in_time():
    began = time.process_time()
    for text in (
        "[a](" * 4_000,
        "[" * 10_000,
        "<a href='" * 20_000,
        "> " * 20_000 + "x",
        "[a](/b) " * 6_000,
        "<" * 50_000,
    ):
        markdown_links(text, BASE)
        header_links(text, BASE)
    assert time.process_time() - began < 8


@given(
    st.text()
    | st.lists(st.sampled_from(["[", "]", "(", ")", "<", ">", "a href='", "\n", "`", "/x", ": ", "&#x0;", "\x00"])).map(
        "".join
    )
)
def test_total(text):
    for link in markdown_links(text, BASE):
        assert link.url
        assert isinstance(is_page_link(link.url), bool)
    header_links(text, BASE)
