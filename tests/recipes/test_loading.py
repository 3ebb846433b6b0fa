"""The recipes of docs/loading.md, as they stand there, with the real libraries, over two crawls."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from tests.conftest import ROOT
from tests.documents import blocks_of

PYTHON = ROOT / ".venv-recipes/bin/python"
RECIPES = {block.heading: block.text for block in blocks_of(ROOT / "docs/loading.md") if block.language == "python"}
# Words that two texts share bring their vectors nearer to each other.
MODEL = """
import math, re, zlib

def embed(texts):
    vectors = []
    for text in texts:
        vector = [0.001] * 64
        for word in re.findall("[a-z]+", text.lower()):
            vector[zlib.crc32(word.encode()) % 64] += 1
        length = math.hypot(*vector)
        vectors.append([each / length for each in vector])
    return vectors
"""
# What a recipe's own store holds in the end: id, text, URL and deep link of each chunk.
HELD = {
    "LanceDB": "[[row['id'], row['text'], row['url'], row['anchor_url']] for row in table.to_arrow().to_pylist()]",
    "Qdrant": (
        "[[point.id.replace('-', ''), *(point.payload[name] for name in ('text', 'url', 'anchor_url'))]"
        " for point in client.scroll('chunks', limit=10_000)[0]]"
    ),
    "LangChain": (
        "[[id_, row['text'], row['metadata']['url'], row['metadata']['anchor_url']]"
        " for id_, row in store.store.items()]"
    ),
    "LlamaIndex": "[[node.id_, node.text, node.ref_doc_id, node.metadata['anchor_url']] for node in nodes]",
    "Hugging Face datasets": "[[row['id'], row['text'], row['url'], row['anchor_url']] for row in chunks]",
}


@pytest.fixture(scope="module")
def crawls(crawl, mock_sites, tmp_path_factory):
    """The folder as two crawls left it: chunks are added, changed and deleted, a page goes, one is on hold."""
    site, folder = mock_sites(), tmp_path_factory.mktemp("crawls")

    def page(path, *parts):
        whole = site.page(path)
        sections = "".join(f'<h2 id="{name}">Part {name}</h2><p>{text}</p>' for name, text in parts)
        return whole._replace(body=whole.body.replace("</main>", f"{sections}</main>"))

    def run(name):
        result = crawl(site.url("/docs/"), folder / "out", settings={"MDCRAWL_MAX_DELETE_RATIO": 1})
        assert result.status == 0
        shutil.copytree(folder / "out", folder / name)
        return result

    more = "It's said that O\u2019Brien's valves \"turn\" twice; nobody has seen it."
    pages = ["/docs/changes", "/docs/goes", "/docs/held", "/docs/same"]
    site.add_page("/docs/", *pages)
    for path in pages:
        site.routes[path] = page(path, ("a", "One way."), ("b", more), ("c", "Three ways."))
    run("first")
    site.add_page("/docs/", *pages, "/docs/new")
    site.add_page("/docs/new")
    site.routes["/docs/changes"] = page("/docs/changes", ("c", "Three ways."), ("a", "Another way."), ("d", more))
    del site.routes["/docs/goes"]
    site.routes["/docs/held"] = site.page("/docs/held")._replace(status=503, body="")
    second = run("second")
    assert {row["action"] for row in second.changes} == {"upsert", "delete", "hold"}
    return [folder / "first", folder / "second", folder / "second"]


def run_recipe(name, folder, *, last_line=""):
    """Run a recipe and return what it printed; `last_line` sees its variables."""
    assert PYTHON.exists(), "make .venv-recipes/ready makes the environment of the recipes"
    (folder / "my_model.py").write_text(MODEL, encoding="utf-8")
    (folder / "recipe.py").write_text(f"{RECIPES[name]}\n{last_line}\n", encoding="utf-8")
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "cache"), "HOME": str(folder)}
    outside = {key: value for key, value in os.environ.items() if not key.startswith(("COV", "PYTHON"))}
    done = subprocess.run(
        [PYTHON, "recipe.py"], cwd=folder, env=outside | offline, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def chunks_of(folder):
    rows = [json.loads(line) for line in (folder / "chunks.jsonl").read_text(encoding="utf-8").splitlines()]
    return sorted([row["id"], row["text"], row["url"], row["anchor_url"]] for row in rows)


def test_every_recipe_is_tested():
    assert set(RECIPES) == {"Loading it", "DuckDB", *HELD}


@pytest.mark.parametrize("name", HELD)
def test_holds_the_chunks_after_each_crawl(name, crawls, tmp_path):
    """The last time it runs twice over the same changes."""
    for left in crawls:
        shutil.copytree(left, tmp_path / "out/docs.example.com", dirs_exist_ok=True)
        last_line = f"import json\nprint('held:', json.dumps({HELD[name]}))"
        held = json.loads(run_recipe(name, tmp_path, last_line=last_line).partition("held: ")[2])
        assert sorted(held) == chunks_of(left)


def test_duckdb_answers(crawls, tmp_path):
    shutil.copytree(crawls[-1], tmp_path / "out/docs.example.com")
    last_line = "import json\nprint('told:', json.dumps([each.fetchall() for each in (verdicts, losses, largest)]))"
    printed = run_recipe("DuckDB", tmp_path, last_line=last_line)
    assert "verdict" in printed
    verdicts, losses, largest = json.loads(printed.partition("told: ")[2])
    summary = json.loads((crawls[-1] / "summary.json").read_bytes())
    assert {row[0]: row[1] for row in verdicts} == summary["pages"]["verdicts"]
    assert losses == []
    assert sum(row[2] for row in largest) == summary["corpus"]["chunks"]
    assert sum(row[3] for row in largest) == summary["tokens"]["chunks"]
