"""What a chunk's Markdown holds: code, its languages, tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mdcrawl.markdown.blocks import Block, BlockKind
from mdcrawl.markdown.containers import block_tokens, close_fences

# Reading an enumeration's member costs as much as the rest of a turn of the loop below.
_PARAGRAPH, _HEADING, _CODE = BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CODE

# The language leads the info string: "python", "js{1,3}", "rust,ignore", "{.python .numberLines}",
# "{code-block} python".
_INFO = r"[ \t]*(?:\{code(?:-block|-cell)?\}[ \t]*)?[{.]*([\w+#./-]+)"
_LANGUAGE = re.compile(_INFO)
_FENCE_LANGUAGE = re.compile(rf" {{0,3}}(?:`{{3,}}|~{{3,}}){_INFO}")
# A delimiter row of a table, or a line indented enough for code after a blank one.
_MAY_HOLD = re.compile(r"\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\||\n[ \t>]*\n>? {6}|\t")
_HTML_CODE = re.compile(r"<pre\b", re.IGNORECASE)
_HTML_TABLE = re.compile(r"<table\b", re.IGNORECASE)


class Features(NamedTuple):
    """Whether there is code and a table, and the languages of fences in order of their first use."""

    has_code: bool
    code_languages: tuple[str, ...]
    has_table: bool


_NOTHING = Features(has_code=False, code_languages=(), has_table=False)


def find_features(blocks: Sequence[Block]) -> Features:
    """Return what the blocks hold, also within lists and quotes."""
    has_code = has_table = False
    languages: dict[str, None] = {}
    for kind, text, _ in blocks:
        if kind is _PARAGRAPH or kind is _HEADING:
            continue
        if kind is _CODE:
            has_code = True
            if text[3:4] != "\n" and (named := _FENCE_LANGUAGE.match(text)):
                languages[named[1].lower()] = None
        elif kind is BlockKind.TABLE:
            has_table = True
        elif kind is BlockKind.HTML:
            has_code = has_code or _HTML_CODE.search(text) is not None
            has_table = has_table or _HTML_TABLE.search(text) is not None
        elif kind is BlockKind.LIST or kind is BlockKind.QUOTE:
            for info in close_fences(text).infos if "```" in text or "~~~" in text else ():
                has_code = True
                if named := _LANGUAGE.match(info):
                    languages[named[1].lower()] = None
            if ("|" in text or "      " in text or "\t" in text) and _MAY_HOLD.search(text):
                types = {token.type for token in block_tokens(text)}
                has_code = has_code or "code_block" in types
                has_table = has_table or "table_open" in types
    return Features(has_code, tuple(languages), has_table) if has_code or has_table else _NOTHING
