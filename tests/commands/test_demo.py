"""`scrapy demo`: what `make demo` runs; it crawls the bundled site and shows what came out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.conftest import on_terminal

ROOT = Path(__file__).resolve().parents[2]


def test_demo_ends_well_and_names_its_files(scrapy):
    ended = scrapy("demo")
    assert ended.status == 0
    assert ended.is_clean
    lines = ended.stdout.splitlines()
    assert lines[0].startswith("scrapy crawl docs -a start=http://127.0.0.1:")
    summary = json.loads((ROOT / "out/demo/summary.json").read_bytes())
    assert f"{summary['pages']['total']} URLs" in lines
    for verdict, count in summary["pages"]["verdicts"].items():
        assert f"{count:>8} {verdict}" in lines
    named = [line for line in lines if line.startswith("out/demo/")]
    assert "out/demo/chunks.jsonl" in named
    assert [line for line in named if not (ROOT / line).exists()] == []
    assert lines[-1] == "out/demo/report.html"


def test_demo_on_a_terminal_says_it_once():
    status, text = on_terminal([sys.executable, "-m", "scrapy", "demo"])
    assert status == 0
    assert text.count("of Markdown") == 1
    assert " ".join(text.split()).endswith("Look: out/demo/report.html")
