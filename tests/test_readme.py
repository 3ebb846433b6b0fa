"""The README says what the code does: settings, arguments, verdicts and columns are those of the code."""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

import pytest

from mdcrawl.arguments import CrawlArguments
from mdcrawl.export.rows import CHUNK_COLUMNS, PAGE_COLUMNS
from mdcrawl.items import Verdict

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SETTINGS = ROOT / "mdcrawl" / "settings.py"
BEGIN, END = "<!-- settings -->\n", "<!-- /settings -->"


def settings_rows() -> str:
    """Return the rows of the README's table, from the names, defaults and comments in settings.py."""
    rows, comment = [], []
    lines = SETTINGS.read_text(encoding="utf-8").splitlines()
    for line in lines:
        found = re.match(r"(MDCRAWL_\w+) = (.+?)(?:  # (.+))?$", line)
        if found:
            name, default, trailing = found.groups()
            text = trailing or " ".join(comment)
            rows.append(f"| {name} | `{default.replace('_', '') if default[0].isdigit() else default}` | {text} |\n")
        comment = [*comment, line[2:]] if line.startswith("# ") and not line.startswith("# ---") else []
    return "".join(rows)


def test_every_setting_has_its_row():
    text = README.read_text(encoding="utf-8")
    table = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    assert table == settings_rows(), "run python -m tests.test_readme to write the table again"


def test_every_setting_has_its_reason():
    with SETTINGS.open("rb") as file:
        names = {
            token.string
            for token in tokenize.tokenize(file.readline)
            if token.type == tokenize.NAME and token.string.startswith("MDCRAWL_")
        }
    assert names == set(re.findall(r"^\| (MDCRAWL_\w+) ", settings_rows(), re.MULTILINE))


@pytest.mark.parametrize("name", CrawlArguments.__dataclass_fields__)
def test_every_argument_has_its_row(name):
    arguments = README.read_text(encoding="utf-8").partition("## Arguments")[2].partition("\n## ")[0]
    assert re.search(rf"^\|(?: \w+,)* {name}(?:,[^|]*)? \|", arguments, re.MULTILINE)


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_has_its_row(verdict):
    assert f"\n| {verdict} | " in README.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("title", "columns"),
    [pytest.param("pages", PAGE_COLUMNS, id="pages"), pytest.param("chunks", CHUNK_COLUMNS, id="chunks")],
)
def test_columns_are_those_of_the_files(title, columns):
    section = README.read_text(encoding="utf-8").partition(f"### Columns of {title}")[2].partition("\n#")[0]
    assert tuple(re.findall(r"`([a-z_]+)`", section.replace("`text`)", ")")))[: len(columns)] == columns


if __name__ == "__main__":
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    README.write_text(f"{before}{BEGIN}{settings_rows()}{END}{rest.partition(END)[2]}", encoding="utf-8")
