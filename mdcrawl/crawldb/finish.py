"""End a run: settle, commit and close it in one transaction, or leave everything as it was."""

from __future__ import annotations

from sqlalchemy import Connection

from mdcrawl.crawldb.commit import commit_documents
from mdcrawl.crawldb.frontier import count_unfetched
from mdcrawl.crawldb.runs import Run, RunState, close_run
from mdcrawl.crawldb.settle import settle_duplicates


def finish_run(
    connection: Connection, run: Run, *, now: str, stopped: str, is_over: bool, max_delete_ratio: float
) -> None:
    """Commit what a run found.

    `stopped` says why known URLs were not fetched; "" if nothing kept them from it. `is_over` says
    that there is nothing to go on with. Raises TooManyDeletesError when more
    of the corpus would go than `max_delete_ratio` allows; then the corpus and the changes stay as
    they were, and the run is closed as refused.
    """
    with connection.begin():
        settle_duplicates(connection, run.id)
        unfetched = count_unfetched(connection)
        commit_documents(connection, run.id, complete=not unfetched and not stopped, max_delete_ratio=max_delete_ratio)
        state = RunState.COMMITTED if is_over or not unfetched else RunState.STOPPED
        close_run(connection, run, now=now, state=state, reason=stopped if unfetched else "")


def refuse_run(connection: Connection, run: Run, *, now: str, reason: str) -> None:
    """Close a run whose result is not believed. The next crawl starts anew."""
    with connection.begin():
        close_run(connection, run, now=now, state=RunState.REFUSED, reason=reason)
