"""Rendered and parsed again, a prepared tree has the structure that it had: checked on generated trees."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdcrawl.extraction.prepare.blocks import normalise_blocks
from mdcrawl.extraction.prepare.tables import sort_tables
from mdcrawl.extraction.render import to_markdown
from mdcrawl.extraction.tree import body_of, parse

PARSER = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])

words = st.text(st.sampled_from("ab_*1.#->|` <&[]()~\\+=é石"), min_size=1, max_size=12).map(
    lambda text: text.replace("&", "&amp;").replace("<", "&lt;")
)
inlines = st.recursive(
    words,
    lambda inner: st.tuples(st.sampled_from(["b", "em", "code", "span", "del"]), inner).map(
        lambda pair: f"<{pair[0]}>{pair[1]}</{pair[0]}>"
    ),
    max_leaves=3,
)
run = st.lists(inlines, min_size=1, max_size=3).map(" ".join).map(lambda text: f"w{text}w")
codes = (
    st.text(st.sampled_from("ab `~\n\t#>-"), min_size=1, max_size=20)
    .filter(str.strip)
    .map(lambda text: f"<pre><code>{text.strip()}</code></pre>")
)
tables = st.lists(st.lists(run, min_size=2, max_size=2), min_size=2, max_size=3).map(
    lambda rows: (
        "<table><thead><tr>"
        + "".join(f"<th>{cell}</th>" for cell in rows[0])
        + "</tr></thead>"
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[1:])
        + "</table>"
    )
)
leaves = st.one_of(
    run.map(lambda text: f"<p>{text}</p>"),
    st.tuples(st.integers(1, 6), run).map(lambda pair: f"<h{pair[0]}>{pair[1]}</h{pair[0]}>"),
    codes,
    tables,
    st.just("<hr>"),
)


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    held = st.lists(inner, min_size=1, max_size=3).map("".join)
    items = st.lists(held, min_size=1, max_size=3).map(lambda parts: "".join(f"<li>{part}</li>" for part in parts))
    return st.one_of(
        held.map(lambda html: f"<blockquote>{html}</blockquote>"),
        held.map(lambda html: f"<div>{html}</div>"),
        items.map(lambda html: f"<ul>{html}</ul>"),
        items.map(lambda html: f"<ol>{html}</ol>"),
    )


trees = st.recursive(leaves, _containers, max_leaves=8)
_TOKENS = {
    "heading_open": "h",
    "paragraph_open": "p",
    "blockquote_open": "blockquote",
    "bullet_list_open": "ul",
    "ordered_list_open": "ol",
    "list_item_open": "li",
    "fence": "pre",
    "hr": "hr",
    "table_open": "table",
}
_CLOSED = {name.replace("_open", "_close") for name in _TOKENS if name.endswith("_open")}


def structure_of(markdown: str) -> list[tuple[str, int]]:
    """Return (kind, depth) of each block of a Markdown text in order."""
    found, depth = [], 0
    for token in PARSER.parse(markdown):
        if token.type in _TOKENS:
            found.append((_TOKENS[token.type] + (token.tag[1] if token.type == "heading_open" else ""), depth))
        depth += token.nesting if token.type in _TOKENS or token.type in _CLOSED else 0
    return found


def blocks_of(element, depth=0) -> list[tuple[str, int]]:
    """Return (kind, depth) of each block of a prepared tree in order."""
    found = []
    for child in element:
        kind = {"p": "p", "pre": "pre", "hr": "hr", "table": "table"}.get(child.tag, child.tag)
        if child.tag == "div":
            found += blocks_of(child, depth)
        elif child.tag in {"blockquote", "ul", "ol", "li"}:
            found += [(kind, depth), *blocks_of(child, depth + 1)]
        else:
            found.append((kind, depth))
    return found


@settings(max_examples=100, deadline=None)
@given(st.lists(trees, min_size=1, max_size=4).map("".join))
def test_markdown_parsed_again_has_the_structure_of_the_tree(html):
    body = body_of(parse(f"<body>{html}</body>"))
    sort_tables(body)
    normalise_blocks(body)
    expected = blocks_of(body)
    rendered = to_markdown(body)
    assert structure_of(rendered.markdown) == expected
    assert len(rendered.anchors) == sum(kind.startswith("h") and kind != "hr" for kind, _ in expected)


def test_deep_lists_keep_their_nesting():
    html = "<ul><li>a" * 15 + "</li></ul>" * 15
    body = body_of(parse(f"<body>{html}</body>"))
    normalise_blocks(body)
    assert to_markdown(body).markdown.splitlines()[-1] == " " * 28 + "- a"
