"""A page as it was: its structure is there, and nothing of it can act."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import document_fromstring

from mdcrawl.report.sanitize import MAX_CHARACTERS, POLICY, harmless_page


def content(html: str) -> str:
    return harmless_page(html.encode()).partition("<body>")[2]


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        pytest.param("<p>Oil <b>it</b></p>", "<p>Oil <b>it</b></p>", id="structure stays"),
        pytest.param("<p>1 &lt; 2 &amp; 3</p>", "<p>1 &lt; 2 &amp; 3</p>", id="text stays text"),
        pytest.param("<p>a<script>alert(1)</script>b</p>", "<p>ab</p>", id="script"),
        pytest.param("<p>a<style>p{}</style>b</p>", "<p>ab</p>", id="style"),
        pytest.param('<p onclick="x()" style="x" class="c" id="i">a</p>', "<p>a</p>", id="handlers and styles"),
        pytest.param('<a href="javascript:x()">a</a>', "<a>a</a>", id="script address"),
        pytest.param('<a href="https://example.com/">a</a>', "<a>a</a>", id="any address"),
        pytest.param(
            '<p><img src="x" onerror="y" alt="A <b>">', '<p><i class="img">image: A &lt;b&gt;</i></p>', id="img"
        ),
        pytest.param("<p><custom-tag>a</custom-tag></p>", "<p>a</p>", id="unknown elements"),
        pytest.param("<p>a<svg><text>b</text></svg></p>", "<p>a</p>", id="drawing"),
        pytest.param("<p>a</p><iframe src=x>b</iframe><object>c</object>", "<p>a</p>", id="frames"),
        pytest.param("<form action=x><p>a</p><input value=b></form>", "<p>a</p>", id="form"),
        pytest.param("<p title='\"><script>'>a</p>", '<p title="&quot;&gt;&lt;script&gt;">a</p>', id="attribute value"),
        pytest.param(
            "<details><summary>s</summary>b</details>", "<details open><summary>s</summary>b</details>", id="collapsed"
        ),
        pytest.param(
            '<table><tr><td colspan="2">a</td></tr></table>',
            '<table><tr><td colspan="2">a</td></tr></table>',
            id="table",
        ),
    ],
)
def test_what_is_shown_of(html, shown):
    assert content(html) == shown


def test_document_forbids_everything():
    assert POLICY.startswith("default-src 'none'")
    assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in harmless_page(b"<p>a</p>")


def test_markdown_page_is_shown_as_its_text():
    shown = harmless_page(b"# Hinge\n\n<script>x</script>", "text/markdown; charset=utf-8")
    assert shown.endswith("<body><pre># Hinge\n\n&lt;script&gt;x&lt;/script&gt;</pre>")


def test_what_the_markdown_left_out_is_marked():
    first, last = "<p>Oil the pin of the hinge.</p>", "<p>Do so twice a year, not more.</p>"
    body = f"<nav><a>Home</a></nav>{first}<button>Copy <b>it</b></button>{last}"
    shown = harmless_page(body.encode(), markdown="Oil the pin of the hinge.\n\nDo so twice a year, not more.")
    assert shown.partition("<body>")[2] == (
        f'<nav><a><span class="out">Home</span></a></nav>{first}'
        f'<span class="gap">Copy </span><b><span class="gap">it</span></b>{last}'
    )


def test_long_page_is_cut_and_says_so():
    shown = content("<p>word</p>" * MAX_CHARACTERS)
    assert len(shown) < MAX_CHARACTERS + 200
    assert shown.endswith("The rest of the page is not shown.</b>")


def test_one_endless_text_is_cut_too():
    shown = content(f"<p title='{'t' * 10**6}'>{'word ' * 10**6}</p><p>never seen</p>")
    assert len(shown) < MAX_CHARACTERS + 1_000
    assert "never seen" not in shown


def test_deep_page_is_no_trouble():
    assert "deep" in content("<div>" * 3_000 + "deep")


def test_body_in_its_own_charset():
    assert "Grüße" in harmless_page("<p>Grüße</p>".encode("latin-1"), "text/html; charset=latin-1")


PIECES = (
    "<script>", "</script>", "<p ", "onload=x ", ">", "</", "<!--", "-->", "<svg>", "<math>", "<style>", "</style>",
    "<img src=x onerror=x>", "<a href=javascript:x>", "<template>", "<table>", "<select>", "'", '"', "text", "&lt;",
    "<noscript>", "<iframe srcdoc='<script>'>", "<xmp>", "<plaintext>", "<textarea>", "<title>", "<base href=x>",
)  # fmt: skip
MARKUP = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(MARKUP, st.sampled_from(("", "text")))
def test_no_markup_gets_an_element_or_attribute_through_that_acts(html, markdown):
    page = harmless_page(html.encode(), markdown=markdown).partition("<body>")[2]
    for element in document_fromstring(f"<div>{page}</div>").iter():
        assert element.tag not in {"script", "style", "img", "iframe", "object", "embed", "form", "link", "meta", "svg"}
        assert set(element.attrib) <= {"class", "colspan", "rowspan", "dir", "lang", "hidden", "start", "title", "open"}
