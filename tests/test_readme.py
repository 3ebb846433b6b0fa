"""The README says what the code does: settings, arguments, verdicts and columns are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.generate import read_settings, readme_rows, settings_page, with_rows
from mdcrawl.arguments import CrawlArguments
from mdcrawl.export.rows import CHUNK_COLUMNS, PAGE_COLUMNS
from mdcrawl.items import Verdict
from mdcrawl.settings import defaults

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SETTINGS = ROOT / "mdcrawl" / "settings.py"


@pytest.fixture(scope="module")
def settings():
    return read_settings(SETTINGS.read_text(encoding="utf-8"))


def test_what_is_written_of_settings_is_up_to_date(settings):
    readme = README.read_text(encoding="utf-8")
    assert with_rows(readme, readme_rows(settings)) == readme, "make docs writes the table again"
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert settings_page(settings) == page, "make docs writes the page again"


def test_every_setting_has_its_row_and_its_reason(settings):
    ours = {setting.name: setting for setting in settings if setting.is_ours}
    assert set(ours) == set(defaults())
    assert [name for name, setting in ours.items() if len(setting.comment) < 20] == []
    table = README.read_text(encoding="utf-8").partition("<!-- settings -->")[2].partition("<!-- /settings -->")[0]
    assert re.findall(r"^\| (MDCRAWL_\w+) ", table, re.MULTILINE) == list(ours)


def test_comments_of_a_module_of_settings_are_read_as_they_stand():
    source = """
# --- mdcrawl: pumps -----

# Turns of the pump. More wear it out,
# fewer do not fill it.
MDCRAWL_TURNS = 1_000
MDCRAWL_MODE = "off"  # off or on
ORDER = {
    "late": 9,  # last
    # In front of it.
    "early": 1,
}
"""
    turns, mode, order = read_settings(source)
    assert (turns.section, turns.default) == ("mdcrawl: pumps", "1000")
    assert (turns.comment, turns.summary) == (
        "Turns of the pump. More wear it out, fewer do not fill it.",
        "Turns of the pump",
    )
    assert (mode.default, mode.comment) == ('"off"', "off or on")
    assert order.entries == (("late", "9", "last"), ("early", "1", "In front of it."))
    assert settings_page([order]).endswith("| 1 | `early` | In front of it. |\n| 9 | `late` | last |\n")


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


def test_python_of_the_readme_runs_as_it_stands():
    section = README.read_text(encoding="utf-8").partition("## From Python")[2].partition("\n## ")[0]
    (source,) = re.findall(r"```python\n(.+?)```", section, re.DOTALL)
    steps = "".join(f"<p>Step {n} turns valve {n} by a quarter, then waits for the gauge.</p>" for n in range(1, 9))
    names = {"html": f"<html><title>Valves</title><main><h1>Valves</h1>{steps}</main></html>"}
    exec(compile(source, "README.md", "exec"), names)
    assert (names["verdict"], names["extraction"].title) == (Verdict.OK, "Valves")
    assert names["chunks"][0].heading_path == ("Valves",)
