"""How a crawl stands, as a view for a terminal, as one line for a log, and as the table at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mdcrawl.export.summary import Summary

GOOD = frozenset({"ok", "unchanged", "duplicate"})
# Lines that the view takes up at most: it must not jump about.
MAX_SITES = 5


@dataclass(frozen=True, slots=True)
class ParkedSite:
    """A site that is left alone for some seconds, or for good (`wait_s` is 0), and why."""

    site: str
    wait_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How a crawl stands. `done` and `known` count URLs; `verdicts` those of this process."""

    elapsed_s: float
    done: int
    known: int
    per_second: float
    verdicts: Mapping[str, int]
    parked: Sequence[ParkedSite]
    browser: Mapping[str, int]
    memory_bytes: int


def to_line(snapshot: Snapshot) -> str:
    """Return a snapshot as one line of a log."""
    parts = [
        f"{snapshot.done} of {snapshot.known} URLs done, {snapshot.per_second:.1f} a second",
        ", ".join(f"{count} {verdict}" for verdict, count in _sorted(snapshot.verdicts)),
        f"browser: {_browser(snapshot)}" if snapshot.browser else "",
        "; ".join(f"{_waits(each)}: {each.site} ({each.reason})" for each in snapshot.parked[:MAX_SITES]),
        f"{snapshot.memory_bytes / 1e6:.0f} MB",
    ]
    return "; ".join(part for part in parts if part)


def live_view(snapshot: Snapshot) -> RenderableType:
    """Return a snapshot as a few lines for a terminal."""
    speed = f"{snapshot.per_second:.1f}/s · {_clock(snapshot.elapsed_s)} · {snapshot.memory_bytes / 1e6:.0f} MB"
    head = Table.grid(padding=(0, 2))
    head.add_row(
        ProgressBar(total=max(snapshot.known, 1), completed=snapshot.done, width=30),
        Text(f"{snapshot.done:,} of {snapshot.known:,} URLs known", style="bold"),
        Text(speed, style="dim"),
    )
    verdicts = Text()
    for verdict, count in _sorted(snapshot.verdicts):
        verdicts.append(f"{verdict} {count:,}  ", style="green" if verdict in GOOD else "yellow")
    lines: list[RenderableType] = [head, verdicts or Text("no page yet", style="dim")]
    if snapshot.browser:
        lines.append(Text(f"browser: {_browser(snapshot)}", style="dim"))
    lines += [
        Text(f"{_waits(each)}: {each.site} ({each.reason})", style="yellow") for each in snapshot.parked[:MAX_SITES]
    ]
    if len(snapshot.parked) > MAX_SITES:
        lines.append(Text(f"and {len(snapshot.parked) - MAX_SITES} more sites parked", style="yellow"))
    return Group(*lines)


def closing_view(summary: Summary, folder: Path, *, is_complete: bool) -> RenderableType:
    """Return what came of a crawl, where it is and what to do next."""
    table = Table(show_header=False, box=None, padding=(0, 2))
    table.add_column(justify="right")
    table.add_column()
    for verdict, count in _sorted(summary["pages"]["verdicts"]):
        table.add_row(Text(f"{count:,}", style="bold"), Text(verdict, style="green" if verdict in GOOD else "yellow"))
    corpus, changes, tokens = summary["corpus"], summary["changes"], summary["tokens"]
    table.add_row(f"{corpus['chunks']:,}", f"chunks of {corpus['pages']:,} pages")
    table.add_row(
        f"{changes['upsert']:,}", f"to upsert, {changes['delete']:,} to delete, {changes['hold']:,} pages on hold"
    )
    if tokens["html"]:
        table.add_row(f"{tokens['html']:,}", f"tokens of HTML became {tokens['markdown']:,} of Markdown")
    ends = [f"Everything is in {folder}/"]
    if summary["not_fetched"]:
        ends.append(f"Not everything was fetched: {summary['not_fetched']}")
    return Group(table, Text(), *map(Text, ends), *map(Text, next_steps(summary, folder, is_complete=is_complete)))


def next_steps(summary: Summary, folder: Path, *, is_complete: bool) -> list[str]:
    """Return what to do next, a line each; the last names the report."""
    steps = []
    if summary["state"] == "stopped":
        steps.append("Go on:  run the same command again")
    if summary["corpus"]["chunks"] and is_complete:
        steps.append(f"Load:   {folder / 'changes.jsonl'}, what your vector store must do to follow")
    return [*steps, f"Look:   {folder / 'report.html'}"]


def _sorted(verdicts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(verdicts.items(), key=lambda item: (-item[1], item[0]))


def _browser(snapshot: Snapshot) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(snapshot.browser.items()))


def _waits(parked: ParkedSite) -> str:
    return f"parked for {parked.wait_s:.0f} s" if parked.wait_s else "given up"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
