"""Translations by hreflang: which pages are others in a language that the crawl is not about.

A page names its copies by `link rel=alternate hreflang`, a Link header, or its entry in a sitemap. Two
regions of a language are the same language here: en-US is no translation of en.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdcrawl.discovery.links import header_links

# The page for whoever speaks none of the languages; it has one itself, but this does not say which.
_DEFAULT = "x-default"
# A page in all languages that anyone translates into names fewer.
_MAX_ALTERNATES = 200


class Alternate(NamedTuple):
    """A page in a language (BCP 47, any case), or in "x-default", as another page names it."""

    language: str
    url: str


class Translation(NamedTuple):
    """A page and the one that it is a translation of, each with its language, without the region."""

    url: str
    language: str
    original: str
    original_language: str


@lru_cache(1024)
def base_language(tag: str) -> str:
    """Return a language without script and region, lower case; "" for x-default.

    >>> base_language("pt-BR"), base_language("zh_Hans"), base_language("x-default")
    ('pt', 'zh', '')
    """
    tag = tag.strip().lower()
    return "" if tag == _DEFAULT else tag.replace("_", "-").partition("-")[0]


def header_alternates(value: str, url: str) -> tuple[Alternate, ...]:
    """Return what a Link header names as the page's copies in other languages. Raises nothing."""
    links = header_links(value, url)
    return tuple(
        Alternate(link.hreflang, link.url) for link in links if link.hreflang and "alternate" in link.relations
    )


def languages_of(url: str, alternates: Iterable[Alternate], declared: str = "") -> frozenset[str]:
    """Return the languages that a page is in: what it names itself by, else what it declares (html lang).

    >>> languages_of("https://example.com/a", [Alternate("en-GB", "https://example.com/a")], "de")
    frozenset({'en'})
    """
    own = {base_language(language) for language, target in alternates if target == url}
    return frozenset(own - {""} or {base_language(declared)} - {""})


def translations(
    url: str, alternates: Sequence[Alternate], declared: str, home: frozenset[str]
) -> tuple[Translation, ...]:
    """Return what a page says about translations out of the languages of the crawl, `home`. Raises nothing.

    A page in one of them names its translations; one in another names what it is a translation of.
    A page that is named as x-default, or also in a language of the crawl, is no translation.

    >>> page, other = "https://example.com/a", Alternate("de", "https://example.com/b")
    >>> translations(page, [other], "en", frozenset({"en"}))[0].url
    'https://example.com/b'
    """
    alternates = alternates[:_MAX_ALTERNATES]
    own = languages_of(url, alternates, declared)
    at_home = {target: base_language(language) for language, target in alternates if base_language(language) in home}
    wanted = at_home.keys() | {target for language, target in alternates if not base_language(language)}
    if own & home:
        language = min(own & home)
        named = {target: base_language(tag) for tag, target in alternates if target not in wanted | {url}}
        return tuple(Translation(target, other, url, language) for target, other in named.items())
    if not own or url in wanted:
        return ()
    return tuple(Translation(url, min(own), original, language) for original, language in at_home.items())
