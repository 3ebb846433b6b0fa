"""Copies of a page in other languages and versions."""

from __future__ import annotations

import pytest

from mdcrawl.discovery.variants import Variant, describe, originals_of, variant_of

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("path", "language", "version"),
    [
        pytest.param("/docs/install", "", "", id="plain"),
        pytest.param("/de/docs/install", "de", "", id="language first"),
        pytest.param("/docs/pt-BR/install", "pt-br", "", id="language with region"),
        pytest.param("/docs/zh-hans/install", "zh-hans", "", id="language with script"),
        pytest.param("/docs/latest/install", "", "latest", id="moving version"),
        pytest.param("/en/stable/install/", "en", "stable", id="both"),
        pytest.param("/docs/29.x/api", "", "29.x", id="version with x"),
        pytest.param("/docs/1.2.3rc1/api", "", "1.2.3rc1", id="release candidate"),
        pytest.param("/docs/v2/api", "", "v2", id="v and a number"),
        pytest.param("/go/tutorial", "", "", id="a language of programmers"),
        pytest.param("/blog/2024/post", "", "", id="year"),
        pytest.param("/docs/3/api", "", "", id="bare number"),
        pytest.param("/docs/it", "", "", id="a page's own name"),
        pytest.param("/docs/git/main", "", "", id="last name is no folder"),
    ],
)
def test_variant_stands_in_the_path(path, language, version):
    assert variant_of(SITE + path) == Variant(language, version)


@pytest.mark.parametrize(
    ("path", "home", "originals"),
    [
        pytest.param("/docs/install", Variant(), [], id="of the start's own"),
        pytest.param("/docs/de/install", Variant("de"), [], id="the start's language"),
        pytest.param("/docs/de/install", Variant(), ["/docs/install"], id="language added"),
        pytest.param("/de/install/", Variant("en"), ["/en/install/", "/install/"], id="language for language"),
        pytest.param("/docs/1.2/a", Variant("", "latest"), ["/docs/latest/a", "/docs/a"], id="version for version"),
        pytest.param("/docs/next/a", Variant(), ["/docs/a"], id="version added"),
        pytest.param("/fr/1.0/a", Variant("en", "2.0"), ["/en/2.0/a", "/a"], id="both"),
        pytest.param("/de/", Variant(), ["/"], id="home page"),
        pytest.param("/v1.2/", Variant(), ["/"], id="home page of a version"),
        pytest.param("/develop/", Variant(), [], id="index of a folder"),
        pytest.param("/develop/index.html", Variant(), [], id="index of a folder, by name"),
    ],
)
def test_original_is_where_the_start_would_have_it(path, home, originals):
    assert originals_of(SITE + path, home) == tuple(SITE + original for original in originals)


def test_variant_in_words():
    assert describe(Variant("de", "v1")) == "language de, version v1"
    assert describe(Variant()) == "no language or version"
