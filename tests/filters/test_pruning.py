"""Pruning: what repeats, loose labels and named furniture go; prose, code and a generator's container stay."""

from __future__ import annotations

import pytest
from lxml.html import fragment_fromstring

from mdcrawl.extraction.extract import ExtractionOptions, extract
from mdcrawl.extraction.seams import FilterPage
from mdcrawl.extraction.tree import text_of
from mdcrawl.extraction.views import ViewOptions
from mdcrawl.filters.pruning import Pruning
from mdcrawl.items import View
from mdcrawl.seams import Component

PROSE = "".join(
    f"<p>Stone {n} of the wall lies on stone {n + 1}, and whoever lifts it must put it back before the rain comes.</p>"
    for n in range(6)
)

BRICKS = "Brick kilns of the valley burn day and night in summer, which is why nobody mends a wall before the autumn."


def fit(fragment: str, **options: object) -> str:
    page = f"<html><title>Walls</title><body><main><h1>Walls of the north</h1>{fragment}</main></body></html>"
    component = Component.of("mdcrawl.filters.pruning.Pruning", **options)
    extraction = extract(page, options=ExtractionOptions(views=ViewOptions((View.FIT_MARKDOWN,), component)))
    assert extraction.views is not None
    return extraction.views.fit_markdown


def pruned(fragment: str) -> str:
    root = fragment_fromstring(f"<main><h1>Walls of the north</h1>{fragment}</main>")
    Pruning()(root, FilterPage())
    return text_of(root)


@pytest.mark.parametrize(
    ("fragment", "gone"),
    [
        pytest.param("<div><p>Stone 1 of the wall lies on stone 2</p></div>", "on stone 2 ", id="repeated text"),
        pytest.param("<div class=rating><p>Rated four</p></div>", "Rated four", id="label"),
        pytest.param("<div class=author-card><p>Ann Mason.</p></div>", "Ann Mason", id="short, like a sentence"),
        pytest.param(f"<div class=related><p>{BRICKS}</p></div>", "Brick", id="named as furniture"),
    ],
)
def test_goes(fragment, gone):
    text = pruned(f"{PROSE}{fragment}")
    assert gone not in text + " "
    assert text.count("lies on stone") == 6


@pytest.mark.parametrize(
    ("fragment", "kept"),
    [
        pytest.param(f"{PROSE}<pre>wall --raise 2\nwall --raise 2</pre>", "wall --raise 2\nwall --raise 2", id="code"),
        pytest.param(
            f"<table><tr><th>Stone one</th><th>Weight in kg</th></tr><tr><td>granite block</td><td>granite block</td>"
            f"</tr></table>{PROSE}",
            "| granite block | granite block |",
            id="cells",
        ),
        pytest.param(f"<h2>Mending</h2>{PROSE}", "## Mending", id="heading of what stays"),
    ],
)
def test_stays(fragment, kept):
    assert kept in fit(fragment)


def test_heading_of_nothing_goes():
    markdown = fit(f"{PROSE}<h2>Mending</h2><p>Stone 1 of the wall lies on stone 2</p>")
    assert "Mending" not in markdown


def test_container_of_a_generator_stays_as_it_is():
    page = (
        "<html><body><main><article class='theme-doc-markdown'><h1>Walls</h1><p>Price list</p><p>Price list of all</p>"
        f"{PROSE}<p>Stone 1 of the wall lies on stone 2</p></article></main></body></html>"
    )
    component = Component.of("mdcrawl.filters.pruning.Pruning")
    extraction = extract(page, options=ExtractionOptions(views=ViewOptions((View.FIT_MARKDOWN,), component)))
    assert extraction.extractor == "container"
    assert extraction.views.fit_markdown == extraction.markdown


def test_thresholds_are_options():
    fragment = f"{PROSE}<div><p>Stone 1 of the wall lies on stone 2</p></div>"
    assert fit(fragment, repeat_letters=8) != fit(fragment, repeat_letters=1000)
