"""BM25: of the ten sections of a long page the one that was asked for comes first."""

from __future__ import annotations

import pytest

from mdcrawl.extraction.extract import ExtractionOptions, extract
from mdcrawl.extraction.views import ViewOptions
from mdcrawl.filters.bm25 import rank
from mdcrawl.items import View
from mdcrawl.seams import Component

# A page of our own about keeping bees, where every section uses words of the others.
SECTIONS = {
    "Choosing a site": "Face the hives to the south-east, so that the morning sun wakes the bees. A hedge breaks the "
    "wind. Keep two metres between hives and a path, since bees that start out fly low. Water nearby saves them work.",
    "The parts of a hive": "From below: a stand, the floor with its entrance, one or two brood boxes, the queen "
    "excluder, the honey supers and the roof. Each box holds ten frames. All parts of one make fit each other.",
    "Clothing and tools": "Wear a veil and a light suit; dark wool makes bees angry. Gloves cost you the feeling in "
    "your fingers. Take the smoker, a hive tool to loosen frames that are stuck, and a soft brush.",
    "Inspecting a colony": "Open a hive on a warm day without wind, every nine days in spring. Blow a little smoke, "
    "lift the frames one by one and look for eggs. Whoever sees eggs need not find the queen.",
    "Swarming": "In May a strong colony raises queen cells and half of it leaves with the old queen. Give room in "
    "time, break the cells, or split the colony before it does so itself.",
    "Feeding": "After the harvest replace what you took: sugar and water, three to two, in a feeder under the roof. "
    "Feed in the evening, or bees of other hives come to rob. Fifteen kilograms last until April.",
    "Varroa": "The mite sucks on the brood. Count what falls on a board under the floor for three days; more than ten "
    "a day call for formic acid in August and oxalic acid in December, when there is no brood.",
    "Harvesting honey": "Honey is ripe when two thirds of the cells have their lids; else it ferments. Brush the bees "
    "off the frames, cut the lids away, spin the frames and let the honey run through two sieves.",
    "Wintering": "Narrow the entrance against mice, tilt the hive forward a little so that water runs out, and leave "
    "the colony alone. A knock on the box on a frosty day is answered by a short hum.",
    "Records and law": "Report the number of your colonies to the veterinary office within a month. Note for each hive "
    "when you opened it, what you saw and what you gave. Jars need a label with weight, name and date.",
}
QUESTIONS = {
    "Where should I put my hives?": "Choosing a site",
    "Which boxes does a hive consist of?": "The parts of a hive",
    "what to wear when working with bees, gloves or not": "Clothing and tools",
    "how often do I inspect a colony in spring": "Inspecting a colony",
    "How can I prevent swarms?": "Swarming",
    "how much sugar do I feed for the winter": "Feeding",
    "treating mites with oxalic acid": "Varroa",
    "when can honey be harvested": "Harvesting honey",
    "protect the entrance from mice": "Wintering",
    "do I have to report my colonies to an office": "Records and law",
}
PAGE = (
    "<html lang=en><title>Keeping bees</title><main><h1>Keeping bees</h1><p>All that a first year asks of you.</p>"
    + "".join(f"<h2>{heading}</h2><p>{text}</p>" for heading, text in SECTIONS.items())
    + "</main></html>"
)


def first(question: str) -> str:
    ranked = rank(question, list(SECTIONS.items()), "en")
    return list(SECTIONS)[ranked[0][0]] if ranked else ""


def test_asked_for_section_ranks_first():
    right = [question for question, heading in QUESTIONS.items() if first(question) == heading]
    assert len(right) >= 9, sorted(set(QUESTIONS) - set(right))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("", [], id="no query"),
        pytest.param("how do I", [], id="nothing but words that ask"),
        pytest.param("saxophone", [], id="no such word"),
        pytest.param('wind" OR (', [0], id="signs of the query language are none"),
        pytest.param("HARVEST", [1], id="another form of the word"),
    ],
)
def test_rank(query, expected):
    sections = [("Wind", "It blows."), ("Harvesting", "Cut it."), ("Rain", "It falls.")]
    assert [at for at, _ in rank(query, sections)] == expected


def test_scores_fall_and_words_are_compared_in_the_pages_language():
    sections = [("Batterien", "Die Batterien halten ein Jahr."), ("Uhr", "Sie geht nach."), ("Laden", "Nach der Uhr.")]
    ranked = rank("Batterie wechseln", sections, "de")
    assert [at for at, _ in ranked] == [0]
    assert all(score > 0 for _, score in ranked)


def test_script_without_spaces():
    sections = [("時計", "時計は遅れる。"), ("電池", "電池は一年もつ。"), ("水", "水が落ちる。")]
    assert rank("電池の交換", sections, "ja")[0][0] == 1


def fit(html: str, query: str, **options: object) -> str:
    component = Component.of("mdcrawl.filters.bm25.Bm25", **options)
    views = extract(html, options=ExtractionOptions(views=ViewOptions((View.FIT_MARKDOWN,), component, query))).views
    assert views is not None
    return views.fit_markdown


def test_fit_view_keeps_title_and_answer():
    markdown = fit(PAGE, "treating mites with oxalic acid")
    assert markdown.startswith("# Keeping bees\n\n## Varroa\n\nThe mite")
    assert "Swarming" not in markdown


def test_fit_view_of_a_page_that_says_nothing_on_it_is_empty():
    assert fit(PAGE, "saxophone") == ""


def test_fit_view_without_a_query_is_all():
    assert fit(PAGE, "") == extract(PAGE).markdown


def test_more_sections_stay_below_a_lower_bar():
    assert fit(PAGE, "queen cells", least=0.9).count("\n## ") < fit(PAGE, "queen cells", least=0.01).count("\n## ")
