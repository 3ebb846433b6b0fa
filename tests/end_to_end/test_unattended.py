"""Without anybody at a terminal: from cron, from elsewhere, into pipes whose reader goes away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import CONTACT, DELAY_S, ROOT, Crawl
from tests.documents import blocks_of

FILES = {
    "pages.jsonl", "pages.parquet", "chunks.jsonl", "chunks.parquet", "changes.jsonl", "markdown", "summary.json",
    "report.html", "crawl.sqlite",
}  # fmt: skip
# All that cron gives a command, but for a home: a daemon's user may have none.
BARE = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"}


def run_detached(command, *, cwd=ROOT, env=BARE):
    """Run a line of shell with no terminal, not even one to open."""
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=120,
        check=False,
    )


def options(folder):
    ours = {"DOWNLOAD_DELAY": DELAY_S, "MDCRAWL_CONTACT": CONTACT, "MDCRAWL_WORKERS": 1, "MDCRAWL_OUTPUT": folder}
    return " ".join(f"-s {name}={value}" for name, value in ours.items())


def is_whole(folder):
    return {path.name for path in folder.iterdir()} >= FILES and not list(folder.glob(".*"))


def cron_line(start, log, folder):
    """Return the command of the README's crontab for a site of ours."""
    (block,) = [block for block in blocks_of(ROOT / "README.md") if block.language == "crontab"]
    command = block.text.split(maxsplit=5)[5]
    for there, here in {
        "/srv/mdcrawl": str(ROOT),
        ".venv/bin/scrapy": f"{sys.executable} -m scrapy",
        "https://docs.example.com/": start,
        "/var/log/mdcrawl.log": f"{log} {options(folder)}",
    }.items():
        assert there in command
        command = command.replace(there, here)
    return command


def test_from_cron(site, tmp_path):
    """The bundled site, whose pages of scripts need the browser; cron would have nothing to send."""
    folder, log = tmp_path / "out", tmp_path / "mdcrawl.log"
    done = run_detached(cron_line(site.url("/docs/"), log, folder), cwd="/")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    said = log.read_text(encoding="utf-8")
    assert not any(word in said for word in ("WARNING", "] ERROR", "Traceback", "\x1b"))
    assert str(folder / "report.html") in said.splitlines()
    assert is_whole(folder)
    result = Crawl(0, "", "", folder)
    assert {row["source"] for row in result.pages} >= {"html", "rendered"}
    assert sum(result.summary["pages"]["verdicts"].values()) == len(result.pages) > 40


def test_cron_is_told_the_status_of_what_failed(mock_site, tmp_path):
    mock_site.routes["/docs/"] = mock_site.page("/docs/")._replace(status=503, body="")
    done = run_detached(cron_line(mock_site.url("/docs/"), tmp_path / "log", f"{tmp_path}/out -s RETRY_TIMES=0"))
    assert (done.stdout, done.stderr) == ("docs.example.com: status 2\n", "")


def test_from_another_folder(mock_site, tmp_path):
    """Without the project's scrapy.cfg in sight, as from a supervisor or a notebook."""
    mock_site.add_page("/docs/")
    done = run_detached(
        f"{sys.executable} -m scrapy crawl docs -a start={mock_site.url('/docs/')} {options('here')}",
        cwd=tmp_path,
        env=BARE | {"SCRAPY_SETTINGS_MODULE": "mdcrawl.settings", "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert is_whole(tmp_path / "here")
    assert "here/report.html" in done.stderr.splitlines()


@pytest.mark.parametrize(
    ("pipe", "status"),
    [
        pytest.param("2>&1 | head -1", 0, id="log"),
        pytest.param("-o -:chunks-jsonl 2>{tmp}/log | true", 3, id="feed"),
    ],
)
def test_pipe_whose_reader_goes_away(mock_site, tmp_path, pipe, status):
    """The crawl goes on and its files are whole; only a feed that found no reader is a failure."""
    mock_site.add_page("/docs/")
    folder = tmp_path / "out"
    command = f"{sys.executable} -m scrapy crawl docs -a start={mock_site.url('/docs/')} {options(folder)}"
    shell = shutil.which("bash")
    assert shell is not None
    done = subprocess.run(
        [shell, "-c", f"{command} {pipe.format(tmp=tmp_path)}; exit ${{PIPESTATUS[0]}}"],
        cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == status
    assert is_whole(folder)
    log = done.stdout + done.stderr + ((tmp_path / "log").read_text() if (tmp_path / "log").exists() else "")
    assert "Traceback" not in log
    assert "Exception ignored" not in log
    assert "\x1b" not in log
    if status:
        assert "feed stdout:: cannot write: Broken pipe; the output folder has its rows" in log
