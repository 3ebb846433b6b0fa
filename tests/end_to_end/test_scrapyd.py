"""Deployed to a real Scrapyd as the README says: jobs, files, logs, and what its own settings do."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

from tests.conftest import CONTACT, DELAY_S, ROOT, Crawl
from tests.documents import blocks_of

COMMANDS = [
    shlex.split(command)
    for block in blocks_of(ROOT / "README.md")
    if block.heading == "Under Scrapyd"
    for command in block.commands
]
OUTPUT = "/srv/crawls/docs.example.com"
START = "https://docs.example.com/"


class Job(NamedTuple):
    """A job of Scrapyd's that has ended."""

    about: dict[str, Any]
    log: str


class Scrapyd:
    """A Scrapyd that runs in a folder of its own while it is entered, and the project that is deployed to it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        conf = f"[scrapyd]\nhttp_port = {self.port}\npoll_interval = 0.2\nitems_dir = items\njobs_dir = jobs\n"
        (self.home / "scrapyd.conf").write_text(conf, encoding="utf-8")
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "mdcrawl", self.project / "mdcrawl", ignore=ignored)
        for name in ("setup.py", "requirements.txt", "requirements-scale.txt"):
            shutil.copy(ROOT / name, self.project)
        target = (ROOT / "scrapy.cfg").read_text(encoding="utf-8").replace(":6800", f":{self.port}")
        (self.project / "scrapy.cfg").write_text(target, encoding="utf-8")
        binaries = Path(sys.executable).parent
        outside = {name: value for name, value in os.environ.items() if not name.startswith(("SCRAPY", "PYTHON"))}
        self.environment = outside | {"PATH": f"{binaries}:{os.environ['PATH']}"}

    def __enter__(self) -> Self:
        with (self.home / "scrapyd.log").open("wb") as log:
            self._process = subprocess.Popen("scrapyd", cwd=self.home, env=self.environment, stdout=log, stderr=log)
        for _ in range(200):
            if "Launcher" in (self.home / "scrapyd.log").read_text():
                return self
            assert self._process.poll() is None
            time.sleep(0.1)
        pytest.fail("Scrapyd did not start")

    def __exit__(self, *exc: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)

    def run(self, command: list[str]) -> str:
        """Run a command in the project's folder and return what it printed."""
        done = subprocess.run(
            command, cwd=self.project, env=self.environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, service: str, **data: object) -> dict[str, Any]:
        """Call a service of its API; GET without data."""
        body = urllib.parse.urlencode(data, doseq=True).encode() if data else None
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{service}", body, timeout=10) as answer:
            return json.load(answer)

    def schedule(self, start: str, *settings: str, **arguments: str) -> str:
        """Schedule a crawl and return the id of its job."""
        ours = [f"DOWNLOAD_DELAY={DELAY_S}", f"MDCRAWL_CONTACT={CONTACT}", *settings]
        data = {"project": "mdcrawl", "spider": "docs", "start": start, "setting": ours, **arguments}
        return self.ask("schedule.json", **data)["jobid"]

    def wait_for(self, jobid: str) -> Job:
        """Wait until a job has finished."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            finished = {job["id"]: job for job in self.ask("listjobs.json?project=mdcrawl")["finished"]}
            if jobid in finished:
                log = self.home / "logs/mdcrawl/docs" / f"{jobid}.log"
                return Job(finished[jobid], log.read_text(encoding="utf-8"))
            time.sleep(0.1)
        pytest.fail(f"job {jobid} did not end")


@pytest.fixture(scope="module")
def scrapyd(tmp_path_factory):
    """Install, start and deploy as the README says."""
    install, start, deploy, _ = COMMANDS
    daemon = Scrapyd(tmp_path_factory.mktemp("scrapyd"))
    assert start == ["scrapyd"]
    daemon.run(install)
    with daemon:
        answer = json.loads(daemon.run(deploy))
        assert (answer["status"], answer["spiders"]) == ("ok", 1)
        yield daemon


def test_scheduled_as_the_readme_says(scrapyd, site, tmp_path):
    folder = tmp_path / "out"
    schedule = [part.replace(START, site.url("/docs/")).replace(OUTPUT, str(folder)) for part in COMMANDS[-1]]
    schedule += ["--arg", f"setting=DOWNLOAD_DELAY={DELAY_S}", "--arg", f"setting=MDCRAWL_CONTACT={CONTACT}"]
    jobid = scrapyd.run(schedule).split("=> ")[1].strip()
    job = scrapyd.wait_for(jobid)
    assert "Spider closed (finished)" in job.log
    assert not any(word in job.log for word in ("WARNING", "] ERROR", "CRITICAL", "Traceback", "Deprecat"))
    assert "'mdcrawl/exit_status': 0" in job.log
    result = Crawl(0, "", job.log, folder)
    assert {row["source"] for row in result.pages} >= {"html", "rendered"}, "the host's browser is used"
    assert sum(result.summary["pages"]["verdicts"].values()) == len(result.pages) > 40
    assert len(result.chunks) > 50
    assert len(result.documents) == result.summary["corpus"]["pages"] > 20
    for name in ("pages.parquet", "chunks.parquet", "changes.jsonl", "report.html", "crawl.sqlite"):
        assert str(folder / name) in job.log
        assert (folder / name).stat().st_size > 0
    items = scrapyd.home / job.about["items_url"].removeprefix("/")
    assert items.read_bytes() == (folder / "pages.jsonl").read_bytes(), "the feed that items_dir asks for"


def test_cancelled_job_goes_on_when_it_is_scheduled_again(scrapyd, mock_site):
    """Without MDCRAWL_OUTPUT, the files are below the folder that Scrapyd runs in."""
    paths = [f"/docs/{word}" for word in ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak")]
    mock_site.add_page("/docs/", *paths)
    for path in paths:
        mock_site.add_page(path)
    jobid = scrapyd.schedule(mock_site.url("/docs/"), "DOWNLOAD_DELAY=0.3")
    while len(set(mock_site.paths) & set(paths)) < 2:
        time.sleep(0.02)
    scrapyd.ask("cancel.json", project="mdcrawl", job=jobid)
    log = scrapyd.wait_for(jobid).log
    assert "the crawl was stopped (shutdown); the same command goes on with it" in log
    assert "Traceback" not in log
    folder = scrapyd.home / "out" / mock_site.base.removeprefix("http://").replace(":", "_")
    first = Crawl(0, "", log, folder).verdicts
    assert set(first.values()) == {"ok", "limit"}
    log = scrapyd.wait_for(scrapyd.schedule(mock_site.url("/docs/"))).log
    assert "Going on with the crawl of" in log
    assert set(Crawl(0, "", log, folder).verdicts.values()) == {"ok"}
    asked = [path for path in mock_site.paths if path in paths]
    assert sorted(asked) == sorted(paths), "nothing was fetched twice"


def test_mistake_is_in_the_log_of_the_job(scrapyd, mock_site):
    job = scrapyd.wait_for(scrapyd.schedule(mock_site.url("/docs/"), max_page="3"))
    assert job.log.splitlines()[-1].endswith("ERROR: max_page: unknown argument; did you mean max_pages?")
    assert mock_site.asked == []
