"""End a run: settle, commit and close it. The caller's transaction makes it all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from mdcrawl.crawldb.commit import commit_documents, count_misses
from mdcrawl.crawldb.frontier import count_unfetched
from mdcrawl.crawldb.runs import Run, RunState, close_run
from mdcrawl.crawldb.settle import settle_duplicates


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends.

    `stopped` says why known URLs were not fetched, "" if nothing kept them from it; `is_over` that
    there is nothing to go on with. `is_in_scope` tells of a URL whether this crawl could have come
    across it.
    """

    now: str
    stopped: str
    is_over: bool
    is_in_scope: Callable[[str], bool]
    max_delete_ratio: float


def finish_run(connection: Connection, run: Run, ending: Ending) -> None:
    """Commit what a run found.

    Only a complete run can miss a page. Raises TooManyDeletesError when more
    of the corpus would go than is allowed; the caller rolls back and refuses the run.
    """
    settle_duplicates(connection)
    unfetched = count_unfetched(connection)
    is_complete = not unfetched and not ending.stopped
    count_misses(connection, run.id, ending.is_in_scope if is_complete else lambda _: False)
    commit_documents(connection, run.id, max_delete_ratio=ending.max_delete_ratio)
    state = RunState.COMMITTED if ending.is_over or not unfetched else RunState.STOPPED
    close_run(connection, run, now=ending.now, state=state, reason=ending.stopped if unfetched else "")


def refuse_run(connection: Connection, run: Run, *, now: str, reason: str) -> None:
    """Close a run whose result is not believed. The next crawl starts anew."""
    close_run(connection, run, now=now, state=RunState.REFUSED, reason=reason)
