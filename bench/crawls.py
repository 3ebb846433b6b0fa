"""Run crawls of a made site in processes of their own and measure them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = Path(__file__).with_name("site.py")


@dataclass(frozen=True)
class Cost:
    """What a command took: exit status, CPU seconds and peak memory in MB of the largest of its processes."""

    status: int
    wall_s: float
    cpu_s: float
    peak_mb: float


@contextmanager
def made_site(*options: str) -> Iterator[str]:
    """Serve a made site in a process of its own; give its base URL."""
    command = [sys.executable, str(SITE), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603  our own command
        assert server.stdout is not None
        assert server.stdin is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


def scrapy(*arguments: str, log: Path) -> Cost:
    """Run a Scrapy command to its end; its own worker processes are counted in."""
    began = time.monotonic()
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603  our own command
            [sys.executable, "-m", "scrapy", *arguments], cwd=ROOT, stdout=output, stderr=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    cpu_s = usage.ru_utime + usage.ru_stime
    return Cost(process.returncode, time.monotonic() - began, cpu_s, usage.ru_maxrss / 1024)


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
