"""Print what the browser of a crawl holds after every 25 pages of a site that a script writes."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil
from crawls import ROOT, made_site

EVERY = 25


def held_mb(crawl: psutil.Process) -> Counter[str]:
    """Return the memory of the browser and its driver by kind of process, in MB, shared pages counted once."""
    held: Counter[str] = Counter()
    with suppress(psutil.Error):
        for process in crawl.children(recursive=True):
            with suppress(psutil.Error):
                if kind := _kind(process.cmdline()):
                    held[kind] += process.memory_full_info().pss
    return Counter({kind: round(size / 2**20) for kind, size in held.items()})


def _kind(command: list[str]) -> str:
    if "run-driver" in command:
        return "driver"
    if not any("chrom" in part for part in command[:1]):
        return ""
    kinds = [part.partition("=")[2] for part in command if part.startswith("--type=")]
    return kinds[0] if kinds else "browser"


def main() -> int:
    """Crawl a made site of shells and print a line for every 25 pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("options", nargs="*", help="more options of the crawl, after --")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, made_site("--shells", "--pages", str(arguments.pages)) as base:
        settings = {"DOWNLOAD_DELAY": 0, "MDCRAWL_CONTACT": "https://example.com/bot", "MDCRAWL_OUTPUT": folder}
        given = [f"-s{name}={value}" for name, value in settings.items()]
        command = [sys.executable, "-m", "scrapy", "crawl", "docs", f"-astart={base}/docs/", *given]
        log = Path(folder) / "log"
        with log.open("wb") as output:
            process = subprocess.Popen([*command, *arguments.options], cwd=ROOT, stdout=output, stderr=output)  # noqa: S603  our own command
        due = EVERY
        while process.poll() is None:
            time.sleep(0.2)
            done = log.read_bytes().count(b" INFO: ok ")
            if done >= due:
                held = held_mb(psutil.Process(process.pid))
                print(f"page {done}: {held.total()} MB {dict(sorted(held.items()))}", flush=True)
                due += EVERY
        return process.returncode


if __name__ == "__main__":
    sys.exit(main())
