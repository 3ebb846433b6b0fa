from __future__ import annotations

import pytest

TABLES = {
    "header": (
        "<table><thead><tr><th>Stone</th><th>Use</th></tr></thead><tr><td>Slate</td><td>Roof</td></tr></table>",
        "| Stone | Use |\n| --- | --- |\n| Slate | Roof |",
    ),
    "no header": (
        "<table><tr><td>Slate roofs in the north</td><td>old</td></tr><tr><td>Lime</td><td>new</td></tr></table>",
        "|  |  |\n| --- | --- |\n| Slate roofs in the north | old |\n| Lime | new |",
    ),
    "words over numbers are a header": (
        "<table><tr><td>Stone</td><td>Count</td></tr><tr><td>Slate</td><td>14</td></tr></table>",
        "| Stone | Count |\n| --- | --- |\n| Slate | 14 |",
    ),
    "pipe, break and list in cells": (
        "<table><tr><th>a|b</th><th>x<br>y</th></tr><tr><td><ul><li>p</li><li>q</li></ul></td><td>z</td></tr></table>",
        "| a\\|b | x<br>y |\n| --- | --- |\n| p<br>q | z |",
    ),
    "row span is repeated, column span left empty": (
        (
            "<table><tr><th>A</th><th>B</th></tr><tr><td rowspan=2>s</td><td>1</td></tr><tr><td>2</td></tr>"
            "<tr><td colspan=2>t</td></tr></table>"
        ),
        "| A | B |\n| --- | --- |\n| s | 1 |\n| s | 2 |\n| t |  |",
    ),
    "layout is unwrapped": ("<table><tr><td><h2>Left</h2><p>Some text.</p></td></tr></table>", "## Left\n\nSome text."),
    "code in a cell is kept as HTML without handlers": (
        (
            "<table onclick='x()'><tr><th>A</th><th>B</th></tr><tr><td><pre>a\n\nb</pre></td>"
            "<td><a href='javascript:x()'>c &lt;</a></td></tr></table>"
        ),
        "<table><tr><th>A</th><th>B</th></tr>\n<tr><td><pre>a&#10;&#10;b</pre></td><td>c &lt;</td></tr>\n</table>",
    ),
    "caption": (
        "<table><caption>Stones</caption><tr><th>A</th></tr><tr><td>1</td></tr></table>",
        "Stones\n\n| A |\n| --- |\n| 1 |",
    ),
}


@pytest.mark.parametrize(("html", "expected"), TABLES.values(), ids=TABLES)
def test_table(convert, html, expected):
    assert convert(html) == expected


def test_colspan_of_a_thousand_is_bounded(convert):
    html = "<table><tr><th>A</th><th>B</th></tr><tr><td colspan=100000>x</td><td>y</td></tr></table>"
    assert max(line.count("|") for line in convert(html).splitlines()) < 80
