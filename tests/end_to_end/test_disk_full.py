"""No more room while a crawl or an export writes: one line, status 3, and the next run goes on."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys

import pytest

from tests.conftest import CONTACT, DELAY_S, ROOT, Crawl

PAGES = [f"/docs/{first}{second}" for first in "abcdef" for second in "abcdef"]


def run_limited(limit, *arguments):
    """Run a Scrapy command that may write no file larger than so many bytes, as on a full disk."""

    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments],
        cwd=ROOT,
        # The measuring of coverage writes files of its own, which the limit would hit as well.
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=set_limit,
    )


def crawl_limited(site, folder, limit):
    settings = {"DOWNLOAD_DELAY": DELAY_S, "MDCRAWL_CONTACT": CONTACT, "MDCRAWL_WORKERS": 1, "MDCRAWL_OUTPUT": folder}
    options = [f"-s{name}={value}" for name, value in settings.items()]
    ended = run_limited(limit, "crawl", "docs", f"-astart={site.url('/docs/')}", "-amd_probe=off", *options)
    return Crawl(ended.returncode, ended.stdout, ended.stderr, folder)


def complaints(result):
    return [line for line in result.stderr.splitlines() if "cannot write" in line]


def check_database(folder):
    connection = sqlite3.connect(folder / "crawl.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


@pytest.fixture
def site(mock_site):
    mock_site.add_page("/docs/", *PAGES)
    for path in PAGES:
        mock_site.add_page(path)
    return mock_site


@pytest.mark.parametrize("limit", [260_000, 400_000])
def test_disk_full_during_the_crawl(crawl, site, tmp_path, limit):
    folder = tmp_path / "out"
    stopped = crawl_limited(site, folder, limit)
    assert stopped.status == 3
    (line,) = complaints(stopped)
    assert str(folder) in line
    assert line.endswith("make room and run the same command again to go on")
    assert "Traceback" not in stopped.stderr
    check_database(folder)
    assert not list(folder.glob(".*.tmp"))
    asked = len(site.page_paths)
    whole = crawl(site.url("/docs/"), folder, md_probe="off")
    assert whole.status == 0
    assert set(whole.verdicts.values()) == {"ok"}
    assert len(whole.pages) == len(PAGES) + 1
    assert asked > 1, "the limit was hit after something was fetched"


def test_disk_full_before_the_crawl(site, tmp_path):
    refused = crawl_limited(site, tmp_path / "out", 50_000)
    assert refused.status == 3
    (line,) = refused.complaints
    assert line.startswith(f"mdcrawl: {tmp_path / 'out'}: cannot write there (File too large)")
    assert site.asked == []


def test_disk_full_during_the_export_leaves_the_old_files(crawl, scrapy, site, tmp_path):
    folder = tmp_path / "out"
    assert crawl(site.url("/docs/"), folder, md_probe="off").status == 0
    names = ("pages.jsonl", "chunks.jsonl", "changes.jsonl", "summary.json")
    before = {name: (folder / name).read_bytes() for name in names}
    limit = len(before["chunks.jsonl"]) - 1
    assert limit > 40_000, "there is room for what the database itself needs"
    failed = run_limited(limit, "export", str(folder))
    assert failed.returncode == 3
    (line,) = [line for line in failed.stderr.splitlines() if line.startswith("mdcrawl:")]
    assert "cannot write: File too large" in line
    assert str(folder) in line
    assert {name: (folder / name).read_bytes() for name in names} == before
    assert not list(folder.glob(".*.tmp"))
    check_database(folder)
    assert scrapy("export", str(folder)).status == 0
    assert {name: (folder / name).read_bytes() for name in names} == before
