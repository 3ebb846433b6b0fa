"""Markdown to look at: HTML in it is text unless the converter writes it; only web addresses are links."""

from __future__ import annotations

import pytest

from mdcrawl.report.preview import markdown_html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        pytest.param("## Hinge", '<p class="h h2">Hinge</p>\n', id="heading"),
        pytest.param("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n", id="block of html"),
        pytest.param("a <img src=x onerror=y>", "<p>a &lt;img src=x onerror=y&gt;</p>\n", id="html in a line"),
        pytest.param("a<br>b H<sub>2</sub>O", "<p>a<br>b H<sub>2</sub>O</p>\n", id="the converter's own"),
        pytest.param("a <br onload=x>", "<p>a &lt;br onload=x&gt;</p>\n", id="more than the converter writes"),
        pytest.param(
            '<table>\n<tr><td colspan="2" onclick="x">a<script>b</script></td></tr>',
            '<table>\n<tr><td colspan="2">a</td></tr></table>',
            id="table that no Markdown can hold",
        ),
        pytest.param("![A <b>](https://x.org/a.png)", '<p><i class="img">image: A &lt;b&gt;</i></p>\n', id="picture"),
        pytest.param("![](data:image/png;base64,AA)", '<p><i class="img">image: no description</i></p>\n', id="data"),
        pytest.param("[a](javascript:x)", "<p>[a](javascript:x)</p>\n", id="script address"),
        pytest.param("[a](/b)", "<p><a>a</a></p>\n", id="address in the report's own folder"),
        pytest.param(
            "[a](https://x.org/?q=%22)",
            '<p><a href="https://x.org/?q=%22" rel="noopener noreferrer" target="_blank">a</a></p>\n',
            id="link",
        ),
        pytest.param("```js\n<b>\n```", '<pre><code class="language-js">&lt;b&gt;\n</code></pre>\n', id="code"),
    ],
)
def test_markdown_html(markdown, html):
    assert markdown_html(markdown) == html


def test_table_is_one():
    assert "<td>1</td>" in markdown_html("| a |\n| - |\n| 1 |")


def test_deep_nesting_is_no_trouble():
    assert "deep</p>" in markdown_html("> " * 20 + "deep")
    for depth in (28, 29, 30, 31, 58, 59, 60, 61, 2_000):
        assert "deep" in markdown_html("> " * depth + "deep")
