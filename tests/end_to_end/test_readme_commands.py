"""Every command and every piece of Python in the README runs as it stands there, in a clone of the project."""

from __future__ import annotations

import os
import shutil
import site as python_site
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Crawl
from tests.documents import blocks_of

README = [block for block in blocks_of(ROOT / "README.md") if block.text.strip()]
LANGUAGES = {"", "console", "crontab", "json", "python"}
HAS_A_TEST_OF_ITS_OWN = {"Under Scrapyd"}  # test_scrapyd.py; the first block of Set up: test_newcomer.py
SET_UP = "Set up"
START = "https://docs.example.com/"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A repository of the project as it is here, to clone from; its crawls lose no time, being among themselves."""
    folder = tmp_path_factory.mktemp("source") / "mdcrawl"
    ignored = shutil.ignore_patterns(".git", ".venv*", "out", "build", "*.egg-info", "__pycache__", ".*_cache", ".hyp*")
    shutil.copytree(ROOT, folder, ignore=ignored)
    settings = folder / "mdcrawl/settings.py"
    text = settings.read_text(encoding="utf-8")
    assert "\nDOWNLOAD_DELAY = 1.0\n" in text
    settings.write_text(text.replace("\nDOWNLOAD_DELAY = 1.0\n", "\nDOWNLOAD_DELAY = 0.01\n"), encoding="utf-8")
    name = ["-c", "user.name=A Test", "-c", "user.email=test@example.com"]
    for command in (["init", "-q"], ["add", "-A"], [*name, "commit", "-qm", "As it is"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    return folder


def run_in_shell(lines, folder):
    """Run lines as somebody types them, one after another in one shell."""
    binaries = str(Path(sys.executable).parent)
    # What is installed here is not installed again: pip finds it, and the shell the commands.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VIRTUAL_ENV", "SCRAPY"))}
    environment |= {"PATH": f"{binaries}:{os.environ['PATH']}", "PYTHONPATH": ":".join(python_site.getsitepackages())}
    done = subprocess.run(
        ["bash", "-ec", "\n".join(lines)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_all_other_commands(source, mock_site, tmp_path):
    """Without make, then whatever else the README has for a shell, in its order."""
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    console = [block for block in README if block.language == "console"]
    set_up = [block for block in console if block.heading == SET_UP][1]
    others = [block for block in console if block.heading not in {SET_UP, *HAS_A_TEST_OF_ITS_OWN}]
    subprocess.run(["git", "clone", "-q", str(source), str(tmp_path / "mdcrawl")], check=True)
    lines = [line.replace(START, mock_site.url("/docs/")) for block in (set_up, *others) for line in block.commands]
    assert len(lines) >= 6
    run_in_shell(lines, tmp_path / "mdcrawl")
    folder = tmp_path / "mdcrawl/out" / mock_site.base.removeprefix("http://").replace(":", "_")
    assert Crawl(0, "", "", folder).verdicts == {"/docs/": "unchanged", "/docs/a": "unchanged"}
    assert (tmp_path / "mdcrawl/pages.jsonl").exists()
    assert (tmp_path / "mdcrawl/latest.parquet").read_bytes() == (folder / "chunks.parquet").read_bytes()
    users_agent = {asked.headers["user-agent"].partition(" ")[2] for asked in mock_site.asked}
    assert users_agent == {"(+https://you.example/bot)", ""}, "the contact where one is given"


class Store(dict):
    """A store of chunks as simple as the README's."""

    def upsert(self, chunk_id, text, metadata):
        self[chunk_id] = (text, metadata["url"])

    def delete(self, chunk_id):
        del self[chunk_id]


def test_python(crawl, mock_site, tmp_path, monkeypatch):
    """Pieces of Python find what they name: a crawl's folder, a store, a page of HTML."""
    mock_site.add_page("/docs/")
    folder = tmp_path / "out/docs.example.com"
    result = crawl(mock_site.url("/docs/"), folder)
    monkeypatch.chdir(tmp_path)
    store = Store()
    known = {"store": store, "html": mock_site.page("/docs/").body, "__name__": "readme"}
    for block in README:
        if block.language == "python":
            exec(compile(block.text, block.heading, "exec"), known)
    assert store == {row["id"]: (row["text"], row["anchor_url"] or row["url"]) for row in result.chunks}
    assert known["verdict"] == "ok"
    assert [chunk.text for chunk in known["chunks"]] == [row["text"] for row in result.chunks]
    assert known["ExampleComSpider"].arguments_by_default == {"start": "https://example.com/docs/"}
    assert all(options["format"] in {"jsonl", "parquet"} for options in known["FEEDS"].values())


def test_no_block_is_left_out():
    assert {block.language for block in README} <= LANGUAGES
    assert all(block.commands for block in README if block.language == "console")
