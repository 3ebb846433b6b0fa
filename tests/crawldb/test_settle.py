"""Which of several equal pages is kept, and where redirects lead: the same whoever came first."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.crawldb.world import make_page


def redirect(url, to):
    return make_page(url, verdict="duplicate", duplicate_of=to, reason=f"redirects to {to}")


@pytest.mark.parametrize(
    ("pages", "kept"),
    [
        pytest.param({"/a": "", "/a/": "", "/a/index.html": ""}, "/a", id="shortest"),
        pytest.param({"/b": "", "/a": "", "/c": ""}, "/a", id="first of equally short"),
        pytest.param(
            {"/print/a": "/long/name/of/a", "/long/name/of/a": "/long/name/of/a"}, "/long/name/of/a", id="named"
        ),
        pytest.param({"/b": "/elsewhere", "/a": "/elsewhere"}, "/a", id="named is not there"),
        pytest.param({"/bb": "/c", "/a": "/bb", "/c": "/a"}, "/a", id="all named: shortest"),
    ],
)
def test_same_content_is_kept_once(world, pages, kept):
    for order in permutations(pages):
        world.start(resume=False)
        world.take(*(make_page(url, "same: text", canonical_url=pages[url]) for url in order))
        world.finish()
        assert world.corpus == [kept], order
        for url in pages:
            row = world.row(url)
            if url == kept:
                assert (row.verdict, row.duplicate_of) == ("ok", "")
            else:
                assert (row.verdict, row.duplicate_of) == ("duplicate", kept)
                assert row.reason == f"same content as {kept}"


def test_unchanged_page_and_new_copy(world):
    world.crawl(make_page("/bb", "same: text"))
    again = make_page("/bb", "same: text", verdict="unchanged")
    world.crawl(again, make_page("/a", "same: text"))
    assert world.verdicts == {"/bb": "duplicate", "/a": "ok"}
    assert world.moves == [("upsert", "/a"), ("delete", "/bb")]


def test_pages_that_were_not_stored_are_no_copies(world):
    world.crawl(make_page("/a", "text", verdict="thin"), make_page("/b", "text", verdict="thin"), make_page("/c", "c"))
    assert world.verdicts == {"/a": "thin", "/b": "thin", "/c": "ok"}


CHAINS = [
    pytest.param(
        [redirect("/a", "/b"), redirect("/b", "/c"), make_page("/c", "text")],
        {"/a": ("duplicate", "/c"), "/b": ("duplicate", "/c"), "/c": ("ok", "")},
        id="chain to a page",
    ),
    pytest.param(
        [redirect("/a", "/b"), make_page("/b", verdict="http_error")],
        {"/a": ("http_error", ""), "/b": ("http_error", "")},
        id="to trouble",
    ),
    pytest.param(
        [redirect("/a", "/b"), redirect("/b", "/a")],
        {"/a": ("redirect_loop", ""), "/b": ("redirect_loop", "")},
        id="loop",
    ),
    pytest.param(
        [redirect("/x", "/a"), redirect("/a", "/b"), redirect("/b", "/a")],
        {"/x": ("redirect_loop", ""), "/a": ("redirect_loop", ""), "/b": ("redirect_loop", "")},
        id="into a loop",
    ),
    pytest.param([redirect("/a", "/a")], {"/a": ("redirect_loop", "")}, id="to itself"),
    pytest.param([redirect("/a", "/unknown")], {"/a": ("duplicate", "/unknown")}, id="to what was not fetched"),
    pytest.param(
        [redirect("/r", "/bb"), make_page("/bb", "same"), make_page("/a", "same")],
        {"/r": ("duplicate", "/a"), "/bb": ("duplicate", "/a"), "/a": ("ok", "")},
        id="to a copy",
    ),
]


@pytest.mark.parametrize(("pages", "ends"), CHAINS)
def test_redirects_lead_to_what_is_at_their_end(world, pages, ends):
    for order in permutations(pages):
        world.start(resume=False)
        world.take(*order)
        world.finish()
        rows = {url: world.row(url) for url in ends}
        assert {url: (row.verdict, row.duplicate_of) for url, row in rows.items()} == ends, order


def test_reason_of_a_redirect_to_trouble_names_the_trouble(world):
    world.crawl(redirect("/a", "/b"), make_page("/b", verdict="refused"))
    assert world.row("/a").reason == "redirects to /b: refused it is"


def test_settled_copies_still_name_the_canonical_page_in_the_next_part_of_a_run(world):
    world.start()
    world.know("/c")
    world.take(make_page("/named", "same", canonical_url="/named"), make_page("/cc", "same", canonical_url="/named"))
    world.finish(stopped="by hand", is_over=False)
    world.start()
    world.take(make_page("/c", "same"))
    world.finish()
    assert world.corpus == ["/named"]
    assert world.verdicts == {"/named": "ok", "/cc": "duplicate", "/c": "duplicate"}
