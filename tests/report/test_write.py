"""report.html from a crawl database: the right counts, bounded size, JSON that ends no script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from string import ascii_lowercase

import pytest

import mdcrawl
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.crawldb.notes import INCOMPLETE_SOURCES, write_note
from mdcrawl.errors import OutputFolderError
from mdcrawl.items import Verdict
from mdcrawl.report import rows
from mdcrawl.report.advice import ADVICE, FINE, LEFT_OUT
from mdcrawl.report.survey import survey
from mdcrawl.report.write import write_report
from tests.report.crawls import bad_page, good_page, write_crawl

TEXT = "# Hinge\n\n" + "Oil the pin of the hinge twice a year. " * 12 + "\n\n## Screws\n\nTurn them by hand."


def test_every_verdict_has_advice():
    assert set(ADVICE) == set(Verdict)
    assert not set(FINE) & set(LEFT_OUT)


def test_left_out_verdicts_are_the_same_in_page_and_script():
    from importlib.resources import files

    script = (files("mdcrawl.report") / "report.js").read_text(encoding="utf-8")
    (listed,) = re.findall(r"LEFT_OUT = new Set\((\[.*\])\)", script)
    assert set(json.loads(listed)) == set(LEFT_OUT)
    (listed,) = re.findall(r"GOOD = new Set\((\[.*\])\)", script)
    assert set(json.loads(listed)) == set(FINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pages = [
        good_page("/docs/a", TEXT, title="A </script><script>alert(1)</script>"),
        good_page("/docs/b", TEXT, losses=("1 of 2 headings lost", "3 of 9 words lost")),
        bad_page("/docs/thin1", "thin", "12 words, fewer than 80"),
        bad_page("/docs/thin2", "thin", "7 words, fewer than 80"),
        bad_page("/docs/wall", "challenge", "Cloudflare challenge: cf-mitigated header"),
    ]
    folder = tmp_path_factory.mktemp("report")
    crawldb = write_crawl(folder, pages, known=["/docs/never"], stopped="max_pages=2 reached")
    with crawldb.begin() as connection:
        write_report(connection, folder)
    crawldb.close()
    return folder


@pytest.fixture(scope="module")
def html(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


def rows_of(html):
    return json.loads(re.search(r'<script type="application/json" id="rows">(.*?)</script>', html, re.DOTALL)[1])


def test_answer_comes_first(html):
    assert '<b class="good">2</b> of 6 URLs are good pages' in html
    assert '<b class="bad">3</b> went wrong.' in html
    assert "<b>1</b> was left out" in html
    assert '<b class="warn">1</b> of the good pages lost something' in html
    assert 'aria-label="2 good, 0 copies, 1 left out, 3 wrong"' in html
    assert "Not everything was fetched: max_pages=2 reached" in html


def test_advice_and_kinds_of_reasons(html):
    assert "2 thin</button>" in html
    assert '12 words, fewer than 80 <span class="quiet">and 1 like it</span>' in html
    assert (
        '<a href="https://docs.example.com/docs/thin1" rel="noopener noreferrer" target="_blank">/docs/thin1</a>'
        in html
    )
    assert "lower <code>MDCRAWL_MIN_WORDS</code>" in html
    assert "headings lost" in html


def test_coverage_says_from_where_and_why_not(html):
    coverage = html.partition('<section id="coverage"')[2].partition("</section>")[0]
    assert "6 URLs are known; 5 were asked for." in coverage
    assert '<td>the sitemap</td><td class="n">1</td>' in coverage
    assert '<td>limit<span class="quiet"><br>max_pages=2 reached</span></td><td class="n">1</td>' in coverage


def test_pages_that_nearly_repeat_and_sources_that_left_some_out_are_named(tmp_path):
    steps = " ".join(f"{one}{other}" for one in ("pump", "valve", "gauge", "hinge") for other in ascii_lowercase)
    crawldb = write_crawl(tmp_path, [good_page("/docs/a", steps), good_page("/docs/b", f"{steps} Done.")])
    with crawldb.begin() as connection:
        write_note(connection, INCOMPLETE_SOURCES, json.dumps({"https://docs.example.com/sitemap.xml": "over 50 MB"}))
        write_report(connection, tmp_path)
    crawldb.close()
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1 nearly repeats another page" in html
    assert "/sitemap.xml left pages out: over 50 MB" in html


def test_rows_are_all_there_trouble_first(html):
    rows = rows_of(html)
    assert [row[0].rpartition("/")[2] for row in rows] == ["thin1", "thin2", "wall", "a", "b", "never"]
    assert rows[3][1] == "A </script><script>alert(1)</script>"
    assert rows[4][8] == "1 of 2 headings lost; 3 of 9 words lost"
    assert rows[5][2:4] == ["limit", "max_pages=2 reached"]


def test_page_gets_no_markup_of_its_own_into_the_report(html):
    assert "<script>alert(1)" not in html
    assert html.count("</script>") == 2


def test_what_was_left_behind_is_nothing_but_the_report(folder):
    assert {path.name for path in folder.iterdir()} == {"crawl.sqlite", "crawl.lock", "report.html"}


def test_survey_counts(folder):
    crawldb = CrawlDatabase.open_folder(folder)
    with crawldb.begin() as connection:
        found = survey(connection, "known, not fetched")
    crawldb.close()
    assert (found.total, found.good, found.wrong_count, found.left_out_count, found.lossy) == (6, 2, 3, 1, 1)
    assert sorted(found.losses) == [("headings lost", 1), ("words lost", 1)]


def test_rows_are_bounded_and_the_report_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "MAX_ROWS", 3)
    monkeypatch.setattr("mdcrawl.report.write.MAX_ROWS", 3)
    pages = [bad_page(f"/docs/{n}", "http_error", "status 404 " + "x" * 500) for n in range(5)]
    crawldb = write_crawl(tmp_path, pages)
    with crawldb.begin() as connection:
        write_report(connection, tmp_path)
    crawldb.close()
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert len(rows_of(html)) == 3
    assert "The first 3 of 5 rows" in html
    assert max(len(row[3]) for row in rows_of(html)) == rows.MAX_TEXT


def test_no_crawl_is_a_mistake_of_the_user(tmp_path):
    crawldb = CrawlDatabase.open_folder(tmp_path)
    with crawldb.begin() as connection, pytest.raises(OutputFolderError, match="no crawl to report on"):
        write_report(connection, tmp_path)
    crawldb.close()


def test_template_is_read_from_a_zipped_egg(tmp_path):
    package = Path(mdcrawl.__file__).parent
    with zipfile.ZipFile(tmp_path / "mdcrawl.egg", "w") as egg:
        for path in package.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                egg.write(path, str(path.relative_to(package.parent)))
    code = (
        "from mdcrawl.report import write as w; w._environment().get_template('report.html.jinja'); print(w.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "mdcrawl.egg")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert "mdcrawl.egg" in done.stdout
