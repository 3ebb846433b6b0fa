"""What holds for every page: limits, order, valid fences and tables, paths, ids."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.chunking.chunk import ChunkOptions, chunk_markdown
from mdcrawl.chunking.headings import heading_text
from mdcrawl.chunking.tokens import count_tokens
from mdcrawl.markdown.blocks import BlockKind, split_blocks
from mdcrawl.markdown.containers import block_tokens

WORD = st.sampled_from(
    [
        "door",
        "hinge",
        "oil.",
        "Then",
        "it",
        "opens!",
        "Why?",
        "`code",
        "span`",
        "[link](/a)",
        "**bold**",
        "1.5",
        "e.g.",
        "队列。还有！",
        "ไทย",
        "😀",
        "-",
        "#",
        ">",
        "|",
        "/",
        "don't",
        "://x",
    ]
)
SENTENCES = st.lists(WORD, min_size=1, max_size=24).map(lambda words: "Text " + " ".join(words))
CODE_LINE = st.sampled_from(["x = 1", "# no heading", "", "  | a |", "``", "~~~"])
CODE = st.builds(
    lambda mark, lines: "\n".join([f"{mark}py", *lines, mark]),
    st.sampled_from(["```", "~~~~"]),
    st.lists(CODE_LINE, max_size=8),
)
CELL = st.sampled_from(["1", "door", "two words", "`x`", ""])
TABLE = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8).map(
    lambda rows: "| A | B |\n| --- | --- |\n" + "\n".join(f"| {a} | {b} |" for a, b in rows)
)


def nested(inner):
    def indented(text):
        return "- " + "\n".join("  " + line if line else line for line in text.split("\n"))[2:]

    items = st.lists(inner.map(indented), min_size=1, max_size=3).map("\n".join)
    quotes = inner.map(lambda text: "\n".join(f"> {line}" for line in text.split("\n")))
    return items | quotes


BLOCK = SENTENCES | CODE | TABLE | nested(SENTENCES | CODE | nested(SENTENCES | CODE))
HEADING = st.builds(
    lambda level, text: f"{'#' * level} {text}",
    st.integers(1, 4),
    st.sampled_from(["Doors", "Hinges", "`oil` *it*", "A"]),
)
PAGE = st.lists(HEADING | BLOCK, max_size=7).map("\n\n".join)
LIMITS = st.sampled_from([8, 20, 50, 300])


@given(PAGE, LIMITS, st.sampled_from([0, 5]), st.booleans())
def test_no_chunk_is_over_the_limit_unless_marked(page, max_tokens, overlap, breadcrumb):
    options = ChunkOptions(max_tokens=max_tokens, overlap=overlap, breadcrumb=breadcrumb)
    for chunk in chunk_markdown(page, title="Page", options=options):
        assert chunk.tokens == count_tokens(chunk.text)
        assert chunk.oversized == (chunk.tokens > max_tokens)
        # Only what cannot be cut is over: code, and a row of a table.
        assert not chunk.oversized or chunk.has_code or chunk.has_table or max_tokens < 50


@given(PAGE, LIMITS)
def test_every_block_comes_once_and_in_order(page, max_tokens):
    def letters(text):
        return re.sub(r"[\W_]", "", text)

    written = iter(letters("".join(chunk.text for chunk in _plain_chunks(page, max_tokens))))
    # Repeated table headers and numbers of fences are added; nothing is left out or moved.
    assert all(letter in written for letter in letters("".join(block.text for block in split_blocks(page))))


@given(PAGE)
def test_blocks_that_fit_are_whole_and_once(page):
    chunks = _plain_chunks(page, 4000)
    blocks = [block.text for block in split_blocks(page)]
    assert "\n\n".join(chunk.text for chunk in chunks) == "\n\n".join(blocks)


@given(PAGE, LIMITS)
def test_fences_and_tables_are_valid_in_every_chunk(page, max_tokens):
    fences = [token.content for token in block_tokens(page) if token.type == "fence"]
    chunks = _plain_chunks(page, max_tokens)
    found = [token.content for chunk in chunks for token in block_tokens(chunk.text) if token.type == "fence"]
    assert found == fences
    if max_tokens < 50:
        # A header over half the limit is not repeated above every row: such a table is cut as text.
        return
    rows = sum(token.type == "tr_open" for token in block_tokens(page))
    tables = sum(token.type == "table_open" for token in block_tokens(page))
    tokens = [token.type for chunk in chunks for token in block_tokens(chunk.text)]
    assert tokens.count("tr_open") - tokens.count("table_open") == rows - tables


@given(PAGE)
def test_heading_path_is_a_path_of_the_page(page):
    seen = []
    known = {()}
    for block in split_blocks(page):
        if block.kind is BlockKind.HEADING:
            seen = [entry for entry in seen if entry[0] < block.level] + [(block.level, heading_text(block))]
            known.add(tuple(text for _, text in seen))
    assert {chunk.heading_path for chunk in chunk_markdown(page)} <= known


@given(PAGE, LIMITS)
def test_ids_are_unique_and_stable(page, max_tokens):
    ids = [chunk.id for chunk in _plain_chunks(page, max_tokens)]
    assert len(set(ids)) == len(ids)
    assert ids == [chunk.id for chunk in _plain_chunks(page, max_tokens)]


@given(st.lists(st.lists(BLOCK, min_size=1, max_size=3), min_size=2, max_size=6), st.data())
def test_editing_one_section_leaves_the_ids_of_all_others(sections, data):
    edited = data.draw(st.integers(0, len(sections) - 1))

    def ids(sections):
        page = "\n\n".join("\n\n".join([f"## S{number}", *blocks]) for number, blocks in enumerate(sections))
        chunks = chunk_markdown(page, title="Page", options=ChunkOptions(max_tokens=50))
        return [chunk.id for chunk in chunks if f"S{edited}" not in chunk.heading_path]

    changed = [[*blocks, "One more."] if number == edited else blocks for number, blocks in enumerate(sections)]
    assert ids(changed) == ids(sections)


def _plain_chunks(page, max_tokens):
    return chunk_markdown(page, options=ChunkOptions(max_tokens=max_tokens, breadcrumb=False))
