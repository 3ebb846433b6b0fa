"""A site that is in trouble as a whole after a good crawl: nothing is deleted, and the exit status says so."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Answer

PATHS = ["/docs/", "/docs/a", "/docs/b", "/docs/c", "/docs/d"]
WALL = """<!doctype html><html><head><title>Just a moment...</title></head><body><h1>example.com</h1>
<p>Checking if the site connection is secure</p><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1">
</script></body></html>"""
CLOUDFLARE = {"cf-mitigated": "challenge", "Server": "cloudflare", "Content-Type": "text/html"}
# Trouble is waited out and tried again; not in a test.
HASTE = {"RETRY_TIMES": 0}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        pytest.param(Answer(503, {}, "out of order"), "http_error", id="out of order"),
        pytest.param(Answer(403, CLOUDFLARE, WALL), "challenge", id="bot check"),
        pytest.param(Answer(200, {"Content-Type": "text/html"}, ""), "thin", id="empty pages"),
    ],
)
def test_trouble_holds_the_whole_corpus(crawl, mock_site, tmp_path, answer, verdict):
    mock_site.add_page("/docs/", *PATHS)
    for path in PATHS[1:]:
        mock_site.add_page(path)
    folder = tmp_path / "out"
    first = crawl(mock_site.url("/docs/"), folder)
    assert first.status == 0
    assert first.chunks
    mock_site.routes = dict.fromkeys(PATHS, answer)
    again = crawl(mock_site.url("/docs/"), folder, settings=HASTE)
    assert again.status == 2, "nothing was stored"
    assert again.chunks == first.chunks
    assert again.verdicts["/docs/"] == verdict
    told = [json.loads(line) for line in (folder / "changes.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {change["action"] for change in told} == {"hold"}
    assert again.summary["corpus"]["pages"] == len(PATHS)


def test_site_that_has_lost_most_pages_is_not_believed(crawl, mock_site, tmp_path):
    mock_site.add_page("/docs/", *PATHS)
    for path in PATHS[1:]:
        mock_site.add_page(path)
    folder = tmp_path / "out"
    assert crawl(mock_site.url("/docs/"), folder).status == 0
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("crawl.")]
    before = {path: path.read_bytes() for path in files}
    assert len(before) >= 6 + len(PATHS)
    for path in PATHS[1:4]:
        del mock_site.routes[path]
    refused = crawl(mock_site.url("/docs/"), folder)
    assert refused.status == 3
    (line,) = [line for line in refused.stderr.splitlines() if "nothing was changed" in line]
    assert "3 of 5 pages would be deleted, more than MDCRAWL_MAX_DELETE_RATIO=0.5 allows" in line
    assert {path: path.read_bytes() for path in files} == before
    allowed = crawl(mock_site.url("/docs/"), folder, settings={"MDCRAWL_MAX_DELETE_RATIO": 0.6})
    assert allowed.status == 0
    assert allowed.summary["changes"] == {"upsert": 0, "delete": 3, "hold": 0}
    assert allowed.summary["corpus"]["pages"] == 2
