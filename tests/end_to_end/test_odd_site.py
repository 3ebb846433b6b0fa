"""A site where every page, header and link is odd: the crawl ends well, and every file is whole."""

from __future__ import annotations

import gzip

import pyarrow.parquet as pq
import pytest
import yaml

HTML = "text/html; charset=utf-8"


def with_title(page, title):
    head, _, rest = page.body.partition("<title>")
    return page._replace(body=f"{head}<title>{title}{rest[rest.index('</title>') :]}")


def with_head(page, head):
    return page._replace(body=page.body.replace("</head>", f"{head}</head>"))


@pytest.fixture(scope="module")
def odd(mock_sites):
    site = mock_sites()
    page = site.page
    published = '<meta property="article:published_time" content="{}">'
    site.routes |= {
        "/docs/yaml": with_title(page("/docs/yaml"), "yes: # --- {x} &quot;'"),
        "/docs/controls": with_title(page("/docs/controls"), "a&#xD800;b&#0;c&#x85;d&#x2028;e&#x1b;[0mf\u202e"),
        "/docs/nul": page("/docs/nul")._replace(body=page("/docs/nul").body.replace("Step 3", "St\0ep 3")),
        "/docs/heading": page("/docs/heading")._replace(
            body=page("/docs/heading").body.replace("<h1>", "<h1>&#xDFFF;\0&#x2029;")
        ),
        "/docs/first-year": with_head(page("/docs/first-year"), published.format("0001-01-01T00:00:00+14:00")),
        "/docs/last-year": with_head(page("/docs/last-year"), published.format("9999-12-31T23:59:59-14:00")),
        "/docs/modified": page("/docs/modified", headers={"Last-Modified": f"Tue, 03 Nov {'9' * 20} 08:30:00 GMT"}),
        "/docs/modified-words": page(
            "/docs/modified-words", headers={"Last-Modified": "a while ago", "ETag": 'W/"\xe9"'}
        ),
        "/docs/charset": page("/docs/charset", headers={"Content-Type": "text/html; charset=x-klingon"}),
        "/docs/latin": page("/docs/latin", headers={"Content-Type": "text/html; charset=iso-8859-1"}),
        "/docs/no-type": page("/docs/no-type", headers={"Content-Type": ""}),
        "/docs/squeezed": page("/docs/squeezed")._replace(
            headers={"Content-Type": HTML, "Content-Encoding": "gzip"},
            body=gzip.compress(page("/docs/squeezed").body.encode()),
        ),
        "/docs/status-999": page("/docs/status-999")._replace(status=999),
        "/docs/broken-html": page("/docs/broken-html")._replace(
            body="<table><td>" * 50 + page("/docs/broken-html").body.replace("</main></body></html>", "</p></div></x")
        ),
        "/docs/nested": page("/docs/nested")._replace(
            body="<div>" * 3000 + page("/docs/nested").body + "</div>" * 3000
        ),
        "/docs/garbage": page("/docs/garbage")._replace(body=bytes(range(256)) * 40),
        # Plain after all, as a server behind another that unpacks may send it.
        "/docs/not-gzip": page("/docs/not-gzip", headers={"Content-Encoding": "gzip"}),
        "/docs/bad-gzip": page("/docs/bad-gzip")._replace(
            headers={"Content-Type": HTML, "Content-Encoding": "gzip"}, body=b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff" * 500
        ),
        "/docs/blank": page("/docs/blank")._replace(body=" \n\t " * 100),
        # Where their files would lie in each other's way.
        "/docs/same": page("/docs/same"), "/docs/same/": page("/docs/same/"),
        "/docs/same.html": page("/docs/same.html"),
        "/docs/SAME": page("/docs/SAME"), "/docs/same.md/x": page("/docs/same.md/x"), "/docs//x": page("/docs//x"),
        "/docs/x": page("/docs/x"), "/docs/a%2Fb": page("/docs/a%2Fb"), "/docs/a/b": page("/docs/a/b"),
        "/docs/con": page("/docs/con"), "/docs/q?a=1": page("/docs/q?a=1"), "/docs/q?a=2": page("/docs/q?a=2"),
        f"/docs/{'n' * 400}": page(f"/docs/{'n' * 400}"),
    }  # fmt: skip
    links = [
        *site.routes,
        "javascript:void(0)",
        "mailto:a@example.com",
        "http://[bad/",
        "http://",
        "#top",
        "?",
        "::",
        "//",
    ]
    links += [
        "tel:+49 1",
        "data:text/html,x",
        "http://me:secret@example.com/",
        "\x00",
        "http://a b/",
        "ftp://a.example/",
    ]
    site.add_page("/docs/", *links)
    return site


@pytest.fixture(scope="module")
def result(crawl, odd, tmp_path_factory):
    return crawl(odd.url("/docs/"), tmp_path_factory.mktemp("odd"))


def test_crawl_ends_well(result):
    assert result.status == 0
    assert result.is_clean
    assert result.complaints == []


def test_every_page_that_was_linked_has_a_verdict(result, odd):
    missing = {odd.url(path) for path in odd.routes} - {row["url"] for row in result.pages}
    assert missing == set()
    assert {row["verdict"] for row in result.pages} >= {"ok"}
    assert [row["url"] for row in result.pages if not row["url"].startswith(odd.base)] == []


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("/docs/yaml", "ok"), ("/docs/controls", "ok"), ("/docs/nul", "ok"), ("/docs/heading", "ok"),
        ("/docs/first-year", "ok"), ("/docs/last-year", "ok"), ("/docs/modified", "ok"), ("/docs/modified-words", "ok"),
        ("/docs/charset", "ok"), ("/docs/latin", "ok"), ("/docs/no-type", "ok"), ("/docs/squeezed", "ok"),
        ("/docs/broken-html", "ok"), ("/docs/nested", "ok"), ("/docs/same/", "ok"), ("/docs/a/b", "ok"),
        ("/docs/status-999", "http_error"), ("/docs/garbage", "unsupported_type"), ("/docs/blank", "thin"),
        ("/docs/not-gzip", "ok"), ("/docs/bad-gzip", "bad_content"),
    ],
)  # fmt: skip
def test_odd_page_has_its_verdict(result, path, verdict):
    assert result.verdicts[path] == verdict


def test_every_file_is_whole(result):
    stored = [row for row in result.pages if row["verdict"] == "ok"]
    assert pq.read_table(result.folder / "pages.parquet").num_rows == len(result.pages)
    assert pq.read_table(result.folder / "chunks.parquet").num_rows == len(result.chunks)
    assert len({row["markdown_path"] for row in stored}) == len(stored)
    assert set(result.documents) == {row["markdown_path"] for row in stored}
    for row in stored:
        header = result.documents[row["markdown_path"]].split("\n---\n")[0]
        fields = yaml.safe_load(header.removeprefix("---\n"))
        assert fields["source"] == row["final_url"]


@pytest.mark.parametrize("name", ["pages.jsonl", "chunks.jsonl"])
def test_lines_hold_no_character_that_readers_stumble_over(result, name):
    raw = (result.folder / name).read_bytes()
    text = raw.decode("utf-8")  # strict: no lone surrogate
    assert len(text.splitlines()) == raw.count(b"\n")
    assert r"\u0000" not in text
    assert r"\ud8" not in text.lower()
    assert r"\udf" not in text.lower()
