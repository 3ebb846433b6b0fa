"""Store: what a page is found by depends on the links of a site, not on which of its answers is slow."""

from __future__ import annotations

import time


def test_way_found_late_shortens_the_ways_to_all_behind_it(crawl, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a", "/docs/slow")
    mock_site.add_page("/docs/a", "/docs/b")
    mock_site.add_page("/docs/b", "/docs/c")
    mock_site.add_page("/docs/c", "/docs/d")
    mock_site.add_page("/docs/d", "/docs/e")
    mock_site.add_page("/docs/e")

    def after_all_others(asked):
        end = time.monotonic() + 20
        while "/docs/e" not in mock_site.paths and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1)  # and stored
        return mock_site.page("/docs/slow", "/docs/c")

    mock_site.routes["/docs/slow"] = after_all_others
    settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": 4}
    result = crawl(mock_site.url("/docs/"), tmp_path, md_probe="off", settings=settings)
    ways = {path: (result.row(path)["depth"], result.row(path)["parent"]) for path in result.verdicts}
    assert ways == {
        "/docs/": (0, ""),
        "/docs/a": (1, mock_site.url("/docs/")),
        "/docs/slow": (1, mock_site.url("/docs/")),
        "/docs/b": (2, mock_site.url("/docs/a")),
        "/docs/c": (2, mock_site.url("/docs/slow")),
        "/docs/d": (3, mock_site.url("/docs/c")),
        "/docs/e": (4, mock_site.url("/docs/d")),
    }
