"""llms.txt by its first (2024) and second (2026-08-10) version, and the llms-full.txt that vendors add."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from mdcrawl.discovery.links import header_links
from mdcrawl.discovery.scope import start_folder
from mdcrawl.discovery.sniff import Kind, sniff
from mdcrawl.discovery.urls import join_url, site_of

_MAX_BYTES = 10 * 1024 * 1024
_MAX_ITEMS = 20_000
# A start page seven folders deep has more folders than anybody puts an llms.txt into.
_MAX_FOLDERS = 4

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)")
# [name](url) with brackets inside the name and parentheses inside the URL, one level deep.
_LINK = re.compile(
    r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(\s*<?((?:[^\s<>()]|\([^\s<>()]*\))*)>?(?:\s+[\"'][^\"']*[\"'])?\s*\)"
)
_BARE_URL = re.compile(r"<?(https?://[^\s<>]+?)>?(?=[\s:]*(?:\s|$))")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
# What generators write where they had to leave entries out.
_GAP = re.compile(
    r"\b(?:omitted|truncated|dropped|left out|not (?:listed|shown|included)|and \d+ more)\b", re.IGNORECASE
)
_FULL_SOURCE = re.compile(r"(?:source|url|page|original)\s*:\s*<?(https?://\S+?|/\S*?)>?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LlmsEntry:
    """One link of an llms.txt: absolute URL as written, name, the text after it, and its section.

    `is_optional`: it stands under "Optional", which by version 1 may be left out and by version 2
    means nothing to a machine.
    """

    url: str
    title: str
    notes: str = ""
    section: str = ""
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class LlmsTxt:
    """What an llms.txt says. `is_complete` is False where it says itself that entries were left out."""

    title: str = ""
    summary: str = ""
    entries: tuple[LlmsEntry, ...] = ()
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class FullPage:
    """One page out of an llms-full.txt. `url` is absolute, "" where the file does not say."""

    title: str
    url: str
    markdown: str = field(repr=False)


def llms_candidates(start_url: str) -> tuple[str, ...]:
    """Return the URLs where an llms.txt for a start page may be, the most specific first.

    By version 2 a file covers the pages below its folder, and the nearest counts. The last is the
    place that one vendor (Mintlify) uses beside the root.

    >>> llms_candidates("https://example.com/docs/")[:2]
    ('https://example.com/docs/llms.txt', 'https://example.com/llms.txt')
    """
    folder = start_folder(start_url).rstrip("/")
    paths: list[str] = []
    while folder and len(paths) < _MAX_FOLDERS - 1:
        paths.append(f"{folder}/llms.txt")
        folder = folder.rpartition("/")[0]
    return tuple(join_url(start_url, path) for path in (*paths, "/llms.txt", "/.well-known/llms.txt"))


def declared_llms(headers: Mapping[str, str], url: str) -> tuple[str, ...]:
    """Return where a page's headers say that the llms.txt is which covers it; header names in any case. Raises nothing.

    By version 2 that is a Link header with rel="describedby"; Mintlify has rel="llms-txt" and a header
    of its own.

    >>> declared_llms({"Link": '</docs/llms.txt>; rel="describedby"; type="text/plain"'}, "https://example.com/docs/a")
    ('https://example.com/docs/llms.txt',)
    """
    values = {name.lower(): value for name, value in headers.items()}
    links = header_links(values.get("link", ""), url)
    named = [link.url for link in links if {"describedby", "llms-txt"} & set(link.relations)]
    if values.get("x-llms-txt", "").strip():
        named.append(join_url(url, values["x-llms-txt"]))
    # "describedby" is also said of schemas and of policies.
    return tuple(dict.fromkeys(target for target in named if target.partition("?")[0].endswith("llms.txt")))


def read_llms_txt(body: bytes, url: str) -> LlmsTxt | None:
    r"""Return what an llms.txt says, None for what is none: HTML, binary, no title and no list. Raises nothing.

    Entries may lead anywhere: scope is for the caller.

    >>> read_llms_txt(b"# Pump\n\n## Guide\n- [Run](run.md): first steps\n", "https://example.com/llms.txt").entries[0]
    LlmsEntry(url='https://example.com/run.md', title='Run', notes='first steps', section='Guide', is_optional=False)
    """
    text = _text(body)
    title, section = "", ""
    summary: list[str] = []
    entries: dict[str, LlmsEntry] = {}
    is_complete, items = True, 0
    for line in _lines_outside_code(text):
        heading = _HEADING.fullmatch(line)
        item = None if heading else _ITEM.fullmatch(line)
        if heading:
            if len(heading[1]) == 1 and not title:
                title = heading[2]
            elif len(heading[1]) > 1:
                section = heading[2]
        elif item:
            entry = _entry(item[1], url, section)
            if entry:
                entries.setdefault(entry.url, entry)
            items += 1
            if items >= _MAX_ITEMS:
                break
        elif line.startswith(">") and not entries:
            summary.append(line.lstrip("> "))
        # Only a line of its own: an entry about truncated files is no gap.
        if not item and _GAP.search(line):
            is_complete = False
    if not title and not entries:
        return None
    return LlmsTxt(title, " ".join(filter(None, summary)), tuple(entries.values()), is_complete)


def read_llms_full(body: bytes, url: str) -> tuple[FullPage, ...]:
    """Return the pages of an llms-full.txt; none for HTML, binary, or text that is not cut into pages. Raises nothing.

    Two habits are known: a title of level one with a line "Source: URL" (or "URL: …") below it, and
    front matter with the URL before each page.
    """
    lines = _text(body).split("\n")
    starts = [start for start in range(len(lines)) if _starts_page(lines, start)]
    return tuple(_full_page(lines[start:end], url) for start, end in pairwise([*starts, len(lines)]))


def _starts_page(lines: list[str], start: int) -> bool:
    line = lines[start]
    if line.startswith("# "):
        return any(_FULL_SOURCE.match(after.strip()) for after in lines[start + 1 : start + 4])
    if line.rstrip() != "---":
        return False
    # Front matter that names its URL; a thematic break has none below it.
    for after in lines[start + 1 : start + 12]:
        if after.rstrip() == "---":
            return False
        if _FULL_SOURCE.match(after.strip()):
            return True
    return False


def _full_page(lines: list[str], base_url: str) -> FullPage:
    title, url, body_start = "", "", 0
    for number, line in enumerate(lines[:14]):
        source = _FULL_SOURCE.match(line.strip())
        if source and not url:
            url, body_start = join_url(base_url, source[1]), number + 1
        named = re.match(r"(?:# |title:\s*)(.*)", line)
        if named and not title:
            title = named[1].strip().strip("\"'")
    if lines[0].rstrip() == "---":
        rest = (number for number, line in enumerate(lines) if number > 0 and line.rstrip() == "---")
        body_start = next(rest, 0) + 1
    return FullPage(title, url, "\n".join(lines[body_start:]).strip())


def _text(body: bytes) -> str:
    """Return the text of at most 10 MB of a body, "" for HTML and what is no text: the bytes decide."""
    if sniff(body) not in {Kind.MARKDOWN, Kind.TEXT}:
        return ""
    return body[:_MAX_BYTES].decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _lines_outside_code(text: str) -> list[str]:
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        else:
            lines.append(line[:10_000])
    return lines


def _entry(item: str, base_url: str, section: str) -> LlmsEntry | None:
    """Return the entry that a list item holds: its first link, or a bare URL at its beginning."""
    link = _LINK.search(item)
    if link:
        title, href, rest = link[1], link[2], item[link.end() :]
    else:
        bare = _BARE_URL.match(item)
        if not bare:
            return None
        title, href, rest = "", bare[1].rstrip(":"), item[bare.end() :]
    url = join_url(base_url, href) if href and not href.startswith("#") else ""
    if not url.startswith(("http://", "https://")) or not site_of(url):
        return None
    is_optional = section.strip().lower() == "optional"
    return LlmsEntry(url, title.strip(), rest.lstrip(" :-–—").strip(), section, is_optional)
