from __future__ import annotations

import pytest

from mdcrawl.markdown.containers import Item, close_fences, indent, list_items, open_item, quote, unquote


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- a\n- b", ["- a", "- b"]),
        ("-   a\n\n    more\n\n-   b", ["-   a\n\n    more\n", "-   b"]),
        ("1. a\n   1. b\n2. c", ["1. a\n   1. b", "2. c"]),
        ("- a\nlazy\n- b", ["- a\nlazy", "- b"]),
        ("- a\n  ```\n  - no\n  ```\n- b", ["- a\n  ```\n  - no\n  ```", "- b"]),
    ],
    ids=["tight", "loose", "nested", "lazy line", "marker in a fence"],
)
def test_list_items(text, items):
    assert list_items(text) == items


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("- a\n  b", Item("- ", "a\nb")),
        ("10.  a\n\n     b", Item("10.  ", "a\n\nb")),
        ("-     code\n  b", Item("- ", "    code\nb")),
        ("-\n  a", Item("- ", "\na")),
        ("-\ta\n\tb", Item("-   ", "a\nb")),
        ("- a\n\tb\n  \tc", Item("- ", "a\n  b\n\tc")),
        ("- a\nlazy", Item("- ", "a\nlazy")),
    ],
    ids=["bullet", "number", "indented code", "empty first line", "tab", "tabs below", "lazy line"],
)
def test_open_item(text, item):
    assert open_item(text) == item


def test_indent_and_quote_undo_open_item_and_unquote():
    assert indent(*open_item("1. a\n\n   b")) == "1. a\n\n   b"
    assert quote(unquote("> a\n>\n> b")) == "> a\n>\n> b"


@pytest.mark.parametrize(
    ("text", "infos"),
    [
        ("- a\n  ```py\n  x\n  ```\n- ~~~sh\n  y\n  ~~~", ("py", "sh")),
        ("> ```js\n> x\n> ```", ("js",)),
        ("- a", ()),
    ],
    ids=["list", "quote", "none"],
)
def test_closed_fences_stay_as_they_are(text, infos):
    assert close_fences(text) == (text, infos)
