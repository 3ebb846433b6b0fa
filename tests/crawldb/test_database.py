"""The file itself: versions, locks, clean text, and what happens when it cannot be written."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql.base import PGDialect

from mdcrawl.crawldb.database import FILE_NAME, CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.lock import FolderLock
from mdcrawl.crawldb.migrations import STEPS
from mdcrawl.crawldb.schema import MAX_URL, SCHEMA_VERSION, UrlText, about, documents, runs
from mdcrawl.discovery.urls import canonical_url
from mdcrawl.errors import OutputFolderError
from mdcrawl.export.jsonl import to_line
from mdcrawl.export.rows import chunk_rows
from tests.crawldb.conftest import ENGINES
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


def test_newer_database_on_a_server_is_left_alone(postgresql):
    url = postgresql.url()
    opened = CrawlDatabase(url)
    with opened.begin() as connection:
        connection.execute(update(about).values(value="99"))
    opened.close()
    told = rf"^127\.0\.0\.1:{postgresql.port}/postgres: written with version 99 .* knows 2; upgrade"
    with pytest.raises(OutputFolderError, match=told):
        CrawlDatabase(url)


@pytest.mark.parametrize("engine", ENGINES)
def test_older_database_is_changed_step_by_step(engine, tmp_path, request):
    """What version 1 stored is there, and is stored to as if it had been made today."""
    url = request.getfixturevalue("postgresql").url() if engine == "postgresql" else f"sqlite:///{tmp_path / FILE_NAME}"
    world = World(url)
    world.crawl(make_page("a", "one: text"))
    with world.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE documents DROP COLUMN sketch")
        connection.exec_driver_sql("DROP TABLE translations")
        connection.execute(update(about).values(value="1"))
    world.crawldb.close()
    world = World(url)
    world.crawl(make_page("a", verdict="unchanged"), make_page("b", "two: text"))
    assert world.corpus == ["a", "b"]
    with world.begin() as connection:
        assert connection.scalars(select(documents.c.sketch).order_by(documents.c.url)).all() == [[], []]
        assert connection.scalar(select(about.c.value).where(about.c.name == "schema_version")) == "2"
    world.crawldb.close()


def test_each_version_has_its_step():
    assert set(STEPS) == set(range(1, SCHEMA_VERSION))


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

HOLD_DATABASE = "import sys, time; from mdcrawl.crawldb.database import CrawlDatabase\n"
HOLD_DATABASE += "held = CrawlDatabase(sys.argv[1]); print('held', flush=True); time.sleep(60)"
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


def test_database_on_a_server_belongs_to_one_crawl_until_it_dies(postgresql):
    url = postgresql.url()
    command = [sys.executable, "-c", HOLD_DATABASE, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        CrawlDatabase(postgresql.url()).close()  # a schema of its own is no matter
        for is_shared in (False, True):
            with pytest.raises(OutputFolderError, match="another crawl is at work in this database; wait"):
                CrawlDatabase(url, is_shared=is_shared)
        holder.kill()
    assert is_freed(url)


def is_freed(url, tries=50):
    """The server takes a moment to see that its client is dead."""
    for _ in range(tries):
        try:
            CrawlDatabase(url).close()
        except OutputFolderError:
            time.sleep(0.1)
        else:
            return True
    return False


def test_workers_share_a_database_that_one_crawl_alone_may_not_have(postgresql):
    url = postgresql.url()
    workers = [CrawlDatabase(url, is_shared=True) for _ in range(2)]
    with pytest.raises(OutputFolderError, match="another crawl is at work"):
        CrawlDatabase(url)
    for worker in workers:
        worker.close()
    assert is_freed(url)


def test_worker_counts_once_it_is_at_work(postgresql):
    """Until then it only looks: workers that are started at one time must not take each other for the last crawl's."""
    url = postgresql.url()
    one, other = (CrawlDatabase(url, is_shared=True) for _ in range(2))
    counts = []
    for change in (lambda _: None, one.step_in, one.step_back):
        with one.begin() as connection:
            change(connection)
        with other.read() as connection:
            counts.append(other.count_others(connection))
    assert counts == [0, 1, 0]
    one.close()
    other.close()


def test_writers_that_share_a_database_take_turns(postgresql):
    """Two that touch the same rows in another order would wait for each other for ever."""
    url = postgresql.url()
    first, second = (CrawlDatabase(url, is_shared=True) for _ in range(2))
    order = []

    def write_second():
        with second.begin():
            order.append("second")

    with first.begin():
        other = threading.Thread(target=write_second)
        other.start()
        time.sleep(0.3)
        order.append("first")
    other.join()
    assert order == ["first", "second"]
    first.close()
    second.close()


# --- What is said of a server -------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("postgresql+psycopg://ada:sesame@127.0.0.1:1/crawls", id="password of the user"),
        pytest.param("postgresql+psycopg://ada@127.0.0.1:1/crawls?password=sesame", id="password among the options"),
    ],
)
def test_password_is_never_told(url):
    with pytest.raises(OutputFolderError, match=r"^127\.0\.0\.1:1/crawls: cannot open the crawl database: ") as told:
        CrawlDatabase(url)
    assert "sesame" not in str(told.value)
    assert "\n" not in str(told.value)


# --- Both engines alike -------------------------------------------------------------------------


def test_urls_come_in_the_order_of_their_bytes(world):
    found = ["a/", "B/", "a-b/", "ab/", "A/", "\u00e9/", "z/", "a/\U0001f600", "a/\uffee"]
    world.crawl(*(make_page(url, f"{url}: text") for url in found))
    assert world.corpus == sorted(found, key=str.encode)


def test_url_too_long_for_an_index_has_its_row(world):
    """No page is ever asked for under such a URL, but a page may link to it."""
    draw = random.Random(3)
    long = "https://example.com/" + "".join(draw.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=4 * MAX_URL))
    other = long[:-1] + "!"
    world.start()
    world.know(long, other, long, reason="too long")
    world.know(long, reason="too long")
    assert len(world.verdicts) == 2
    assert world.row(long).url[:1900] == long[:1900]


@pytest.mark.parametrize("padding", range(6))
def test_url_too_long_for_an_index_is_cut_between_its_characters(padding):
    """What is cut must still be a URL in its canonical form, or no queue takes it."""
    long = canonical_url(f"https://example.com/{'a' * padding}{'é' * MAX_URL}")
    kept = UrlText().process_bind_param(long, PGDialect())
    assert len(kept) <= MAX_URL
    assert canonical_url(kept.partition("#")[0]) == kept.partition("#")[0]


def test_words_of_a_header_are_clean(world):
    world.start()
    with world.crawldb.begin() as connection:
        connection.execute(update(runs).values(started_at="Tue\0 \ud800x"))
        assert connection.scalar(select(runs.c.started_at)) == "Tue \ufffdx"


# --- Text that every reader takes ---------------------------------------------------------------


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
