"""Feeds hold the rows of the files, wherever Scrapy stores them, after every crawl into the folder."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import subprocess
import sys
import threading

import pyarrow.parquet as pq
import pytest

from tests.conftest import CONTACT, DELAY_S, run_scrapy

SAME = {
    "pages.jsonl": "pages.jsonl",
    "latest.parquet": "pages.parquet",
    "docs_chunks.jl": "chunks.jsonl",
    "table": "chunks.parquet",
    "changes.jsonl": "changes.jsonl",
}


@pytest.fixture(scope="module")
def ftp(tmp_path_factory):
    """Serve a folder over FTP; return the URL of its root, and the folder."""
    folder = tmp_path_factory.mktemp("ftp")
    options = ["-i", "127.0.0.1", "-p", "0", "-u", "me", "-P", "secret", "-d", str(folder), "-w"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pyftpdlib", *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    port = next(found[1] for line in process.stderr if (found := re.search(r"FTP server on 127\.0\.0\.1:(\d+)", line)))
    reader = threading.Thread(target=process.stderr.read)  # nobody else empties the pipe
    reader.start()
    yield f"ftp://me:secret@127.0.0.1:{port}", folder
    process.terminate()
    process.wait(timeout=10)
    reader.join()
    process.stderr.close()


def feeds_in(folder, ftp_url):
    """Return FEEDS of every kind: formats, storages, batches, post-processing, columns, a filter."""
    here = folder.as_uri()
    replaced = {"overwrite": True}
    return {
        f"{here}/pages.jsonl": {"format": "jsonl", **replaced},
        f"{here}/latest.parquet": {"format": "parquet", **replaced},
        f"{here}/docs_chunks.jl": {"format": "jl", **replaced},
        f"{here}/table": {"format": "chunks-parquet", **replaced},
        f"{here}/changes.jsonl": {"format": "jsonl", **replaced},
        f"{ftp_url}/sub/chunks.parquet": {"format": "parquet"},
        f"{here}/chunks.jsonl.gz": {
            "format": "jsonl",
            "postprocessing": ["scrapy.extensions.postprocessing.GzipPlugin"],
            **replaced,
        },
        f"{here}/batch%(batch_id)d-chunks.jsonl": {"format": "jsonl", "batch_item_count": 2, **replaced},
        f"{here}/pages.csv": {"format": "csv", "fields": ["url", "verdict"], **replaced},
        f"{here}/keys-of-chunks": {
            "format": "chunks-parquet", "fields": {"id": "key", "rights": "said", "fetched_at": "at"}, **replaced,
        },
        f"{here}/ok.jsonl": {"format": "jsonl", "item_filter": "only_ok.OnlyOk", **replaced},
    }  # fmt: skip


def check(result, feeds, ftp_folder):
    files = result.folder
    for feed, file in SAME.items():
        assert (feeds / feed).read_bytes() == (files / file).read_bytes(), feed
    assert (ftp_folder / "sub/chunks.parquet").read_bytes() == (files / "chunks.parquet").read_bytes()
    assert gzip.decompress((feeds / "chunks.jsonl.gz").read_bytes()) == (files / "chunks.jsonl").read_bytes()
    batches = [feeds / f"batch{number}-chunks.jsonl" for number in range(1, len(result.chunks) // 2 + 2)]
    batches = [path.read_bytes() for path in batches if path.exists()]
    assert b"".join(batches) == (files / "chunks.jsonl").read_bytes()
    assert all(batch.count(b"\n") <= 2 for batch in batches)
    rows = list(csv.DictReader(io.StringIO((feeds / "pages.csv").read_text(encoding="utf-8"))))
    assert rows == [{"url": row["url"], "verdict": row["verdict"]} for row in result.pages]
    keys = pq.read_table(feeds / "keys-of-chunks")
    whole = pq.read_table(files / "chunks.parquet").select(["id", "rights", "fetched_at"])
    assert keys == whole.rename_columns(["key", "said", "at"])
    chosen = [json.loads(line) for line in (feeds / "ok.jsonl").read_text(encoding="utf-8").splitlines()]
    assert chosen == [row for row in result.pages if row["verdict"] == "ok"]


@pytest.fixture
def modules(tmp_path):
    """Return a folder with a filter of the user's own, for Python to find."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "only_ok.py").write_text(
        "from scrapy.extensions.feedexport import ItemFilter\n\n\n"
        "class OnlyOk(ItemFilter):\n"
        "    def accepts(self, item):\n"
        "        return item['verdict'] == 'ok'\n",
        encoding="utf-8",
    )
    return folder


def test_feeds_are_the_files_after_every_crawl(crawl, mock_site, modules, ftp, tmp_path):
    """The second crawl has unchanged, held, new and deleted pages and a duplicate; the third is refused."""
    ftp_url, ftp_folder = ftp
    feeds = tmp_path / "feeds"
    settings = {"FEEDS": json.dumps(feeds_in(feeds, ftp_url)), "MDCRAWL_MAX_DELETE_RATIO": 1}

    def run(**more):
        return crawl(mock_site.url("/docs/"), tmp_path / "out", settings=settings | more, modules=modules)

    mock_site.add_page("/docs/", "/docs/same", "/docs/fails", "/docs/goes", "/docs/twin", "/docs/missing")
    for path in ("/docs/same", "/docs/fails", "/docs/goes"):
        mock_site.add_page(path)
    mock_site.routes["/docs/twin"] = mock_site.page("/docs/same")
    first = run()
    assert first.status == 0
    assert first.is_clean
    assert "duplicate" in first.verdicts.values()
    check(first, feeds, ftp_folder)

    mock_site.add_page("/docs/", "/docs/same", "/docs/fails", "/docs/goes", "/docs/new")
    mock_site.add_page("/docs/new")
    mock_site.routes["/docs/fails"] = mock_site.page("/docs/fails")._replace(status=403, body="not for you")
    del mock_site.routes["/docs/goes"]
    second = run()
    assert second.status == 0
    assert second.is_clean
    assert {"unchanged", "ok", "refused", "gone"} <= set(second.verdicts.values())
    assert {row["action"] for row in second.changes} == {"upsert", "delete", "hold"}
    check(second, feeds, ftp_folder)

    before = {path.name: path.read_bytes() for path in feeds.iterdir()}
    del mock_site.routes["/docs/same"]
    assert run(MDCRAWL_MAX_DELETE_RATIO=0).status == 3
    assert {path.name: path.read_bytes() for path in feeds.iterdir()} == before, "what is not committed is not told"


def crawl_with(site, folder, *options):
    settings = {"DOWNLOAD_DELAY": DELAY_S, "MDCRAWL_CONTACT": CONTACT, "MDCRAWL_WORKERS": 1, "MDCRAWL_OUTPUT": folder}
    given = [f"-s{name}={value}" for name, value in settings.items()]
    return run_scrapy("crawl", "docs", f"-astart={site.url('/docs/')}", *given, *options)


def test_options_of_the_command(mock_site, tmp_path):
    """-O replaces, -o adds and writes on standard output; Scrapy takes one of the two in one run."""
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    folder, feed = tmp_path / "out", tmp_path / "pages.jsonl"
    feed.write_bytes(b"of long ago\n")
    ended = crawl_with(mock_site, folder, f"-O{feed}", f"-O{tmp_path}/chunks.parquet:chunks-parquet")
    assert ended.status == 0
    assert feed.read_bytes() == (folder / "pages.jsonl").read_bytes()
    assert (tmp_path / "chunks.parquet").read_bytes() == (folder / "chunks.parquet").read_bytes()
    before = feed.read_bytes()
    ended = crawl_with(mock_site, folder, f"-o{feed}", "-o-:chunks-jsonl")
    assert ended.status == 0
    assert ended.is_clean
    assert feed.read_bytes() == before + (folder / "pages.jsonl").read_bytes()
    assert ended.stdout == (folder / "chunks.jsonl").read_text(encoding="utf-8")


def test_feed_that_cannot_be_written_costs_no_other(mock_site, ftp, tmp_path):
    mock_site.add_page("/docs/")
    folder = tmp_path / "out"
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    wrong = ftp[0].replace("secret", "wrong")
    names = ["/dev/full:chunks-parquet", f"{tmp_path}/file/pages.jsonl", f"{wrong}/a.jsonl"]
    ended = crawl_with(mock_site, folder, *(f"-O{name}" for name in [*names, f"{tmp_path}/chunks.jsonl"]))
    assert ended.status == 3
    assert ended.complaints == []
    assert not any(word in ended.stderr for word in ("Traceback", "Exception ignored"))
    errors = [line.partition("] ERROR: ")[2] for line in ended.stderr.splitlines() if "] ERROR: " in line]
    rest = "; the output folder has its rows"
    assert errors == [
        f"feed /dev/full: cannot write: No space left on device{rest}",
        f"feed {tmp_path}/file/pages.jsonl: cannot write: Not a directory{rest}",
        f"Error storing pages-jsonl feed (1 items) in: {wrong}/a.jsonl: 530 Authentication failed.{rest}",
    ]
    assert (tmp_path / "chunks.jsonl").read_bytes() == (folder / "chunks.jsonl").read_bytes()


def test_mistake_in_a_feed_ends_the_run_before_it_begins(mock_site, tmp_path):
    ended = crawl_with(mock_site, tmp_path / "out", f"-o{tmp_path}/chunks.parquet")
    assert ended.status == 1
    (line,) = ended.complaints
    assert line.startswith(f"mdcrawl: FEEDS: {tmp_path}/chunks.parquet: nothing can be added to a Parquet file; ")
    assert mock_site.asked == []
    assert not (tmp_path / "out").exists()
