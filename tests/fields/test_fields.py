"""Fields: defined or refused by name, found in markup, data and text, typed or named as what is wrong."""

from __future__ import annotations

import pytest

from mdcrawl.fields.definition import FieldsError, parse_fields
from mdcrawl.fields.find import FieldPage, find_fields
from mdcrawl.fields.model import validate

HTML = """<html><head><title>Post 2</title>
<script type="application/ld+json">{"@graph": [{"@type": "Product", "name": "Post 2", "offers": [{"price": "49.50"}]},
{"@type": "Organization", "name": "Marl"}]}</script>
<script>window.__STATE__ = {"stock": {"count": 7, "sold": false}, "text": "TEXT"};</script></head>
<body><main><h1> Post
2</h1><p class=price>1.299,50 €</p><p>Call +44 20 7946 0958 or write to help@marl.example, since 2024-05-03.</p>
<table><tr><th>Depth</th><td>12 cm</td></tr><tr><th>Weight</th><td>about</td></tr></table>
<a class=more href="/posts">All</a></main></body></html>""".replace("TEXT", "It measures what a bed holds. " * 9)
PAGE = FieldPage(
    HTML,
    "Call +44 20 7946 0958 or write to help@marl.example, since 2024-05-03. 12 €; see https://m.example/x?y=1.",
    "https://m.example/p",
)


def found(**fields: object):
    definitions = parse_fields(fields)
    return validate(definitions, find_fields(PAGE, definitions))


@pytest.mark.parametrize(
    ("definition", "value"),
    [
        pytest.param({"css": "h1"}, "Post 2", id="css, text of the element"),
        pytest.param({"css": "a.more::attr(href)"}, "/posts", id="css, attribute"),
        pytest.param({"xpath": "//a[@class='more']/@href"}, "/posts", id="xpath"),
        pytest.param({"css": "p", "many": True}, 2, id="many"),
        pytest.param({"css": ".price", "type": "float"}, 1299.5, id="number with a comma"),
        pytest.param({"jmespath": "[?\"@type\"=='Product'].name | [0]"}, "Post 2", id="JSON-LD, in a graph"),
        pytest.param({"jmespath": "[].offers[].price | [0]", "type": "float"}, 49.5, id="JSON-LD, typed"),
        pytest.param({"jmespath": "[].stock.count | [0]", "from": "state", "type": "int"}, 7, id="embedded state"),
        pytest.param(
            {"jmespath": "[].stock.sold | [0]", "from": "state", "type": "bool"}, False, id="false is a value"
        ),
        pytest.param(
            {"jmespath": "[].stock.[count, [count]]", "from": "state", "many": True, "type": "int"},
            2,
            id="lists in lists",
        ),
        pytest.param({"regex": "url"}, "https://m.example/x?y=1", id="ready pattern: URL"),
        pytest.param({"regex": "email"}, "help@marl.example", id="ready pattern: e-mail"),
        pytest.param({"regex": "phone"}, "+44 20 7946 0958", id="ready pattern: phone"),
        pytest.param({"regex": "date", "type": "date"}, "2024-05-03", id="ready pattern: date"),
        pytest.param({"regex": "price", "type": "int"}, 12, id="ready pattern: price"),
        pytest.param({"css": "h1", "regex": r"Post (\d+)", "type": "int"}, 2, id="regex in what css found"),
    ],
)
def test_value(definition, value):
    fields = found(field=definition)
    got = fields.values["field"]
    assert (len(got) if definition.get("many") else got) == value
    assert fields.problems == ()


def test_records():
    rows = {"css": "tr", "many": True, "fields": {"name": {"css": "th"}, "value": {"css": "td", "type": "str"}}}
    fields = found(specs=rows)
    assert fields.values["specs"] == [{"name": "Depth", "value": "12 cm"}, {"name": "Weight", "value": "about"}]


def test_missing_and_failing_fields_are_named_and_never_stored():
    rows = {"css": "tr", "many": True, "fields": {"name": {"css": "th"}, "value": {"css": "td", "type": "int"}}}
    fields = found(
        title={"css": "h1"},
        author={"css": ".author"},
        editor={"css": ".editor", "required": False},
        weight={"css": "h1", "type": "date"},
        specs=rows,
    )
    kept = [{"name": "Depth", "value": 12}, {"name": "Weight", "value": None}]
    assert fields.values == {"title": "Post 2", "author": None, "editor": None, "weight": None, "specs": kept}
    author, weight, specs = fields.problems
    assert author == "author: missing"
    assert weight.startswith("weight: Input should be a valid date")
    assert specs.startswith("specs.1.value: Input should be a valid integer")


def test_entry_that_fails_is_left_out_of_its_list():
    fields = found(
        cells={"css": "td, th", "many": True, "type": "int"}, none={"css": ".more", "many": True, "type": "int"}
    )
    assert fields.values == {"cells": [12], "none": None}
    assert [problem.partition(":")[0] for problem in fields.problems] == ["cells.0", "none.0"]


def test_what_a_record_lacks_is_named():
    inner = {"name": {"css": "th"}, "unit": {"css": "td", "regex": "cm"}, "note": {"css": "i", "required": False}}
    fields = found(specs={"css": "tr", "many": True, "fields": inner})
    assert fields.problems == ("specs.1.unit: missing",)
    assert [record["unit"] for record in fields.values["specs"]] == ["cm", None]


def test_function_that_only_this_page_comes_to():
    assert found(a={"xpath": "//tr[nothing(th)]"}).problems == ("a: missing",)


def test_page_that_is_markdown_has_its_text_only():
    definitions = parse_fields({"mail": {"regex": "email"}, "title": {"css": "h1"}})
    fields = validate(
        definitions, find_fields(FieldPage("", "Write to me@a.example.", "https://a.example/"), definitions)
    )
    assert fields.values == {"mail": "me@a.example", "title": None}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param([], "fields: not a mapping", id="no mapping"),
        pytest.param({"a b": {"css": "p"}}, "a b: no name", id="name"),
        pytest.param({"url": {"css": "p"}}, "url: no name", id="reserved name"),
        pytest.param({"a": "h1"}, "a: not a definition", id="text for a definition"),
        pytest.param({"a": {"csss": "p"}}, "a: 'csss' is none of", id="unknown key"),
        pytest.param({"a": {"type": "int"}}, "a: give one of", id="nowhere"),
        pytest.param({"a": {"css": "p", "xpath": "//p"}}, "a: give one of", id="two places"),
        pytest.param({"a": {"css": "p["}}, "a: css: cannot be read", id="bad css"),
        pytest.param({"a": {"xpath": "//["}}, "a: xpath: cannot be read", id="bad xpath"),
        pytest.param({"a": {"jmespath": "[?"}}, "a: jmespath: cannot be read", id="bad jmespath"),
        pytest.param({"a": {"css": "p:nth-foo(1)"}}, "a: css: cannot be read", id="unknown pseudo-class"),
        pytest.param({"a": {"xpath": "nothing(//p)"}}, "a: xpath: cannot be read", id="unknown function of XPath"),
        pytest.param(
            {"a": {"jmespath": "[?nothing(@)]"}},
            "a: jmespath: cannot be read: '[?nothing(@)]' (unknown",
            id="unknown function of JMESPath",
        ),
        pytest.param({"a": {"regex": "("}}, "a: regex: cannot be read", id="bad regex"),
        pytest.param({"a": {"css": "p", "type": "money"}}, "a: type: 'money' is none of", id="type"),
        pytest.param({"a": {"css": "p", "many": "yes"}}, "a: many: 'yes' is neither", id="switch"),
        pytest.param({"a": {"css": "p", "fields": {"b": {"csss": "i"}}}}, "a.b: 'csss'", id="inside a record"),
        pytest.param({"a": {"regex": "x", "fields": {"b": {"css": "i"}}}}, "a: a record", id="record in text"),
    ],
)
def test_mistake_is_named(given, said):
    with pytest.raises(FieldsError) as raised:
        parse_fields(given)
    assert str(raised.value).startswith(said)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("digits", [pytest.param(20, id="more than 63 bits"), pytest.param(30, id="more than 64")])
def test_number_that_no_column_holds_is_named(digits):
    fields = validate(parse_fields({"n": {"css": "p", "type": "int"}}), {"n": "9" * digits})
    assert fields.values == {"n": None}
    assert fields.problems[0].startswith("n: ")


def test_half_a_character_is_no_text():
    """JSON-LD cut off within an emoji holds such halves."""
    definitions = parse_fields({"names": {"jmespath": "[].name", "many": True}, "data": {"css": "p"}})
    fields = validate(definitions, {"names": ["half \ud83d", "\ud83d\ude00"], "data": "\udfff"})
    assert fields.values == {"names": ["half \ufffd", "\U0001f600"], "data": "\ufffd"}
