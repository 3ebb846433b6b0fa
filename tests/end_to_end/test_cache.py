"""What the second crawl asks the site for, what it keeps, and what it takes for unchanged, in each cache mode."""

from __future__ import annotations

import json
import sqlite3
import zlib

import pytest

CONDITIONS = {"if-none-match", "if-modified-since"}
MONDAY = "Mon, 02 Nov 2026 08:30:00 GMT"
ALL = {"/docs/", "/docs/etag", "/docs/date", "/docs/no-store", "/docs/changes"}
CACHED = ALL - {"/docs/no-store"}
VALIDATED = {"/docs/etag", "/docs/date", "/docs/changes"}


def conditional(page):
    """Return a route that answers 304 to whoever holds the page."""

    def route(asked):
        pairs = (("if-none-match", "ETag"), ("if-modified-since", "Last-Modified"))
        held = any(asked.headers.get(condition) == page.headers.get(name, "") for condition, name in pairs)
        return page._replace(status=304, body="") if held else page

    return route


def reworded(page, old, new):
    return page._replace(body=page.body.replace(old, new))


def bodies_of(folder):
    """Return what the store of answers holds: the body by path."""
    connection = sqlite3.connect(folder / "crawl.sqlite")
    rows = connection.execute("SELECT url, body FROM bodies").fetchall()
    connection.close()
    return {"/docs/" + url.rpartition("/")[2]: zlib.decompress(body).decode() for url, body in rows}


def build(site):
    site.add_page("/docs/", *sorted(ALL))
    site.routes["/docs/etag"] = conditional(site.page("/docs/etag", headers={"ETag": '"e1"'}))
    site.routes["/docs/date"] = conditional(site.page("/docs/date", headers={"Last-Modified": MONDAY}))
    no_store = {"ETag": '"n1"', "Cache-Control": "private, No-Store"}
    site.routes["/docs/no-store"] = conditional(site.page("/docs/no-store", headers=no_store))
    site.routes["/docs/changes"] = conditional(site.page("/docs/changes", headers={"ETag": '"c1"'}))


def change(site):
    changed = site.page("/docs/changes", headers={"ETag": '"c2"'})
    site.routes["/docs/changes"] = conditional(reworded(changed, "valve 3", "lever 3"))


# Watch for the processes of the worker pool: `sitecustomize` is imported by each at its start.
WATCH = """
import pathlib, sys
if any("mdcrawl.worker_process" in argument for argument in sys.orig_argv):
    pathlib.Path(__file__).with_name("started").touch()
"""


@pytest.fixture
def watched(tmp_path):
    """A folder of modules that notes in the file `started` when a worker process starts."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("mode", "asked", "conditionally", "new_is_kept", "sees_change"),
    [
        pytest.param("enabled", ALL, VALIDATED, True, True, id="enabled"),
        pytest.param("disabled", ALL, set(), False, True, id="disabled"),
        pytest.param("read_only", {"/docs/no-store"}, set(), False, False, id="read_only"),
        pytest.param("write_only", ALL, set(), True, True, id="write_only"),
        pytest.param("bypass", ALL, set(), False, True, id="bypass"),
    ],
)
def test_second_crawl_in_each_mode(  # noqa: PLR0917  fixtures and the columns of the table
    crawl, mock_site, tmp_path, watched, mode, asked, conditionally, new_is_kept, sees_change
):
    build(mock_site)
    folder = tmp_path / "out"
    assert crawl(mock_site.url("/docs/"), folder, modules=watched).status == 0
    assert bodies_of(folder).keys() == CACHED
    assert (watched / "started").exists()
    (watched / "started").unlink()
    change(mock_site)
    mock_site.asked.clear()
    again = crawl(mock_site.url("/docs/"), folder, settings={"MDCRAWL_CACHE": mode}, modules=watched)
    assert again.status == 0
    assert again.is_clean
    pages = [request for request in mock_site.asked if request.path in ALL]
    assert {request.path for request in pages} == asked
    assert len(pages) == len(asked)
    assert {request.path for request in pages if CONDITIONS & request.headers.keys()} == conditionally
    assert bodies_of(folder).keys() == CACHED
    assert ("lever 3" in bodies_of(folder)["/docs/changes"]) is new_is_kept
    changed = "ok" if sees_change else "unchanged"
    assert again.verdicts == dict.fromkeys(ALL, "unchanged") | {"/docs/changes": changed}
    assert again.row("/docs/etag")["status"] == (304 if mode == "enabled" else 200)
    assert (watched / "started").exists() is sees_change, "only a page that changed needs a worker"


@pytest.mark.parametrize("mode", ["disabled", "bypass", "read_only"])
def test_nothing_is_kept_where_nothing_may_be(crawl, mock_site, tmp_path, mode):
    build(mock_site)
    result = crawl(mock_site.url("/docs/"), tmp_path / "out", settings={"MDCRAWL_CACHE": mode})
    assert result.verdicts == dict.fromkeys(ALL, "ok")
    assert bodies_of(result.folder) == {}


def test_unchanged_site_costs_no_conversion_and_changes_nothing(crawl, mock_site, tmp_path, watched):
    build(mock_site)
    folder = tmp_path / "out"
    first = crawl(mock_site.url("/docs/"), folder)
    assert first.chunks
    again = crawl(mock_site.url("/docs/"), folder, modules=watched)
    assert set(again.verdicts.values()) == {"unchanged"}
    assert (folder / "changes.jsonl").read_bytes() == b""
    assert again.chunks == first.chunks
    assert not (watched / "started").exists()


def test_incremental_off_converts_everything_again(crawl, mock_site, tmp_path, watched):
    build(mock_site)
    folder = tmp_path / "out"
    first = crawl(mock_site.url("/docs/"), folder)
    assert first.chunks
    again = crawl(mock_site.url("/docs/"), folder, modules=watched, incremental="off")
    assert again.verdicts == dict.fromkeys(ALL, "ok")
    assert (watched / "started").exists()
    assert (folder / "changes.jsonl").read_bytes() == b"", "the same site gives the same chunks"


def test_validator_that_lies_is_found_out(crawl, mock_site, tmp_path):
    """The site says 304 to whoever asks with a validator, though every page is another one by now."""
    paths = [f"/docs/{letter}" for letter in "abcdefghijklmno"]
    mock_site.add_page("/docs/", *paths)
    for path in paths:
        mock_site.routes[path] = conditional(mock_site.page(path, headers={"ETag": '"for ever"'}))
    folder = tmp_path / "out"
    assert set(crawl(mock_site.url("/docs/"), folder).verdicts.values()) == {"ok"}
    for path in paths:
        page = mock_site.page(path, headers={"ETag": '"for ever"'})
        mock_site.routes[path] = conditional(reworded(page, "valve", "lever"))
    mock_site.asked.clear()
    again = crawl(mock_site.url("/docs/"), folder)
    assert "sends the same validator for another page" in again.stderr
    assert again.verdicts == {"/docs/": "unchanged"} | dict.fromkeys(paths, "ok")
    told = [json.loads(line) for line in (folder / "changes.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {change["url"] for change in told} == {mock_site.url(path) for path in paths}
    assert all("lever" in change["text"] for change in told if change["action"] == "upsert")
    assert max(mock_site.paths.count(path) for path in paths) == 2, "once in good faith, once in full"
