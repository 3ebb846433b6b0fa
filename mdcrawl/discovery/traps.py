"""Traps: calendars, facets, growing paths and endless pages, cut by the form of their URLs and by what they bring."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit
from zlib import crc32

from mdcrawl.discovery.urls import site_of

# The number of shingles that stand for a text, and how many of them must be known to call it known.
_SKETCH_SIZE = 64
_KNOWN_SHARE = 0.8
# Only this much of a text is looked at: 3 ms.
_SKETCH_CHARS = 60_000
# Families and texts remembered: 25 MB at the very most.
_MAX_FAMILIES = 256
_MAX_SKETCHES = 16

# Letters in words, each CJK character a word of its own; numbers are left out, since they are all
# that differs between the pages of a calendar.
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
# Identifiers: hexadecimal with a digit, or long runs that mix letters and digits. Not a slug with hyphens.
_IDENTIFIER = re.compile(r"(?=[^/]*\d)(?:[0-9a-f]{8,}|[0-9a-f-]{32,}|[A-Za-z0-9_]{12,})", re.IGNORECASE)
# One to three segments three times in a row. Numbers may: /2022/02/02/02.html is a date.
_REPEATED = re.compile(r"((?:/(?![0-9]+/)[^/]+){1,3})\1\1(?=/|$)")
_ESCAPED_AND = re.compile(r"^(?:amp;)+", re.IGNORECASE)
_CALENDAR = re.compile(
    r"(?:^|[/_-])(?:calendars?|kalender|calendrier|calendario|events?|agenda|termine|veranstaltungen|month|week|day|year)(?:[/_-]|$)",
    re.IGNORECASE,
)
_DATE_PARAMETERS = frozenset(
    {"year", "month", "week", "day", "date", "yr", "mo", "y", "m", "d", "cal", "from", "to", "start", "end"}
)
# Not "p": it is the number of a post in WordPress. Alone: "?t=1&start=10" is a topic of a forum.
_PAGE_PARAMETERS = frozenset({"page", "paged", "pg", "start", "offset", "seite", "pagenum", "pageno", "cursor"})
_PAGE_PATH = re.compile(r"/(?:page|seite|p)/0(?:/|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TrapOptions:
    """When a URL, or a family of URLs of one form, goes too far.

    A family is what is left of a URL without its numbers, identifiers and the values of its
    parameters. `max_barren`: pages of one family that bring nothing new before it is cut; each that
    brings something makes up for four. `max_calendar` and `max_listing` end a calendar and a
    pagination whatever they bring, `max_parameter_sets` ends a faceted search: combinations of
    parameters on one path.
    """

    max_chars: int = 2000
    max_segments: int = 24
    max_parameters: int = 16
    max_barren: int = 24
    max_calendar: int = 48
    max_listing: int = 200
    max_parameter_sets: int = 24


def url_trap(url: str, options: TrapOptions = TrapOptions()) -> str:
    """Return why a URL by itself is a trap, "" if it is none. Raises nothing.

    >>> url_trap("https://example.com/a/next/next/next")
    'path repeats itself: /next'
    """
    if len(url) > options.max_chars:
        return f"URL of {len(url)} characters, more than {options.max_chars}"
    path, query = _path_and_query(url)
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) > options.max_segments:
        return f"path of {len(segments)} segments, more than {options.max_segments}"
    repeated = _REPEATED.search(path)
    if repeated:
        return f"path repeats itself: {repeated[1]}"
    # Four times the same word, with others between: a relative link that grows the path.
    words = Counter(segment for segment in segments if not segment.isdigit())
    if words and max(words.values()) >= 4:
        return f"path repeats itself: /{words.most_common(1)[0][0]}"
    return _query_trap(query, options) if query else ""


def _query_trap(query: str, options: TrapOptions) -> str:
    raw_names = [piece.partition("=")[0] for piece in query.split("&") if piece]
    if any(name.lower().startswith("amp;amp;") for name in raw_names):
        return "query escapes & again and again"
    names = Counter(_ESCAPED_AND.sub("", name) for name in raw_names)
    if sum(names.values()) > options.max_parameters:
        return f"{sum(names.values())} parameters, more than {options.max_parameters}"
    name, times = names.most_common(1)[0] if names else ("", 0)
    # Three values for one name are a choice of filters; more are a query that grows.
    return f"parameter {name} {times} times" if times > 3 else ""


def sketch(text: str) -> frozenset[int]:
    """Return a small fingerprint of a text's wording without its numbers; empty for fewer than three words.

    Texts alike in wording share most of it: the 64 smallest hashes of three words in a row.
    """
    words = " ".join(_WORDS.findall(text[:_SKETCH_CHARS].lower())).encode("utf-8", "replace").split(b" ")
    shingles = set(map(crc32, map(b" ".join, zip(words, words[1:], words[2:], strict=False))))
    return frozenset(sorted(shingles)[:_SKETCH_SIZE])


@dataclass(slots=True)
class _Family:
    """What one family of URLs has brought so far."""

    taken: int = 0
    barren: int = 0
    known: list[frozenset[int]] = field(default_factory=list)


class TrapGuard:
    """Cuts families of URLs that bring nothing new; one for each crawl, plain data inside (it pickles).

    Ask `take` when a URL's turn to be fetched has come, not when it is found: a sitemap of ten thousand
    numbered articles is no trap, and only fetched pages tell. Tell `learn` what each fetched page
    brought.
    """

    def __init__(self, options: TrapOptions = TrapOptions()) -> None:
        self._options = options
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self._parameter_sets: OrderedDict[str, set[tuple[str, ...]]] = OrderedDict()

    def take(self, url: str) -> str:
        """Return why a URL is not to be fetched, "" if it is; then it counts as taken. Raises nothing."""
        reason = url_trap(url, self._options) or self._facet_trap(url)
        name = family_of(url)
        if reason or not name:
            return reason
        family = self._family(name)
        if family.barren >= self._options.max_barren:
            return f"trap: {family.barren} pages like {name} brought nothing new"
        limit = self._hard_limit(url, name)
        if limit and family.taken >= limit:
            return f"trap: {family.taken} pages like {name}, more than {limit - 1}"
        family.taken += 1
        return ""

    def learn(self, url: str, brought: frozenset[int]) -> None:
        """Take in what a fetched page brought: the sketch of its text, empty for a thin, empty or missing page.

        Pages that say nothing about the content (refused, no answer, unchanged) are not to be told.
        """
        name = family_of(url)
        if not name:
            return
        family = self._family(name)
        if any(_adds_nothing(brought, known) for known in family.known) or not brought:
            family.barren += 1
            return
        family.barren = max(0, family.barren - 4)
        family.known.append(brought)
        del family.known[:-_MAX_SKETCHES]

    def _facet_trap(self, url: str) -> str:
        path, query = _path_and_query(url)
        if "&" not in query:
            return ""
        names = tuple(piece.partition("=")[0] for piece in query.split("&"))
        sets = self._parameter_sets.setdefault(f"{site_of(url)}{path}", set())
        self._parameter_sets.move_to_end(f"{site_of(url)}{path}")
        if len(self._parameter_sets) > _MAX_FAMILIES:
            self._parameter_sets.popitem(last=False)
        if names not in sets and len(sets) >= self._options.max_parameter_sets:
            return f"trap: {len(sets)} combinations of parameters on {path}"
        sets.add(names)
        return ""

    def _hard_limit(self, url: str, name: str) -> int:
        names = {piece.partition("=")[0].lower() for piece in _path_and_query(url)[1].split("&") if piece}
        if ("0" in name and not names and _CALENDAR.search(name)) or (names and names <= _DATE_PARAMETERS):
            return self._options.max_calendar
        if (names and names <= _PAGE_PARAMETERS) or _PAGE_PATH.search(name):
            return self._options.max_listing
        return 0

    def _family(self, name: str) -> _Family:
        family = self._families.setdefault(name, _Family())
        self._families.move_to_end(name)
        if len(self._families) > _MAX_FAMILIES:
            self._families.popitem(last=False)
        return family


def family_of(url: str) -> str:
    """Return the form that a URL shares with its like, "" where there is nothing to count in it.

    >>> family_of("https://example.com/events/2026/12"), family_of("https://example.com/list?p=2&sort=up")
    ('example.com/events/0', 'example.com/list?')
    >>> family_of("https://example.com/docs/install")
    ''
    """
    path, query = _path_and_query(url)
    shapes: list[str] = []
    for segment in path.split("/")[1:]:
        shape = "0" if _IDENTIFIER.fullmatch(segment) else _DIGITS.sub("0", segment)
        # One more number in a row is the same family: /1/2 and /1/2/3.
        if shape != "0" or shapes[-1:] != ["0"]:
            shapes.append(shape)
    # So deep, a path is a family with all others below the same two folders.
    if len(shapes) > 8:
        return f"{site_of(url)}/{'/'.join(shapes[:2])}/…"
    shape = "/".join(shapes)
    if query:
        return f"{site_of(url)}/{shape}?"
    return f"{site_of(url)}/{shape}" if "0" in shape else ""


def _adds_nothing(new: frozenset[int], known: frozenset[int]) -> bool:
    """Return whether most of a new text's wording stands in a known one.

    Both hold the smallest hashes of their texts, so that only those of the new below the greatest
    of the known can be in both.
    """
    reach = max(known) if len(known) >= _SKETCH_SIZE else 1 << 32
    comparable = [value for value in new if value <= reach]
    # With fewer than eight in reach, the two texts are of very different length.
    if len(comparable) < min(8, len(new)):
        return False
    return sum(value in known for value in comparable) >= _KNOWN_SHARE * len(comparable)


def _path_and_query(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return unquote(parts.path), parts.query
