"""Translations by hreflang: what a page says of others, and of itself."""

from __future__ import annotations

import pytest

from mdcrawl.discovery.hreflang import (
    Alternate,
    Translation,
    header_alternates,
    languages_of,
    translations,
)

SITE = "https://example.com"


def alternates(*pairs):
    return [Alternate(language, SITE + path) for language, path in pairs]


@pytest.mark.parametrize(
    ("named", "declared", "languages"),
    [
        pytest.param([("de", "/a"), ("en", "/b")], "en", {"de"}, id="names itself, whatever a template declares"),
        pytest.param([("en-GB", "/a"), ("en-US", "/a")], "", {"en"}, id="two regions of one language"),
        pytest.param([("x-default", "/a"), ("de", "/b")], "en-US", {"en"}, id="default alone says nothing"),
        pytest.param([("de", "/b")], "", set(), id="nothing said"),
    ],
)
def test_languages_of_a_page(named, declared, languages):
    assert languages_of(f"{SITE}/a", alternates(*named), declared) == languages


@pytest.mark.parametrize(
    ("declared", "named", "found"),
    [
        pytest.param("en", [("de", "/de"), ("fr", "/fr")], {"/de": "de", "/fr": "fr"}, id="translations"),
        pytest.param("en-GB", [("en-US", "/us"), ("en", "/en")], {}, id="regions of the same language"),
        pytest.param("en", [("pt-BR", "/br")], {"/br": "pt"}, id="region of another language"),
        pytest.param("en", [("de", "/"), ("x-default", "/"), ("fr", "/fr")], {"/fr": "fr"}, id="default"),
        pytest.param("en", [("de", "/a"), ("fr", "/a")], {}, id="all languages at its own URL"),
        pytest.param("en", [("de", "/both"), ("en-US", "/both")], {}, id="one page for two languages"),
        pytest.param("", [("de", "/de")], {}, id="a page of unknown language"),
    ],
)
def test_page_of_the_start_s_language_names_translations(declared, named, found):
    said = translations(f"{SITE}/a", alternates(*named), declared, frozenset({"en"}))
    assert said == tuple(Translation(SITE + path, tag, f"{SITE}/a", "en") for path, tag in found.items())


@pytest.mark.parametrize(
    ("named", "originals"),
    [
        pytest.param([("de", "/a"), ("en", "/en"), ("fr", "/fr")], ["/en"], id="original"),
        pytest.param([("de", "/a"), ("en-GB", "/gb"), ("en-US", "/us")], ["/gb", "/us"], id="original in two regions"),
        pytest.param([("de", "/a"), ("x-default", "/a"), ("en", "/en")], [], id="default"),
        pytest.param([("de", "/a"), ("fr", "/fr")], [], id="not there in the start's language"),
    ],
)
def test_page_in_another_language_names_its_original(named, originals):
    said = translations(f"{SITE}/a", alternates(*named), "de", frozenset({"en"}))
    assert said == tuple(Translation(f"{SITE}/a", "de", SITE + original, "en") for original in originals)


def test_without_the_start_s_language_nothing_is_a_translation():
    assert translations(f"{SITE}/a", alternates(("en", "/a"), ("de", "/de")), "en", frozenset()) == ()


def test_header_names_translations():
    value = '</de/a>; rel="alternate"; hreflang="de", </a.md>; rel="alternate"; type="text/markdown", </b>; hreflang=fr'
    assert header_alternates(value, f"{SITE}/a") == (Alternate("de", f"{SITE}/de/a"),)
