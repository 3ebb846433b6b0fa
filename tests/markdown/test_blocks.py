from __future__ import annotations

import pytest
from hypothesis import given

from mdcrawl.markdown.blocks import Block, BlockKind, count_flat_items, split_blocks
from mdcrawl.markdown.containers import block_tokens
from tests.markdown_lines import MARKDOWN

KINDS = [
    ("paragraph", "Oil the hinge.\nTwice a year.", [BlockKind.PARAGRAPH]),
    ("heading and paragraph without a blank line", "# Doors\nOil them.", [BlockKind.HEADING, BlockKind.PARAGRAPH]),
    ("paragraph then heading", "Oil them.\n# Doors", [BlockKind.PARAGRAPH, BlockKind.HEADING]),
    ("not a heading", "#doors", [BlockKind.PARAGRAPH]),
    ("seven signs are no heading", "####### doors", [BlockKind.PARAGRAPH]),
    ("setext headings", "Doors\n=====\n\nHinges\n---", [BlockKind.HEADING, BlockKind.HEADING]),
    ("rule after a blank line", "Doors\n\n---", [BlockKind.PARAGRAPH, BlockKind.RULE]),
    ("heading sign in a tilde fence", "~~~sh\n# oil\n~~~", [BlockKind.CODE]),
    ("blank lines in a fence", "```\na\n\n\nb\n```\nAfter.", [BlockKind.CODE, BlockKind.PARAGRAPH]),
    ("shorter fence inside a longer one", "````\n```\n# a\n```\n````\nAfter.", [BlockKind.CODE, BlockKind.PARAGRAPH]),
    ("other sign does not close", "```\n~~~\n# a\n```", [BlockKind.CODE]),
    ("no end of a fence with words after it", "```\n```a\n# b\n```\nAfter.", [BlockKind.CODE, BlockKind.PARAGRAPH]),
    ("longer end of a fence", "```\n# a\n  `````  \n# After", [BlockKind.CODE, BlockKind.HEADING]),
    ("fence without lines", "```\n```\n# After", [BlockKind.CODE, BlockKind.HEADING]),
    ("back quotes in the info are no fence", "``` a`b\ntext", [BlockKind.PARAGRAPH]),
    ("indented code", "    a\n\n    b\n\nText.", [BlockKind.CODE, BlockKind.PARAGRAPH]),
    ("indented line in a paragraph", "Text\n    goes on.", [BlockKind.PARAGRAPH]),
    ("loose list", "- a\n\n  more\n\n- b\n\nText.", [BlockKind.LIST, BlockKind.PARAGRAPH]),
    ("other marker starts another list", "- a\n* b", [BlockKind.LIST, BlockKind.LIST]),
    (
        "list after a list of another sign",
        "* a\n\n1. b\n\nText.",
        [BlockKind.LIST, BlockKind.LIST, BlockKind.PARAGRAPH],
    ),
    ("list over a blank line", "* a\n\n* b\n\nText.", [BlockKind.LIST, BlockKind.PARAGRAPH]),
    ("list right after a paragraph", "Oil:\n- a\n- b", [BlockKind.PARAGRAPH, BlockKind.LIST]),
    ("first item right after a paragraph", "Oil:\n1. a", [BlockKind.PARAGRAPH, BlockKind.LIST]),
    ("later number right after a paragraph", "Oil:\n2. a", [BlockKind.PARAGRAPH]),
    ("item without text right after a paragraph", "Oil:\n*\nb", [BlockKind.PARAGRAPH]),
    ("list with a fence", "1. a\n\n   ```\n   # no\n\n   x\n   ```\n2. b", [BlockKind.LIST]),
    ("list with a lazy line", "- a\nlazy\n\nText.", [BlockKind.LIST, BlockKind.PARAGRAPH]),
    ("a year with a full stop is a list", "1986. A great year.\n1986 was great.", [BlockKind.LIST]),
    ("rule of list signs", "* * *", [BlockKind.RULE]),
    ("heading in a quote", "> # Quoted\n> text\n\nAfter.", [BlockKind.QUOTE, BlockKind.PARAGRAPH]),
    ("table", "| a | b |\n|---|---|\n| 1 | 2 |\n\nText.", [BlockKind.TABLE, BlockKind.PARAGRAPH]),
    ("table without outer pipes", "a | b\n--- | ---\n1 | 2", [BlockKind.TABLE]),
    ("unequal columns are no table", "| a | b |\n|---|\n", [BlockKind.PARAGRAPH]),
    ("comment over blank lines", "<!-- a\n\n# no\n-->\nText.", [BlockKind.HTML, BlockKind.PARAGRAPH]),
    ("element until a blank line", "<div>\n# no\n\n# Yes", [BlockKind.HTML, BlockKind.HEADING]),
    ("indented element", "  <div>\n# no\n\nText.", [BlockKind.HTML, BlockKind.PARAGRAPH]),
    ("indented tag on its own", "  <x-a>\n# no\n\nText.", [BlockKind.HTML, BlockKind.PARAGRAPH]),
    ("indented inline element", "  <b>a</b> b", [BlockKind.PARAGRAPH]),
    ("inline element", "<b>a</b> b", [BlockKind.PARAGRAPH]),
    ("link reference definitions", "[a]: /a\n[b]: /b\n\nText.", [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]),
    ("nothing", " \n\t\n", []),
]


@pytest.mark.parametrize(("markdown", "kinds"), [case[1:] for case in KINDS], ids=[case[0] for case in KINDS])
def test_kinds(markdown, kinds):
    assert [block.kind for block in split_blocks(markdown)] == kinds


def test_blocks_hold_their_lines_as_written():
    assert split_blocks("##  Doors ##\n\n- a\n\n      b\n\nText  \n") == [
        Block(BlockKind.HEADING, "##  Doors ##", 2),
        Block(BlockKind.LIST, "- a\n\n      b"),
        Block(BlockKind.PARAGRAPH, "Text  "),
    ]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("```py\nx = 1", "```py\nx = 1\n```"),
        ("~~~~\nx\n~~~\n\n", "~~~~\nx\n~~~\n~~~~"),
        ("- ```\n  x\n\nAfter.", "- ```\n  x\n  ```"),
        ("> ```\n> x\n\nAfter.", "> ```\n> x\n> ```"),
        ("1. > ~~~\n   > x\n\nAfter.", "1. > ~~~\n   > x\n   > ~~~"),
        ("- a\n  - ```\n  x", "- a\n  - ```\n    ```\n  x"),
    ],
    ids=["open at the end", "shorter sign", "in a list", "in a quote", "in both", "item ends in it"],
)
def test_open_fences_are_closed(markdown, text):
    assert split_blocks(markdown)[0].text == text


# One line each; random runs of them meet every rule that starts, goes on with or ends a block.
KIND_OF_TOKEN = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "table_open": BlockKind.TABLE,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "blockquote_open": BlockKind.QUOTE,
    "html_block": BlockKind.HTML,
    "hr": BlockKind.RULE,
}


def kinds_of_lines(markdown):
    """The kind of every line that is not blank, by the full parser; no token means a definition."""
    lines = markdown.split("\n")
    kinds = [BlockKind.PARAGRAPH] * len(lines)
    for token in block_tokens(markdown):
        if not token.level and token.map and token.type in KIND_OF_TOKEN:
            kinds[slice(*token.map)] = [KIND_OF_TOKEN[token.type]] * (token.map[1] - token.map[0])
    return [(kind, line.rstrip(" \t")) for kind, line in zip(kinds, lines, strict=True) if line.strip(" \t")]


@given(MARKDOWN)
def test_kinds_are_those_of_the_full_parser(markdown):
    read = ((block.kind, line.rstrip(" \t")) for block in split_blocks(markdown) for line in block.text.split("\n"))
    # Lines that close open fences are added, so the expected lines are a subsequence.
    missing = [expected for expected in kinds_of_lines(markdown) if expected not in read]
    assert missing == []


@given(MARKDOWN)
def test_borders_are_those_of_the_full_parser(markdown):
    tokens = [
        token for token in block_tokens(markdown) if not token.level and token.map and token.type in KIND_OF_TOKEN
    ]
    lines = markdown.split("\n")
    starts = [(KIND_OF_TOKEN[token.type], lines[token.map[0]]) for token in tokens]
    read = iter([(block.kind, block.text.split("\n")[0]) for block in split_blocks(markdown)])
    assert [start for start in starts if start not in read] == []


@given(MARKDOWN)
def test_flat_items_are_those_of_the_full_parser(markdown):
    for block in split_blocks(markdown):
        if items := count_flat_items(block.text):
            types = [token.type for token in block_tokens(block.text)]
            assert types.count("list_item_open") == items
            assert types.count("paragraph_open") == items
