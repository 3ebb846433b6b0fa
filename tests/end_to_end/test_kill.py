"""Kill it at any moment: the next crawl goes on, nothing is lost, nothing is stored twice."""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import psycopg
import pytest
from sqlalchemy.engine import make_url

from tests.conftest import CONTACT, DELAY_S, ROOT
from tests.servers import PostgreSQL

FETCHED_AT = re.compile(r"^fetched_at: .*$", re.MULTILINE)
LEASED = 2


def name_of(number):
    """Return a path of letters only: numbers are what traps are made of."""
    letters = ""
    while number:
        number, letter = divmod(number, 26)
        letters = chr(ord("a") + letter) + letters
    return f"/docs/{letters}"


def build(site, pages):
    """Let a site have so many pages, each linked from one before it; two redirects and a missing page."""
    for number in range(pages):
        links = {name_of(child) for child in range(number * 3 + 1, number * 3 + 4) if child < pages}
        links |= {name_of(number // 2), name_of(pages - 1 - number % 7)}
        if number == 1:
            links |= {"/docs/moved.html", "/docs/gone.html", "/docs/missing.html"}
        site.add_page(name_of(number), *sorted(links))
    site.redirect("/docs/moved.html", name_of(pages // 2))
    site.redirect("/docs/gone.html", "/docs/missing.html")


def start(site, folder, **settings):
    """Start a crawl of a site in the background."""
    return start_crawl([site.url("/docs/")], folder, **settings)


def start_crawl(starts, folder, arguments=None, **settings):
    """Start a crawl in the background; it writes what it says into a file beside its folder."""
    given = {"DOWNLOAD_DELAY": DELAY_S, "MDCRAWL_CONTACT": CONTACT, "MDCRAWL_WORKERS": 1, "MDCRAWL_OUTPUT": folder}
    options = [f"-astart={','.join(starts)}", "-amd_probe=off"]
    options += [f"-a{name}={value}" for name, value in (arguments or {}).items()]
    options += [f"-s{name}={value}" for name, value in {**given, **settings}.items()]
    with folder.with_suffix(".log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "scrapy", "crawl", "docs", *options],
            cwd=ROOT,
            stdout=log,
            stderr=log,
        )


def fetched(site):
    """Return the paths of the site's pages as they were asked for; not what a crawler asks to get to know a site."""
    return [path for path in site.paths if path in site.routes or path == "/docs/missing.html"]


def wait_for(site, requests, process):
    """Wait until the site has been asked for so many of its pages, or the crawl has ended."""
    while len(set(fetched(site))) < requests and process.poll() is None:
        time.sleep(0.005)


def end(process):
    return process.wait(timeout=300)


@pytest.fixture(params=["sqlite", "postgresql"])
def db(request):
    """The MDCRAWL_DB of a crawl, on each engine."""
    return request.getfixturevalue("postgresql").url() if request.param == "postgresql" else ""


def count_leased(folder, db):
    query = f"SELECT count(*) FROM urls WHERE state = {LEASED}"
    if db:
        where = make_url(db).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(where) as connection:
            return connection.execute(query).fetchone()[0]
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        (check,) = connection.execute("PRAGMA integrity_check").fetchone()
        assert check == "ok"
        return connection.execute(query).fetchone()[0]


def corpus_of(folder):
    """Return every output file but for the times of the fetches."""
    found = {}
    for name in ("pages.jsonl", "chunks.jsonl"):
        rows = [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        found[name] = [{key: value for key, value in row.items() if key != "fetched_at"} for row in rows]
    for path in (folder / "markdown").rglob("*.md"):
        found[str(path.relative_to(folder))] = FETCHED_AT.sub("", path.read_text(encoding="utf-8"))
    return found


def check_kills(site, tmp_path, db, *, pages, kills, seed):
    """Crawl once in peace, into a file, and once with kills at moments drawn at random; compare what is left."""
    sys.stdout.write(f"seed {seed}\n")
    draw = random.Random(seed)
    build(site, pages)
    assert end(start(site, tmp_path / "peace")) == 0
    expected = corpus_of(tmp_path / "peace")
    assert len(expected["pages.jsonl"]) == pages + 3
    folder, leased = tmp_path / "killed", 0
    site.asked.clear()
    for moment in sorted(draw.sample(range(1, pages * 3 // 4), kills)):
        process = start(site, folder, MDCRAWL_DB=db)
        wait_for(site, moment, process)
        time.sleep(draw.uniform(0, 0.3))
        assert process.poll() is None, "the crawl was over before it could be killed"
        process.kill()
        end(process)
        leased += count_leased(folder, db)
    assert end(start(site, folder, MDCRAWL_DB=db)) == 0
    assert corpus_of(folder) == expected
    # A redirect costs no more than the request for where it leads from.
    assert len(fetched(site)) <= pages + 3 + leased
    assert set(fetched(site)) == {f"/docs/{row['url'].rpartition('/')[2]}" for row in expected["pages.jsonl"]}


def test_killed_three_times(mock_site, tmp_path, db):
    check_kills(mock_site, tmp_path, db, pages=120, kills=3, seed=random.SystemRandom().randrange(10**6))


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_killed_ten_times_in_a_thousand_pages(mock_site, tmp_path, db):
    check_kills(mock_site, tmp_path, db, pages=1000, kills=10, seed=random.SystemRandom().randrange(10**6))


# --- Ctrl-C -------------------------------------------------------------------------------------


@pytest.fixture
def started(mock_site, tmp_path, db):
    """A crawl of 60 pages that has been asked for twenty of them and would take its time over the rest."""
    build(mock_site, 60)
    process = start(mock_site, tmp_path / "out", DOWNLOAD_DELAY=0.2, MDCRAWL_DB=db)
    wait_for(mock_site, 20, process)
    yield process
    process.kill()
    end(process)


def test_one_interrupt_ends_cleanly_and_the_same_command_goes_on(mock_site, tmp_path, db, started):
    folder = tmp_path / "out"
    started.send_signal(signal.SIGINT)
    assert end(started) == 0
    summary = json.loads((folder / "summary.json").read_bytes())
    assert summary["state"] == "stopped"
    assert "the same command goes on with it" in summary["not_fetched"]
    first = corpus_of(folder)
    verdicts = [row["verdict"] for row in first["pages.jsonl"]]
    assert 15 <= verdicts.count("ok") < 60
    assert "limit" in verdicts
    asked = len(fetched(mock_site))
    assert end(start(mock_site, folder, MDCRAWL_DB=db)) == 0
    assert [row["verdict"] for row in corpus_of(folder)["pages.jsonl"]].count("ok") == 60
    assert len(set(fetched(mock_site))) == len(fetched(mock_site)) == 63, "nothing was fetched twice"
    assert asked < 63


def test_second_interrupt_is_as_good_as_a_kill(mock_site, tmp_path, db, started):
    folder = tmp_path / "out"
    started.send_signal(signal.SIGINT)
    time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    end(started)
    leased = count_leased(folder, db)
    assert end(start(mock_site, folder, MDCRAWL_DB=db)) == 0
    assert [row["verdict"] for row in corpus_of(folder)["pages.jsonl"]].count("ok") == 60
    assert len(fetched(mock_site)) <= 63 + leased


# --- Two at a time ------------------------------------------------------------------------------


def test_second_crawl_into_a_folder_in_use_is_refused(mock_site, tmp_path, db, started):
    folder = tmp_path / "out"
    started.send_signal(signal.SIGSTOP)
    before = len((tmp_path / "out.log").read_bytes())
    assert end(start(mock_site, folder, MDCRAWL_DB=db)) == 1
    said = (tmp_path / "out.log").read_bytes()[before:].decode()
    (line,) = [line for line in said.splitlines() if line.startswith("mdcrawl:")]
    assert line.startswith(f"mdcrawl: {folder}: another crawl is at work there (process {started.pid})")
    started.send_signal(signal.SIGCONT)
    started.send_signal(signal.SIGINT)
    assert end(started) == 0
    assert [row["verdict"] for row in corpus_of(folder)["pages.jsonl"]].count("ok") >= 15


def test_second_crawl_into_a_database_in_use_is_refused(mock_site, tmp_path, postgresql):
    build(mock_site, 60)
    db = postgresql.url()
    first = start(mock_site, tmp_path / "out", DOWNLOAD_DELAY=0.2, MDCRAWL_DB=db)
    wait_for(mock_site, 5, first)
    assert end(start(mock_site, tmp_path / "other", MDCRAWL_DB=db)) == 1
    said = (tmp_path / "other.log").read_text()
    (line,) = [line for line in said.splitlines() if line.startswith("mdcrawl:")]
    assert "another crawl is at work in this database" in line
    first.kill()
    end(first)


# --- The server of the database -----------------------------------------------------------------


def test_database_server_that_dies_ends_the_crawl_and_the_same_command_goes_on(mock_site, tmp_path):
    build(mock_site, 60)
    folder = tmp_path / "out"
    with PostgreSQL() as server:
        db = server.url().replace("mdcrawl@", "mdcrawl:sesame@")
        process = start(mock_site, folder, DOWNLOAD_DELAY=0.1, MDCRAWL_DB=db)
        wait_for(mock_site, 20, process)
        server.stop(signal.SIGQUIT)
        assert end(process) == 3
        said = (tmp_path / "out.log").read_text()
        assert "Traceback" not in said
        assert "sesame" not in said
        (line,) = [line for line in said.splitlines() if "] ERROR" in line]
        assert f"127.0.0.1:{server.port}/postgres: cannot write: " in line
        assert line.endswith("see to the server and run the same command again to go on")
        server.start()
        assert end(start(mock_site, folder, MDCRAWL_DB=db)) == 0
    assert [row["verdict"] for row in corpus_of(folder)["pages.jsonl"]].count("ok") == 60
    assert len(fetched(mock_site)) <= 63 + 10
