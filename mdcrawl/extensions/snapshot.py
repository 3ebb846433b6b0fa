"""How a crawl stands, as a view for a terminal, as one line for a log, and as the table at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mdcrawl.export.summary import Summary
from mdcrawl.items import Verdict
from mdcrawl.report.advice import ADVICE, FINE, LEFT_OUT

# Lines that the view takes up at most: it must not jump about.
MAX_SITES = 4
# What the browser's counts mean, in the order in which a page meets them.
BROWSER = {
    "embedded": "spared by data in the page",
    "shells": "without content",
    "pages": "drawn",
    "retried": "tried again",
    "failed": "failed",
    "gained": "with content then",
    "blocked_addresses": "requests to private addresses stopped",
}
# What is in the folder; the report is named last, since it is to be looked at first.
CONTENTS = (
    ("chunks.jsonl, chunks.parquet", "what to embed"),
    ("changes.jsonl", "what a vector store must do to follow"),
    ("pages.jsonl, pages.parquet", "every URL, its verdict and the reason"),
    ("markdown/", "the pages"),
    ("summary.json", "these figures"),
    ("crawl.sqlite", "what the next crawl compares with"),
)
# Verdicts named among the next steps; the report has them all.
MAX_MENDS = 2


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
    head = Table.grid(padding=(0, 2))
    head.add_row(
        ProgressBar(total=max(snapshot.known, 1), completed=snapshot.done, width=30),
        Text(f"{snapshot.done:,} of {snapshot.known:,} known URLs done", style="bold"),
    )
    verdicts = Text()
    for verdict, count in _sorted(snapshot.verdicts):
        verdicts.append(f"{verdict} {count:,}  ", style=_style(verdict))
    facts = f"{snapshot.per_second:.1f} a second · {_clock(snapshot.elapsed_s)} · {snapshot.memory_bytes / 1e6:,.0f} MB"
    lines: list[RenderableType] = [head, verdicts or Text("no page yet", style="dim"), Text(facts, style="dim")]
    if snapshot.browser:
        lines.append(_line(f"browser: {_browser(snapshot)}", style="dim"))
    lines += [
        _line(f"{_waits(each)}: {each.site} ({each.reason})", style="yellow") for each in snapshot.parked[:MAX_SITES]
    ]
    if len(snapshot.parked) > MAX_SITES:
        lines.append(Text(f"and {len(snapshot.parked) - MAX_SITES} more sites parked", style="yellow"))
    return Group(*lines)


def closing_view(summary: Summary, folder: Path, *, is_complete: bool) -> RenderableType:
    """Return what came of a crawl, where it is and what to do next."""
    steps = next_steps(summary, folder, is_complete=is_complete)
    return Group(
        Text(),
        _figures(summary),
        Text(),
        Text(f"In {folder}/", style="bold"),
        _contents(),
        Text(),
        _rows(steps, bold=0),
    )


def _figures(summary: Summary) -> RenderableType:
    corpus, changes, tokens = summary["corpus"], summary["changes"], summary["tokens"]
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_row(Text(f"{summary['pages']['total']:,}", style="bold"), Text("URLs", style="bold"))
    for verdict, count in _sorted(summary["pages"]["verdicts"]):
        table.add_row(f"{count:,}", Text(verdict, style=_style(verdict)))
    table.add_row(f"{corpus['chunks']:,}", f"chunks of {corpus['pages']:,} pages in the corpus")
    table.add_row(
        f"{changes['upsert']:,}", f"to upsert, {changes['delete']:,} to delete, {changes['hold']:,} pages on hold"
    )
    if tokens["html"]:
        table.add_row(f"{tokens['html']:,}", f"tokens of HTML became {tokens['markdown']:,} of Markdown")
    if near := summary["near_duplicates"]["pages"]:
        table.add_row(f"{near:,}", "nearly repeat another page")
    return Padding(table, (0, 0, 0, 2))


def _contents() -> RenderableType:
    return Padding(_rows(CONTENTS), (0, 0, 0, 2))


def _rows(rows: Sequence[tuple[str, str]], *, bold: int = -1) -> Table:
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*(Text(cell, style="bold" if at == bold else "") for at, cell in enumerate(row)))
    return table


def next_steps(summary: Summary, folder: Path, *, is_complete: bool) -> list[tuple[str, str]]:
    """Return what to do next and how; the last names the report."""
    steps = []
    if summary["not_fetched"]:
        steps.append(("Missing:", f"not everything was fetched: {summary['not_fetched']}"))
    if summary["state"] == "stopped":
        steps.append(("Go on:", "run the same command again"))
    wrong = [each for each in _sorted(summary["pages"]["verdicts"]) if each[0] not in (*FINE, *LEFT_OUT)]
    steps += [
        ("Mend:", f"{count:,} {verdict}: {ADVICE[Verdict(verdict)].replace('`', '')}")
        for verdict, count in wrong[:MAX_MENDS]
    ]
    if summary["corpus"]["chunks"] and is_complete:
        steps.append(("Load:", f"{folder / 'changes.jsonl'} into your vector store"))
    return [*steps, ("Look:", f"{folder / 'report.html'}")]


def _style(verdict: str) -> str:
    return "green" if verdict in FINE else "dim" if verdict in LEFT_OUT else "yellow"


def _line(text: str, *, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


def _sorted(verdicts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(verdicts.items(), key=lambda item: (-item[1], item[0]))


def _browser(snapshot: Snapshot) -> str:
    return ", ".join(f"{snapshot.browser[name]} {words}" for name, words in BROWSER.items() if name in snapshot.browser)


def _waits(parked: ParkedSite) -> str:
    return f"parked for {parked.wait_s:.0f} s" if parked.wait_s else "given up"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
