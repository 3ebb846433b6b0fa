"""Crawl made sites of 1,000, 5,000 and 20,000 pages, to see whether a page of a large crawl costs more.

What start and end of a crawl cost, by a crawl of one page, is told apart from what a page costs.

`make bench-linear`, or `python bench/linear.py 500 2000` for other sizes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from crawls import Cost, crawl, made_site

SIZES = (1_000, 5_000, 20_000)


def measured(pages: int, folder: Path, *options: str) -> Cost:
    """Crawl a made site of so many pages; print its figures. Raises RuntimeError if pages are missing."""
    with made_site("--pages", str(pages), *options) as base:
        cost = crawl(f"{base}/docs/", folder / str(pages), "-LWARNING")
    stored = len(list((folder / str(pages) / "markdown").rglob("*.md")))
    if stored != pages:
        raise RuntimeError(f"{stored} of {pages} pages stored, status {cost.status}")
    print(
        f"{pages} pages: {1000 * cost.cpu_s / pages:.1f} ms CPU a page, {pages / cost.wall_s:.1f} pages/s, "
        f"{cost.tree_mb:.0f} MB at the peak ({cost.peak_mb:.0f} MB the largest process)",
        flush=True,
    )
    return cost


def main() -> int:
    """Crawl every size; print how far the dearest is from the cheapest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--tiny", action="store_true", help="pages of some 10 KB")
    arguments = parser.parse_args()
    options = ["--tiny"] if arguments.tiny else []
    with tempfile.TemporaryDirectory() as folder:
        start_s = measured(1, Path(folder), *options).cpu_s
        costs = {pages: measured(pages, Path(folder), *options) for pages in arguments.sizes}
    trees = [cost.tree_mb for cost in costs.values()]
    whole = [1000 * cost.cpu_s / pages for pages, cost in costs.items()]
    net = [1000 * (cost.cpu_s - start_s) / (pages - 1) for pages, cost in costs.items()]
    print(f"without the first page's {start_s:.1f} s: {', '.join(f'{each:.1f}' for each in net)} ms CPU a page")
    print(f"CPU a page: {_apart(net):.1%} apart, {_apart(whole):.1%} with start-up", end="; ")
    print(f"peak memory: {max(trees) - min(trees):.0f} MB apart")
    return 0


def _apart(figures: list[float]) -> float:
    """Return by how much the dearest is dearer than the cheapest."""
    return max(figures) / min(figures) - 1


if __name__ == "__main__":
    sys.exit(main())
