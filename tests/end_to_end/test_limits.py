"""How far a crawl goes: pages, depth, patterns and scope; what is stopped is in the ledger, unasked."""

from __future__ import annotations


def test_max_pages_stores_that_many_and_lists_the_rest(crawl, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/missing", *(f"/docs/{number}" for number in range(9)))
    for number in range(9):
        mock_site.add_page(f"/docs/{number}")
    result = crawl(mock_site.url("/docs/"), tmp_path, max_pages=5)
    counts = result.summary["pages"]["verdicts"]
    # What is in flight when the last page is stored may overshoot; one request at a time leaves no room for that.
    assert counts == {"ok": 5, "limit": 5, "http_error": 1}
    assert result.summary["pages"]["total"] == len(result.pages) == 11
    assert result.summary["not_fetched"] == "max_pages=5 reached"
    for row in result.pages:
        path = row["url"].removeprefix(mock_site.base)
        assert (row["verdict"] == "limit") == (path not in mock_site.page_paths), path
        assert (row["reason"] == "max_pages=5 reached") == (row["verdict"] == "limit"), path
    assert result.row("/docs/")["verdict"] == "ok"
    assert result.status == 0
    assert result.is_clean


def test_depth_scope_and_patterns(crawl, mock_site, mock_sites, tmp_path):
    abroad = mock_sites()
    abroad.add_page("/v2/x")
    mock_site.add_page("/docs/", "/v2/1", "/v1/1", "/blog/v2/", "/v2/skip-this", abroad.url("/v2/x"))
    mock_site.add_page("/v2/1", "/v2/2", "/docs/")
    mock_site.add_page("/v2/2", "/v2/3")
    mock_site.add_page("/v2/3", "/v2/4")
    mock_site.add_page("/v2/skip-this", "/v2/only-from-here")
    for path in ("/v1/1", "/blog/v2/", "/v2/4", "/v2/only-from-here"):
        mock_site.add_page(path)
    limits = {"scope": "host", "include": "/v2/", "exclude": "/skip-", "max_depth": 2}
    result = crawl(mock_site.url("/docs/"), tmp_path, md_probe="off", **limits)
    assert result.verdicts == {"/docs/": "ok", "/v2/1": "ok", "/v2/2": "ok", "/v2/3": "limit", "/blog/v2/": "ok"}
    assert result.row("/v2/3")["reason"] == "depth 3, more than 2"
    assert [result.row(path)["depth"] for path in ("/docs/", "/v2/1", "/v2/2", "/v2/3")] == [0, 1, 2, 3]
    assert result.row("/v2/2")["parent"] == mock_site.url("/v2/1")
    assert sorted(mock_site.page_paths) == ["/blog/v2/", "/docs/", "/v2/1", "/v2/2"]
    assert abroad.paths == []
    assert result.status == 0
    assert result.is_clean
