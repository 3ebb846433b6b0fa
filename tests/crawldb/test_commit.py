"""What a run makes of the corpus, and what it tells whoever follows it: CONTRACT's table of verdicts."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, func, select

from mdcrawl.crawldb.commit import TooManyDeletesError
from mdcrawl.crawldb.schema import chunks, corpus_next, documents
from mdcrawl.items import Verdict
from tests.crawldb.world import make_page

KEEP, HOLD, DELETE = "keep", "hold", "delete"

# The contract's table, "next run does", for a page that was stored before.
TABLE = {
    Verdict.OK: KEEP,
    Verdict.UNCHANGED: KEEP,
    Verdict.THIN: HOLD,
    Verdict.REFUSED: HOLD,
    Verdict.CHALLENGE: HOLD,
    Verdict.GATED: HOLD,
    Verdict.SOFT_404: HOLD,  # the first time
    Verdict.HTTP_ERROR: HOLD,
    Verdict.GONE: DELETE,
    Verdict.NETWORK_ERROR: HOLD,
    Verdict.RENDER_FAILED: HOLD,
    Verdict.REDIRECT_LOOP: HOLD,
    Verdict.OUT_OF_SCOPE: DELETE,
    Verdict.ROBOTS_DENIED: DELETE,
    Verdict.ROBOTS_UNREACHABLE: HOLD,
    Verdict.BLOCKED_ADDRESS: DELETE,
    Verdict.NOINDEX: DELETE,
    Verdict.UNSUPPORTED_TYPE: DELETE,
    Verdict.TOO_LARGE: HOLD,
    Verdict.BAD_CONTENT: HOLD,
    Verdict.LIMIT: HOLD,
    Verdict.DUPLICATE: DELETE,  # of a page that is stored
}


def test_table_is_whole():
    assert set(TABLE) == set(Verdict)


@pytest.mark.parametrize(("verdict", "effect"), TABLE.items(), ids=TABLE)
def test_verdict_on_a_page_stored_before(world, verdict, effect):
    world.crawl(make_page("page", "one: text\ntwo: text"), make_page("other", "text"))
    before = world.chunks
    world.start()
    again = make_page("page", "one: text\ntwo: text" if verdict is Verdict.OK else "", verdict)
    if verdict is Verdict.DUPLICATE:
        again.duplicate_of, again.reason = "other", "redirects to other"
    world.take(again, make_page("other", verdict="unchanged"))
    world.finish()
    if effect == DELETE:
        assert world.corpus == ["other"]
        assert [(change["action"], change["verdict"], change["reason"]) for change in world.changes] == [
            ("delete", verdict, again.reason)
        ] * 2
    else:
        assert world.corpus == ["other", "page"]
        assert world.chunks == before
        hold = {"action": "hold", "url": "page", "verdict": verdict, "reason": f"{verdict} it is"}
        assert world.changes == ([hold] if effect == HOLD else [])


def test_first_run_upserts_every_chunk_with_all_its_columns(world):
    world.crawl(make_page("b", "text of b"), make_page("a", "one: text\ntwo: text"))
    assert world.moves == [("upsert", "a"), ("upsert", "a"), ("upsert", "b")]
    first = world.changes[0]
    assert (first["text"], first["heading_path"], first["position"]) == ("one: text", ["one"], 0)


def test_only_what_changed_is_told(world):
    world.crawl(make_page("a", "one: text\ntwo: text\nthree: text"), make_page("b", "text of b"))
    world.crawl(make_page("a", "one: text\ntwo: other\nfour: text"), make_page("b", verdict="unchanged"))
    told = [(change["action"], change.get("text")) for change in world.changes]
    assert told == [("delete", None), ("upsert", "two: other"), ("upsert", "four: text")]
    assert set(world.chunks.values()) == {"one: text", "two: other", "four: text", "text of b"}


def test_converted_again_to_the_same_is_no_change(world):
    world.crawl(make_page("a", "one: text"))
    world.crawl(make_page("a", "one: text"))
    assert world.changes == []


def test_soft_404_deletes_the_second_time_in_a_row(world):
    other = make_page("other", "text")
    world.crawl(make_page("page", "one: text"), other)
    for verdict, moves in (
        ("soft_404", [("hold", "page")]),
        ("ok", []),
        ("soft_404", [("hold", "page")]),
        ("network_error", [("hold", "page")]),
        ("soft_404", [("delete", "page")]),
    ):
        world.crawl(make_page("page", "one: text" if verdict == "ok" else "", verdict), other)
        assert world.moves == moves, verdict
    assert world.corpus == ["other"]


def test_page_that_is_linked_no_more_goes_after_the_second_complete_run(world):
    other = make_page("other", "text")
    world.crawl(make_page("page", "one: text"), other)
    world.crawl(other)
    assert world.moves == []
    assert world.corpus == ["other", "page"]
    world.crawl(other)
    assert world.moves == [("delete", "page")]
    assert world.changes[0]["reason"] == "linked nowhere"


@pytest.mark.parametrize(
    ("how", "known"),
    [
        pytest.param({"stopped": "by hand", "is_over": False}, ["unfetched"], id="stopped"),
        pytest.param({"stopped": "max_pages=1 reached"}, ["unfetched"], id="at a limit"),
        pytest.param({}, ["unfetched"], id="something left unfetched"),
        pytest.param({"in_scope": lambda url: url != "page"}, [], id="out of this crawl's scope"),
    ],
)
def test_incomplete_run_misses_nothing(world, how, known):
    other = make_page("other", "text")
    world.crawl(make_page("page", "one: text"), other)
    for _ in range(3):
        world.start(resume=False)
        world.know(*known)
        world.take(other)
        world.finish(**how)
        assert world.moves == []
    assert world.corpus == ["other", "page"]


def test_found_again_starts_the_count_anew(world):
    page, other = make_page("page", "one: text"), make_page("other", "text")
    world.crawl(page, other)
    world.crawl(other)
    world.crawl(page, other)
    world.crawl(other)
    assert world.corpus == ["other", "page"]


def test_run_that_was_stopped_and_gone_on_with_misses_a_page_once(world):
    """Its first part cannot tell; if it says soft_404 in a part, the next part must not count it again."""
    page, other = make_page("page", "one: text"), make_page("other", "text")
    world.crawl(page, other)
    world.start()
    world.know("other")
    world.take(make_page("page", verdict="soft_404"))
    world.finish(stopped="by hand", is_over=False)
    assert world.start().resumed
    world.take(other)
    world.finish()
    assert world.corpus == ["other", "page"]


def test_too_many_deletes_change_nothing(world):
    pages = [make_page(url, f"{url}: text") for url in "abcd"]
    world.crawl(*pages)
    before, moves = world.chunks, world.changes
    world.start()
    world.take(*(make_page(url, verdict="gone") for url in "abc"), pages[3])
    with pytest.raises(TooManyDeletesError, match="3 of 4 pages would be deleted") as refused:
        world.finish(ratio=0.5)
    assert refused.value.departures.ratio == 0.75
    world.refuse()
    assert (world.chunks, world.changes) == (before, moves)
    world.start()
    world.take(*(make_page(url, verdict="gone") for url in "abc"), pages[3])
    world.finish(ratio=0.75)
    assert world.corpus == ["d"]


def test_refused_soft_404_does_not_count(world):
    """What is rolled back is rolled back whole: misses too."""
    world.crawl(make_page("a", "text"))
    world.crawl(make_page("a", verdict="soft_404"))
    world.start()
    world.take(make_page("a", verdict="soft_404"))
    with pytest.raises(TooManyDeletesError):
        world.finish(ratio=0.5)
    world.refuse()
    world.crawl(make_page("a", "text"))
    world.crawl(make_page("a", verdict="soft_404"))
    assert world.corpus == ["a"]


def test_copy_of_a_page_that_was_not_fetched_is_held(world):
    world.crawl(make_page("a", "text"))
    world.start()
    world.know("b")
    world.take(make_page("a", verdict="duplicate", duplicate_of="b"))
    world.finish(stopped="max_pages=1 reached")
    assert world.moves == [("hold", "a")]
    assert world.corpus == ["a"]


def test_page_that_moved_is_told_as_such(world):
    world.crawl(make_page("a", "one: text"))
    world.crawl(make_page("a", verdict="duplicate", duplicate_of="b"), make_page("b", "one: text"))
    assert world.moves == [("delete", "a"), ("upsert", "b")]


def test_nothing_is_left_of_old_versions(world):
    for text in ("one: a", "one: b", "one: c"):
        world.crawl(make_page("a", text))
    with world.begin() as connection:
        counts = [connection.scalar(select(func.count()).select_from(table)) for table in (documents, chunks)]
        assert counts == [1, 1]
        assert connection.scalar(select(func.count()).select_from(corpus_next)) == 0


def test_page_found_to_be_a_copy_when_a_stopped_run_is_gone_on_with(world):
    world.start()
    world.know("unfetched")
    world.take(make_page("b", "text"))
    world.finish(stopped="by hand", is_over=False)
    assert (world.corpus, world.moves) == (["b"], [("upsert", "b")])
    world.crawl(make_page("a", "text"), make_page("unfetched", verdict="gone"))
    assert (world.corpus, sorted(world.moves)) == (["a"], [("delete", "b"), ("upsert", "a")])
    with world.begin() as connection:
        assert list(connection.scalars(select(documents.c.url))) == ["a"]


# --- A store that follows the changes -----------------------------------------------------------

TEXTS = ["", "one: x", "one: y", "one: x\ntwo: x", "two: x\none: x", "three: z"]
OUTCOME = st.one_of(
    st.sampled_from(TEXTS[1:]).map(lambda text: ("ok", text)),
    st.sampled_from([verdict for verdict in Verdict if verdict is not Verdict.OK]).map(lambda verdict: (verdict, "")),
    st.none(),
)
RUN = st.fixed_dictionaries(
    {
        "outcomes": st.fixed_dictionaries(dict.fromkeys("abcd", OUTCOME)),
        "how": st.sampled_from(["complete", "stopped", "killed", "refused"]),
    }
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(runs=st.lists(RUN, min_size=1, max_size=5))
def test_store_that_follows_the_changes_holds_the_corpus(lasting_world, runs):
    lasting_world.clear()
    held = {}
    for run in runs:
        lasting_world.start()
        pages = [
            make_page(url, *reversed(outcome), duplicate_of="abcd"[ord(url) % 4] if outcome[0] == "duplicate" else "")
            for url, outcome in run["outcomes"].items()
            if outcome is not None
        ]
        lasting_world.take(*pages)
        if run["how"] == "killed":
            continue
        if run["how"] == "refused":
            lasting_world.refuse()
            continue
        stopped = "by hand" if run["how"] == "stopped" else ""
        if stopped:
            lasting_world.know("unfetched")
        lasting_world.finish(stopped=stopped, is_over=not stopped)
        for change in lasting_world.changes:
            if change["action"] == "upsert":
                held[change["id"]] = change["text"]
            elif change["action"] == "delete":
                del held[change["id"]]
            else:
                assert change["url"] in lasting_world.corpus
        assert held == lasting_world.chunks


def test_export_looks_up_changed_chunks_by_their_ids(sqlite_world):
    """Not by reading all chunks of the page for each: a million changes are a million pages read."""
    seen = []
    event.listen(sqlite_world.crawldb._engine, "before_cursor_execute", lambda *call: seen.append(call[2:4]))
    assert sqlite_world.changes == []
    with sqlite_world.begin() as connection:
        query, parameters = seen[0]
        plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", parameters).all()]
    assert any("chunks USING INDEX chunks_id" in step for step in plan), plan
    assert "SCAN changes USING INDEX changes_order" in plan
