"""What stands at a seam: found by its path, made with its options, refused in one line if it does not fit."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given as any_of
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scrapy.settings import Settings

from mdcrawl import settings as project
from mdcrawl.chunking.chunk import ChunkOptions, chunk_markdown
from mdcrawl.chunking.tokenizers import Characters, Cl100k
from mdcrawl.chunking.tokens import count_tokens, counting_by
from mdcrawl.configuration import Configuration
from mdcrawl.errors import SettingError
from mdcrawl.extraction.extract import ExtractionOptions, extract
from mdcrawl.items import ImageMode, LinkMode, Verdict
from mdcrawl.pipelines.options import chunk_options, conversion_key, extraction_options
from mdcrawl.seams import Component, make
from mdcrawl.spiders.docs import DocsSpider
from mdcrawl.verdicts.judge import VerdictOptions, judge

CHARACTERS = Component.of("mdcrawl.chunking.tokenizers.Characters", per_token=4)
OURS = {"MDCRAWL_TOKENIZER": "characters", "MDCRAWL_SEAM_OPTIONS": '{"tokenizer": {"per_token": 4}}'}


def configuration(**values: object) -> Configuration:
    made = Settings()
    made.setmodule(project, priority="project")
    made.setdict(values, priority="cmdline")
    return Configuration.from_settings(made)


def test_default_has_nothing_at_any_seam():
    options = extraction_options(configuration(), DocsSpider)
    assert (options.selector, options.renderer, options.tokenizer) == (None, None, None)
    assert chunk_options(configuration()) == ChunkOptions()


def test_component_is_made_once_and_travels_as_text():
    assert make(CHARACTERS) is make(Component.of(CHARACTERS.path, per_token=4))
    assert make(CHARACTERS)("12345") == 2
    sent = pickle.dumps(extraction_options(configuration(**OURS), DocsSpider))
    assert b"per_token" in sent
    assert pickle.loads(sent).tokenizer == CHARACTERS


def test_settings_give_components_and_read_back():
    first = configuration(**OURS, MDCRAWL_VERDICT_RULES="tests.test_seams.a_rule, tests.test_seams.a_rule")
    shaping = first.shaping_settings()
    assert shaping["MDCRAWL_VERDICT_RULES"] == "tests.test_seams.a_rule,tests.test_seams.a_rule"
    again = configuration(**shaping)
    assert (again.tokenizer, again.verdict_rules) == (first.tokenizer, first.verdict_rules)


def test_what_stands_at_a_seam_names_the_conversion():
    keys = {
        conversion_key(configuration(**values), DocsSpider)
        for values in (
            {},
            OURS,
            {"MDCRAWL_TOKENIZER": "characters"},
            {"MDCRAWL_CHUNK_STRATEGY": "tests.test_seams.a_chunker"},
            {"MDCRAWL_VERDICT_RULES": "tests.test_seams.a_rule"},
            {"MDCRAWL_SELECTOR": "tests.test_seams.a_selector"},
        )
    }
    assert len(keys) == 6


def a_rule(facts):
    return (Verdict.GATED, "ours") if "secret" in facts.url else None


def a_chunker(document, options):
    yield from ()


def a_selector(body, kinds):
    return None


def takes_too_much(one, two, three, four):
    """Fit nowhere."""


@pytest.mark.parametrize(
    ("values", "said"),
    [
        pytest.param({"MDCRAWL_TOKENIZER": "gpt9"}, "MDCRAWL_TOKENIZER: 'gpt9' is none of cl100k", id="short name"),
        pytest.param({"MDCRAWL_RENDERER": "no.such.module"}, "MDCRAWL_RENDERER: cannot load no.such", id="no module"),
        pytest.param({"MDCRAWL_SELECTOR": "os.nothing"}, "MDCRAWL_SELECTOR: cannot load os.nothing", id="no such name"),
        pytest.param(
            {"MDCRAWL_SELECTOR": "tests.test_seams.takes_too_much"}, "cannot be called with (body, kinds)", id="misfit"
        ),
        pytest.param(
            {"MDCRAWL_CHUNK_STRATEGY": "tests.test_seams.CHARACTERS"},
            "cannot be called with (document, options)",
            id="not even callable",
        ),
        pytest.param(
            {"MDCRAWL_VERDICT_RULES": "tests.test_seams.a_rule,tests.test_seams.takes_too_much"},
            "MDCRAWL_VERDICT_RULES: tests.test_seams.takes_too_much cannot be called with (facts)",
            id="second of two rules",
        ),
        pytest.param(
            OURS | {"MDCRAWL_SEAM_OPTIONS": '{"tokenizer": {"size": 4}}'}, "unexpected keyword", id="unknown option"
        ),
        pytest.param(OURS | {"MDCRAWL_SEAM_OPTIONS": '{"tokenizer": {"per_token": 0}}'}, "at least 1", id="bad option"),
        pytest.param(
            {"MDCRAWL_SELECTOR": "tests.test_seams.a_selector", "MDCRAWL_SEAM_OPTIONS": '{"selector": {"a": 1}}'},
            "takes no options",
            id="options for a function",
        ),
        pytest.param({"MDCRAWL_SEAM_OPTIONS": "{"}, "MDCRAWL_SEAM_OPTIONS: not JSON", id="no JSON"),
        pytest.param({"MDCRAWL_SEAM_OPTIONS": "[]"}, "MDCRAWL_SEAM_OPTIONS: not an object", id="no object"),
        pytest.param({"MDCRAWL_SEAM_OPTIONS": '{"tokeniser": {}}'}, "'tokeniser' is none of", id="unknown seam"),
    ],
)
def test_mistake_is_one_line_that_names_the_setting(values, said):
    with pytest.raises(SettingError) as raised:
        configuration(**values)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert any(str(raised.value).startswith(name) for name in values)


def test_selector_goes_before_the_usual_choice_and_may_pass():
    page = "<main><h1>A</h1><p>usual</p></main><div id=own><p>ours</p></div>"
    css = Component.of("mdcrawl.extraction.selectors.CssSelector", css="#own")
    assert "ours" in extract(page, options=ExtractionOptions(selector=css)).markdown
    assert extract(page, options=ExtractionOptions(selector=css)).extractor == "selector"
    passing = Component("tests.test_seams.a_selector")
    assert extract(page, options=ExtractionOptions(selector=passing)) == extract(page)


def test_rule_has_the_last_word_on_its_pages_only():
    extraction = extract("<main><h1>Hinge</h1>" + "<p>Oil it every spring, or it rusts.</p>" * 20 + "</main>")
    options = VerdictOptions(rules=(Component("tests.test_seams.a_rule"),))
    judged = {
        path: judge(extraction, status=200, url=f"https://a.example/{path}", headers={}, options=options)
        for path in ("secret", "hinge")
    }
    assert judged["secret"] == (Verdict.GATED, "ours")
    assert judged["hinge"][0] is Verdict.OK


def test_html_to_markdown_keeps_what_the_receipt_counts():
    page = (
        "<main><h1 id=a>Hinge</h1><p>Oil <a href=/oil>it</a>.</p><pre><code class=language-sh>oil  --all\n\n</code>"
        "</pre><ul><li>one<ul><li>two</li></ul></li></ul><table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
        "<p><img src=/i.png alt=drop></p></main>"
    )
    renderer = Component("mdcrawl.extraction.html_to_markdown.render")
    stripped = extract(page, "https://a.example/", ExtractionOptions(renderer=renderer))
    kept = extract(
        page, "https://a.example/", ExtractionOptions(renderer=renderer, links=LinkMode.KEEP, images=ImageMode.KEEP)
    )
    assert stripped.receipt.losses == kept.receipt.losses == ()
    assert stripped.receipt.kept == extract(page, "https://a.example/").receipt.kept
    assert stripped.anchors == (("Hinge", "a"),)
    assert "Oil it." in stripped.markdown
    assert "![drop]()" in stripped.markdown
    assert "[it](https://a.example/oil)" in kept.markdown
    assert "![drop](https://a.example/i.png)" in kept.markdown


@pytest.mark.parametrize("counter", [Cl100k(), Characters(), Characters(per_token=4)], ids=["cl100k", "1", "4"])
@hypothesis_settings(deadline=None)
@any_of(text=st.text(alphabet=" \nab.d_#é漢`", max_size=80), size=st.integers(16, 40))
def test_no_chunk_goes_over_the_budget_by_any_tokenizer(counter, text, size):
    named = {Cl100k: Component("mdcrawl.chunking.tokenizers.Cl100k")}
    component = named.get(type(counter)) or Component.of(
        "mdcrawl.chunking.tokenizers.Characters", per_token=counter._per_token
    )
    chunks = chunk_markdown(f"# T\n\n{text * 4}", options=ChunkOptions(max_tokens=size, tokenizer=component))
    for chunk in chunks:
        assert chunk.tokens == counter(chunk.text)
        assert chunk.oversized == (chunk.tokens > size)
        assert not chunk.oversized or chunk.has_code or chunk.has_table, chunk.text


@pytest.mark.parametrize("strategy", ["windows", "headings"])
def test_windows_are_counted_by_the_tokenizer(strategy):
    text = "\n\n".join(f"Step {n} turns valve {n} by a quarter." for n in range(40))
    options = ChunkOptions(
        max_tokens=200,
        overlap=40,
        strategy=strategy,
        tokenizer=Component("mdcrawl.chunking.tokenizers.Characters"),
        breadcrumb=False,
    )
    chunks = chunk_markdown(text, options=options)
    assert len(chunks) >= 7
    assert all(len(chunk.text) == chunk.tokens <= 200 for chunk in chunks)
    assert all(len(chunk.text) > 150 for chunk in chunks[:-1])


def test_counting_goes_back_to_the_usual_tokenizer():
    with counting_by(CHARACTERS):
        assert count_tokens("12345678") == 2
    assert count_tokens("hello world") == 2
