"""Markdown as lines that know whether they are code, fences with plain info strings."""

from __future__ import annotations

import re
from typing import NamedTuple

# A fence may stand in a quote or behind the mark of a list item.
_FENCE = re.compile(r"((?:[ \t]|>|[-*+](?= )|\d{1,3}[.)](?= ))*)(`{3,}|~{3,})(.*)$")
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9_+#.-]*")
# "{python}" and "{.python}" of notebooks, "{code-block} python" of MyST.
_BRACED = re.compile(r"\{[ \t]*\.?([A-Za-z][A-Za-z0-9_+#-]*)[^{}]*\}[ \t]*([A-Za-z][A-Za-z0-9_+#.-]*)?")
_DIRECTIVES = frozenset({"code", "code-block", "code-cell", "sourcecode", "highlight", "literalinclude"})


class Line(NamedTuple):
    """One line of Markdown; `is_code` for fences and what is between them."""

    text: str
    is_code: bool = False


def read_lines(markdown: str) -> list[Line]:
    r"""Return the lines of a Markdown text, each fence with nothing but its language.

    What stands behind the language there (file name, line numbers, theme={null}) is for a renderer.

    >>> read_lines("```python app.py theme={null}\nx = 1\n```\ny")[0]
    Line(text='```python', is_code=True)
    """
    lines: list[Line] = []
    fence, column = "", 0
    for text in markdown.split("\n"):
        found = _FENCE.match(text)
        if fence:
            lines.append(Line(text, is_code=True))
            # Its end stands no further right than three columns, and behind no mark of a list.
            is_end = found and found[2].startswith(fence) and not found[3].strip() and not found[1].strip(" \t>")
            if found and is_end and len(found[1].expandtabs(4)) <= column + 3:
                fence = ""
        # Backticks in the info string: inline code that looks like a fence (CommonMark 4.5).
        elif found and not (found[2][0] == "`" and "`" in found[3]):
            fence, column = found[2], len(found[1].expandtabs(4))
            lines.append(Line(f"{found[1]}{fence}{_language(found[3].strip())}", is_code=True))
        else:
            lines.append(Line(text))
    return lines


def _language(info: str) -> str:
    braced = _BRACED.match(info)
    if braced:
        return braced[2] or "" if braced[1].lower() in _DIRECTIVES else braced[1]
    found = _LANGUAGE.match(info)
    # "title=…" and "app.py" alone are no languages.
    return found[0] if found and info[found.end() : found.end() + 1] in {"", " ", "\t", "{", ",", ":"} else ""
