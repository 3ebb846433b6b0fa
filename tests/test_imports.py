"""The rooms stay apart: imports point down as the table below says, and the pure rooms know nothing of Scrapy."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "mdcrawl"

PURE = ("items", "seams", "markdown", "extraction", "verdicts", "chunking", "discovery", "api")
# What no pure room may know: Scrapy and its world, browsers, databases, the network, the clock.
IMPURE_MODULES = frozenset({
    "scrapy", "twisted", "itemadapter", "scrapy_playwright", "playwright", "sqlalchemy", "sqlite3", "redis",
    "asyncio", "socket", "ssl", "http", "urllib.request", "requests", "httpx", "aiohttp", "time", "subprocess",
    "multiprocessing", "threading", "random", "tempfile", "os", "shutil",
})  # fmt: skip

# Which other rooms a room below Scrapy may import; a room is a folder or a module right below mdcrawl.
# Every other room faces Scrapy: it may import any, and none of these may import it.
PURE_BELOW_API = frozenset({"items", "seams", "markdown", "extraction", "verdicts", "chunking", "discovery"})
ALLOWED = {
    "items": frozenset(),
    "seams": frozenset(),
    "errors": frozenset(),
    "settings": frozenset(),  # only values
    "markdown": frozenset(),
    "discovery": frozenset({"items"}),
    "verdicts": frozenset({"items", "seams"}),
    "extraction": frozenset({"items", "seams", "verdicts", "markdown"}),  # the receipt counts words as verdicts do
    "chunking": frozenset({"items", "seams", "markdown"}),
    "fields": frozenset({"items", "seams", "extraction", "verdicts"}),
    "llm": frozenset({"items", "seams", "markdown", "chunking", "fields", "extraction", "verdicts"}),
    "filters": frozenset({"items", "seams", "extraction"}),
    "api": PURE_BELOW_API,
    "crawldb": PURE_BELOW_API | {"errors"},
    "export": PURE_BELOW_API | {"errors", "crawldb", "fields"},
    "report": PURE_BELOW_API | {"errors", "crawldb", "export", "fields"},
    # Neither a mistake at the keyboard nor the guard of addresses needs a crawl to be understood.
    "arguments": frozenset({"items", "discovery", "errors", "fields"}),
    "memory": frozenset(),
    "trials": PURE_BELOW_API,
    "seam_settings": frozenset({"errors", "seams", "trials"}),
    "configuration": PURE_BELOW_API | {"errors", "seam_settings", "llm", "memory"},
    "outcomes": frozenset({"items"}),
    "guard": frozenset({"items", "discovery", "errors"}),
    "rendering": frozenset({"items", "discovery"}),
}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


ROOMS = frozenset(map(room_of, modules())) | set(ALLOWED)


def imported_modules(source: str) -> Iterator[str]:
    """Yield the full name of every module that a source imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            assert node.module is not None
            yield node.module
            # `from mdcrawl import extraction` imports a module too.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def faults(room: str, source: str) -> list[str]:
    """Return what a module of a room imports against the rules."""
    found = []
    for name in imported_modules(source):
        first, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if first == "mdcrawl":
            # "mdcrawl.__version__" is a name of the package, no room.
            fine = room not in ALLOWED or other not in ROOMS or other == room or other in ALLOWED[room]
        else:
            fine = room not in PURE or not {name, first} & IMPURE_MODULES
        if not fine:
            found.append(f"{room} imports {name}")
    return sorted(set(found))


def test_table_names_rooms():
    planned = {"report"}
    assert {
        name for name in ALLOWED if not (PACKAGE / name).exists() and not (PACKAGE / f"{name}.py").exists()
    } <= planned
    assert set(PURE) <= set(ALLOWED)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path):
    assert faults(room_of(path), path.read_text(encoding="utf-8")) == []


def test_arrows_between_rooms_form_no_circle():
    left = dict(ALLOWED)
    while left:
        lowest = [room for room, allowed in left.items() if not allowed & set(left)]
        assert lowest, f"a circle among {sorted(left)}"
        for room in lowest:
            del left[room]


@pytest.mark.parametrize(
    ("room", "source"),
    [
        pytest.param("extraction", "import scrapy", id="scrapy"),
        pytest.param("verdicts", "from scrapy.http import Response", id="from scrapy"),
        pytest.param("chunking", "def f():\n    from twisted.internet import defer", id="inside a function"),
        pytest.param(
            "discovery", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import playwright", id="guarded"
        ),
        pytest.param("discovery", "import urllib.request", id="network"),
        pytest.param("discovery", "from urllib import request", id="network, from its package"),
        pytest.param("api", "import sqlalchemy as sa", id="database"),
        pytest.param("items", "import mdcrawl.configuration", id="settings"),
        pytest.param("extraction", "from mdcrawl import configuration", id="settings, from the package"),
        pytest.param("extraction", "from mdcrawl.chunking.tokens import count_tokens", id="sideways"),
        pytest.param("verdicts", "from mdcrawl.extraction.tree import parse", id="sideways, back"),
        pytest.param("crawldb", "from mdcrawl.export.rows import JsonRow", id="up"),
        pytest.param("export", "from mdcrawl.scheduler import FrontierScheduler", id="up into scrapy"),
        pytest.param("items", "from mdcrawl.errors import MdcrawlError", id="out of the ground floor"),
        pytest.param("arguments", "from mdcrawl.spiders.docs import DocsSpider", id="arguments know no spider"),
    ],
)
def test_checker_sees_a_planted_fault(room, source):
    assert len(faults(room, source)) >= 1


@pytest.mark.parametrize(
    ("room", "source"),
    [
        pytest.param("extraction", "import re\nfrom lxml.html import HtmlElement", id="libraries"),
        pytest.param("extraction", "from mdcrawl.extraction.tree import parse", id="own room"),
        pytest.param("verdicts", "from mdcrawl.items import Verdict", id="down"),
        pytest.param("discovery", "from urllib.parse import urljoin", id="parsing is not the network"),
        pytest.param("configuration", "from mdcrawl import __version__", id="a name of the package"),
        pytest.param("pipelines", "import scrapy\nfrom mdcrawl.crawldb import ledger", id="scrapy-facing"),
    ],
)
def test_checker_lets_good_imports_pass(room, source):
    assert faults(room, source) == []


def test_pure_calls_load_nothing_of_scrapy():
    """What a library imports in turn counts too."""
    code = (
        "import sys, mdcrawl.api\n"
        "mdcrawl.api.html_to_markdown('<main><h1>A</h1><p>b</p></main>')\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'scrapy', 'twisted', 'playwright', 'sqlalchemy', 'pyarrow'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
