from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mdcrawl.extraction import tree

DEEP = 10_000
NESTED = {
    "div": "<div>" * DEEP + "bottom" + "</div>" * DEEP,
    "list": "<ul><li>" * DEEP + "bottom",
    "quotation": "<blockquote>" * DEEP + "bottom",
    "table": "<table><tr><td>" * 3000 + "bottom",
    "unknown element": "<x-y>" * DEEP + "bottom",
    "emphasis": "<b><i>" * DEEP + "bottom",
}


@pytest.mark.parametrize("html", NESTED.values(), ids=NESTED)
def test_deep_nesting_keeps_its_text_and_is_limited(html):
    body = tree.body_of(tree.parse(html))
    assert "bottom" in tree.text_of(body)
    assert max(sum(1 for _ in e.iterancestors()) for e in body.iter()) <= 2 * tree.MAX_DEPTH + 2


@pytest.mark.parametrize(
    "html", ["", "   ", "<!-- x -->", "<frameset><frame src=a></frameset>", "\x00\ud800", "<html>"]
)
def test_a_page_of_nothing_has_a_body(html):
    assert tree.body_of(tree.parse(html)).tag == "body"


def test_xml_declaration_and_control_characters():
    page = '<?xml version="1.0" encoding="latin-1"?><html><body><p>M\x00ünz\x0b</p></body></html>'
    assert tree.text_of(tree.parse(page)) == "Münz"


def test_cut_leaves_the_first_elements():
    page = tree.parse("<body>" + "<p>x</p>" * 50)
    assert tree.cut(page, 13) == 40
    assert tree.text_of(page) == "x x x x x x x x x x x".replace(" ", "")
    assert tree.cut(page, 100) == 0


def test_remove_and_unwrap_keep_the_text_behind():
    body = tree.body_of(tree.parse("<p>a<b>b</b>c<i>d</i>e</p>"))
    tree.remove(body[0][0])
    tree.unwrap(body[0][0])
    assert tree.text_of(body) == "acde"


def test_find_by_css_takes_any_selector():
    body = tree.body_of(tree.parse("<p class=a>x</p>"))
    assert [e.text for e in tree.find_by_css(body, ".a")] == ["x"]
    assert tree.find_by_css(body, "p[") == []


@given(st.text(max_size=200))
def test_parse_is_total(html):
    assert tree.parse(html).tag == "html"


@pytest.mark.parametrize(
    ("html", "body"),
    [
        pytest.param("<title>T</title><main><p>a</p></main>", "<main><p>a</p></main>", id="main after the title"),
        pytest.param("<title>T</title><article>a</article>b<p>c", "<article>a</article>b<p>c</p>", id="text after it"),
        pytest.param(
            "<meta charset=utf-8><nav>a</nav><script>s</script><main>b</main>",
            "<nav>a</nav><script>s</script><main>b</main>",
            id="script between",
        ),
        pytest.param("<html><head><title>T</title></head><main>a</main>", "<main>a</main>", id="head is closed"),
        pytest.param("<title>T</title><link rel=x><p>a</p>", "<p>a</p>", id="head content stays"),
    ],
)
def test_body_without_its_tags(html, body):
    page = tree.parse(html)
    shown = etree.tostring(tree.body_of(page), encoding="unicode")
    assert shown == f"<body>{body}</body>"
    assert all(child.tag in {"title", "meta", "link"} for child in page.find("head"))


@pytest.mark.parametrize("reference", ["&#1;", "&#x1f", "&#xFFFE;", "&#11;", "&#12;", "&#xd800;"])
def test_characters_by_number_that_no_document_may_hold_are_left_out(reference):
    parsed = tree.parse(f"<p>a{reference} b</p><pre>c{reference} d</pre>")
    assert tree.body_of(parsed).text_content() == "a bc d"


def test_characters_by_number_stay():
    assert (
        tree.body_of(tree.parse("<p>&#65;&#x42;&#9;&#8203;&#99999999999;</p>")).text_content().startswith("AB\t\u200b")
    )


@pytest.mark.parametrize(
    ("html", "most", "text"),
    [
        pytest.param("<p> oil  <b>it</b>\n</p>", 6, "oil it", id="as_long"),
        pytest.param("<p> oil  <b>it</b>\n</p>", 5, None, id="longer"),
        pytest.param("<p>a b c d</p>", 6, None, id="many_words"),
        pytest.param("<p>a b c  </p>", 5, "a b c", id="spaces_count_nothing"),
        pytest.param("<p></p>", 5, "", id="empty"),
    ],
)
def test_short_text(html, most, text):
    assert tree.short_text(tree.body_of(tree.parse(html))[0], most) == text


def test_endless_class_attribute_keeps_its_first_names():
    body = tree.body_of(tree.parse(f"<p class='note {'x' * 100_000}'>a</p><p class='{'y ' * 100_000}'>b</p>"))
    first, second = body.iter("p")
    assert first.get("class") == "note"
    assert len(second.get("class")) < tree.LONGEST_CLASSES
