"""JSON lines that every reader takes: UTF-8, an object a line, no NUL, no lone surrogate, no odd line end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import orjson

from mdcrawl.export.files import replacing
from mdcrawl.export.rows import JsonRow

# U+0085, U+2028 and U+2029 in UTF-8: line ends to JavaScript or to Python's splitlines().
_LINE_ENDS = ((b"\xc2\x85", b"\\u0085"), (b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029"))


def to_line(row: JsonRow) -> bytes:
    r"""Return a row as a line of JSON with its line end.

    >>> to_line({"a": "x\u2028y"})
    b'{"a":"x\\u2028y"}\n'
    """
    line = orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
    for char, escape in _LINE_ENDS:
        line = line.replace(char, escape)
    return line


def write_jsonl(path: Path, rows: Iterable[JsonRow]) -> None:
    """Write rows as JSON lines."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.writelines(map(to_line, rows))
