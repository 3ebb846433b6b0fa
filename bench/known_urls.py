"""Measure the memory of a crawl that knows very many URLs beside one that knows few; both stop at max_pages."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from crawls import crawl, made_site


def main() -> int:
    """Crawl some pages of a small and of a large made site; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--known", type=int, default=200_000)
    parser.add_argument("--max-pages", type=int, default=30)
    arguments = parser.parse_args()
    peaks = []
    with tempfile.TemporaryDirectory() as temporary:
        for known in (1_000, arguments.known):
            with made_site("--pages", str(known), "--tiny", "--fan-out", "10000") as base:
                folder = Path(temporary) / str(known)
                cost = crawl(f"{base}/docs/", folder, f"-amax_pages={arguments.max_pages}")
            rows = (folder / "pages.jsonl").read_bytes().count(b"\n")
            print(f"{rows} URLs known: {cost}")
            peaks.append(cost.peak_mb)
    print(f"{peaks[1] - peaks[0]:.0f} MB more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
