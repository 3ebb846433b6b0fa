"""Copies of a page in other languages and versions: left out, or taken on request."""

from __future__ import annotations

import pytest

from tests.conftest import Answer

COPIES = ["/docs/de/install", "/docs/v1.2/install", "/docs/de/v1.2/install"]
OWN = ["/docs/", "/docs/install", "/docs/de/only-there"]


@pytest.fixture(scope="module")
def site(mock_sites):
    site = mock_sites()
    # The copies come first, so that none is left out for coming late.
    site.add_page("/docs/", *COPIES, "/docs/de/only-there", "/docs/install")
    for path in (*COPIES, *OWN[1:]):
        site.add_page(path)
    return site


def test_copies_are_known_and_not_asked_for(crawl, site, tmp_path):
    site.asked.clear()
    result = crawl(site.url("/docs/"), tmp_path, md_probe="off", sitemap="off", llms="off")
    assert result.verdicts == dict.fromkeys(OWN, "ok") | dict.fromkeys(COPIES, "limit")
    original = site.url("/docs/install")
    assert {path: result.row(path)["reason"] for path in COPIES} == {
        "/docs/de/install": f"a copy of {original}: language de",
        "/docs/v1.2/install": f"a copy of {original}: version v1.2",
        "/docs/de/v1.2/install": f"a copy of {original}: language de, version v1.2",
    }
    assert sorted(site.page_paths) == sorted(OWN)


def test_all_are_taken_on_request(crawl, site, tmp_path):
    settings = {"MDCRAWL_VARIANTS": "all"}
    result = crawl(site.url("/docs/"), tmp_path, settings=settings, md_probe="off", sitemap="off", llms="off")
    assert result.verdicts == dict.fromkeys([*OWN, *COPIES], "ok")


# Names that tell no language: only hreflang does.
EARLY, LATE, BY_HEADER, BY_MAP = "/docs/fruehe-seite", "/docs/einbau", "/docs/lager", "/docs/ventil"
ENGLISH = ["/docs/", "/docs/early", "/docs/fit", "/docs/fit-us", "/docs/bearing", "/docs/valve", "/docs/world"]
GERMAN_ONLY = "/docs/nur-hier"


def entry(site, path, **alternates):
    """Return an entry of a sitemap with its languages."""
    named = "".join(
        f'<xhtml:link rel="alternate" hreflang="{tag}" href="{site.url(target)}"/>'
        for tag, target in alternates.items()
    )
    return f"<url><loc>{site.url(path)}</loc>{named}</url>"


@pytest.fixture
def translated(mock_sites):
    """A site in English with German pages among them, which come first wherever they are linked."""
    site = mock_sites()

    def add(path, *links, language="en", header="", **alternates):
        page = site.page(path, *links, headers={"Link": header} if header else {})
        named = "".join(
            f'<link rel="alternate" hreflang="{tag.replace("_", "-")}" href="{target}">'
            for tag, target in alternates.items()
        )
        html = page.body.replace("<head>", f"<head>{named}").replace('lang="en"', f'lang="{language}"')
        site.routes[path] = page._replace(body=html)

    add("/docs/", EARLY, "/docs/early", "/docs/fit", "/docs/bearing", GERMAN_ONLY, "/docs/valve")
    add(EARLY, language="de", de=EARLY, en="/docs/early")
    add("/docs/early", en="/docs/early", de=EARLY)
    # A default and another region of the language are no translations; the links are those of a language menu.
    add("/docs/fit", LATE, "/docs/fit-us", "/docs/world", en_GB="/docs/fit", en_US="/docs/fit-us", de=LATE,
        x_default="/docs/world", fr="/docs/world")  # fmt: skip
    add(LATE, language="de")
    add("/docs/fit-us", language="en-US")
    add("/docs/world", language="fr")
    add("/docs/bearing", BY_HEADER, header=f'<{BY_HEADER}>; rel="alternate"; hreflang="de"')
    add(BY_HEADER, language="de")
    add(GERMAN_ONLY, language="de", de=GERMAN_ONLY)
    add("/docs/valve")
    add(BY_MAP, language="de")
    site.routes["/sitemap.xml"] = Answer(
        200,
        {"Content-Type": "application/xml"},
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
        + entry(site, BY_MAP, en="/docs/valve", de=BY_MAP)
        + entry(site, "/docs/valve", en="/docs/valve", de=BY_MAP)
        + entry(site, "/docs/", en="/docs/")
        + "</urlset>",
    )
    return site


def test_translations_are_told_by_hreflang(crawl, translated, tmp_path):
    result = crawl(translated.url("/docs/"), tmp_path, md_probe="off", llms="off")
    # One came before the page that names it; it is no more kept than the others.
    left_out = {LATE: "limit", BY_HEADER: "limit", BY_MAP: "limit", EARLY: "duplicate"}
    assert result.verdicts == dict.fromkeys([*ENGLISH, GERMAN_ONLY], "ok") | left_out
    original = translated.url("/docs/fit")
    assert result.row(LATE)["reason"] == f"a copy of {original}: language de, by hreflang"
    assert result.row(EARLY)["duplicate_of"] == translated.url("/docs/early")
    assert sorted(translated.page_paths) == sorted([*ENGLISH, GERMAN_ONLY, EARLY])
    assert EARLY not in {chunk["url"].removeprefix(translated.base) for chunk in result.chunks}


def test_translations_stay_out_of_the_next_crawl(crawl, translated, tmp_path):
    crawl(translated.url("/docs/"), tmp_path, md_probe="off", llms="off")
    translated.asked.clear()
    # Nothing has changed, so that no page is read again; nor is there a sitemap to say it once more.
    result = crawl(translated.url("/docs/"), tmp_path, md_probe="off", sitemap="off", llms="off")
    left_out = dict.fromkeys([LATE, BY_HEADER, EARLY], "limit")
    assert result.verdicts == dict.fromkeys([*ENGLISH, GERMAN_ONLY], "unchanged") | left_out
    assert sorted(translated.page_paths) == sorted([*ENGLISH, GERMAN_ONLY])


def test_start_that_is_missing_tells_no_language(crawl, translated, tmp_path):
    page = translated.page("/docs/fehlt")
    translated.routes["/docs/fehlt"] = page._replace(status=404, body=page.body.replace('lang="en"', 'lang="de"'))
    starts = ",".join(map(translated.url, ("/docs/fehlt", "/docs/")))
    result = crawl(starts, tmp_path, md_probe="off", llms="off", sitemap="off")
    assert result.verdicts["/docs/fehlt"] == "http_error"
    assert result.verdicts[LATE] == "limit"


def test_translations_are_taken_on_request_and_left_again(crawl, translated, tmp_path):
    settings = {"MDCRAWL_VARIANTS": "all"}
    result = crawl(translated.url("/docs/"), tmp_path, settings=settings, md_probe="off", llms="off")
    assert result.verdicts == dict.fromkeys([*ENGLISH, GERMAN_ONLY, EARLY, LATE, BY_HEADER, BY_MAP], "ok")
    result = crawl(translated.url("/docs/"), tmp_path, md_probe="off", llms="off")
    assert {result.verdicts[path] for path in (EARLY, LATE, BY_HEADER, BY_MAP)} == {"limit"}
