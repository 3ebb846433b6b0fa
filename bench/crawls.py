"""Run commands and crawls of served sites in processes of their own and measure them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
BENCH = Path(__file__).parent
# Often enough for peaks that last a page, seldom enough to cost a hundredth of a core.
SAMPLE_S = 0.1


@dataclass(frozen=True)
class Cost:
    """What a command took: exit status, wall and CPU seconds of all its processes, peak memory in MB.

    `peak_mb` is that of the largest process, `tree_mb` the largest sum over all at one time.
    """

    status: int
    wall_s: float
    cpu_s: float
    peak_mb: float
    tree_mb: float


@contextmanager
def served(script: str, *options: str) -> Iterator[list[str]]:
    """Serve the sites of a script of this folder in a process of its own; give their base URLs."""
    command = [sys.executable, str(BENCH / script), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603  our own command
        assert server.stdout is not None
        assert server.stdin is not None
        yield [line.strip() for line in iter(server.stdout.readline, "\n")]
        server.stdin.close()


@contextmanager
def made_site(*options: str) -> Iterator[str]:
    """Serve a made site in a process of its own; give its base URL."""
    with served("site.py", *options) as bases:
        yield bases[0]


def run(command: Sequence[str | Path], *, log: Path, output: Path | None = None) -> Cost:
    """Run a command in the project's folder to its end; its own worker processes are counted in.

    What it prints goes to `log`, standard output to `output` if that is given.
    """
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{BENCH}"}
    began = time.monotonic()
    with log.open("ab") as errors, (output or log).open("ab") as printed:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=printed, stderr=errors)  # noqa: S603  our own commands
        with _watched(process.pid) as peak:
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    cpu_s = usage.ru_utime + usage.ru_stime
    return Cost(process.returncode, time.monotonic() - began, cpu_s, usage.ru_maxrss / 1024, peak[0])


@contextmanager
def _watched(pid: int) -> Iterator[list[float]]:
    """Keep the peak memory of a process and all below it, in MB, in the one place of a list."""
    peak = [0.0]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(SAMPLE_S):
            peak[0] = max(peak[0], _tree_mb(pid))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def _tree_mb(pid: int) -> float:
    held = 0
    with suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in (root, *root.children(recursive=True)):
            with suppress(psutil.Error):
                held += process.memory_info().rss
    return held / 2**20


def scrapy(*arguments: str, log: Path) -> Cost:
    """Run a Scrapy command to its end."""
    return run([sys.executable, "-m", "scrapy", *arguments], log=log)


def crawl(start: str, folder: Path, *options: str) -> Cost:
    """Crawl from a start URL into a folder without delays between requests."""
    settings = {
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "MDCRAWL_CONTACT": "https://example.com/bot",
        "MDCRAWL_OUTPUT": folder,
    }
    given = [f"-s{name}={value}" for name, value in settings.items()]
    return scrapy("crawl", "docs", f"-astart={start}", *given, *options, log=folder.with_suffix(".log"))
