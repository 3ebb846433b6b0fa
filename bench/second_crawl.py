"""Measure what the second crawl of an unchanged site costs, beside the first."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from crawls import crawl, made_site


def main() -> int:
    """Crawl a made site twice and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--folder", type=Path, help="keep the output here")
    parser.add_argument("options", nargs="*", help="more options of the crawl, after --")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, made_site("--pages", str(arguments.pages)) as base:
        folder = arguments.folder or Path(temporary) / "out"
        costs = []
        for name in ("first", "second"):
            cost = crawl(f"{base}/docs/", folder, *arguments.options)
            costs.append(cost)
            summary = json.loads((folder / "summary.json").read_bytes())
            changes = (folder / "changes.jsonl").read_bytes().count(b"\n")
            print(f"{name}: {cost}, {summary['pages']['verdicts']}, {changes} lines of changes")
    print(f"CPU time of the second: {costs[1].cpu_s / costs[0].cpu_s:.1%} of the first's")
    return 0


if __name__ == "__main__":
    sys.exit(main())
