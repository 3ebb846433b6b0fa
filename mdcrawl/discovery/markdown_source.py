"""The Markdown that a site serves, made plain: no front matter, MDX, template tags, or words to machines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from mdcrawl.discovery.components import Components
from mdcrawl.discovery.front_matter import split_front_matter
from mdcrawl.discovery.markdown_lines import Line, read_lines
from mdcrawl.discovery.sniff import Kind, sniff

_COMMENT_BEGINS = re.compile(r"`+|<!--|\{/\*")
_COMMENT_ENDS = {"<!--": "-->", "{/*": "*/}"}
_IMPORT = re.compile(r"import(?:\s+[\w*{}\s,$]+\s+from)?\s*[\"'][^\"']+[\"'];?\s*$")
_IMPORT_BEGINS = re.compile(r"import\s*(?:\w+\s*,\s*)?\{[\w\s,]*$")
_IMPORT_ENDS = re.compile(r".*\}\s*from\s*[\"'][^\"']+[\"'];?\s*$")
_BLANK = re.compile(r"\s*$")
_EXPORT = re.compile(
    r"export\s+(?:(?:const|let|var)\s+\w+\s*=|default\s+\S|(?:async\s+)?function\s+\w+\s*\(|class\s+\w+)"
)

# What site authors tell machines, in a block of quotes at the edge of a page: the middle of a page, or
# its plain text, may well be about such texts.
_AGENT_WORDS = re.compile(
    r"^#{1,6}\s*(?:agent|ai|llm|assistant)s?\s+instructions?\b"
    r"|^(?:attention |for |dear )?(?:ai agents?|agents|llms?|coding agents?|ai assistants?)\s*:"
    r"|\b(?:are|if) you(?: are|'re)? an? (?:llm\b|language model\b"
    r"|(?:ai|coding|autonomous)(?: coding)? (?:agent|assistant|model|crawler)\b"
    r"(?! (?:developer|builder|engineer|user|vendor)))"
    r"|\b(?:note|notice|instructions?|message) (?:to|for) "
    r"(?:ai|llms?|(?:ai |coding )?(?:agents?|assistants?)|language models?)\b",
    re.IGNORECASE | re.MULTILINE,
)
_INDEX_WORDS = re.compile(
    r"(?:documentation index|fetch|discover|index|pages|see)\b.{0,160}\bllms(?:-full)?\.txt"
    r"|\bllms(?:-full)?\.txt\b.{0,160}(?:index|pages|discover|documentation)"
    r"|markdown versions? of .{0,80}\b(?:append|adding|\.md)\b",
    re.IGNORECASE | re.DOTALL,
)
_SKIP_LINK = re.compile(r"\[skip to (?:main )?content\]\(#[^)\s]*\)", re.IGNORECASE)
# Banners stand above or right below the title, or close the page.
_FIRST_BLOCKS, _LAST_BLOCKS = 4, 2
# A banner in plain text is one short paragraph.
_MAX_BANNER_CHARS = 400


@dataclass(frozen=True, slots=True)
class MarkdownSource:
    """A page's own Markdown, cleaned.

    `front` holds the fields of the front matter; `removed` pairs what was taken out with how often,
    sorted: agent instructions, comment, component, export, import, index banner, part for machines,
    skip link, unresolved component (its content is only in the HTML).
    """

    markdown: str = field(repr=False)
    front: tuple[tuple[str, str], ...] = ()
    removed: tuple[tuple[str, int], ...] = ()


def is_markdown(body: bytes, content_type: str = "", url: str = "") -> bool:
    """Return whether an answer to a request for Markdown is Markdown: no HTML in disguise, no binary, not empty.

    >>> is_markdown(b"# Hinge", "text/plain"), is_markdown(b"<!doctype html><html>", "text/markdown")
    (True, False)
    """
    return sniff(body, content_type, url) in {Kind.MARKDOWN, Kind.TEXT}


def is_machine_converted(headers: Mapping[str, str]) -> bool:
    """Return whether a server made the Markdown out of its HTML on the way (Cloudflare): not proven to be whole."""
    return any(name.lower() == "x-markdown-tokens" for name in headers)


def clean_markdown(text: str) -> MarkdownSource:
    r"""Return a page's Markdown without what is not content; code stays as it is. Raises nothing.

    >>> clean_markdown("---\ntitle: Hinge\n---\nimport X from './x'\n\n<Note>\n  Oil it.\n</Note>\n").markdown
    '> **Note**\n>\n> Oil it.'
    """
    removed: Counter[str] = Counter()
    front, body = split_front_matter(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    lines = _without_modules(_without_comments(read_lines(body), removed), removed)
    blocks = _without_banners(_blocks(Components(removed).unwrap(lines)), removed)
    markdown = "\n\n".join("\n".join(line.text for line in block) for block in blocks)
    return MarkdownSource(markdown, tuple(front.items()), tuple(sorted(removed.items())))


def _without_comments(lines: list[Line], removed: Counter[str]) -> list[Line]:
    out: list[Line] = []
    prose: list[str] = []
    for line in (*lines, Line("", is_code=True)):
        if not line.is_code:
            prose.append(line.text)
            continue
        if prose:
            kept, count = _strip_comments("\n".join(prose))
            removed.update({"comment": count} if count else {})
            out.extend(map(Line, kept.split("\n")))
            prose = []
        out.append(line)
    return out[:-1]


def _strip_comments(text: str) -> tuple[str, int]:
    """Return a text without its comments of HTML and MDX, and how many there were; inline code is skipped."""
    kept: list[str] = []
    endless: set[str] = set()
    start = position = count = 0
    while found := _COMMENT_BEGINS.search(text, position):
        mark = _COMMENT_ENDS.get(found[0], found[0])
        end = -1 if mark in endless else text.find(mark, found.end())
        # Without its end it is no comment, and a run of backticks is only that.
        if end < 0:
            endless.add(mark)
        position = found.end() if end < 0 else end + len(mark)
        if end >= 0 and not found[0].startswith("`"):
            kept.append(text[start : found.start()])
            start, count = position, count + 1
    kept.append(text[start:])
    return "".join(kept), count


def _without_modules(lines: list[Line], removed: Counter[str]) -> list[Line]:
    """Return the lines without the imports and exports of MDX: at the margin, up to their end."""
    out: list[Line] = []
    ends: re.Pattern[str] | None = None
    for line in lines:
        if ends is not None:
            is_end = line.is_code or ends.match(line.text) is not None
            ends = None if is_end else ends
            if not line.is_code:
                continue
        if not line.is_code and _IMPORT.match(line.text):
            removed["import"] += 1
        elif not line.is_code and _IMPORT_BEGINS.match(line.text):
            removed["import"] += 1
            ends = _IMPORT_ENDS
        elif not line.is_code and _EXPORT.match(line.text):
            removed["export"] += 1
            ends = _BLANK
        else:
            out.append(line)
    return out


def _blocks(lines: list[Line]) -> list[list[Line]]:
    """Return the lines in blocks, cut at blank lines outside of code."""
    blocks: list[list[Line]] = [[]]
    for line in lines:
        if line.is_code or line.text.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [_tidy(block) for block in blocks if _tidy(block)]


def _tidy(block: list[Line]) -> list[Line]:
    """Return a block without empty lines of quotes at its ends, and none twice."""
    out: list[Line] = []
    for line in block:
        is_empty_quote = not line.is_code and set(line.text) <= {">", " "}
        if not (is_empty_quote and (not out or out[-1].text.rstrip() == line.text.rstrip())):
            out.append(line)
    while out and not out[-1].is_code and set(out[-1].text) <= {">", " "}:
        out.pop()
    return out


def _without_banners(blocks: list[list[Line]], removed: Counter[str]) -> list[list[Line]]:
    kept = []
    for position, block in enumerate(blocks):
        at_edge = position < _FIRST_BLOCKS or position >= len(blocks) - _LAST_BLOCKS
        kind = _banner(block) if at_edge and not block[0].is_code else ""
        if kind:
            removed[kind] += 1
        else:
            kept.append(block)
    return kept


def _banner(block: list[Line]) -> str:
    """Return what kind of words to machines a block is, "" for content."""
    text = "\n".join(line.text.lstrip("> ") for line in block)
    if _SKIP_LINK.fullmatch(text):
        return "skip link"
    is_quote = all(line.text.startswith(">") for line in block)
    if is_quote and _AGENT_WORDS.search(text):
        return "agent instructions"
    if (is_quote or (len(text) <= _MAX_BANNER_CHARS and not text.startswith("#"))) and _INDEX_WORDS.search(text):
        return "index banner"
    return ""
