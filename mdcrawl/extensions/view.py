"""A crawl on a terminal: a few lines while it runs, a table at its end. Imported only where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mdcrawl.export.summary import Summary
from mdcrawl.extensions.snapshot import MAX_SITES, Snapshot, browser_words, most_first, wait_words
from mdcrawl.items import Verdict
from mdcrawl.report.advice import ADVICE, FINE, LEFT_OUT

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


def start_view() -> Live:
    """Return a live view on the terminal that has begun."""
    live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
    live.start()
    return live


def print_closing(summary: Summary, folder: Path, *, is_complete: bool) -> None:
    """Print on the terminal what came of a crawl."""
    Console(stderr=True).print(closing_view(summary, folder, is_complete=is_complete))


def live_view(snapshot: Snapshot) -> RenderableType:
    """Return a snapshot as a few lines for a terminal."""
    head = Table.grid(padding=(0, 2))
    head.add_row(
        ProgressBar(total=max(snapshot.known, 1), completed=snapshot.done, width=30),
        Text(f"{snapshot.done:,} of {snapshot.known:,} known URLs done", style="bold"),
    )
    verdicts = Text()
    for verdict, count in most_first(snapshot.verdicts):
        verdicts.append(f"{verdict} {count:,}  ", style=_style(verdict))
    facts = f"{snapshot.per_second:.1f} a second · {_clock(snapshot.elapsed_s)} · {snapshot.memory_bytes / 1e6:,.0f} MB"
    lines: list[RenderableType] = [head, verdicts or Text("no page yet", style="dim"), Text(facts, style="dim")]
    if snapshot.browser:
        lines.append(_line(f"browser: {browser_words(snapshot)}", style="dim"))
    lines += [
        _line(f"{wait_words(each)}: {each.site} ({each.reason})", style="yellow")
        for each in snapshot.parked[:MAX_SITES]
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
    for verdict, count in most_first(summary["pages"]["verdicts"]):
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
    wrong = [each for each in most_first(summary["pages"]["verdicts"]) if each[0] not in (*FINE, *LEFT_OUT)]
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


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
