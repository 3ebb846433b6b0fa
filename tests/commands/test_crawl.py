"""`scrapy crawl`: a mistake at the keyboard is one line and status 1, any other end has its own status."""

from __future__ import annotations

import socket

import pytest

START = "http://127.0.0.1:9/"


def crawl_arguments(output, *more: str) -> list[str]:
    return ["crawl", "docs", f"-astart={START}", f"-sMDCRAWL_OUTPUT={output}", *more]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        pytest.param(
            ["crawl", "docs"],
            "start: missing; say where to begin, for example -a start=https://docs.example.com/",
            id="no start",
        ),
        pytest.param(
            ["crawl", "docs", "-astart=htp:/x"],
            "start: not a URL: 'htp:/x' (scheme htp; use http or https);"
            " give a whole URL such as https://docs.example.com/",
            id="bad start",
        ),
        pytest.param(
            crawl_arguments("{tmp}", "-amax_page=3"),
            "max_page: unknown argument; did you mean max_pages?",
            id="unknown argument",
        ),
        pytest.param(
            crawl_arguments("{tmp}", "-amax_pages=many"),
            "max_pages: not a whole number: 'many'; 0 means no limit",
            id="bad argument",
        ),
        pytest.param(
            crawl_arguments("{tmp}", "-sMDCRAWL_MIN_WORD=3"),
            "MDCRAWL_MIN_WORD: unknown setting; did you mean MDCRAWL_MIN_WORDS?",
            id="unknown setting",
        ),
        pytest.param(
            crawl_arguments("{tmp}", "-sMDCRAWL_CHUNK_TOKENS=lots"),
            "MDCRAWL_CHUNK_TOKENS: not a whole number of at least 16: 'lots'",
            id="bad setting",
        ),
        pytest.param(
            ["crawl", "dosc", f"-astart={START}"], "dosc: no such spider; known are docs", id="unknown spider"
        ),
        pytest.param(
            ["crawl", "docs", START, f"-astart={START}"],
            f"{START}: one spider at a time; arguments of the spider follow -a",
            id="start without -a",
        ),
        pytest.param(
            crawl_arguments("{tmp}/file/out"),
            "{tmp}/file/out: cannot write there (Not a directory); choose another with -s MDCRAWL_OUTPUT=FOLDER",
            id="folder below a file",
        ),
        pytest.param(
            crawl_arguments("{tmp}/broken"),
            "{tmp}/broken/crawl.sqlite: cannot open the crawl database: file is not a database",
            id="database is none",
        ),
    ],
)
def test_mistake_ends_in_one_line_that_names_it(scrapy, tmp_path, given, line):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "crawl.sqlite").write_text("not a database, but long enough to be read as one" * 20)
    ended = scrapy(*(part.replace("{tmp}", str(tmp_path)) for part in given))
    assert ended.complaints == [f"mdcrawl: {line.replace('{tmp}', str(tmp_path))}"]
    assert ended.status == 1
    assert ended.is_clean
    assert ended.stdout == ""


@pytest.fixture
def closed_port():
    """Return the number of a port where nobody listens, held so that nobody begins to."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def test_refused_connection_is_a_row_and_status_2(crawl, tmp_path, closed_port):
    result = crawl(f"http://127.0.0.1:{closed_port}/docs/", tmp_path, settings={"MDCRAWL_CONTACT": ""})
    (row,) = result.pages
    assert (row["url"], row["verdict"]) == (f"http://127.0.0.1:{closed_port}/docs/", "network_error")
    assert row["reason"].startswith("connection refused")
    assert row["status"] is None
    assert result.status == 2
    assert result.is_clean
    assert result.complaints == []
    assert result.chunks == []
    assert result.summary["pages"] == {"total": 1, "verdicts": {"network_error": 1}}


def test_without_contact_the_crawl_runs_and_warns_once(crawl, tmp_path, mock_site):
    mock_site.add_page("/docs/")
    result = crawl(mock_site.url("/docs/"), tmp_path, settings={"MDCRAWL_CONTACT": ""})
    assert result.verdicts == {"/docs/": "ok"}
    assert result.status == 0
    warnings = [line for line in result.stderr.splitlines() if "WARNING" in line]
    assert len(warnings) == 1
    assert "-s MDCRAWL_CONTACT=" in warnings[0]
    assert {asked.headers["user-agent"].partition("/")[0] for asked in mock_site.asked} == {"mdcrawl"}
    assert not any("(" in asked.headers["user-agent"] for asked in mock_site.asked)
