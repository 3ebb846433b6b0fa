"""Inline Markdown: escape only what would change the meaning, and emphasis only where it parses again."""

from __future__ import annotations

import re
import unicodedata

# Marks that stand for delimiters until their neighbours are known. No page can hold these
# characters, since the parser drops them.
STRONG, STRONG_END = "\x11", "\x12"
EM, EM_END = "\x13", "\x14"
DEL, DEL_END = "\x15", "\x16"
STAR = "\x17"
BREAK = "\n"

_DELIMITERS = {STRONG: "**", STRONG_END: "**", EM: "*", EM_END: "*", DEL: "~~", DEL_END: "~~"}
_PAIRS = {STRONG_END: STRONG, EM_END: EM, DEL_END: DEL}
_MARKS = re.compile("[\x11-\x16]")
_SPACE = re.compile(r"[ \t\r\n\f\xa0]+")
_SPECIAL = re.compile(
    r"""\\(?=[!-/:-@\[-`{-~]|$)     # a backslash that would escape
      | `
      | \*
      | <(?=[A-Za-z/!?])             # a tag or an autolink, not "a < b"
      | &(?=\#?\w{1,31};)            # an entity
      | ~~
      | \](?=[(\[])                  # the end of a link's text
      | \[(?=\^[^\s\]]{1,40}\])       # a note's mark
      | (?<![^\W_])_+(?=[^\s_])      # an underscore that opens, not one inside an identifier
    """,
    re.VERBOSE,
)
_CLOSING = re.compile(r"[^\s_]_+(?![^\W_])")
# An opening underscore this far from the next closing one opens nothing that anyone wrote.
EMPHASIS_REACH = 2000
_LINE_START = re.compile(
    r"""(?P<hash>\#{1,6})(?=\s|$)
      | (?P<mark>[>+-])(?=\s|$)|(?P<quote>>)
      | (?P<number>\d{1,9})(?P<dot>[.)])(?=\s|$)
      | (?P<rule>[|:=-])(?=[|:=\-\s]*$)
      | (?P<line>_)(?=(?:\s*_){2,}\s*$)
      | (?P<definition>\[)(?=[^\]^\n][^\]\n]{0,200}\]:)
    """,
    re.VERBOSE,
)
_OPEN_SPACE = re.compile("([\x11\x13\x15]+)([ \n]+)")
_CLOSE_SPACE = re.compile("([ \n]+)([\x12\x14\x16]+)")
_EMPTY_PAIR = re.compile("\x11\x12|\x13\x14|\x15\x16")
_JOINED = re.compile("\x12( ?)\x11|\x14( ?)\x13|\x16( ?)\x15")
_SPACES = re.compile(r" {2,}")
_TARGET = re.compile(r"\]\((?:[^\s()]|\([^\s()]*\))*\)")
_AROUND_BREAK = re.compile(r" *\n *")


def escape(text: str) -> str:
    r"""Return running text with white space folded and backslashes where Markdown needs them.

    >>> escape("a_b and _c_ < d <e> 2*3")
    'a_b and \\_c_ < d \\<e> 2\x173'
    """
    text = _SPACE.sub(" ", text)
    return _SPECIAL.sub(lambda match: _escaped(match, text), text)


def _escaped(match: re.Match[str], text: str) -> str:
    found = match.group()
    if found == "*":
        start, end = match.span()
        spaced = (start == 0 or text[start - 1] == " ") and text[end : end + 1] == " "
        return "*" if spaced else STAR
    if found[0] == "_":
        closes = _CLOSING.search(text, match.end(), match.end() + EMPHASIS_REACH)
        return "\\_" * len(found) if closes else found
    return "\\" + found


def finish(text: str, *, emphasis: bool = True) -> str:
    """Return the inline content of one block: marks resolved, spaces folded, breaks as line ends.

    A line end in the result is a hard break; two of them separate paragraphs.
    """
    text = _AROUND_BREAK.sub("\n", _SPACES.sub(" ", text))
    if not emphasis:
        text = _MARKS.sub("", text)
    elif _MARKS.search(text):
        text = _resolve(_tidy(text))
    if STAR in text:
        lone = text.count(STAR) == 1 and "*" not in _TARGET.sub("", text)
        text = text.replace(STAR, "*" if lone else "\\*")
    return _AROUND_BREAK.sub("\n", _SPACES.sub(" ", text)).strip()


def _tidy(text: str) -> str:
    """Move spaces out of marks, join neighbours of one kind, drop pairs around nothing."""
    for _ in range(3):
        before = text
        text = _OPEN_SPACE.sub(r"\2\1", text)
        text = _CLOSE_SPACE.sub(r"\2\1", text)
        text = _EMPTY_PAIR.sub("", text)
        text = _JOINED.sub(lambda match: next((g for g in match.groups() if g is not None), ""), text)
        if text == before:
            break
    return text


def _resolve(text: str) -> str:
    """Put delimiters for marks whose pair can open and close where it stands; drop the others."""
    out = list(text)
    opened: list[int] = []
    for position, char in enumerate(text):
        if char not in _DELIMITERS:
            if char == BREAK and text[position + 1 : position + 2] == BREAK:
                opened = _drop(out, opened)
            continue
        if char not in _PAIRS:
            if char in (text[at] for at in opened):
                out[position] = ""  # strong inside strong says nothing
                opened.append(-position)
            else:
                opened.append(position)
            continue
        out[position] = ""
        if not opened:
            continue
        start = opened.pop()
        if start >= 0 and text[start] == _PAIRS[char]:
            fits = _can_open(text, start) and _can_close(text, position)
            out[start] = out[position] = _DELIMITERS[char] if fits else ""
    _drop(out, opened)
    return "".join(out)


def _drop(out: list[str], opened: list[int]) -> list[int]:
    for at in opened:
        out[abs(at)] = ""
    return []


def _can_open(text: str, at: int) -> bool:
    before, after = _neighbour(text, at, -1), _neighbour(text, at, 1)
    return bool(after.strip()) and (not _is_punctuation(after) or not before.strip() or _is_punctuation(before))


def _can_close(text: str, at: int) -> bool:
    before, after = _neighbour(text, at, -1), _neighbour(text, at, 1)
    return bool(before.strip()) and (not _is_punctuation(before) or not after.strip() or _is_punctuation(after))


def _neighbour(text: str, at: int, step: int) -> str:
    at += step
    while 0 <= at < len(text) and text[at] in _DELIMITERS:
        at += step
    return text[at] if 0 <= at < len(text) else ""


def _is_punctuation(char: str) -> bool:
    return char == STAR or unicodedata.category(char)[0] in "PS"


def escape_line_starts(text: str) -> str:
    r"""Return a paragraph's text with a backslash before line starts that would begin another block.

    >>> escape_line_starts("1. May was warm")
    '1\\. May was warm'
    """
    return "\n".join(_escape_line_start(line) for line in text.split("\n"))


def _escape_line_start(line: str) -> str:
    match = _LINE_START.match(line)
    if not match:
        if line[:2] == "* " or line == "*":
            return "\\" + line
        return line
    if match.group("number"):
        return match.group("number") + "\\" + line[match.start("dot") :]
    return "\\" + line


def code_span(text: str) -> str:
    """Return inline code, fenced by as many backticks as its text needs."""
    text = _SPACE.sub(" ", text)
    inner = text.strip()
    if not inner:
        return text and " "
    longest = max((len(run) for run in re.findall("`+", inner)), default=0)
    fence = "`" * (longest + 1) if longest else "`"
    pad = " " if inner[0] == "`" or inner[-1] == "`" else ""
    lead, trail = " " * (text[0] == " "), " " * (text[-1] == " ")
    return f"{lead}{fence}{pad}{inner}{pad}{fence}{trail}"
