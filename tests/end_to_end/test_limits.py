"""How far a crawl goes: pages, depth, patterns and scope; what is stopped is in the ledger, unasked."""

from __future__ import annotations


def test_max_pages_stores_that_many_and_lists_the_rest(crawl, site, tmp_path):
    result = crawl(site.url("/docs/"), tmp_path, max_pages=5)
    counts = result.summary["pages"]["verdicts"]
    assert counts["ok"] == 5
    assert counts["limit"] > 5
    assert sum(counts.values()) == result.summary["pages"]["total"] == len(result.pages)
    assert result.summary["not_fetched"] == "max_pages=5 reached"
    asked = set(site.paths)
    for row in result.pages:
        path = row["url"].removeprefix(site.base)
        assert (row["verdict"] == "limit") == (path not in asked or row["status"] is None), path
        if row["verdict"] == "limit":
            assert row["reason"] == "max_pages=5 reached"
            assert path not in asked
    assert result.row("/docs/")["verdict"] == "ok"
    assert result.status == 0
    assert result.is_clean


def test_max_depth_and_exclude(crawl, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/1", "/docs/skip-this")
    mock_site.add_page("/docs/1", "/docs/2", "/docs/")
    mock_site.add_page("/docs/2", "/docs/3")
    mock_site.add_page("/docs/3", "/docs/4")
    mock_site.add_page("/docs/skip-this", "/docs/only-from-here")
    result = crawl(mock_site.url("/docs/"), tmp_path, max_depth=2, exclude="/skip-")
    assert result.verdicts == {"/docs/": "ok", "/docs/1": "ok", "/docs/2": "ok", "/docs/3": "limit"}
    assert result.row("/docs/3")["reason"] == "depth 3, more than 2"
    assert [result.row(f"/docs/{path}")["depth"] for path in ("", "1", "2", "3")] == [0, 1, 2, 3]
    assert result.row("/docs/2")["parent"] == mock_site.url("/docs/1")
    assert sorted(mock_site.paths) == ["/docs/", "/docs/1", "/docs/2", "/robots.txt"]
    assert result.status == 0


def test_scope_host_and_include(crawl, mock_site, mock_sites, tmp_path):
    other = mock_sites()
    other.add_page("/v2/x")
    mock_site.add_page("/docs/", "/v2/a", "/v1/b", "/blog/v2/c", other.url("/v2/x"))
    mock_site.add_page("/v2/a")
    mock_site.add_page("/v1/b")
    mock_site.add_page("/blog/v2/c")
    result = crawl(mock_site.url("/docs/"), tmp_path, scope="host", include="/v2/")
    assert result.verdicts == {"/docs/": "ok", "/v2/a": "ok", "/blog/v2/c": "ok"}
    assert sorted(mock_site.paths) == ["/blog/v2/c", "/docs/", "/robots.txt", "/v2/a"]
    assert other.paths == []
    assert result.status == 0
