"""Measure mdcrawl beside Scrapy's bare fetch, crawl4ai and trafilatura on the same pages, in alternating rounds.

`make bench` sets up what it needs and runs it. Every figure is that of a whole process tree, the server's left out.
Everybody fetches with 16 requests in flight and no delay. mdcrawl finds the pages itself, obeys robots.txt, and
ends with its files written; the others are given the list of pages that it found.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import psutil
from crawls import BENCH, ROOT, run, served

CONTESTANTS = BENCH / "contestants"
# Built documentation sites to measure on, if they are at hand.
DOCSITES = Path(os.environ.get("BENCH_DOCSITES") or ROOT.parent / "shared" / "corpus" / "docsites")
RESULTS = BENCH / "results.json"
MADE_PAGES = 300
PACKAGES = ("mdcrawl", "scrapy", "trafilatura", "lxml", "tiktoken", "sqlalchemy")

Figures = dict[str, float]


def contestants(peers: Path) -> dict[str, list[str | Path]]:
    """Return the commands that are compared, but for the folder of the job that each takes last but options."""
    own, others = Path(sys.executable), peers / "bin" / "python"
    return {
        "Scrapy, fetch only": [own, CONTESTANTS / "scrapy_fetch.py"],
        "mdcrawl": [own, CONTESTANTS / "mdcrawl_crawl.py"],
        "crawl4ai, HTTP": [others, CONTESTANTS / "crawl4ai_http.py"],
        "trafilatura alone": [own, CONTESTANTS / "pools.py", "trafilatura"],
        "mdcrawl's conversion alone": [own, CONTESTANTS / "pools.py", "mdcrawl"],
    }


@contextmanager
def sites(pages: int) -> Iterator[tuple[str, list[str]]]:
    """Serve what is measured on; give its description and the start URLs."""
    if (DOCSITES / "sites.json").is_file():
        with served("docsites.py", str(DOCSITES)) as bases:
            yield f"{len(bases)} built documentation sites", [f"{base}/" for base in bases]
    else:
        with served("site.py", "--pages", str(pages or MADE_PAGES)) as bases:
            yield "a made site", [f"{bases[0]}/docs/"]


def prepare(job: Path, starts: list[str], pages: int) -> None:
    """Crawl once, unmeasured, for the list of pages and their bytes."""
    job.mkdir()
    (job / "start.txt").write_text("\n".join(starts))
    limit = [f"-amax_pages={pages}"] if pages else []
    measured("mdcrawl", [sys.executable, CONTESTANTS / "mdcrawl_crawl.py"], job, limit)
    rows = [json.loads(line) for line in (job / "out" / "pages.jsonl").open(encoding="utf-8")]
    urls = sorted({row["final_url"] for row in rows if row["status"] == 200})
    write_list(job, urls)


def write_list(job: Path, urls: list[str]) -> None:
    """Write the list of pages, and their bytes for those who do not fetch."""
    (job / "urls.txt").write_text("\n".join(urls))
    (job / "bodies").mkdir()
    for number, url in enumerate(urls):
        with urllib.request.urlopen(url) as answer:  # noqa: S310  our own server
            (job / "bodies" / str(number)).write_bytes(answer.read())


def measured(name: str, command: list[str | Path], job: Path, options: list[str]) -> Figures:
    """Run a contestant on a job; return its figures. Raises RuntimeError if it fails."""
    shutil.rmtree(job / "out", ignore_errors=True)
    printed = job / "printed"
    printed.unlink(missing_ok=True)
    script, *rest = command[1:]
    cost = run([command[0], script, job, *rest, *options], log=job / "log", output=printed)
    lines = printed.read_text().splitlines() if printed.exists() else []
    if cost.status or not lines or not lines[-1].startswith("{"):
        raise RuntimeError(f"{name} failed: {(job / 'log').read_text()[-2000:]}")
    result: Figures = json.loads(lines[-1])
    return result | {"wall_s": cost.wall_s, "cpu_s": cost.cpu_s, "tree_mb": cost.tree_mb}


def per_page(figures: Figures, start_s: float) -> Figures:
    """Return the figures of a run by page; `start_s` is the CPU time of a run of one page."""
    pages = figures["pages"]
    found = {
        "pages": pages,
        "cpu_ms": 1000 * figures["cpu_s"] / pages,
        "net_cpu_ms": 1000 * (figures["cpu_s"] - start_s) / max(pages - 1, 1),
        "wall_ms": 1000 * figures["wall_s"] / pages,
        "pages_s": pages / figures["wall_s"],
        "tree_mb": figures["tree_mb"],
    }
    found |= {name: figures[name] for name in ("lag_p99_ms", "lag_max_ms") if name in figures}
    if "workers_cpu_s" in figures:
        found["conversion_share"] = figures["workers_cpu_s"] / figures["cpu_s"]
    return found


def medians(rounds: list[Figures]) -> Figures:
    """Return the median of each figure."""
    return {name: statistics.median(figures[name] for figures in rounds) for name in rounds[0]}


def ratios(rounds: Mapping[str, list[Figures]]) -> Figures:
    """Return the medians of the ratios within each round."""

    def ratio(figure: str, one: str, other: str) -> float:
        pairs = zip(rounds[one], rounds[other], strict=True)
        return statistics.median(a[figure] / b[figure] for a, b in pairs)

    own, peer, rival, bare = "mdcrawl", "crawl4ai, HTTP", "trafilatura alone", "mdcrawl's conversion alone"
    found = {}
    for figure, name in (("net_cpu_ms", "CPU a page"), ("cpu_ms", "CPU a page, start-up included")):
        found[f"{name}: mdcrawl / crawl4ai"] = ratio(figure, own, peer)
        found[f"{name}: mdcrawl / trafilatura alone"] = ratio(figure, own, rival)
    found["pages/s: mdcrawl / crawl4ai"] = ratio("pages_s", own, peer)
    found["pages/s: mdcrawl / its conversion alone"] = ratio("pages_s", own, bare)
    found["CPU of conversion / CPU of the crawl"] = statistics.median(each["conversion_share"] for each in rounds[own])
    return found


COLUMNS = (
    ("cpu_ms", "CPU ms a page"),
    ("net_cpu_ms", "without start-up"),
    ("start_s", "start-up CPU s"),
    ("wall_ms", "wall ms a page"),
    ("pages_s", "pages/s"),
    ("tree_mb", "peak MB of all processes"),
    ("lag_p99_ms", "loop lag p99 ms"),
)


def table(by_name: Mapping[str, Figures]) -> str:
    """Return the medians as a Markdown table."""
    lines = ["| | " + " | ".join(title for _, title in COLUMNS) + " |", "| --- |" + " --- |" * len(COLUMNS)]
    for name, figures in by_name.items():
        cells = [f"{figures[key]:.3g}" if key in figures else "" for key, _ in COLUMNS]
        cells = [
            f"{figures[key]:.0f}" if figures.get(key, 0) >= 100 else cell
            for (key, _), cell in zip(COLUMNS, cells, strict=True)
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def versions(peers: Path) -> dict[str, str]:
    """Return the versions of what is compared."""
    asked = "from importlib.metadata import version; print(version('crawl4ai'))"
    answer = subprocess.run([peers / "bin" / "python", "-c", asked], capture_output=True, text=True, check=True)  # noqa: S603  our own venv
    found = {name: metadata.version(name) for name in PACKAGES if name != "mdcrawl"}
    return {"python": platform.python_version(), **found, "crawl4ai": answer.stdout.strip()}


def machine() -> str:
    """Return the machine in a line."""
    names = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    cpu = names[0].partition(":")[2].strip() if names else platform.processor()
    memory = psutil.virtual_memory().total / 2**30
    return f"{os.cpu_count()} cores of {cpu}, {memory:.0f} GB, {platform.system()} {platform.machine()}"


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def measure(commands: Mapping[str, list[str | Path]], job: Path, one: Path, count: int) -> dict[str, list[Figures]]:
    """Run every contestant in every round, another one first each time."""
    rounds: dict[str, list[Figures]] = {name: [] for name in commands}
    for number in range(count):
        names = list(commands)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            start = measured(name, commands[name], one, ["-amax_depth=1", "-amax_pages=1"] if name == "mdcrawl" else [])
            figures = measured(name, commands[name], job, [])
            rounds[name].append(per_page(figures, start["cpu_s"]) | {"start_s": start["cpu_s"]})
            last = rounds[name][-1]
            print(
                f"round {number + 1}: {name}: {last['cpu_ms']:.1f} ms CPU a page, {last['pages_s']:.1f} pages/s",
                flush=True,
            )
    return rounds


def main() -> int:
    """Measure, print the table, write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=0, help="stop at so many pages (0: all there are)")
    parser.add_argument("--peers", type=Path, default=ROOT / ".venv-bench", help="the virtual environment of the peers")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    commands = contestants(arguments.peers)
    with tempfile.TemporaryDirectory() as temporary, sites(arguments.pages) as (what, starts):
        os.environ["CRAWL4_AI_BASE_DIRECTORY"] = temporary  # else it writes into the home folder
        job, one = Path(temporary) / "job", Path(temporary) / "one"
        prepare(job, starts, arguments.pages)
        pages = (job / "urls.txt").read_text().split()
        one.mkdir()
        (one / "start.txt").write_text(pages[0])
        write_list(one, pages[:1])
        rounds = measure(commands, job, one, arguments.rounds)
    by_name = {name: medians(figures) for name, figures in rounds.items()}
    compared = ratios(rounds)
    described = {"pages": len(pages), "from": what, "rounds": arguments.rounds, "machine": machine()}
    described["versions"] = versions(arguments.peers)
    print(f"\n{len(pages)} pages of {what}, medians of {arguments.rounds} rounds; {described['machine']}\n")
    print(table(by_name), "\n")
    print("\n".join(f"{name}: {value:.2f}" for name, value in compared.items()))
    result = {**described, "medians": by_name, "ratios": compared, "rounds_measured": rounds}
    arguments.results.write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
