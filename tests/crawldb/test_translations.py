"""Translations that were named: left out when their original is sound, made its duplicates when they came first."""

from __future__ import annotations

import pytest

from mdcrawl.crawldb.translations import add_named, forget_named, settle_translations, translation_of
from mdcrawl.discovery.hreflang import Translation
from mdcrawl.items import Extraction
from tests.crawldb.world import make_page

HOME = frozenset({"en"})
PAIR = Translation("/de", "de", "/en", "en")


def in_language(url, lang, verdict="ok"):
    return make_page(url, f"text of {url}", verdict, extraction=Extraction(title=url, lang=lang))


def settled(world, named_by, *named, home=HOME, starts=()):
    with world.begin() as connection:
        add_named(connection, named_by, named)
        settle_translations(connection, home, starts)
    return {url: (row.verdict, row.duplicate_of) for url in ("/de", "/en") if (row := world.row(url))}


@pytest.mark.parametrize(
    ("verdict", "home", "found"),
    [
        pytest.param("ok", HOME, ("/en", "de"), id="original is stored"),
        pytest.param("http_error", HOME, ("", ""), id="original is bad"),
        pytest.param("ok", frozenset({"fr"}), ("", ""), id="neither is in the start's language"),
        pytest.param("ok", frozenset({"en", "de"}), ("", ""), id="both are"),
        pytest.param("ok", frozenset(), ("", ""), id="the start's language is not known"),
    ],
)
def test_translation_of_a_sound_page_is_left_out(world, verdict, home, found):
    world.start()
    world.take(in_language("/en", "en", verdict))
    with world.begin() as connection:
        add_named(connection, "/en", [PAIR])
        add_named(connection, "/sitemap.xml", [PAIR, PAIR])
        assert translation_of(connection, "/de", home) == found
        assert translation_of(connection, "/en", home) == ("", "")


def test_what_nobody_names_any_more_is_forgotten(world):
    world.start()
    world.take(in_language("/en", "en"))
    with world.begin() as connection:
        for named_by in ("/en", "/de"):
            add_named(connection, named_by, [PAIR])
        forget_named(connection, "/en")
        assert translation_of(connection, "/de", HOME) == ("/en", "de")
        forget_named(connection, "/de")
        assert translation_of(connection, "/de", HOME) == ("", "")


@pytest.mark.parametrize(
    ("lang", "named_by", "is_copy"),
    [
        pytest.param("de", "/en", True, id="in another language"),
        pytest.param("", "/en", True, id="says nothing"),
        pytest.param("en", "/en", False, id="says that it is in the start's"),
        pytest.param("en", "/de", True, id="names its original itself, whatever a template declares"),
    ],
)
def test_translation_that_came_first_is_a_duplicate(world, lang, named_by, is_copy):
    world.start()
    world.take(in_language("/de", lang), in_language("/en", "en"))
    copy = ("duplicate", "/en") if is_copy else ("ok", "")
    assert settled(world, named_by, PAIR) == {"/de": copy, "/en": ("ok", "")}


def test_pages_that_name_each_other_as_translations_are_both_kept(world):
    world.start()
    world.take(in_language("/de", "en"), in_language("/en", "en"))
    with world.begin() as connection:
        add_named(connection, "/de", [Translation("/en", "de", "/de", "en")])
    assert settled(world, "/en", PAIR) == {"/de": ("ok", ""), "/en": ("ok", "")}


def test_start_and_translations_of_what_is_not_stored_are_kept(world):
    world.start()
    world.take(in_language("/de", "de"), in_language("/en", "en", "thin"))
    assert settled(world, "/en", PAIR)["/de"] == ("ok", "")
    world.start(resume=False)
    world.take(in_language("/de", "de"), in_language("/en", "en"))
    assert settled(world, "/en", PAIR, starts=["/de"])["/de"] == ("ok", "")
