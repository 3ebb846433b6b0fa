"""Views of one pass: citations that go back byte for byte, fit HTML without its page, plain text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdcrawl.extraction.citations import Cited, restore_links, split_references
from mdcrawl.extraction.extract import ExtractionOptions, extract
from mdcrawl.extraction.options import ViewOptions, asked_views
from mdcrawl.extraction.seams import FilterPage
from mdcrawl.extraction.views import views_of_markdown
from mdcrawl.items import LinkMode, View
from mdcrawl.seams import Component

URL = "https://wall.example/guide/"
ALL = ViewOptions(tuple(View), Component("mdcrawl.filters.pruning.Pruning"))
PAGE = """<html><title>Walls</title><main><h1 id=walls>Walls</h1>
<p>See <a href="/a">the first</a>, <a href="/b?x=(1)">the <b>second</b></a> and <a href="/a">the first again</a>.</p>
<ul><li>one<br>line</li><li><a href="#walls">two</a></li></ul>
<pre><code class="language-c hl" data-x=1>int a = table[0][1];

return a;</code></pre>
<table><tr><th>Stone</th><th>kg</th></tr><tr><td><a href="/s|t">granite</a></td><td>12</td></tr></table>
<p><img src="/i.png" alt="a gate"> opens.</p></main></html>"""


def views_of(html: str, options: ViewOptions = ALL):
    views = extract(html, URL, ExtractionOptions(views=options)).views
    assert views is not None
    return views


def test_nothing_is_made_unless_asked_for():
    assert extract(PAGE, URL).views is None
    only_text = views_of(PAGE, ViewOptions((View.TEXT,)))
    assert only_text.text
    assert (only_text.fit_markdown, only_text.fit_html, only_text.citations, only_text.references) == ("", "", "", ())


def test_views_leave_the_markdown_as_it_is():
    plain, with_views = extract(PAGE, URL), extract(PAGE, URL, ExtractionOptions(views=ALL))
    assert (plain.markdown, plain.receipt, plain.anchors) == (
        with_views.markdown, with_views.receipt, with_views.anchors,
    )  # fmt: skip


def test_citations_number_each_address_once_and_avoid_what_the_page_says():
    views = views_of(PAGE)
    assert "[the first][r1]" in views.citations
    assert "[the first again][r1]" in views.citations
    assert "table[0][1];" in views.citations  # why the marks are not [1]
    assert views.references[:2] == (("r1", "https://wall.example/a"), ("r2", "https://wall.example/b?x=(1)"))
    without_code = PAGE.replace("table[0][1]", "table")
    assert "[the first][1]" in views_of(without_code).citations


def restored(html: str) -> tuple[str, str]:
    views = views_of(html, ViewOptions((View.CITATIONS,)))
    kept = extract(html, URL, ExtractionOptions(links=LinkMode.KEEP)).markdown
    return restore_links(Cited(views.citations, views.references)), kept


def test_citations_go_back_to_links():
    back, kept = restored(PAGE)
    assert back == kept
    assert back.count("](https://wall.example/") == 4


TEXT = st.text(alphabet="ab1 *_[]()|!\\`<&.é漢", min_size=1, max_size=12)
HREF = st.text(alphabet="ab1*_[]()|%?=é'#", max_size=10).map(lambda path: f"/{path}")
escape = str.maketrans({"<": "&lt;", "&": "&amp;", '"': "&quot;"})
LINKED = st.tuples(TEXT, HREF, TEXT).map(
    lambda parts: f'{parts[0].translate(escape)}<a href="{parts[1]}">{parts[2].translate(escape)}</a>'
)
BLOCK = st.tuples(st.sampled_from(["p", "li", "td", "h2", "code", "pre"]), st.lists(LINKED, min_size=1, max_size=3))


def block_html(block: tuple[str, list[str]]) -> str:
    tag, runs = block
    inner = " ".join(runs)
    around = {
        "li": "<ul><li>{}</li></ul>",
        "td": "<table><tr><th>{}</th></tr><tr><td>x</td></tr></table>",
        "code": "<p>{} <code>a[0][1] b[r1][r2]</code></p>",
        "pre": "<p>{}</p><pre>a[0][1]</pre>",
    }
    return around.get(tag, f"<{tag}>{{}}</{tag}>").format(inner)


@settings(deadline=None, max_examples=150)
@given(st.lists(BLOCK, min_size=1, max_size=4))
def test_citations_of_any_page_go_back_byte_for_byte(blocks):
    html = "<main><h1>Walls</h1>" + "".join(map(block_html, blocks)) + "</main>"
    back, kept = restored(html)
    assert back == kept


def test_references_can_be_parted_from_their_text():
    cited = Cited("See [it][1] and [that][2].", (("1", "https://a.example/"), ("2", "https://b.example/")))
    assert split_references(cited.with_references()) == cited
    assert split_references("No links.") == Cited("No links.")


def test_text_has_no_markup():
    assert views_of(PAGE).text == (
        "Walls\n\nSee the first, the second and the first again.\n\none line\n\ntwo\n\n"
        "int a = table[0][1];\n\nreturn a;\n\nStone\tkg\ngranite\t12\n\na gate opens."
    )


def test_fit_html_says_only_what_its_text_needs():
    html = views_of(PAGE).fit_html
    assert '<a href="https://wall.example/a">the first</a>' in html
    assert 'class="language-c"' in html
    assert "data-" not in html
    assert '<h1 id="walls">' in html


def test_views_of_a_page_that_is_markdown():
    markdown = "# Walls\n\nSee [the first](/a).\n\n```c\nint a;\n```\n\n| Stone | kg |\n| --- | --- |\n| granite | 12 |"
    views = views_of_markdown(markdown, URL, ALL, FilterPage("Walls"))
    assert views.text == "Walls\n\nSee the first.\n\nint a;\n\nStone\tkg\ngranite\t12"
    assert views.references == (("1", "https://wall.example/a"),)
    assert "```c\nint a;\n```" in views.fit_markdown


@pytest.mark.parametrize(
    ("views", "query", "expected"),
    [
        ((), "", ()),
        ((), "mice", (View.FIT_MARKDOWN,)),
        ((View.TEXT,), "mice", (View.TEXT, View.FIT_MARKDOWN)),
        ((View.FIT_HTML,), "mice", (View.FIT_HTML,)),
    ],
)
def test_query_asks_for_a_fit_view(views, query, expected):
    assert asked_views(views, query) == expected


def test_another_renderer_makes_the_citations_too():
    renderer = Component("mdcrawl.extraction.html_to_markdown.render")
    views = extract(PAGE, URL, ExtractionOptions(renderer=renderer, views=ALL)).views
    assert "[the first][1]" in views.citations
    assert ("1", "https://wall.example/a") in views.references
