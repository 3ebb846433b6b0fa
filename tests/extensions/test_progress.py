"""The live view on a terminal, log lines elsewhere, and what is said at the end."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from mdcrawl.discovery.pace import Failure, Pace, PaceOptions, Trouble
from mdcrawl.extensions.progress import memory_bytes
from mdcrawl.extensions.snapshot import BROWSER, ParkedSite, Snapshot, to_line
from mdcrawl.extensions.terminal import can_draw
from mdcrawl.extensions.view import closing_view, live_view, next_steps
from tests.conftest import on_terminal

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOT = Snapshot(
    elapsed_s=75.0,
    done=1_200,
    known=4_800,
    per_second=1.96,
    verdicts={"thin": 3, "ok": 1_100, "challenge": 3},
    parked=[
        ParkedSite("a.example", 12.4, "status 429"),
        ParkedSite("b.example", 0.0, "site given up after 10 failures"),
    ],
    browser={"pages": 4, "shells": 5, "failed": 1},
    memory_bytes=312_000_000,
)
SUMMARY = {
    "state": "committed",
    "not_fetched": "",
    "pages": {"total": 3, "verdicts": {"ok": 2, "thin": 1}},
    "corpus": {"pages": 2, "chunks": 9},
    "changes": {"upsert": 9, "delete": 0, "hold": 1},
    "near_duplicates": {"pages": 0, "examples": []},
    "tokens": {"html": 9_000, "markdown": 1_000, "chunks": 1_100},
}


def shown(view, width=100):
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=True, color_system=None, legacy_windows=False).print(view)
    return file.getvalue()


def test_line_says_it_all():
    assert to_line(SNAPSHOT) == (
        "1200 of 4800 URLs done, 2.0 a second; 1100 ok, 3 challenge, 3 thin; "
        "browser: 5 without content, 4 drawn, 1 failed; "
        "parked for 12 s: a.example (status 429); given up: b.example (site given up after 10 failures); 312 MB"
    )


def test_view_says_it_all():
    text = shown(live_view(SNAPSHOT))
    for part in (
        "1,200 of 4,800 known URLs done",
        "2.0 a second · 1:15 · 312 MB",
        "ok 1,100",
        "browser: 5 without content, 4 drawn, 1 failed",
        "parked for 12 s: a.example (status 429)",
    ):
        assert part in text


def test_view_at_the_start():
    empty = Snapshot(0.0, 0, 0, 0.0, {}, [], {}, 0)
    assert "no page yet" in shown(live_view(empty))
    assert to_line(empty) == "0 of 0 URLs done, 0.0 a second; 0 MB"


def test_view_stays_small_whatever_is_parked():
    many = [ParkedSite(f"{n}.example", 1.0, "status 503") for n in range(200)]
    text = shown(live_view(Snapshot(1.0, 1, 2, 1.0, {"ok": 1}, many, {}, 0)))
    assert len(text.splitlines()) <= 8
    assert "and 196 more sites parked" in text


def test_view_fits_a_narrow_terminal():
    lines = shown(live_view(SNAPSHOT), width=40).splitlines()
    assert max(map(len, lines)) <= 40
    assert len(lines) <= 9


def test_every_count_of_the_browser_has_its_words():
    sources = ("middlewares/render.py", "pipelines/shell.py", "handlers/browser.py")
    code = "".join((ROOT / "mdcrawl" / source).read_text(encoding="utf-8") for source in sources)
    assert set(re.findall(r'(?:_count\("|inc_value\("mdcrawl/render/)(\w+)"', code)) == set(BROWSER)


def test_end_says_what_where_and_what_next():
    text = shown(closing_view(SUMMARY, Path("out/site"), is_complete=True))
    for part in ("3 URLs", "2 ok", "1 thin", "9 to upsert", "In out/site/", "Mend: 1 thin: Too few words."):
        assert part in " ".join(text.replace("\n", " ").split())
    assert text.strip().splitlines()[-1].strip().endswith("out/site/report.html")


@pytest.mark.parametrize(
    ("changed", "is_complete", "steps"),
    [
        pytest.param({}, True, ["Mend:", "Load:", "Look:"], id="complete"),
        pytest.param(
            {"state": "stopped", "not_fetched": "max_pages=2 reached"},
            False,
            ["Missing:", "Go on:", "Mend:", "Look:"],
            id="stopped",
        ),
        pytest.param({"corpus": {"pages": 0, "chunks": 0}}, False, ["Mend:", "Look:"], id="nothing stored"),
    ],
)
def test_next_steps(changed, is_complete, steps):
    assert [what for what, _ in next_steps(SUMMARY | changed, Path("out"), is_complete=is_complete)] == steps


def test_parked_sites_of_the_pace():
    pace = Pace(PaceOptions(max_failures=2))
    pace.failed("slow.example", Failure("/a", Trouble.SITE, "status 429", wait_s=20.0), now_s=100.0, chance=0.0)
    for page in ("/a", "/b"):
        pace.failed("dead.example", Failure(page, Trouble.SILENCE, "no answer"), now_s=100.0, chance=0.0)
    pace.answered("fine.example", 0.1, is_good=True)
    assert pace.parked(105.0) == [
        ("dead.example", 0.0, "site given up after 2 failures in a row: no answer"),
        ("slow.example", 15.0, "status 429"),
    ]
    assert [site for site, *_ in pace.parked(500.0)] == ["dead.example"]


def test_memory_is_that_of_a_process():
    assert 10_000_000 < memory_bytes() < 100_000_000_000


def test_closed_standard_error_is_no_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert not can_draw()


def crawl_command(site, folder, *more):
    settings = {
        "DOWNLOAD_DELAY": 0.01,
        "MDCRAWL_WORKERS": 1,
        "MDCRAWL_OUTPUT": folder,
        "MDCRAWL_CONTACT": "me@example.com",
    }
    options = [f"-s{name}={value}" for name, value in settings.items()]
    return [sys.executable, "-m", "scrapy", "crawl", "docs", f"-astart={site.url('/docs/')}", *options, *more]


def test_crawl_on_a_terminal_is_calm(mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a", "/docs/b")
    mock_site.add_page("/docs/a")
    mock_site.add_page("/docs/b")
    # Two delays, of half of it at least: long enough for the view to be drawn.
    status, text = on_terminal(crawl_command(mock_site, tmp_path, "-sDOWNLOAD_DELAY=2"))
    assert status == 0
    assert "known URLs done" in text
    assert "INFO" not in text
    assert "Traceback" not in text
    assert text.strip().splitlines()[-1].replace(" ", "") == f"Look:{tmp_path}/report.html"


def test_crawl_on_a_terminal_that_cannot_draw_logs_lines(mock_site, tmp_path):
    mock_site.add_page("/docs/")
    status, text = on_terminal(crawl_command(mock_site, tmp_path), term="dumb")
    assert status == 0
    assert "INFO: 1 URLs" in text
    assert f"{tmp_path}/report.html" in text.splitlines()


def test_crawl_that_is_interrupted_says_how_to_go_on(mock_site, tmp_path):
    paths = [f"/docs/{number}" for number in range(30)]
    mock_site.add_page("/docs/", *paths)
    for path in paths:
        mock_site.add_page(path)
    status, text = on_terminal(crawl_command(mock_site, tmp_path, "-sDOWNLOAD_DELAY=1"), interrupt_at=b"ok 1")
    assert "Traceback" not in text
    assert status == 0
    assert "Go on: run the same command again" in " ".join(text.split())
    assert text.strip().replace("\n", "").endswith(f"{tmp_path}/report.html")
    assert "the crawl was stopped (shutdown)" in " ".join(text.split())


def test_crawl_in_a_pipe_logs_lines(mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    command = crawl_command(mock_site, tmp_path, "-sLOGSTATS_INTERVAL=0.2")
    forced = os.environ | {"FORCE_COLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, env=forced, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert re.search(r"\[mdcrawl.extensions.progress\] INFO: \d+ of \d+ URLs done, ", done.stderr)
    assert f"{tmp_path}/report.html" in done.stderr.splitlines()
