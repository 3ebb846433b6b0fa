"""Write what the documentation says of settings from the comments in mdcrawl/settings.py: `make docs`.

docs/settings.md has every setting with its reason, the README a table with the first sentence of each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "mdcrawl" / "settings.py"
README = ROOT / "README.md"
SETTINGS = ROOT / "docs" / "settings.md"
BEGIN, END = "<!-- settings -->\n", "<!-- /settings -->"
PREFIX = "MDCRAWL_"

INTRODUCTION = """\
# Settings

Written by `make docs` from the comments in [settings.py](../mdcrawl/settings.py); change those, not this page. The
[README](../README.md#settings) has the same in a table.

A setting is given with `-s NAME=VALUE`, in `custom_settings` of a [site spider](../README.md#a-spider-for-your-site),
or in `mdcrawl/settings.py`; the first of these that names it counts. One that is misspelt or has a bad value ends the
crawl with status 1 before anything is asked of a site.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as settings.py gives it; `comment` is "" where nothing is said, `entries` are those of a table."""

    section: str
    name: str
    default: str
    comment: str
    entries: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_ours(self) -> bool:
        """Whether it is one of mdcrawl's own."""
        return self.name.startswith(PREFIX)

    @property
    def summary(self) -> str:
        """The first sentence of the comment."""
        return re.split(r"(?<=[\w)`])\. (?=[A-Z`])", self.comment)[0].removesuffix(".")


def read_settings(source: str) -> list[Setting]:
    """Return the settings of a module in its order."""
    lines = source.splitlines()
    return [_setting(node, lines) for node in ast.parse(source).body if isinstance(node, ast.Assign | ast.AnnAssign)]


def _setting(node: ast.Assign | ast.AnnAssign, lines: list[str]) -> Setting:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    assert isinstance(target, ast.Name)
    assert node.value is not None
    sections = [line for line in lines[: node.lineno] if line.startswith("# ---")]
    return Setting(
        section=sections[-1].strip("# -"),
        name=target.id,
        default="" if isinstance(node.value, ast.Dict) else ast.unparse(node.value).replace("'", '"'),
        comment=_comment(node.lineno, node.end_lineno or 0, lines),
        entries=tuple(_entries(node.value, lines)) if isinstance(node.value, ast.Dict) else (),
    )


def _entries(table: ast.Dict, lines: list[str]) -> Iterator[tuple[str, str, str]]:
    for key, value in zip(table.keys, table.values, strict=True):
        if key is not None:
            yield ast.literal_eval(key), ast.unparse(value), _comment(key.lineno, value.end_lineno or 0, lines)


def _comment(first: int, last: int, lines: list[str]) -> str:
    """Return the comment behind a statement, else the one above it; lines are counted from 1."""
    behind = lines[last - 1].partition("  # ")[2]
    if behind:
        return behind
    above = []
    for line in reversed(lines[: first - 1]):
        text = line.strip()
        if not text.startswith("# ") or text.startswith("# ---"):
            break
        above.append(text[2:])
    return " ".join(reversed(above))


def settings_page(settings: list[Setting]) -> str:
    """Return docs/settings.md."""
    ours = [setting for setting in settings if setting.is_ours]
    theirs = [setting for setting in settings if not setting.is_ours and setting.comment]
    tables = [setting for setting in settings if setting.entries and any(comment for *_, comment in setting.entries)]
    parts = [INTRODUCTION, *_sections(ours)]
    parts += ["## Scrapy's own, where mdcrawl sets them otherwise\n", *map(_entry, theirs)]
    parts += ["## Components and their order\n", *map(_table, tables)]
    return "\n".join(parts)


def _sections(settings: list[Setting]) -> Iterator[str]:
    section = ""
    for setting in settings:
        if setting.section != section:
            section = setting.section
            title = section.partition(": ")[2]
            yield f"## {title[0].upper()}{title[1:]}\n"
        yield _entry(setting)


def _entry(setting: Setting) -> str:
    default = f"Default: `{setting.default}`\n\n" if setting.default else ""
    return f"### {setting.name}\n\n{default}{setting.comment.removesuffix('.')}.\n"


def _table(setting: Setting) -> str:
    rows = "".join(
        f"| {'–' if order == 'None' else order} | `{name.removeprefix('mdcrawl.')}` | {comment} |\n"
        for name, order, comment in sorted(setting.entries, key=_place)
    )
    return f"### {setting.name}\n\n| order | component | reason |\n| --- | --- | --- |\n{rows}"


def _place(entry: tuple[str, str, str]) -> tuple[bool, int]:
    """Sort by order; what is switched off comes last."""
    order = ast.literal_eval(entry[1])
    return order is None, order or 0


def readme_rows(settings: list[Setting]) -> str:
    """Return the rows of the README's table."""
    return "".join(
        f"| {setting.name} | `{setting.default}` | {setting.summary} |\n" for setting in settings if setting.is_ours
    )


def with_rows(readme: str, rows: str) -> str:
    """Return the README with its table written anew."""
    before, _, rest = readme.partition(BEGIN)
    return f"{before}{BEGIN}{rows}{END}{rest.partition(END)[2]}"


def main() -> None:
    """Write both files."""
    settings = read_settings(SOURCE.read_text(encoding="utf-8"))
    SETTINGS.write_text(settings_page(settings), encoding="utf-8")
    README.write_text(with_rows(README.read_text(encoding="utf-8"), readme_rows(settings)), encoding="utf-8")


if __name__ == "__main__":
    main()
