"""`scrapy export`: the same files again from the crawl database, or one line that says why not."""

from __future__ import annotations

import shutil

import pytest

from mdcrawl.crawldb.database import CrawlDatabase

FILES = ("pages.jsonl", "pages.parquet", "chunks.jsonl", "chunks.parquet", "summary.json")


def test_files_come_back_byte_for_byte(scrapy, crawl, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a", "/docs/missing")
    mock_site.add_page("/docs/a")
    folder = crawl(mock_site.url("/docs/"), tmp_path / "out").folder
    before = contents(folder)
    assert len(before) == len(FILES) + 2
    for name in FILES:
        (folder / name).unlink()
    shutil.rmtree(folder / "markdown")
    (folder / "chunks.jsonl").write_text("half a li", encoding="utf-8")
    mock_site.asked.clear()
    ended = scrapy("export", str(folder))
    assert ended.status == 0
    assert ended.is_clean
    assert contents(folder) == before
    assert mock_site.asked == []
    assert f"{folder}/chunks.jsonl" in ended.stdout.splitlines()
    assert "3 URLs" in ended.stdout.splitlines()


def contents(folder):
    """Return the bytes of every output file."""
    paths = [*(folder / name for name in FILES), *(folder / "markdown").rglob("*.md")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize(
    ("folder", "line"),
    [
        pytest.param("missing", "there is no crawl.sqlite; give the output folder of a crawl", id="no folder"),
        pytest.param("empty", "there is no crawl.sqlite; give the output folder of a crawl", id="empty folder"),
        pytest.param("fresh", "no crawl to export; run scrapy crawl docs into it first", id="database without a run"),
    ],
)
def test_nothing_to_export_is_one_line(scrapy, tmp_path, folder, line):
    (tmp_path / "empty").mkdir()
    (tmp_path / "fresh").mkdir()
    CrawlDatabase.open_folder(tmp_path / "fresh").close()
    ended = scrapy("export", str(tmp_path / folder))
    assert ended.complaints == [f"mdcrawl: {tmp_path / folder}: {line}"]
    assert ended.status == 1
    assert ended.is_clean
    assert not (tmp_path / "missing").exists()
    assert list((tmp_path / "empty").iterdir()) == []


def test_export_wants_one_folder(scrapy):
    ended = scrapy("export")
    assert ended.status == 2
    assert "scrapy export" in ended.stdout
    assert ended.is_clean
