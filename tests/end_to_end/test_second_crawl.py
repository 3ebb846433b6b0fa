"""Three crawls into one folder: what changed, what stayed, what failed, what went; and what a vector store is told."""

from __future__ import annotations

import pytest


def with_etag(site, path):
    """Return a route that answers a conditional request for an unchanged page without the page."""
    page = site.page(path, headers={"ETag": f'"{path}"'})

    def route(asked):
        if asked.headers.get("if-none-match") == f'"{path}"':
            return page._replace(status=304, body="")
        return page

    return route


def ids_of(result, path):
    return {row["id"] for row in result.chunks if row["url"].endswith(path)}


@pytest.fixture(scope="module")
def site(mock_sites):
    site = mock_sites()
    site.add_page(
        "/docs/",
        "/docs/same",
        "/docs/etag",
        "/docs/changes",
        "/docs/fails",
        "/docs/bars",
        "/docs/goes",
        "/docs/UNLINKED",
    )
    for path in ("/docs/same", "/docs/changes", "/docs/fails", "/docs/bars", "/docs/goes", "/docs/UNLINKED"):
        site.add_page(path)
    site.routes["/docs/etag"] = with_etag(site, "/docs/etag")
    two = site.page("/docs/changes")
    site.routes["/docs/changes"] = two._replace(
        body=two.body.replace("<ul>", "<h2>Spare parts</h2><p>Keep two.</p><ul>")
    )
    return site


@pytest.fixture(scope="module")
def crawls(crawl, site, tmp_path_factory):
    """The three crawls as they were when each had ended; the paths asked for in the second."""
    folder = tmp_path_factory.mktemp("again")
    results = []

    def run():
        result = crawl(site.url("/docs/"), folder, settings={"MDCRAWL_MAX_DELETE_RATIO": "1"})
        for name in ("pages", "chunks", "changes", "summary", "documents"):
            getattr(result, name)  # read it now: the next crawl writes the files anew
        results.append(result)

    run()
    site.add_page(
        "/docs/",
        "/docs/same",
        "/docs/etag",
        "/docs/changes",
        "/docs/fails",
        "/docs/bars",
        "/docs/goes",
        "/docs/unlinked",
    )
    site.add_page("/docs/unlinked")
    changed = site.routes["/docs/changes"]
    site.routes["/docs/changes"] = changed._replace(body=changed.body.replace("Keep two.", "Keep three."))
    site.routes["/docs/fails"] = site.page("/docs/fails")._replace(status=503, body="out of order")
    site.routes["/docs/bars"] = site.page("/docs/bars")._replace(status=403)
    del site.routes["/docs/goes"]
    asked_before = len(site.asked)
    run()
    asked = site.asked[asked_before:]
    run()
    return *results, asked


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        pytest.param("/docs/", "unchanged", id="same content, other links"),
        pytest.param("/docs/same", "unchanged", id="same bytes again"),
        pytest.param("/docs/etag", "unchanged", id="not modified"),
        pytest.param("/docs/changes", "ok", id="one section changed"),
        pytest.param("/docs/fails", "http_error", id="server in trouble"),
        pytest.param("/docs/bars", "refused", id="same bytes, but refused"),
        pytest.param("/docs/goes", "gone", id="page that went"),
        pytest.param("/docs/unlinked", "ok", id="new page"),
    ],
)
def test_second_crawl_has_its_verdicts(crawls, path, verdict):
    assert crawls[1].verdicts[path] == verdict


def test_crawls_end_well(crawls):
    for result in crawls[:3]:
        assert result.status == 0
        assert result.is_clean
        assert sum(result.summary["pages"]["verdicts"].values()) == len(result.pages)


def test_known_page_is_asked_for_conditionally(crawls):
    (asked,) = [asked for asked in crawls[3] if asked.path == "/docs/etag"]
    assert asked.headers["if-none-match"] == '"/docs/etag"'


@pytest.mark.parametrize("path", ["/docs/same", "/docs/etag", "/docs/fails", "/docs/bars"])
def test_unchanged_and_held_pages_keep_their_chunks(crawls, path):
    first, second = crawls[:2]
    assert ids_of(second, path) == ids_of(first, path) != set()
    assert second.row(path)["chunks"] == len(ids_of(first, path))
    assert second.row(path)["markdown_path"] in second.documents


def test_page_that_went_takes_its_chunks_along(crawls):
    first, second = crawls[:2]
    assert ids_of(first, "/docs/goes")
    assert ids_of(second, "/docs/goes") == set()
    assert second.row("/docs/goes")["markdown_path"] == ""


def test_only_the_changed_section_gets_a_new_id(crawls):
    first, second = crawls[:2]
    before, after = ids_of(first, "/docs/changes"), ids_of(second, "/docs/changes")
    assert len(before) == len(after) == 2
    assert len(before & after) == 1


@pytest.mark.parametrize("number", [0, 1, 2], ids=["first", "second", "third"])
def test_store_that_follows_the_changes_holds_the_corpus(crawls, number):
    """Whoever applies every changes.jsonl in turn has the chunks of the last crawl, no more and no less."""
    held = {}
    for result in crawls[: number + 1]:
        for change in result.changes:
            if change["action"] == "upsert":
                held[change["id"]] = change["text"]
            elif change["action"] == "delete":
                del held[change["id"]]
    assert held == {row["id"]: row["text"] for row in crawls[number].chunks}


def test_trouble_is_a_hold_and_no_delete(crawls, site):
    about_it = [change for change in crawls[1].changes if change["url"] == site.url("/docs/fails")]
    assert [change["action"] for change in about_it] == ["hold"]


def test_page_that_is_linked_no_more_stays_once_and_goes_then(crawls, site):
    second, third = crawls[1:3]
    assert ids_of(second, "/docs/UNLINKED")
    assert ids_of(third, "/docs/UNLINKED") == set()
    told = {(change["action"], change["url"]) for change in third.changes if change["action"] != "hold"}
    assert told == {("delete", site.url("/docs/UNLINKED"))}


def test_names_that_differ_by_letter_case_are_two_files(crawls, site):
    """The row of the one must not name the file of the other, though the other has no row."""
    text = crawls[1].documents[crawls[1].row("/docs/unlinked")["markdown_path"]]
    assert f"source: {site.url('/docs/unlinked')}\n" in text
    assert any(f"source: {site.url('/docs/UNLINKED')}\n" in text for text in crawls[1].documents.values())
