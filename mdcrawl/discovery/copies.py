"""Copies of a page in other languages and versions, told by their paths: only the first one seen is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from mdcrawl.discovery.urls import site_of

# Two letters that are a language wherever they stand; with a region any two are.
_CLEAR_LANGUAGES = frozenset({"de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"})
# Those that are also words or topics ("is", "it", "cs") count beside another language only.
_MAYBE_LANGUAGES = frozenset(
    re.findall(
        r"..",
        "afamarazbebgbncacscydaeleteufafigaglguhehihrhuhyiditkakkkmknlolvltmkmlmnmrmsmynbnenlnnnopaplrosiskslsosqsrsvswta"
        "tethtltrukuruzvi",
    )
)
_LANGUAGE = re.compile(r"([a-z]{2})([-_](?:[a-z]{2}|[a-z]{4}|[0-9]{3}))?")
_VERSION = re.compile(r"v\d+(?:[._]\d+)*(?:[._]x)?|\d+(?:\.\d+)+(?:\.x)?|\d+\.x|latest|stable|nightly|canary")
# Names that mean a version beside one of the above only.
_MAYBE_VERSIONS = frozenset({"dev", "devel", "next", "main", "master", "current", "edge", "unstable", "legacy", "lts"})
# "/api/v1/users/" and "/api/v2/users/" are two things, not two versions of a text.
_NOT_BEFORE_VERSION = frozenset({"api", "apis", "rest", "reference", "schemas", "releases", "changelog", "downloads"})
# Deeper segments are part of a page's own name.
_MAX_POSITION = 4
_MAX_URLS = 200_000


class _Variant(NamedTuple):
    """A language or version in a path: the place where it stands, its name, its position."""

    place: str
    name: str
    position: int
    is_language: bool


@dataclass(slots=True)
class CopyGuard:
    """Tells copies of pages that were taken before; one for each crawl, plain data inside (it pickles).

    A copy is the same path with another language or version in it, or with none. Ask `twin` for each
    URL in the order of the crawl; what the start URL names is never a copy.

    >>> guard = CopyGuard()
    >>> guard.start("https://example.com/docs/latest/")
    >>> guard.twin("https://example.com/docs/latest/a"), guard.twin("https://example.com/docs/v1.2/a")
    ('', 'https://example.com/docs/latest/a')
    """

    _taken: dict[str, str] = field(default_factory=dict)
    _names: dict[str, set[str]] = field(default_factory=dict)
    _wanted: dict[str, str] = field(default_factory=dict)

    def start(self, url: str) -> None:
        """Take in a start URL, or where it leads: the languages and versions in it are those wanted."""
        self._wanted.update({variant.place: variant.name for variant in _variants(url)})
        self.twin(url)

    def twin(self, url: str) -> str:
        """Return the URL taken before that this one is a copy of; "" if there is none, and it counts as taken."""
        variants = list(_variants(url))
        for variant in variants:
            self._names.setdefault(variant.place, set()).add(variant.name)
        key = self._key(url, variants)
        known = self._taken.get(key, "")
        is_wanted = bool(variants) and all(self._wanted.get(place) == name for place, name, *_ in variants)
        if known and known != url and not is_wanted:
            return known
        if is_wanted or len(self._taken) < _MAX_URLS:
            self._taken[key] = url
        return ""

    def _key(self, url: str, variants: list[_Variant]) -> str:
        """Return the URL without its scheme and without the languages and versions in its path."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return url
        dropped = {variant.position for variant in variants if self._counts(variant)}
        segments = enumerate(parts.path.split("/"))
        path = "/".join(segment for position, segment in segments if position not in dropped)
        return f"{site_of(url)}{path}?{parts.query}"

    def _counts(self, variant: _Variant) -> bool:
        """Return whether a segment is beyond doubt a language or version, by itself or by its neighbours."""
        names = self._names[variant.place]
        if variant.place in self._wanted:
            return True
        if variant.is_language:
            return len(names) > 1 or len(variant.name) > 2 or variant.name in _CLEAR_LANGUAGES
        return any(_VERSION.fullmatch(name) for name in names)


def _variants(url: str) -> Iterator[_Variant]:
    """Yield what may be a language or version in a path: folders only, the last name is the page's own."""
    try:
        segments = urlsplit(url).path.split("/")
    except ValueError:
        return
    site = site_of(url)
    for position, segment in enumerate(segments[:-1][: _MAX_POSITION + 1]):
        name = segment.lower()
        language = _LANGUAGE.fullmatch(name)
        is_language = language is not None and language[1] in _CLEAR_LANGUAGES | _MAYBE_LANGUAGES
        is_version = name in _MAYBE_VERSIONS or _VERSION.fullmatch(name) is not None
        if is_language or (is_version and segments[position - 1].lower() not in _NOT_BEFORE_VERSION):
            place = f"{site}{'/'.join(segments[:position])} {'language' if is_language else 'version'}"
            yield _Variant(place, name, position, is_language)
