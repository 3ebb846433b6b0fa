from __future__ import annotations

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from mdcrawl.extraction.receipt import MARKS, check, count_words
from mdcrawl.extraction.tree import body_of, parse
from mdcrawl.items import Inventory
from tests.markdown_lines import MARKDOWN

PAGE = (
    "<h1>Walls</h1><p>One two three.</p><pre><code>lay(1)\n  lay(2)</code></pre>"
    "<ul><li><p>a</p></li><li><p>b</p></li></ul>"
    "<table><tr><th>x</th></tr><tr><td>y</td></tr></table>"
)
GOOD = "# Walls\n\nOne two three.\n\n```\nlay(1)\n  lay(2)\n```\n\n- a\n- b\n\n| x |\n| --- |\n| y |"


def test_nothing_lost():
    receipt = check(body_of(parse(PAGE)), GOOD)
    assert receipt.losses == ()
    assert receipt.found == receipt.kept == Inventory(headings=1, code_blocks=1, tables=1, list_items=2, words=12)


LOSSES = {
    "code changed by a space": (GOOD.replace("  lay(2)", " lay(2)"), "1 of 1 code blocks not byte-equal"),
    "heading lost": (GOOD.replace("# Walls", "Walls"), "1 of 1 headings lost"),
    "item lost": (GOOD.replace("\n- b", ""), "1 of 2 list items lost"),
    "table lost": (GOOD.replace("| --- |\n", ""), "1 of 1 tables lost"),
    "words lost": (GOOD.replace("One two three.", "One."), "2 of 12 words lost"),
}


@pytest.mark.parametrize(("markdown", "loss"), LOSSES.values(), ids=LOSSES)
def test_a_loss_is_named(markdown, loss):
    assert loss in check(body_of(parse(PAGE)), markdown).losses


def test_tags_in_the_text_are_words():
    html = "<p>Write &lt;td class=a&gt; here and H<sub>2</sub>O.</p>"
    receipt = check(body_of(parse(html)), "Write \\<td class=a> here and H<sub>2</sub>O.")
    assert receipt.losses == ()


@pytest.mark.parametrize(("text", "words"), [("two words", 2), ("石垣です", 4), ("", 0), ("a-b c", 3)])
def test_count_words(text, words):
    assert count_words(text) == words


PARSER = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")


@given(MARKDOWN)
def test_what_is_kept_is_what_the_full_parser_finds(markdown):
    tokens = PARSER.parse(markdown)
    types = [token.type for token in tokens]
    html_tables = sum(t.type == "html_block" and t.content.lstrip().startswith("<table") for t in tokens)
    texts = [t.content if t.type == "fence" else MARKS.sub(" ", t.content) for t in tokens]
    assert check(body_of(parse("<p></p>")), markdown).kept == Inventory(
        headings=types.count("heading_open"),
        code_blocks=types.count("fence"),
        tables=types.count("table_open") + html_tables,
        list_items=types.count("list_item_open"),
        words=count_words(" ".join(texts)),
    )
