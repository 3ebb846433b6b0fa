"""`scrapy export` after a kill, with other chunk settings, and from the kept answers; never over the network."""

from __future__ import annotations

import json
import sqlite3

import pytest

from tests.conftest import run_crawl, run_scrapy
from tests.end_to_end.test_kill import build, end, start, wait_for

FILES = ("pages.jsonl", "chunks.jsonl", "changes.jsonl", "summary.json")


def rows(folder, name):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


def follow(held, folder):
    """Apply changes.jsonl to a store of chunks, as a vector store does."""
    for change in rows(folder, "changes.jsonl"):
        if change["action"] == "upsert":
            held[change["id"]] = change["text"]
        elif change["action"] == "delete":
            del held[change["id"]]
    assert held == {row["id"]: row["text"] for row in rows(folder, "chunks.jsonl")}


def test_export_after_a_kill_writes_what_there_is_and_the_crawl_goes_on(scrapy, mock_site, tmp_path):
    folder = tmp_path / "out"
    build(mock_site, 30)
    process = start(mock_site, folder, DOWNLOAD_DELAY=0.2)
    wait_for(mock_site, 12, process)
    process.kill()
    end(process)
    assert not (folder / "pages.jsonl").exists()
    ended = scrapy("export", str(folder))
    assert ended.status == 0
    assert ended.is_clean
    verdicts = [row["verdict"] for row in rows(folder, "pages.jsonl")]
    assert verdicts.count("ok") >= 5
    assert "limit" in verdicts
    assert "the crawl was killed; the same command goes on with it" in (folder / "pages.jsonl").read_text("utf-8")
    held = {}
    follow(held, folder)
    assert end(start(mock_site, folder)) == 0
    assert [row["verdict"] for row in rows(folder, "pages.jsonl")].count("ok") == 30
    follow(held, folder)


def test_other_chunk_settings_cut_again_without_the_network(crawl, scrapy, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    folder = tmp_path / "out"
    crawl(mock_site.url("/docs/"), folder)
    pages, chunks = rows(folder, "pages.jsonl"), rows(folder, "chunks.jsonl")
    held = {}
    follow(held, folder)
    mock_site.asked.clear()
    ended = scrapy("export", str(folder), "-sMDCRAWL_CHUNK_TOKENS=60")
    assert ended.status == 0
    assert mock_site.asked == []
    again = rows(folder, "chunks.jsonl")
    assert len(again) > len(chunks)
    assert max(row["tokens"] for row in again) <= 60
    follow(held, folder)
    for old, new in zip(pages, rows(folder, "pages.jsonl"), strict=True):
        assert new == old | {"chunks": new["chunks"]}, "nothing but the number of chunks is another"
    assert json.loads((folder / "summary.json").read_bytes())["settings"]["MDCRAWL_CHUNK_TOKENS"] == 60
    before = {name: (folder / name).read_bytes() for name in FILES if name != "changes.jsonl"}
    assert scrapy("export", str(folder)).status == 0
    assert {name: (folder / name).read_bytes() for name in before} == before, "it stays as it was last asked for"


def test_kept_answers_are_converted_again(crawl, scrapy, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    folder = tmp_path / "out"
    crawl(mock_site.url("/docs/"), folder)
    before = {name: (folder / name).read_bytes() for name in FILES[:2]}
    held = {}
    follow(held, folder)
    connection = sqlite3.connect(folder / "crawl.sqlite")
    with connection:
        connection.execute("UPDATE documents SET markdown = 'what worse code made of it'")
    connection.close()
    mock_site.asked.clear()
    ended = scrapy("export", str(folder), "--reextract")
    assert ended.status == 0
    assert ended.is_clean
    assert mock_site.asked == []
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert b"Step 1 of" in next((folder / "markdown").rglob("a.md")).read_bytes()
    follow(held, folder)


FAILING_RULE = """
def rule(facts):
    if facts.url.endswith("/a"):
        raise LookupError("no such word")
"""


def test_page_that_cannot_be_converted_again_stays_as_it_is_and_is_named(crawl, scrapy, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    folder = tmp_path / "out"
    crawl(mock_site.url("/docs/"), folder)
    before = {name: (folder / name).read_bytes() for name in FILES[:2]}
    (tmp_path / "ours.py").write_text(FAILING_RULE, encoding="utf-8")
    ended = scrapy("export", str(folder), "--reextract", "-sMDCRAWL_VERDICT_RULES=ours.rule", modules=tmp_path)
    assert (ended.status, ended.is_clean) == (0, True)
    told = [line for line in ended.stderr.splitlines() if "no such word" in line]
    assert len(told) == 1
    assert f"{mock_site.url('/docs/a')}: stays as it is: not converted: LookupError: no such word" in told[0]
    assert "1 of 2 pages left as they are: their answers cannot be converted now" in ended.stderr
    assert {name: (folder / name).read_bytes() for name in before} == before


@pytest.mark.parametrize(
    ("of_crawl", "of_export", "why"),
    [
        ({"MDCRAWL_CACHE": "disabled"}, [], "their answers were not kept (MDCRAWL_CACHE)"),
        ({}, ["-sMDCRAWL_MIN_WORDS=9000"], "their verdict would be thin now"),
    ],
    ids=["not kept", "no good page now"],
)
def test_pages_that_are_left_as_they_are_are_counted(mock_site, tmp_path, of_crawl, of_export, why):
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    folder = tmp_path / "out"
    run_crawl(mock_site.url("/docs/"), folder, settings=of_crawl)
    ended = run_scrapy("export", str(folder), "--reextract", *of_export)
    assert (ended.status, ended.is_clean) == (0, True)
    assert f"2 of 2 pages left as they are: {why}" in ended.stderr
