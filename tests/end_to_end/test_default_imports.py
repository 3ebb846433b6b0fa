"""A crawl that asks for nothing special imports nothing special, in no process of it."""

from __future__ import annotations

from collections import defaultdict

import pytest

# What only a setting or an argument may bring in.
OPTIONAL = frozenset({
    "pydantic", "html_to_markdown", "openai", "httpx", "httpx2", "json_repair", "snowballstemmer",
    "mdcrawl.llm", "mdcrawl.fields", "mdcrawl.filters.bm25", "mdcrawl.filters.pruning",
})  # fmt: skip
# Scrapy imports both itself, in the process that fetches.
OPTIONAL_IN_WORKERS = OPTIONAL | {"parsel", "jmespath", "scrapy"}
WATCH = '''
import os, pathlib, sys

class Watch:
    """Note what is looked for; find nothing."""

    def find_spec(self, name, path=None, target=None):
        is_worker = "--multiprocessing-fork" in sys.argv or "spawn_main" in " ".join(sys.orig_argv)
        with pathlib.Path(os.path.dirname(__file__), "imports.txt").open("a") as file:
            file.write(f"{'worker' if is_worker else 'main'} {name}\\n")

sys.meta_path.insert(0, Watch())
'''


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
        process, _, name = line.partition(" ")
        found[process].add(name)
    return found


def test_watch_sees_both_processes(imported):
    assert "mdcrawl.scheduler" in imported["main"]
    assert "mdcrawl.extraction.render" in imported["worker"]


@pytest.mark.parametrize(("process", "optional"), [("main", OPTIONAL), ("worker", OPTIONAL_IN_WORKERS)])
def test_nothing_optional_is_imported(imported, process, optional):
    assert sorted(imported[process] & optional) == []
