"""Copies of a page in other languages and versions: left out, or taken on request."""

from __future__ import annotations

import pytest

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
