"""Lists of URLs: sitemaps in their forms, llms.txt, what they spare and what they say they left out."""

from __future__ import annotations

import gzip
import re

import pytest

from tests.conftest import Answer

XML = "application/xml"
HIDDEN = ["/docs/xml", "/docs/packed", "/docs/plain", "/docs/feed", "/docs/listed", "/docs/declared", "/docs/dated"]
LLMS = """# Valves

> All about valves.

(3 more pages were left out to keep this file short.)

## Guide
- [Listed](/docs/listed): first steps
- [Elsewhere](https://example.com/docs/x)
- [Refused](/docs/refused)
- [Thin](/docs/thin)
"""


def urlset(*entries, namespace="http://www.sitemaps.org/schemas/sitemap/0.9", name="urlset"):
    return f'<?xml version="1.0"?><{name} xmlns="{namespace}">{"".join(entries)}</{name}>'


def part(title, url):
    words = " ".join(f"Part {number} of the hinge is oiled once a year: {title}." for number in range(20))
    return f"# {title}\n\nSource: {url}\n\n{words}\n\n"


@pytest.fixture(scope="module")
def site(mock_sites):
    site = mock_sites()
    site.add_page("/docs/", "/docs/linked")
    for path in ("/docs/linked", *HIDDEN):
        site.add_page(path)
    declaring = site.page("/docs/linked", headers={"Link": '</docs/more/llms.txt>; rel="describedby"'})
    site.routes["/docs/linked"] = declaring
    site.routes["/docs/more/llms.txt"] = Answer(
        200, {"Content-Type": "text/plain"}, "# More\n\n- [D](/docs/declared)\n"
    )
    site.robots("User-agent: *", "Disallow: /docs/closed/", f"Sitemap: {site.url('/index.xml')}")
    maps = {
        "/index.xml": urlset(
            *(
                f"<sitemap><loc>{site.url(path)}</loc></sitemap>"
                for path in ("/a.xml", "/b.xml.gz", "/c.txt", "/index.xml")
            ),
            "<sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>",
            name="sitemapindex",
        ),
        "/a.xml": "\ufeff"
        + urlset(
            "<url><loc>/docs/xml</loc></url>",
            "<url><loc>/docs/dated</loc><lastmod>2020-05-04</lastmod></url>",
            "<url><loc>/docs/linked</loc><lastmod>2999-01-01</lastmod></url>",
            "<url><loc>/elsewhere/page</loc></url>",
            namespace="http://www.google.com/schemas/sitemap/0.84",
        ),
        "/c.txt": f"{site.url('/docs/plain')}\r\n{site.url('/docs/closed/a')}\r\n",
        "/sitemap.xml": '<rss version="2.0"><channel><item><link>/docs/feed</link></item></channel></rss>',
    }
    for path, body in maps.items():
        site.routes[path] = Answer(200, {"Content-Type": XML}, body)
    packed = gzip.compress(urlset(f"<url><loc>{site.url('/docs/packed')}</loc></url>").encode())
    site.routes["/b.xml.gz"] = Answer(200, {"Content-Type": "application/gzip"}, packed)
    site.routes["/llms.txt"] = Answer(200, {"Content-Type": "text/plain"}, LLMS)

    # Pages that cannot be had, and the file that has them.
    site.routes["/docs/refused"] = Answer(403, {"Content-Type": "text/plain"}, "Forbidden")
    thin = "<html><head><title>Thin</title></head><body><main><h1>Thin</h1><p>{}</p></main></body></html>"
    site.routes["/docs/thin"] = Answer(200, {"Content-Type": "text/html"}, thin.format("Part 7 of the hinge."))
    site.routes["/docs/other"] = Answer(
        200, {"Content-Type": "text/html"}, thin.format("Nothing whatever about doors.")
    )
    site.routes["/docs/"] = site.page("/docs/", "/docs/linked", "/docs/other", "/docs/closed/b", "/docs/none")
    site.routes["/docs/none"] = Answer(503, {"Retry-After": "0"}, "out of order")
    named = [
        ("Refused", "/docs/refused"),
        ("Thin", "/docs/thin.md"),
        ("Other", "/docs/other"),
        ("Shut", "/docs/closed/b"),
    ]
    full = "".join(part(title, site.url(path)) for title, path in named)
    site.routes["/llms-full.txt"] = Answer(200, {"Content-Type": "text/plain"}, full)
    return site


@pytest.fixture(scope="module")
def crawls(crawl, site, tmp_path_factory):
    """Two crawls into one folder, and the paths asked for in the second."""
    folder = tmp_path_factory.mktemp("sources")

    def run():
        result = crawl(site.url("/docs/"), folder, settings={"MDCRAWL_LLMS_FILES": "on"}, md_probe="off")
        for name in ("pages", "changes", "summary", "documents"):
            getattr(result, name)
        return result

    first = run()
    asked_before = len(site.asked)
    first_paths = site.paths[:asked_before]
    second = run()
    return first, second, first_paths, site.paths[asked_before:]


@pytest.mark.parametrize("path", HIDDEN)
def test_pages_that_only_a_list_names_are_found(crawls, path):
    assert crawls[0].verdicts[path] == "ok"


def test_each_list_is_read_once_and_others_are_left_out(crawls):
    first, _, paths, _ = crawls
    for path in (
        "/index.xml",
        "/a.xml",
        "/b.xml.gz",
        "/c.txt",
        "/sitemap.xml",
        "/llms.txt",
        "/docs/more/llms.txt",
        "/llms-full.txt",
    ):
        assert paths.count(path) == 1, path
    assert "/elsewhere/page" not in first.verdicts
    assert first.verdicts["/docs/closed/a"] == "robots_denied"
    assert not any(path.startswith("/docs/closed/") for path in paths)


def test_coverage_says_from_where_and_why_not(crawls, site):
    coverage = crawls[0].summary["coverage"]
    assert sum(coverage["known_from"].values()) == coverage["asked"] + sum(coverage["not_asked"].values())
    assert sum(coverage["known_from"].values()) == len(crawls[0].pages)
    assert set(coverage["known_from"]) == {"start", "link", "sitemap", "llms"}
    assert coverage["not_asked"] == {"robots_denied": 2}
    assert coverage["incomplete"] == {site.url("/llms.txt"): "says that entries were left out"}
    assert re.search(r"WARNING: \S+/llms.txt: says that entries were left out", crawls[0].stderr)


@pytest.mark.parametrize(
    ("path", "was"),
    [
        pytest.param("/docs/refused", "refused: status 403", id="refused"),
        pytest.param("/docs/thin", "thin: ", id="thin, its words are in the file"),
    ],
)
def test_page_that_cannot_be_had_comes_from_the_full_text(crawls, path, was):
    row = crawls[0].row(path)
    assert (row["verdict"], row["source"]) == ("ok", "llms-full")
    assert f"from the site's llms-full.txt; the page itself is {was}" in row["reason"]
    assert "Part 19 of the hinge is oiled" in crawls[0].documents[row["markdown_path"]]


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        pytest.param("/docs/other", "thin", id="the page says something else"),
        pytest.param("/docs/closed/b", "robots_denied", id="robots.txt says no"),
        pytest.param("/docs/none", "http_error", id="not in the file"),
    ],
)
def test_full_text_is_no_way_around(crawls, path, verdict):
    assert crawls[0].row(path)["verdict"] == verdict


def test_second_crawl_leaves_out_what_the_sitemap_dates_before_the_first(crawls):
    _, second, _, asked = crawls
    row = second.row("/docs/dated")
    assert (row["verdict"], row["reason"][:31]) == ("unchanged", "its sitemap dates it 2020-05-04")
    assert "/docs/dated" not in asked
    assert second.summary["coverage"]["not_asked"] == {"robots_denied": 2, "unchanged": 1}
    assert "/docs/linked" in asked
    assert [change for change in second.changes if change["action"] != "hold"] == []
    assert second.row("/docs/refused")["verdict"] == "unchanged"
    assert second.row("/docs/dated")["title"] == "Valves of /docs/dated"


def test_llms_files_are_written_on_request(crawls, site):
    folder = crawls[0].folder
    listed = (folder / "llms.txt").read_text(encoding="utf-8")
    assert f"- [Valves of /docs/xml]({site.url('/docs/xml')})\n" in listed
    stored = {row["url"] for row in crawls[1].pages if row["verdict"] in {"ok", "unchanged"}}
    assert set(re.findall(r"\]\((http[^)]*)\)", listed)) == stored
    full = (folder / "llms-full.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"^Source: (.*)$", full, re.MULTILINE)) == stored


@pytest.mark.parametrize(
    ("arguments", "pages", "lists"),
    [
        pytest.param(
            {"sitemap": "only"},
            {"/docs/", "/docs/xml", "/docs/packed", "/docs/plain", "/docs/feed", "/docs/dated", "/docs/linked"},
            {"/index.xml", "/a.xml", "/b.xml.gz", "/c.txt", "/sitemap.xml"},
            id="only the sitemap",
        ),
        pytest.param(
            {"llms": "only"},
            {"/docs/", "/docs/listed", "/docs/refused", "/docs/thin"},
            {"/docs/llms.txt", "/llms.txt", "/llms-full.txt"},
            id="only llms.txt",
        ),
        pytest.param({"sitemap": "off", "llms": "off"}, {"/docs/", "/docs/linked"}, set(), id="links only"),
    ],
)
def test_lists_on_their_own(crawl, site, tmp_path, arguments, pages, lists):
    asked_before = len(site.asked)
    result = crawl(site.url("/docs/"), tmp_path, md_probe="off", **arguments)
    assert {path for path, verdict in result.verdicts.items() if verdict == "ok"} == pages
    asked = site.paths[asked_before:]
    assert {path for path in asked if path.endswith((".xml", ".gz", ".txt")) and path != "/robots.txt"} - {
        "/docs/more/llms.txt"
    } == lists
