"""What `--help` says: each command of the README is there, says what it does and shows an example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"^\| `scrapy (\w+)", TABLE, re.MULTILINE)


def test_every_command_of_the_project_is_in_the_readme(scrapy):
    ours = {path.stem for path in (ROOT / "mdcrawl" / "commands").glob("*.py")} - {"__init__"}
    assert ours <= set(COMMANDS)
    listed = scrapy("--help").stdout
    assert [command for command in COMMANDS if not re.search(rf"^  {command} ", listed, re.MULTILINE)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(scrapy, command):
    ended = scrapy(command, "--help")
    assert ended.status == 0
    said = " ".join(ended.stdout.split())
    (example,) = re.findall(rf"Example: scrapy {command}(?: [^ ]+)*", said)
    assert example
