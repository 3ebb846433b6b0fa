"""Somebody new: the three commands of the README, as they stand there, lead to the chunks of a site of one's own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_OF_THE_PROJECT = (".git", ".venv*", "out", ".*_cache", "__pycache__", ".hypothesis", ".coverage*")


@pytest.fixture
def origin(tmp_path):
    """A repository with what is in this working tree."""
    folder = tmp_path / "origin"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_OF_THE_PROJECT))
    author = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.com")
    for arguments in (("init", "-q"), ("add", "-A"), (*author, "commit", "-q", "-m", "All")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    return folder


def three_commands(origin, start):
    """Return the commands of the README's first block, with an origin and a site that are there."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Set up")[2].partition("\n## ")[0]
    (block,) = re.findall(r"```console\n(.+?)```", section, re.DOTALL)[:1]
    commands = [line.removeprefix("$ ") for line in block.splitlines()]
    assert len(commands) == 3
    text = "\n".join(commands)
    assert (text.count("https://example.com/mdcrawl.git"), text.count("https://docs.example.com/")) == (1, 1)
    return text.replace("https://example.com/mdcrawl.git", f"{origin} mdcrawl").replace(
        "https://docs.example.com/", start
    )


def follow(commands, folder, timeout_s):
    script = f"set -e\n{commands}\n"
    # `make test` tells the make below it that it is one of several, which then speaks of folders.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


def assert_chunks(folder, mock_site, done):
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.splitlines()[-1] == "out/demo/report.html"
    assert (folder / "mdcrawl" / "out" / "demo" / "report.html").is_file()
    output = folder / "mdcrawl" / "out" / mock_site.base.partition("://")[2].replace(":", "_")
    rows = [json.loads(line) for line in (output / "chunks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["url"] for row in rows} == {mock_site.url("/docs/"), mock_site.url("/docs/a")}


@pytest.fixture
def own_site(mock_site):
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    return mock_site


def test_three_commands_lead_to_chunks(origin, own_site, tmp_path):
    """All but the installation, which these tests have behind them: its place is taken by their own."""
    first, rest = three_commands(origin, own_site.url("/docs/")).split("\n", 1)
    installed = f"mkdir .venv && ln -s {Path(sys.executable).parent} .venv/bin && touch .venv/runtime"
    assert_chunks(tmp_path, own_site, follow(f"{first}\n{installed}\n{rest}", tmp_path, 240))


@pytest.mark.slow
def test_three_commands_lead_to_chunks_on_a_fresh_machine(origin, own_site, tmp_path):
    assert_chunks(tmp_path, own_site, follow(three_commands(origin, own_site.url("/docs/")), tmp_path, 280))
