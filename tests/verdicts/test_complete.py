from __future__ import annotations

import pytest

from mdcrawl.extraction.extract import extract
from mdcrawl.verdicts.complete import complete
from mdcrawl.verdicts.facts import Facts

TWO = "<p>The seal keeps the water in the housing of the pump. Grease it once a year before the winter comes.</p>"


def page(body: str, title: str = "Seal - Parts") -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


COMPLETE = {
    "two sentences below its heading": page(f"<main><h1>Seal</h1>{TWO}</main>"),
    "code": page(
        "<main><h1>Seal</h1><p>Opens the seal and waits.</p><pre><code>seal.open(1, wait=True)</code></pre></main>"
    ),
    "code without a heading": page("<p>Opens the seal with a number.</p><pre><code>seal.open(1, True)</code></pre>"),
    "table": page(
        "<main><h1>Seal</h1><table><tr><th>Size</th><th>Part</th></tr><tr><td>20 mm</td><td>A-20</td></tr>"
        "<tr><td>25 mm</td><td>A-25</td></tr></table></main>"
    ),
    "product by microdata": page(
        '<main itemscope itemtype="https://schema.org/Product"><h1>Seal</h1>'
        "<p>Rubber, 20 mm, for pumps A and B</p></main>"
    ),
    "items with text": page(
        "<main><h1>Seal</h1><ul><li>20 mm for the small pump</li><li>25 mm for the large pump</li>"
        "<li>30 mm for the old pump of the mill</li></ul></main>"
    ),
}
STUBS = {
    "one sentence": page(
        "<main><h1>Seal</h1><p>The seal keeps the water in the housing of the pump, whatever may come.</p></main>"
    ),
    "too few words": page("<main><h1>Seal</h1><p>To be written. Soon.</p></main>"),
    "no heading": page(f"<main>{TWO}</main>"),
    "heading that the title does not name": page(f"<main><h1>Welcome</h1>{TWO}</main>"),
    "no element of its own": page(f"<div><h1>Seal</h1>{TWO}</div>"),
    "breaks off": page(f"<main><h1>Seal</h1>{TWO}<p>It is made of …</p></main>"),
    "links": page(
        "<main><h1>Seal</h1><ul><li><a href=/1>20 mm for the small pump.</a></li>"
        "<li><a href=/2>25 mm for the large pump.</a></li><li><a href=/3>30 mm for the mill.</a></li></ul></main>"
    ),
    "a shell": page(f'<div id="root"></div><main><h1>Seal</h1>{TWO}</main><script src="/a.js"></script>'),
}


@pytest.mark.parametrize("html", COMPLETE.values(), ids=COMPLETE)
def test_complete(html: str) -> None:
    assert complete(Facts(extract(html), 200, "", "", {}), 80)


@pytest.mark.parametrize("html", STUBS.values(), ids=STUBS)
def test_not_complete(html: str) -> None:
    assert complete(Facts(extract(html), 200, "", "", {}), 80) == ""


def test_a_higher_floor_asks_for_more() -> None:
    facts = Facts(extract(COMPLETE["two sentences below its heading"]), 200, "", "", {})
    assert complete(facts, 80)
    assert complete(facts, 200) == ""
