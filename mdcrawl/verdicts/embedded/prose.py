"""Tell whether a text found in data is really prose, or Markdown or HTML with prose in it."""

from __future__ import annotations

import re

from mdcrawl.verdicts.words import count_words

# Fewer words are a description or a label.
_MIN_WORDS = 40
# Prose of this many words has a sentence end; lists of names, settings and messages have none.
_WORDS_PER_SENTENCE = 80

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_BLOCK_TAG = re.compile(r"<(?:p|h[1-6]|ul|ol|li|div|section|article|table|pre|blockquote)\b[^<>]*>", re.IGNORECASE)
_CODE = re.compile(r"<pre\b.*?</pre>|<code\b.*?</code>|```.*?```|~~~.*?~~~|`[^`\n]+`", re.DOTALL | re.IGNORECASE)
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|[-*+] \S|\d+[.)] \S|> \S|```|\|.*\|$)|\]\(\S+\)|\*\*\S", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?:](?=[\s\"'”’)<]|$)|[。！？।؟။]|[\u0e00-\u0e7f]\s")
_PROGRAM_SIGN = re.compile(r"[{}\[\];=<>\\|$^@~]|\(\)|=>|&&")


def is_html(text: str) -> bool:
    """Return whether a text is HTML with blocks."""
    return bool(_BLOCK_TAG.search(text))


def is_markdown(text: str) -> bool:
    """Return whether a text has the marks of Markdown, at least two."""
    return not is_html(text) and len(_MARKDOWN.findall(text)) > 1


def plain(text: str) -> str:
    """Return a text without its tags and its code."""
    return _TAG.sub(" ", _CODE.sub(" ", text))


def is_prose(text: str) -> bool:
    """Return whether a text is made of sentences; not programs, JSON, style sheets, labels or identifiers."""
    said = plain(text)
    words = count_words(said)
    if words < _MIN_WORDS:
        return False
    if len(_SENTENCE_END.findall(said)) * _WORDS_PER_SENTENCE < words:
        return False
    # Markdown links and tables bring some brackets and bars; minified programs have one sign in ten.
    if len(_PROGRAM_SIGN.findall(said)) > 0.05 * len(said):
        return False
    longest = max((len(token) for token in said.split()), default=0)
    return longest < 400 or not said.isascii()
