"""The file itself: versions, locks, clean text, and what happens when it cannot be written."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from mdcrawl.crawldb.database import FILE_NAME, CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.lock import FolderLock
from mdcrawl.crawldb.schema import about, runs
from mdcrawl.errors import OutputFolderError
from mdcrawl.export.jsonl import to_line
from mdcrawl.export.rows import chunk_rows
from tests.crawldb.world import World, make_page


def test_database_comes_back_as_it_was_left(tmp_path):
    opened = CrawlDatabase.open_folder(tmp_path)
    with opened.begin() as connection:
        connection.execute(runs.insert().values(id=7, started_at="now", state="running", settings={}))
    opened.close()
    again = CrawlDatabase.open_folder(tmp_path)
    with again.begin() as connection:
        assert connection.scalar(select(runs.c.id)) == 7
    again.close()


def test_newer_database_is_left_alone(tmp_path):
    opened = CrawlDatabase.open_folder(tmp_path)
    with opened.begin() as connection:
        connection.execute(update(about).values(value="99"))
    opened.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(OutputFolderError, match=r"crawl\.sqlite: written with version 99 .* knows 2; upgrade"):
        CrawlDatabase.open_folder(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == before
    FolderLock(tmp_path).close()


def test_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / FILE_NAME).write_text("once upon a time " * 100, encoding="utf-8")
    with pytest.raises(OutputFolderError, match=r"crawl\.sqlite: cannot open the crawl database: file is not a"):
        CrawlDatabase.open_folder(tmp_path)


def test_error_rolls_the_whole_transaction_back(world):
    world.start()

    def fail_halfway():
        with world.begin() as connection:
            connection.execute(runs.delete())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    with world.begin() as connection:
        assert connection.scalar(select(runs.c.id)) == 1


def test_after_the_first_failure_nothing_is_tried_any_more(tmp_path):
    opened = CrawlDatabase.open_folder(tmp_path)
    causes = []
    opened.on_failure = causes.append
    with opened.begin() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
    for _ in range(2):
        with pytest.raises(CrawlDatabaseError, match="readonly"), opened.begin() as connection:
            connection.execute(about.insert().values(name="a", value="b"))
    assert len(causes) == 1
    opened.close()


# --- One process at a time ----------------------------------------------------------------------

HOLD = "import sys, time; from pathlib import Path; from mdcrawl.crawldb.lock import FolderLock\n"
HOLD += "lock = FolderLock(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"


@pytest.fixture
def holder(tmp_path):
    with subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_folder_belongs_to_one_process_until_it_dies(tmp_path, holder):
    taken = rf"another crawl is at work there \(process {holder.pid}\); wait for its end or choose another"
    with pytest.raises(OutputFolderError, match=taken):
        CrawlDatabase.open_folder(tmp_path)
    assert not (tmp_path / FILE_NAME).exists()
    holder.kill()
    holder.wait()
    CrawlDatabase.open_folder(tmp_path).close()


def test_process_that_holds_the_folder_may_open_it_again(tmp_path):
    with FolderLock(tmp_path):
        CrawlDatabase.open_folder(tmp_path).close()


# --- Text that every reader takes ---------------------------------------------------------------


@pytest.fixture(scope="module")
def lasting_world():
    opened = World()
    opened.start()
    yield opened
    opened.crawldb.close()


ANYTHING = st.text(st.characters(), max_size=30) | st.text(st.sampled_from("a\0\ud800\udfff\u2028\u2029\x85\n\r"))


@settings(deadline=None)
@given(text=ANYTHING)
def test_any_text_becomes_json_that_any_reader_takes(lasting_world, text):
    """Through the database and out: one line, valid UTF-8, no NUL; text that was fine is as it was."""
    lasting_world.clear()
    page = make_page("a", f"one: {text}".replace("\n", " "))
    lasting_world.crawl(page)
    with lasting_world.begin() as connection:
        (row,) = list(chunk_rows(connection))
    line = to_line(row).decode("utf-8")
    assert line.splitlines() == [line.rstrip("\n")]
    assert "\0" not in line
    assert "\\u0000" not in line
    back = json.loads(line)
    assert not any("\ud800" <= char <= "\udfff" for char in back["text"] + back["heading_path"][0])
    try:
        page.chunks[0].text.encode()
    except UnicodeEncodeError:
        return
    assert back["text"] == page.chunks[0].text.replace("\0", "")


def test_file_passes_its_own_check(tmp_path):
    CrawlDatabase.open_folder(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
    connection.close()
