"""The line above a chunk that says where in the page it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdcrawl.chunking.fill import fitting_end
from mdcrawl.chunking.tokens import count_tokens

SEPARATOR = " > "
_ELLIPSIS = "…"
# A line that starts so would open a fence or HTML that swallows the chunk.
_OPENS_BLOCK = re.compile(r"`{3}|~{3}|<(?:script|pre|style|textarea|!|\?)", re.IGNORECASE)


def section_name(path: Sequence[str]) -> str:
    """Return a heading path as one line.

    >>> section_name(["Doors", "Hinges"])
    'Doors > Hinges'
    """
    return SEPARATOR.join(path)


def breadcrumb(path: Sequence[str], max_tokens: int) -> str:
    """Return the heading path as a line of at most `max_tokens` tokens, "" if there is no room for one.

    Where it is too long, the middle of the path goes first, then the end of its last heading.
    """
    line = _escaped(section_name(path))
    # A token has at least one byte, so a short line need not be counted.
    if not line or len(line.encode()) <= max_tokens or count_tokens(line) <= max_tokens:
        return line
    short = _escaped(section_name((path[0], _ELLIPSIS, path[-1]) if len(path) > 2 else path[-1:]))
    if count_tokens(short) <= max_tokens:
        return short
    last = _escaped(path[-1])
    if max_tokens < 3:
        return ""
    return last[: fitting_end(last, 0, max_tokens - 2)].rstrip() + _ELLIPSIS


def _escaped(line: str) -> str:
    return "\\" + line if _OPENS_BLOCK.match(line) else line
