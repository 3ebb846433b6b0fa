"""Cutting running text at ends of sentences, in scripts with and without spaces."""

from __future__ import annotations

import re

_CLOSERS = r"""["'”’»)\]*_`]*"""
_WIDE_CLOSERS = r"""[」』）】》〉”’"'*_]*"""
_END = re.compile(
    # A Latin sign ends a sentence only before white space and what can start one: "e.g. this", "1.5",
    # "Node.js" and "etc., and" must not match.
    rf"[.!?…]+{_CLOSERS}(?=\s+[^\s\d\W]|\s+[\"'“‘«(\[*_`<¿¡])"
    rf"|[。！？｡]+{_WIDE_CLOSERS}"
    # Devanagari, Arabic, Urdu, Ethiopic, Burmese, Khmer, Armenian.
    r"|[।॥؟۔።။។։]+"
)
# Words before a full stop that ends no sentence, and single letters (initials).
_ABBREVIATION = re.compile(
    r"(?:\A|[\s(\[\"'“])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|[Mm]rs?|[Dd]rs?|[Pp]rof|[Ff]igs?|[Nn]os?|[Nn]r|St|Jr|Sr|"
    r"[Vv]ols?|[Ee]ds?|[Ee]q|[Ss]ec|[Cc]h|pp?|al|ca|z\.\s?B|d\.\s?h|bzw|usw|p\.\s?ej|[^\W\d_])\Z"
)
# Longer code spans and links are not looked for, which keeps the search linear.
_UNBROKEN = re.compile(r"`[^`]{1,300}`|\[[^\[\]]{1,300}\]\([^()\s]{0,500}[^()]{0,200}\)")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph; joined they are the text, byte for byte.

    White space between two sentences starts the second one; code spans and links are not cut. Text
    of a script without signs for the end (Thai) comes back whole. Raises nothing.

    >>> split_sentences("Oil it, e.g. monthly. Close the door.")
    ['Oil it, e.g. monthly.', ' Close the door.']
    """
    unbroken = iter([match.span() for match in _UNBROKEN.finditer(text)])
    start, end = next(unbroken, (len(text), len(text)))
    sentences = []
    done = 0
    for match in _END.finditer(text):
        cut = match.end()
        while end < cut:
            start, end = next(unbroken, (len(text), len(text)))
        if start < cut < end or _ends_in_abbreviation(text, match):
            continue
        sentences.append(text[done:cut])
        done = cut
    return [*sentences, text[done:]] if done < len(text) else sentences


def _ends_in_abbreviation(text: str, end: re.Match[str]) -> bool:
    return end[0][0] == "." and _ABBREVIATION.search(text[max(0, end.start() - 12) : end.start()]) is not None


# White space, then a code span, a link or anything else without white space.
_WORD = re.compile(r"\s*(?:`[^`\n]{1,100}`|\[[^\[\]]{1,100}\]\([^()\s]{0,300}\)|\S)(?:`[^`\n]{1,100}`|[^\s`])*|\s+")
# What would start another block at the start of a line, so a cut before it would change its meaning.
_BLOCK_START = re.compile(
    r"[ \t]*(?:[-+*](?=\s|\Z)|#{1,6}(?=\s|\Z)|\d{1,9}[.)](?=\s|\Z)|`{3}|~{3}|[=>|<:]|[-*_]{2}|\[[^\]]*\]:)"
)


def split_words(text: str) -> list[str]:
    """Return the words of a text, each with the white space before it; joined they are the text.

    A word that would start another kind of block stays with the one before it.

    >>> split_words("five - two = 3")
    ['five -', ' two =', ' 3']
    """
    words: list[str] = []
    for match in _WORD.finditer(text):
        if words and _BLOCK_START.match(match[0].lstrip()):
            words[-1] += match[0]
        else:
            words.append(match[0])
    return words


def as_paragraph(text: str) -> str:
    """Return the text with its first sign escaped if Markdown would take it for another block."""
    match = _BLOCK_START.match(text)
    if not match:
        return text
    sign = match.end() - 1 if match[0].strip()[:-1].isdigit() else len(match[0]) - len(match[0].lstrip())
    return f"{text[:sign]}\\{text[sign:]}"
