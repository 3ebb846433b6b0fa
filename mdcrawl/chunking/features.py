"""What a chunk's Markdown holds: code, its languages, tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mdcrawl.chunking.blocks import Block, BlockKind
from mdcrawl.chunking.containers import block_tokens

_FENCE_INFO = re.compile(r" {0,3}(?:`{3,}|~{3,})[ \t]*([^\n]*)")
# The language leads the info string: "python", "js{1,3}", "rust,ignore", "{.python .numberLines}",
# "{code-block} python".
_LANGUAGE = re.compile(r"(?:\{code(?:-block|-cell)?\}[ \t]*)?[{.]*([\w+#./-]+)")
_HTML_CODE = re.compile(r"<pre\b", re.IGNORECASE)
_HTML_TABLE = re.compile(r"<table\b", re.IGNORECASE)


class Features(NamedTuple):
    """Whether there is code and a table, and the languages of fences in order of their first use."""

    has_code: bool
    code_languages: tuple[str, ...]
    has_table: bool


def find_features(blocks: Sequence[Block]) -> Features:
    """Return what the blocks hold, also within lists and quotes."""
    has_code = has_table = False
    languages: dict[str, None] = {}
    for kind, text, _ in blocks:
        if kind is BlockKind.CODE:
            has_code = True
            info = _FENCE_INFO.match(text)
            _add_language(languages, info[1] if info else "")
        elif kind is BlockKind.TABLE:
            has_table = True
        elif kind is BlockKind.HTML:
            has_code = has_code or _HTML_CODE.search(text) is not None
            has_table = has_table or _HTML_TABLE.search(text) is not None
        elif kind in (BlockKind.LIST, BlockKind.QUOTE) and (
            "```" in text or "~~~" in text or "|" in text or "     " in text
        ):
            for token in block_tokens(text):
                has_code = has_code or token.type in ("fence", "code_block")
                has_table = has_table or token.type == "table_open"
                _add_language(languages, token.info if token.type == "fence" else "")
    return Features(has_code, tuple(languages), has_table)


def _add_language(languages: dict[str, None], info: str) -> None:
    found = _LANGUAGE.match(info.strip()) if info else None
    if found:
        languages[found[1].lower()] = None
