"""Copies of a page in other languages and versions: told by their place in the path, skipped for the start's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

# Language codes of ISO 639-1 that documentation is translated into, so that /go/, /js/ or /io/ is none.
_LANGUAGES = frozenset({
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "ka", "ko", "lt", "lv", "ms", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "ta",
    "te", "th", "tr", "uk", "ur", "uz", "vi", "zh",
})  # fmt: skip
_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}|419))?", re.IGNORECASE)
# Names of moving versions, and numbers with a "v", a dot or an "x": not /2024/ nor /3/, which may count anything.
_VERSION = re.compile(
    r"latest|stable|current|main|master|trunk|dev|devel|develop|development|nightly|next|edge|unstable|snapshot|canary"
    r"|v\d+(?:[._]\d+)*(?:[._]x)?(?:[-.]?(?:a|b|rc|alpha|beta)\.?\d*)?|\d+(?:\.\d+)+(?:\.x)?(?:[-.]?(?:a|b|rc)\.?\d*)?|\d+\.x",
    re.IGNORECASE,
)
_INDEX = re.compile(r"(?:(?:index|default|home)\.[a-z]{3,5})?", re.IGNORECASE)
# Only near the root: deeper down "main" or "it" is a page's name.
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Variant:
    """Language and version that a path names, lower case; "" where it names none."""

    language: str = ""
    version: str = ""


def variant_of(url: str) -> Variant:
    """Return the language and version in a URL's path.

    >>> variant_of("https://example.com/docs/pt-br/v1.2/install"), variant_of("https://example.com/docs/install")
    (Variant(language='pt-br', version='v1.2'), Variant(language='', version=''))
    """
    language, version = "", ""
    for segment in _folders(url):
        if not language and _is_language(segment):
            language = segment.lower()
        elif not version and _VERSION.fullmatch(segment):
            version = segment.lower()
    return Variant(language, version)


def originals_of(url: str, home: Variant) -> tuple[str, ...]:
    """Return where the page would be that a URL is a copy of, seen from the crawl's own variant.

    That is the same path with the language and version of `home`, or without those that differ. None
    if the URL is of `home` itself. Whether one of them exists decides whether it is a copy at all.

    >>> originals_of("https://example.com/docs/de/install", Variant())
    ('https://example.com/docs/install',)
    """
    own = variant_of(url)
    parts = urlsplit(url)
    # The index of a folder named by a word proves nothing: /develop/ may be for developers, beside the home page.
    folders, _, name = parts.path.rpartition("/")
    is_index = _INDEX.fullmatch(name) and own.version.isalpha() and folders.rpartition("/")[2].lower() == own.version
    if own == home or is_index:
        return ()
    found = {
        urlunsplit(parts._replace(path=_replace_variant(parts.path, own, other))): None for other in (home, Variant())
    }
    found.pop(url, None)
    return tuple(found)


def _replace_variant(path: str, own: Variant, other: Variant) -> str:
    """Return a path with the names of one variant in place of another's; a name that is "" drops its folder."""
    first, *segments = path.split("/")
    kept = [first]
    for depth, segment in enumerate(segments, 1):
        name = segment.lower()
        is_variant = depth <= _DEPTH and name and name in {own.language, own.version}
        if is_variant:
            replacement = other.language if name == own.language else other.version
            kept += [replacement] if replacement else []
        else:
            kept.append(segment)
    return "/".join(kept) if len(kept) > 1 else "/"


def describe(variant: Variant) -> str:
    """Return a variant in words.

    >>> describe(Variant("de", "v1.2"))
    'language de, version v1.2'
    """
    named = (("language", variant.language), ("version", variant.version))
    return ", ".join(f"{name} {value}" for name, value in named if value) or "no language or version"


def _folders(url: str) -> list[str]:
    """Return the folders of a path near its root; the last name counts only if it is a folder."""
    return urlsplit(url).path.split("/")[1:-1][:_DEPTH]


def _is_language(segment: str) -> bool:
    found = _LANGUAGE.fullmatch(segment)
    return found is not None and found[1].lower() in _LANGUAGES
