from __future__ import annotations

import pytest

from mdcrawl.chunking.fill import Sizes
from mdcrawl.chunking.split import split_block
from mdcrawl.chunking.tokens import count_tokens
from mdcrawl.markdown.blocks import split_blocks


def pieces(markdown, room, hard=0):
    (block,) = split_blocks(markdown)
    return [piece.text for piece in split_block(block, Sizes(room, room, hard))]


def test_a_large_item_keeps_its_marker_and_its_code_whole():
    code = "```py\nprint('open')\n```"
    inside = "\n".join("  " + line for line in code.split("\n"))
    found = pieces(f"- {'Oil the hinge. ' * 12}\n\n{inside}\n- b", 30)
    assert found[0].startswith("- Oil the hinge.")
    assert [code in piece for piece in found].count(True) == 1
    assert found[-1].endswith("- b")


def test_a_quote_stays_a_quote():
    found = pieces("\n".join(f"> Sentence {number} of the quote." for number in range(20)), 30)
    assert len(found) > 3
    assert all(line.startswith("> ") for piece in found for line in piece.split("\n"))
    assert all(count_tokens(piece) <= 30 for piece in found)


def test_an_html_table_is_cut_by_rows_under_its_header():
    rows = "".join(f"<tr><td>Row {number}</td></tr>\n" for number in range(20))
    found = pieces(f"<table><thead><tr><th>Name</th></tr></thead>\n<tbody>\n{rows}</tbody></table>", 80)
    assert len(found) > 2
    assert all(piece.startswith("<table><thead><tr><th>Name</th></tr></thead>") for piece in found)
    assert all(piece.endswith("</table>") for piece in found)


def test_code_over_the_hard_limit_is_cut_at_lines_where_there_are_no_blank_ones():
    found = pieces("~~~sh\n" + "open door\n" * 40 + "~~~", 20, hard=30)
    assert all(piece.startswith("~~~sh\nopen door\n") and piece.endswith("open door\n~~~") for piece in found)
    assert all(count_tokens(piece) <= 30 for piece in found)


@pytest.mark.parametrize("depth", [5, 40, 400], ids=str)
def test_deep_nesting(depth):
    text = "".join("  " * level + "- door\n" for level in range(depth))
    assert "".join(pieces(text, 20)).count("door") == depth
