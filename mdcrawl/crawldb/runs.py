"""Runs: one crawl into a folder from its start to its commit, over as many processes as it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, delete, insert, select, update

from mdcrawl.crawldb.commit import next_version
from mdcrawl.crawldb.schema import runs, urls


class RunState(StrEnum):
    """`RUNNING` after a kill, `STOPPED` after a clean stop: both are gone on with.

    `COMMITTED` is over, and so is `REFUSED`, whose result did not become the corpus.
    """

    RUNNING = "running"
    STOPPED = "stopped"
    COMMITTED = "committed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Run:
    """One row of `runs`; `resumed` says that this process goes on with an earlier one's work."""

    id: int
    started_at: str
    resumed: bool = False
    state: RunState = RunState.RUNNING
    finished_at: str = ""
    reason: str = ""
    settings: Mapping[str, object] | None = None

    @property
    def not_fetched(self) -> str:
        """The reason of URLs that are only known."""
        return self.reason or "known, not fetched"


def open_run(connection: Connection, *, now: str, settings: Mapping[str, object], resume: bool) -> Run:
    """Return the run to work in: the last one if it did not come to its end and `resume` is set, else a new one.

    A new run starts with an empty frontier and ledger; the corpus of earlier runs stays.
    """
    last = last_run(connection)
    if last and last.state in {RunState.RUNNING, RunState.STOPPED} and resume:
        connection.execute(
            update(runs).where(runs.c.id == last.id).values(state=RunState.RUNNING, settings=dict(settings))
        )
        return Run(last.id, last.started_at, resumed=True, settings=settings)
    connection.execute(delete(urls))
    run_id = max(last.id + 1 if last else 1, next_version(connection))
    connection.execute(insert(runs).values(id=run_id, started_at=now, state=RunState.RUNNING, settings=dict(settings)))
    return Run(run_id, now, settings=settings)


def set_settings(connection: Connection, run: Run, settings: Mapping[str, object]) -> None:
    """Note the settings that now shape what the run left."""
    connection.execute(update(runs).where(runs.c.id == run.id).values(settings=dict(settings)))


def last_run(connection: Connection) -> Run | None:
    """Return the newest run of the folder, or None if there was none."""
    row = connection.execute(select(runs).order_by(runs.c.id.desc()).limit(1)).one_or_none()
    if row is None:
        return None
    return Run(
        id=row.id,
        started_at=row.started_at,
        state=RunState(row.state),
        finished_at=row.finished_at,
        reason=row.reason,
        settings=row.settings,
    )


def close_run(connection: Connection, run: Run, *, now: str, state: RunState, reason: str) -> None:
    """Write how a run ended; `reason` says in a few words why known URLs were not fetched, if any."""
    connection.execute(update(runs).where(runs.c.id == run.id).values(finished_at=now, state=state, reason=reason))
