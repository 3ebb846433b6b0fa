from __future__ import annotations

import json
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdcrawl.extraction.extract import extract
from mdcrawl.extraction.tree import parse
from mdcrawl.verdicts.embedded.find import find_embedded
from mdcrawl.verdicts.embedded.prose import is_markdown, is_prose
from mdcrawl.verdicts.embedded.rich_text import is_rich_text, to_html

SAY = "The valve opens slowly at first. Then it shuts with a click that is heard across the room. " * 3
TEXT = SAY.strip()
MARKDOWN = f"## Parts\n\n{TEXT}\n\n- one\n- two"


def shell(data: str, title: str = "Valve | Manual") -> str:
    return f'<html><head><title>{title}</title></head><body><div id="app"></div>{data}</body></html>'


def script(value: object, attributes: str = 'type="application/json"') -> str:
    return f"<script {attributes}>{json.dumps(value)}</script>"


def markdown_of(html: str) -> str:
    found = find_embedded(parse(html))
    assert found is not None
    return found.text if found.is_markdown else extract(found.text).markdown


PORTABLE = [
    {"_type": "block", "style": "h2", "children": [{"_type": "span", "text": "Parts"}]},
    {"_type": "block", "style": "normal", "children": [{"_type": "span", "text": TEXT, "marks": ["strong"]}]},
    {"_type": "block", "listItem": "bullet", "children": [{"_type": "span", "text": "one"}]},
    {"_type": "block", "listItem": "bullet", "children": [{"_type": "span", "text": "two"}]},
    {"_type": "code", "language": "python", "code": "x = 1"},
]
CONTENTFUL = {
    "nodeType": "document",
    "content": [
        {"nodeType": "heading-2", "content": [{"nodeType": "text", "value": "Parts"}]},
        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": TEXT, "marks": [{"type": "bold"}]}]},
    ],
}
PROSEMIRROR = {
    "type": "doc",
    "content": [
        {"type": "heading", "attrs": {"level": 3}, "content": [{"type": "text", "text": "Parts"}]},
        {"type": "paragraph", "content": [{"type": "text", "text": TEXT}]},
        {"type": "codeBlock", "attrs": {"language": "python"}, "content": [{"type": "text", "text": "x = 1"}]},
        {
            "type": "bulletList",
            "content": [
                {"type": "listItem", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "one"}]}]}
            ],
        },
    ],
}
MDAST = {
    "type": "root",
    "children": [
        {"type": "heading", "depth": 2, "children": [{"type": "text", "value": "Parts"}]},
        {"type": "paragraph", "children": [{"type": "text", "value": SAY}, {"type": "inlineCode", "value": "x"}]},
        {"type": "code", "lang": "python", "value": "x = 1"},
        {
            "type": "list",
            "ordered": True,
            "children": [
                {
                    "type": "listItem",
                    "children": [{"type": "paragraph", "children": [{"type": "text", "value": "one"}]}],
                }
            ],
        },
    ],
}
EDITOR = {
    "blocks": [
        {"type": "header", "data": {"text": "Parts", "level": 2}},
        {"type": "paragraph", "data": {"text": f"{TEXT} <b>Mind it.</b>"}},
        {"type": "list", "data": {"style": "ordered", "items": ["one", "two"]}},
        {"type": "code", "data": {"code": "x = 1"}},
    ]
}
FLAT = [
    ["ShallowReactive", 1],
    {"data": 2},
    {"page": 3},
    {"title": 4, "body": 5},
    "Valve",
    {"type": 6, "value": 7},
    "minimark",
    [8, 11],
    [9, 10, 12],
    "h2",
    {},
    [13, 10, 14],
    "Parts",
    "p",
    TEXT,
]
APOLLO = {"Post:1": {"title": "Valve", "content": f"<p>{TEXT}</p>"}}
ELEMENTS = [
    *("$", "article", None),
    {"children": [["$", "h2", None, {"children": "Parts"}], ["$", "p", None, {"children": [TEXT]}]]},
]
STREAM = f"2:{json.dumps(ELEMENTS)}\n"
STREAM_TEXT = f"1a:T{len(MARKDOWN.encode()):x},{MARKDOWN}3:[]\n"

CARRIED = {
    "Next.js, HTML": (
        script(
            {"props": {"pageProps": {"title": "Valve", "body": f"<h2>Parts</h2><p>{TEXT}</p>"}}},
            'id="__NEXT_DATA__" type="application/json"',
        ),
        f"# Valve\n\n## Parts\n\n{TEXT}",
    ),
    "JSON-LD, plain text": (
        script(
            {"@graph": [{"@type": "WebSite"}, {"@type": "TechArticle", "headline": "Valve", "articleBody": TEXT}]},
            'type="application/ld+json"',
        ),
        f"# Valve\n\n{TEXT}",
    ),
    "Portable Text": (
        script({"post": {"title": "Valve", "body": PORTABLE}}),
        f"# Valve\n\n## Parts\n\n**{TEXT}**\n\n- one\n- two\n\n```python\nx = 1\n```",
    ),
    "Contentful": (
        f"<script>window.__STATE__ = {json.dumps({'p': {'title': 'Valve', 'content': CONTENTFUL}})};</script>",
        f"# Valve\n\n## Parts\n\n**{TEXT}**",
    ),
    "ProseMirror": (
        script({"doc": PROSEMIRROR}),
        f"# Valve\n\n### Parts\n\n{TEXT}\n\n```python\nx = 1\n```\n\n- one",
    ),
    "mdast": (
        script({"ast": MDAST}),
        f"# Valve\n\n## Parts\n\n{SAY}`x`\n\n```python\nx = 1\n```\n\n1. one",
    ),
    "Editor.js": (
        f"<script>window.DATA = {json.dumps(EDITOR)}</script>",
        f"# Valve\n\n## Parts\n\n{TEXT} **Mind it.**\n\n1. one\n2. two\n\n```\nx = 1\n```",
    ),
    "Nuxt 3": (script(FLAT, 'id="__NUXT_DATA__" type="application/json"'), f"# Valve\n\n## Parts\n\n{TEXT}"),
    "Nuxt 2, a program": (
        (
            "<script>window.__NUXT__=(function(a){return {data:[{title:a,"
            f'body:"<h2>Parts<\\u002Fh2><p>{TEXT}<\\u002Fp>"}}]}}}}("Valve"))</script>'
        ),
        f"# Valve\n\n## Parts\n\n{TEXT}",
    ),
    "app router, elements": (
        f"<script>self.__next_f.push([1,{json.dumps(STREAM)}])</script>",
        f"# Valve\n\n## Parts\n\n{TEXT}",
    ),
    "app router, a text in two pieces": (
        (
            f"<script>self.__next_f.push([1,{json.dumps(STREAM_TEXT[:90])}])</script>"
            f"<script>self.__next_f.push([1,{json.dumps(STREAM_TEXT[90:])}])</script>"
        ),
        f"# Valve\n\n{MARKDOWN}\n",
    ),
    "JSON.parse": (
        f"<script>window.__APOLLO_STATE__=JSON.parse({json.dumps(json.dumps(APOLLO))})</script>",
        f"# Valve\n\n{TEXT}",
    ),
    "Inertia, Markdown": (
        f'<div data-page="{escape(json.dumps({"props": {"page": {"title": "Valve", "markdown": MARKDOWN}}}))}"></div>',
        f"# Valve\n\n{MARKDOWN}\n",
    ),
    "a Markdown block": (f'<script type="text/markdown"># Valve\n\n{MARKDOWN}</script>', f"# Valve\n\n{MARKDOWN}\n"),
}


@pytest.mark.parametrize(("data", "expected"), CARRIED.values(), ids=CARRIED)
def test_content_is_found_in_the_data(data: str, expected: str) -> None:
    assert markdown_of(shell(data)) == expected


NOT_CONTENT = {
    "nothing": "",
    "labels": script({f"key{i}": "Save the changes" for i in range(200)}),
    "too short": script({"body": "<p>The valve opens slowly at first.</p>"}),
    "a compiled program": script(
        {"compiledSource": '/*@jsx*/ const {Fragment, jsx: _j} = args[0]; _j("p", {a: 1});' * 9}
    ),
    "a style sheet": script({"css": ".a { color: red; margin: 0 auto; } " * 40}),
    "addresses": script({"urls": " ".join(f"https://a.example/{i}" for i in range(99))}),
    "base64": script({"body": "QUJD" * 900}),
    "broken": '<script type="application/json">{"body": "' + SAY,
    "a call with a value": '<script>window.__NUXT__=(function(a){return {data:[{t:a}]}}("valve"))</script>',
}


@pytest.mark.parametrize("data", NOT_CONTENT.values(), ids=NOT_CONTENT)
def test_what_is_no_prose_is_not_content(data: str) -> None:
    assert find_embedded(parse(shell(data))) is None


def test_the_text_that_has_the_title_of_the_page_wins_over_a_longer_one() -> None:
    posts = {
        "1": {"title": "Valve", "content": f"<p>{SAY}</p>"},
        "2": {"title": "Pump", "content": f"<p>{SAY.replace('valve', 'pump') * 2}</p>"},
    }
    assert markdown_of(shell(script(posts))) == f"# Valve\n\n{TEXT}"


def test_the_origin_is_named_for_the_reason() -> None:
    found = find_embedded(parse(shell(script({"a": {"articleBody": TEXT}}, 'type="application/ld+json"'))))
    assert found is not None
    assert (found.origin, found.words, found.title) == ("JSON-LD articleBody", 54, "Valve")


PROSE = {
    "sentences": (SAY, True),
    "HTML": (f"<p>{SAY}</p>", True),
    "with code": (f"{SAY}\n\n```\n{'{};' * 90}\n```", True),
    "Chinese": ("水泵控制器每秒读取两次压力，并保存最近的读数。重新启动会清除缓冲区。" * 3, True),
    "names without an end": ("Valve Pump Seal Ring Fuse " * 20, False),
    "a program": ("function(a){return a.b&&a.c?{d:1}:[2];}" * 40, False),
    "one long token": ("word. " * 50 + "A" * 900, False),
}


@pytest.mark.parametrize(("text", "expected"), PROSE.values(), ids=PROSE)
def test_is_prose(text: str, expected: bool) -> None:
    assert is_prose(text) is expected


def test_two_marks_make_markdown() -> None:
    assert [is_markdown(text) for text in (MARKDOWN, "plain - text", "<p>a</p>\n# b\n# c")] == [True, False, False]


def test_data_that_only_looks_like_nodes_is_no_rich_text() -> None:
    menu = [{"type": "link", "text": "Home"}, {"type": "link", "text": "Parts"}]
    assert (is_rich_text(PORTABLE), is_rich_text(menu), is_rich_text({"content": "x"})) == (True, False, False)


def test_text_in_nodes_is_escaped() -> None:
    assert to_html([{"type": "paragraph", "children": [{"text": "a < b & c"}]}], 1) == "<p>a &lt; b &amp; c</p>"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.text(max_size=20)
    | st.sampled_from(["p", "$", "paragraph", SAY]),
    lambda below: (
        st.lists(below, max_size=5)
        | st.dictionaries(
            st.sampled_from(["type", "children", "content", "text", "tag", "value", "body"]), below, max_size=4
        )
    ),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(JSON, st.sampled_from(['type="application/json"', 'id="__NUXT_DATA__" type="application/json"', ""]))
def test_find_embedded_is_total(value: object, attributes: str) -> None:
    found = find_embedded(parse(shell(script(value, attributes).replace("<p>", "&lt;p>"))))
    assert found is None or found.words >= 40
