"""A crawl that asks for nothing special imports nothing special, in no process of it."""

from __future__ import annotations

from collections import defaultdict

import pytest

# What only a setting or an argument may bring in: our own rooms, a library, and the optional packages.
ROOMS = frozenset({
    "snowballstemmer", "mdcrawl.llm", "mdcrawl.fields", "mdcrawl.filters", "mdcrawl.extraction.views",
    "mdcrawl.extraction.seams", "mdcrawl.extraction.citations", "mdcrawl.questions", "mdcrawl.shared",
    "sqlalchemy.dialects.postgresql.psycopg",
})  # fmt: skip
EXTRAS = frozenset({
    "html_to_markdown", "openai", "httpx", "httpx2", "json_repair", "pydantic", "psycopg", "redis", "scrapy_redis",
})  # fmt: skip
# Scrapy imports these itself, in the process that fetches.
SCRAPYS = frozenset({"parsel", "jmespath", "scrapy"})
# What converts pages, which the process that fetches has no use for.
CONVERTING = frozenset({
    "bs4", "markdownify", "tiktoken", "trafilatura", "mdcrawl.extraction.render",
    "mdcrawl.extraction.extract", "mdcrawl.chunking.chunk",
})  # fmt: skip
# The optional packages are not there, as after `pip install -r requirements.txt`.
WATCH = f"""
import os, pathlib, sys

EXTRAS = {sorted(EXTRAS)}

class Watch:
    def find_spec(self, name, path=None, target=None):
        is_worker = "mdcrawl.worker_process" in " ".join(sys.orig_argv)
        frame = sys._getframe(1)
        # The interpreter's own first imports (runpy) have nobody above them.
        while frame.f_back and any(part in frame.f_code.co_filename for part in ("importlib", "<frozen")):
            frame = frame.f_back
        asker = frame.f_globals.get("__name__", "")
        with pathlib.Path(os.path.dirname(__file__), "imports.txt").open("a") as file:
            file.write(f"{{'worker' if is_worker else 'main'}} {{name}} {{asker}}\\n")
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Watch())
"""


@pytest.fixture(scope="module")
def imported(crawl, mock_sites, tmp_path_factory):
    folder = tmp_path_factory.mktemp("imports")
    (folder / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    site = mock_sites()
    site.add_page("/d/", "/d/a")
    site.add_page("/d/a")
    made = crawl(site.url("/d/"), folder / "out", modules=folder, render="never")
    assert made.status == 0
    found = defaultdict(set)
    for line in (folder / "imports.txt").read_text(encoding="utf-8").splitlines():
        process, name, asker = line.split(" ")
        # Scrapy's itemadapter looks whether pydantic is there.
        if not (asker.startswith("itemadapter") and name.startswith("pydantic")):
            found[process].add(name)
    return found


def test_watch_sees_both_processes(imported):
    assert "mdcrawl.scheduler" in imported["main"]
    assert "mdcrawl.extraction.render" in imported["worker"]


@pytest.mark.parametrize(
    ("process", "optional"), [("main", ROOMS | EXTRAS | CONVERTING), ("worker", ROOMS | EXTRAS | SCRAPYS)]
)
def test_nothing_optional_is_imported(imported, process, optional):
    assert sorted(imported[process] & optional) == []
