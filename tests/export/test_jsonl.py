"""JSON lines: what no reader may stumble over, for any text that a page can bring along."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.export.jsonl import to_line, write_jsonl

# Texts as the crawl database gives them back: without NUL and lone surrogates.
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("plain", b'{"text":"plain"}\n', id="plain"),
        pytest.param("Größe 寸法 🙂", '{"text":"Größe 寸法 🙂"}\n'.encode(), id="UTF-8, not escapes"),
        pytest.param("a\u2028b", b'{"text":"a\\u2028b"}\n', id="line separator"),
        pytest.param("a\u2029b", b'{"text":"a\\u2029b"}\n', id="paragraph separator"),
        pytest.param("a\\\u2028b", b'{"text":"a\\\\\\u2028b"}\n', id="separator after a backslash"),
        pytest.param("a\nb\r\tc", b'{"text":"a\\nb\\r\\tc"}\n', id="line ends and tabs"),
        pytest.param('say "x"', b'{"text":"say \\"x\\""}\n', id="quotes"),
        pytest.param("\x0b\x0c\x1c\x1d\x1e", b'{"text":"\\u000b\\f\\u001c\\u001d\\u001e"}\n', id="other separators"),
    ],
)
def test_line(text, line):
    assert to_line({"text": text}) == line


@given(st.dictionaries(TEXT, VALUE, max_size=5))
def test_any_row_comes_back_from_its_one_line(row):
    line = to_line(row)
    assert json.loads(line) == row
    assert len(line.decode().splitlines()) == 1
    assert line.endswith(b"\n")


def test_columns_keep_their_order(tmp_path):
    write_jsonl(tmp_path / "x.jsonl", iter([{"b": 1, "a": 2}, {"b": 3, "a": 4}]))
    assert (tmp_path / "x.jsonl").read_bytes() == b'{"b":1,"a":2}\n{"b":3,"a":4}\n'


def test_no_rows_are_an_empty_file(tmp_path):
    write_jsonl(tmp_path / "x.jsonl", [])
    assert (tmp_path / "x.jsonl").read_bytes() == b""


def test_failure_in_the_middle_leaves_the_old_file(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(b"old\n")

    def rows():
        yield {"a": 1}
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        write_jsonl(tmp_path / "x.jsonl", rows())
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x.jsonl", b"old\n")]
