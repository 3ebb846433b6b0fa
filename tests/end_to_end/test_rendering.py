"""Whole crawls with a real browser: who is rendered, what is in the result, what never leaves the machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import psutil
import pytest

from tests.conftest import CONTACT, ROOT, Answer
from tests.end_to_end.app_of_scripts import add_app, filled, prose, shell, unique


def browsers_below(process: psutil.Process) -> Iterator[psutil.Process]:
    """Yield the browsers, not their helpers, below a crawl."""
    for child in process.children(recursive=True):
        try:
            command = child.cmdline()
        except psutil.Error:
            continue
        if any("--remote-debugging-pipe" in part for part in command) and not any(
            "--type=" in part for part in command
        ):
            yield child


def stored(result, path):
    """Return the stored Markdown of a path."""
    return (result.folder / result.row(path)["markdown_path"]).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def app(mock_sites):
    site, other = mock_sites(), mock_sites()
    add_app(site, other)
    site.other = other
    return site


@pytest.fixture(scope="module")
def result(crawl, app, tmp_path_factory):
    settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": 2}
    return crawl(app.url("/app/"), tmp_path_factory.mktemp("app"), settings=settings, md_probe="off")


GAINED = (
    "late", "growing", "busy", "dialogs", "clings", "popup", "download", "moved", "private", "shadow", "frame",
    "scroll", "opens", "tabs", "routed", "by-route", "shared-1",
)  # fmt: skip


@pytest.mark.parametrize("name", ["", *GAINED])
def test_shell_is_rendered(result, name):
    row = result.row(f"/app/{name}")
    assert (row["verdict"], row["source"]) == ("ok", "rendered")
    assert "rendered" in row["flags"]


@pytest.mark.parametrize(
    ("path", "verdict", "reason"),
    [
        pytest.param("/app/stays-empty", "thin", "words, fewer than 80", id="never filled"),
        pytest.param("/app/leaves", "out_of_scope", "/landing", id="script leads elsewhere"),
        pytest.param("/app/moves", "duplicate", "/app/moved", id="script leads on"),
        pytest.param("/app/to-secret", "robots_denied", "/app/secret", id="script leads to a forbidden page"),
        pytest.param("/app/routes-itself", "out_of_scope", "/elsewhere", id="gives itself another address"),
        pytest.param("/app/shared-2", "duplicate", "", id="same content as another"),
    ],
)
def test_verdict(result, path, verdict, reason):
    row = result.row(path)
    assert row["verdict"] == verdict
    assert reason in row["reason"]


def test_content_that_a_page_carries_needs_no_browser(result):
    row = result.row("/app/json-ld")
    assert (row["verdict"], row["extractor"], row["source"], row["flags"]) == ("ok", "embedded", "html", [])


def test_plain_page_among_shells_is_not_rendered_or_keeps_its_text(result):
    assert result.row("/app/plain")["verdict"] == "ok"
    assert "valve 8 by a quarter" in stored(result, "/app/plain")


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        pytest.param("/app/growing", ["Ring 1 is on.", "Ring 6 is on."], id="until it stops growing"),
        pytest.param("/app/shadow", ["# In the shadow", "The slotted words come last of all"], id="shadow root"),
        pytest.param("/app/frame", ["Words in the frame"], id="frame"),
        pytest.param("/app/scroll", ["Batch 1 came", "Batch 3 came"], id="scrolling"),
        pytest.param(
            "/app/opens", ["Words in the details.", "Words in the fold.", "The rest of the words."], id="what opens"
        ),
        pytest.param("/app/tabs", ["pip install spring", "conda install spring"], id="tabs"),
    ],
)
def test_in_the_result(result, path, wanted):
    text = stored(result, path)
    for each in wanted:
        assert each in text


@pytest.mark.parametrize(
    "unwanted",
    ["Loading...", "You need to enable", "Words of the menu", "Advertisement", "color: red", "Gauge of /landing"],
)
def test_not_in_the_result(result, unwanted):
    assert unwanted not in "".join(row["text"] for row in result.chunks)


def test_each_page_is_asked_for_once(app, result):
    asked = [path for path in app.paths if path.startswith("/app/") and not path.startswith("/app/poll")]
    twice = {path for path in asked if asked.count(path) > 1}
    assert twice == set()


def test_what_carries_no_text_is_not_asked_for(app, result):
    unwanted = ("/app/a.png", "/app/opened", "/app/file.zip", "/app/secret", "/elsewhere")
    assert [path for path in app.paths if path in unwanted] == []


def test_nothing_reaches_a_private_address_from_the_browser(app, result):
    assert app.other.asked == []


def test_crawl_is_clean_and_says_that_root_has_no_sandbox_once(result):
    assert result.status == 0
    assert result.is_clean
    assert result.stderr.count("--no-sandbox") == (os.geteuid() == 0)


def test_the_crawl_s_name_is_sent_by_the_browser_too(app, result):
    agents = {asked.headers["user-agent"] for asked in app.asked}
    assert agents == {f"mdcrawl/0.1.0 (+{CONTACT})"}


# --- When it is not needed, or not there --------------------------------------------------------


def begin(start, folder, **settings):
    """Begin a crawl and return its process; its log goes to a file beside the folder."""
    given = {
        "DOWNLOAD_DELAY": 0,
        "MDCRAWL_CONTACT": CONTACT,
        "MDCRAWL_WORKERS": 1,
        "MDCRAWL_OUTPUT": folder,
        **settings,
    }
    options = [f"-astart={start}", *(f"-s{name}={value}" for name, value in given.items())]
    with log_of(folder).open("wb") as log:
        return subprocess.Popen([sys.executable, "-m", "scrapy", "crawl", "docs", *options], cwd=ROOT, stderr=log)


def log_of(folder):
    return folder.with_name(f"{folder.name}.log")


def names_below(process):
    seen = set()
    while process.poll() is None:
        with suppress(psutil.Error):
            seen |= {child.name() for child in psutil.Process(process.pid).children(recursive=True)}
        time.sleep(0.1)
    return seen


@pytest.mark.parametrize("pages", [30, pytest.param(300, marks=pytest.mark.slow)])
def test_plain_pages_start_no_browser(mock_site, tmp_path, pages):
    paths = [f"/docs/{number}" for number in range(pages)]
    mock_site.add_page("/docs/", *paths)
    for path in paths:
        body = f"<title>{path}</title><main><h1>{path}</h1>{prose(path)}{unique(path)}</main>"
        mock_site.routes[path] = mock_site.page(path)._replace(body=body)
    process = begin(mock_site.url("/docs/"), tmp_path, CONCURRENT_REQUESTS_PER_DOMAIN=4)
    seen = names_below(process)
    assert process.returncode == 0
    assert not {name for name in seen if "node" in name or "chrom" in name}
    asked = Counter(path for path in mock_site.paths if path in paths)
    assert asked == Counter(paths), [each for each in mock_site.asked if asked[each.path] > 1]


def test_without_a_browser_shells_are_thin_and_it_is_said_once(crawl, mock_site, tmp_path):
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "sitecustomize.py").write_text(
        "import shutil\nreal = shutil.which\n"
        "shutil.which = lambda name, *a, **k: None if 'chrom' in name else real(name, *a, **k)\n"
        "import os\nos.environ['PLAYWRIGHT_BROWSERS_PATH'] = '/nowhere'\n"
    )
    mock_site.add_page("/docs/", "/docs/a", "/docs/b")
    for path in ("/docs/a", "/docs/b"):
        mock_site.routes[path] = filled(path)
    result = crawl(mock_site.url("/docs/"), tmp_path / "out", modules=modules)
    assert result.verdicts == {"/docs/": "ok", "/docs/a": "thin", "/docs/b": "thin"}
    for path in ("/docs/a", "/docs/b"):
        assert "playwright install chromium" in result.row(path)["reason"]
    assert result.stderr.count("Pages that need a browser are left out: no browser found: install one") == 1
    assert "Traceback" not in result.stderr


def test_render_never(crawl, mock_site, tmp_path):
    mock_site.routes["/docs/"] = filled("never")
    result = crawl(mock_site.url("/docs/"), tmp_path, render="never")
    assert result.row("/docs/")["verdict"] == "thin"
    assert result.row("/docs/")["reason"].endswith("; render=never")


def test_render_always(crawl, mock_site, tmp_path):
    mock_site.add_page("/docs/", "/docs/a")
    site_page = mock_site.page("/docs/a")
    script = "<script>document.querySelector('main').innerHTML += '<p>Added by a script.</p>'</script></body>"
    mock_site.routes["/docs/a"] = site_page._replace(body=site_page.body.replace("</body>", script))
    result = crawl(mock_site.url("/docs/"), tmp_path, render="always", md_probe="off")
    assert {row["source"] for row in result.pages} == {"rendered"}
    assert "Added by a script." in stored(result, "/docs/a")
    assert mock_site.paths.count("/docs/a") == 1


def test_second_crawl_sees_what_scripts_changed_behind_the_same_bytes(crawl, mock_site, tmp_path):
    """The shell is the same, and so are its validators; its data is not."""
    load = "fetch('/docs/data').then((r) => r.text()).then((t) => document.getElementById('root').innerHTML = t)"
    page = shell(load)
    mock_site.routes["/docs/"] = page._replace(headers={**page.headers, "ETag": '"1"'})
    mock_site.routes["/docs/data"] = Answer(200, {}, f"<main><h1>Data</h1>{prose('old data')}</main>")
    first = crawl(mock_site.url("/docs/"), tmp_path)
    assert first.row("/docs/")["verdict"] == "ok"
    mock_site.routes["/docs/data"] = Answer(200, {}, f"<main><h1>Data</h1>{prose('new data')}</main>")
    second = crawl(mock_site.url("/docs/"), tmp_path)
    assert second.row("/docs/")["verdict"] == "ok"
    assert "new data" in "".join(row["text"] for row in second.chunks)


def test_hostile_pages_cost_their_own_verdicts_only(crawl, mock_site, tmp_path):
    grows = "document.body.innerHTML = '<main>' + '<p>word after word</p>'.repeat(15000) + '</main>'"
    mock_site.add_page("/docs/", "/docs/endless", "/docs/grows", "/docs/reloads", "/docs/sound")
    mock_site.routes |= {
        "/docs/endless": shell("while (true) {}"),
        "/docs/grows": shell(grows),
        "/docs/reloads": shell("setTimeout(() => location.reload(), 50)"),
        "/docs/sound": filled("a sound page"),
    }
    settings = {"MDCRAWL_RENDER_TIMEOUT_S": 10, "MDCRAWL_RENDER_WAIT_S": 4, "MDCRAWL_MAX_BYTES": 200_000}
    result = crawl(mock_site.url("/docs/"), tmp_path, settings=settings, md_probe="off")
    assert result.verdicts == {
        "/docs/": "ok",
        "/docs/endless": "render_failed",
        "/docs/grows": "too_large",
        "/docs/reloads": "redirect_loop",
        "/docs/sound": "ok",
    }
    assert result.row("/docs/endless")["reason"] == "the browser took more than 10 s, 2 times"
    assert mock_site.paths.count("/docs/reloads") == 3
    assert "Traceback" not in result.stderr


# --- When it dies -------------------------------------------------------------------------------


@pytest.mark.parametrize(("pages", "kills"), [(10, 1), pytest.param(200, 3, marks=pytest.mark.slow)])
@pytest.mark.timeout(2400)
def test_browser_that_is_killed_costs_no_page(mock_site, tmp_path, pages, kills):
    paths = [f"/docs/{number}" for number in range(pages)]
    mock_site.routes["/docs/"] = filled("the start", *paths)
    for path in paths:
        mock_site.routes[path] = filled(f"page {path}", more=unique(path))
    process = begin(mock_site.url("/docs/"), tmp_path)
    due = [pages * (number + 1) // (kills + 1) for number in range(kills)]
    killed, pids = 0, set()
    while process.poll() is None:
        time.sleep(0.1)
        try:
            browsers = list(browsers_below(psutil.Process(process.pid)))
        except psutil.Error:
            continue
        pids |= {browser.pid for browser in browsers}
        if due and browsers and len([path for path in mock_site.paths if path in paths]) >= due[0]:
            due.pop(0)
            killed += 1
            browsers[0].kill()
    assert killed == kills
    assert process.returncode == 0, log_of(tmp_path).read_text()[-3000:]
    rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert {row["verdict"] for row in rows} == {"ok"}
    assert len(rows) == pages + 1
    assert len(pids) > kills
    assert not any(psutil.pid_exists(pid) for pid in pids)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_browser_ends_with_the_crawl_however_it_ends(mock_site, tmp_path, how):
    paths = [f"/docs/{number}" for number in range(20)]
    mock_site.routes["/docs/"] = filled("the start", *paths)
    for path in paths:
        mock_site.routes[path] = filled(f"page {path}", more=unique(path))
    process = begin(mock_site.url("/docs/"), tmp_path)
    family = []
    while not family or len(mock_site.paths) < 5:
        time.sleep(0.1)
        assert process.poll() is None
        if any(browsers_below(psutil.Process(process.pid))):
            family = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, how)
    process.wait(60)
    _, alive = psutil.wait_procs(family, timeout=8)
    assert alive == []
