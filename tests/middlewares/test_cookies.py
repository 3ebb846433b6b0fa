"""Cookies: kept and sent back, judged by a list of suffixes that nobody was asked for."""

from __future__ import annotations

import pytest

DOCS = "/docs/"


@pytest.fixture(scope="module")
def cookie_site(mock_sites):
    site = mock_sites()
    site.add_page(DOCS, "/docs/a", headers={"Set-Cookie": "seen=1; Path=/"})
    site.add_page("/docs/a")
    return site


@pytest.fixture(scope="module")
def list_cache(tmp_path_factory):
    """Return the folder in which a downloaded list of public suffixes would be kept."""
    return tmp_path_factory.mktemp("suffixes")


@pytest.fixture(scope="module")
def result(crawl, cookie_site, list_cache, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TLDEXTRACT_CACHE", str(list_cache))
        return crawl(cookie_site.url(DOCS), tmp_path_factory.mktemp("cookies"))


def test_cookie_is_sent_back(result, cookie_site):
    (asked,) = [asked for asked in cookie_site.asked if asked.path == "/docs/a"]
    assert asked.headers["cookie"] == "seen=1"
    assert result.status == 0


def test_list_of_suffixes_is_not_downloaded(result, list_cache):
    # Where a download fails the log has it, where it works the folder has the list.
    assert result.is_clean
    assert not list(list_cache.iterdir())
