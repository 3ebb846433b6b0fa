"""`scrapy page`: one page by the way of a crawl; Markdown on one stream, verdict and receipt on the other."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Answer

STEPS = "".join(f"<p>Step {n} turns the valve by a quarter, then waits for the gauge to settle.</p>" for n in range(9))
GOOD = (
    f"<html lang=en><title>Valves</title><main><h1>Valves</h1>{STEPS}<h2>Parts</h2><pre>marl --all</pre></main></html>"
)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "valves.html").write_text(GOOD, encoding="utf-8")
    return str(tmp_path / "valves.html")


def test_file_to_markdown(scrapy, file):
    ended = scrapy("page", file)
    assert ended.status == 0
    assert ended.stdout.startswith("# Valves\n\nStep 0 turns")
    assert "marl --all" in ended.stdout
    verdict, receipt, tokens = ended.stderr.splitlines()
    assert verdict.startswith("ok: ")
    assert "headings 2/2, code blocks 1/1" in receipt
    assert tokens.endswith("2 chunks")


def test_chunks(scrapy, file):
    ended = scrapy("page", file, "--chunks")
    borders = [line.partition(" · ")[0] for line in ended.stdout.splitlines() if line.startswith("--- ")]
    assert borders == ["--- chunk 1 of 2", "--- chunk 2 of 2"]
    assert "Valves > Parts\n\n## Parts" in ended.stdout


def test_json_is_one_object(scrapy, file):
    ended = scrapy("page", file, "--json")
    page = json.loads(ended.stdout)
    assert (page["url"], page["verdict"], page["title"]) == ("valves.html", "ok", "Valves")
    assert page["receipt"]["kept"]["code_blocks"] == 1
    assert [chunk["heading_path"] for chunk in page["chunks"]] == [["Valves"], ["Valves", "Parts"]]
    assert page["markdown_tokens"] < page["html_tokens"]


def test_settings_shape_the_result(scrapy, file):
    chunks = json.loads(scrapy("page", file, "--json", "-s", "MDCRAWL_CHUNK_TOKENS=60").stdout)["chunks"]
    assert len(chunks) > 2
    assert max(chunk["tokens"] for chunk in chunks) <= 60


def test_page_that_is_not_ok(scrapy, tmp_path):
    (tmp_path / "thin.html").write_text("<main><h1>Soon</h1><p>More to come.</p></main>", encoding="utf-8")
    ended = scrapy("page", str(tmp_path / "thin.html"))
    assert ended.status == 2
    assert ended.stdout == "# Soon\n\nMore to come.\n"
    assert ended.stderr.startswith("thin: 4 words, fewer than 80")


def test_binary_has_a_verdict_and_no_markdown(scrapy, tmp_path):
    (tmp_path / "card.pdf").write_bytes(b"%PDF-1.7\n\x00\x01")
    ended = scrapy("page", str(tmp_path / "card.pdf"), "--chunks")
    assert (ended.status, ended.stdout, ended.stderr) == (2, "", "unsupported_type: pdf, not a page\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(["missing.html"], "missing.html: neither a URL nor a file", id="no such file"),
        pytest.param(["fixtures"], "fixtures: a folder; scrapy convert takes those", id="folder"),
        pytest.param(["setup.py", "--render"], "--render: only for a URL; a file is taken as it is", id="render"),
        pytest.param(
            ["https://user:secret@example.com/"],
            "start: credentials in the URL of example.com: leave out the part before '@'",
            id="credentials",
        ),
        pytest.param(
            ["setup.py", "-s", "MDCRAWL_MIN_WORDS=few"],
            "MDCRAWL_MIN_WORDS: not a whole number of at least 0: 'few'",
            id="bad setting",
        ),
    ],
)
def test_mistake_is_one_line(scrapy, arguments, line):
    ended = scrapy("page", *arguments)
    (complaint,) = ended.complaints
    assert complaint.startswith(f"mdcrawl: {line}")
    assert (ended.status, ended.stdout) == (1, "")
    assert ended.is_clean


def test_url_is_one_page_of_a_crawl(scrapy, mock_site):
    mock_site.add_page("/docs/a", "/docs/b", "/docs/c")
    mock_site.redirect("/docs/old", "/docs/a")
    ended = scrapy("page", mock_site.url("/docs/old"), "--json", "-s", "DOWNLOAD_DELAY=0.01")
    page = json.loads(ended.stdout)
    assert (ended.status, page["verdict"], page["url"]) == (0, "ok", mock_site.url("/docs/a"))
    assert page["chunks"]
    assert ended.stderr.startswith("ok: ")
    assert not {"/docs/b", "/docs/c", "/sitemap.xml", "/llms.txt"} & set(mock_site.paths)
    assert mock_site.paths[0] == "/robots.txt"


def test_url_that_robots_txt_forbids(scrapy, mock_site):
    mock_site.add_page("/docs/a")
    mock_site.robots("User-agent: *", "Disallow: /docs/")
    ended = scrapy("page", mock_site.url("/docs/a"))
    assert (ended.status, ended.stdout) == (2, "")
    assert ended.stderr.startswith("robots_denied: ")
    assert "/docs/a" not in mock_site.paths


def test_render_draws_the_page_first(scrapy, mock_site):
    content = "'<h1>Drawn</h1>' + '<p>By a script, word by word.</p>'.repeat(30)"
    drawn = f"<script>document.querySelector('main').innerHTML = {content}</script>"
    mock_site.routes["/app"] = Answer(
        200, {"Content-Type": "text/html"}, f"<!doctype html><title>App</title><main><p>Loading</p></main>{drawn}"
    )
    ended = scrapy("page", mock_site.url("/app"), "--render", "--json", "-s", "DOWNLOAD_DELAY=0.01")
    page = json.loads(ended.stdout)
    assert (ended.status, page["verdict"], page["flags"]) == (0, "ok", ["rendered"])
    assert page["markdown"].startswith("# Drawn")


def test_site_that_does_not_answer(scrapy):
    ended = scrapy("page", "http://127.0.0.1:9/", "-s", "RETRY_TIMES=0")
    assert (ended.status, ended.stdout) == (2, "")
    assert ended.stderr.startswith("network_error: connection refused")


@pytest.mark.parametrize(
    ("view", "begins"),
    [
        ("text", "Valves\n\nStep 0 turns"),
        ("fit_html", "<main>"),
        ("fit_markdown", "# Valves\n\n## Parts"),
        ("citations", "# Valves"),
    ],
)
def test_view(scrapy, file, view, begins):
    ended = scrapy("page", file, "--view", view, *(["--query", "parts"] if view == "fit_markdown" else []))
    assert ended.status == 0
    assert ended.stdout.startswith(begins)
