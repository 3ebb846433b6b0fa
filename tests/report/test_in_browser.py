"""report.html in a real Chromium: it answers the keyboard, loads nothing, and no page's script runs in it."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import sync_playwright

from mdcrawl.handlers.finding import find_browser, needs_no_sandbox
from mdcrawl.report.write import write_report
from tests.report.crawls import bad_page, good_page, write_crawl

# Each of these raises window.top.pwned or asks a server for something if it gets the chance.
ATTACKS = (
    "<script>top.pwned=1;fetch('http://127.0.0.1:9/a')</script>",
    "<img src='http://127.0.0.1:9/b' onerror='top.pwned=2'>",
    "<svg onload='top.pwned=3'><script>top.pwned=3</script></svg>",
    "<a href='javascript:top.pwned=4' autofocus onfocus='top.pwned=4'>link</a>",
    "<iframe srcdoc='<script>top.pwned=5</script>' src='http://127.0.0.1:9/c'></iframe>",
    '"><script>top.pwned=6</script>',
    "&quot;&gt;&lt;script&gt;top.pwned=7&lt;/script&gt;",
    "<link rel=stylesheet href='http://127.0.0.1:9/d'><style>@import 'http://127.0.0.1:9/e';</style>",
    "<p style='background:url(http://127.0.0.1:9/f)'>p</p><meta http-equiv=refresh content='0;url=http://127.0.0.1:9/g'>",
    "<form action='http://127.0.0.1:9/h'><button>b</button></form><base href='http://127.0.0.1:9/'>",
    "</script></iframe></template><img src=x onerror=top.pwned=8>",
    "<details open ontoggle='top.pwned=9'><summary>s</summary></details><video src='http://127.0.0.1:9/i'></video>",
)
TEXT = "Turn the valve by a quarter and wait for the gauge to settle. " * 10
HOSTILE = "\n\n".join(("# Attacks", *ATTACKS, "![x](http://127.0.0.1:9/j)", "[l](javascript:top.pwned=10)", TEXT))
PAGES = 260


def pages():
    title = "</script><script>top.pwned=11</script>\u2028<!-- <img src=x onerror=top.pwned=12>"
    yield good_page("/docs/hostile", HOSTILE, title=title, html="<main>" + "".join(ATTACKS) + TEXT + "</main>")
    yield good_page("/docs/lossy", TEXT, losses=("1 of 2 headings lost",))
    yield good_page("/blog/post/a", f"# Post\n\n{TEXT}", title="A post")
    yield bad_page('/docs/"><img src=x onerror=top.pwned=13>', "thin", "<b onclick=top.pwned=14>12 words</b>")
    for number in range(PAGES):
        yield bad_page(f"/docs/dead{number:03}", "http_error", "status 404")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    crawldb = write_crawl(folder, pages())
    with crawldb.begin() as connection:
        write_report(connection, folder)
    crawldb.close()
    return folder / "report.html"


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        executable = find_browser(playwright.chromium.executable_path)
        assert executable is not None, "the tests need a Chromium; make test finds or installs one"
        arguments = ["--no-sandbox"] if needs_no_sandbox() else []
        browser = playwright.chromium.launch(executable_path=executable or None, args=arguments)
        yield browser
        browser.close()


class Opened:
    """The report in a tab, with everything that it asked for and complained about."""

    def __init__(self, browser, report, **options):
        self.asked, self.complaints = [], []
        self.page = browser.new_page(**options)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(report.as_uri())
        self.address = report.as_uri()

    @property
    def rows(self):
        return self.page.locator("#table tbody tr")

    @property
    def found(self):
        return self.page.inner_text("#found")


@pytest.fixture
def opened(browser, report):
    opened = Opened(browser, report)
    yield opened
    opened.page.close()


def test_hostile_pages_are_inert_and_nothing_is_asked_for(opened):
    page = opened.page
    page.evaluate("document.querySelectorAll('details.template').forEach((details) => { details.open = true; })")
    for frame in page.locator("iframe").all():
        frame.scroll_into_view_if_needed()
    page.wait_for_function("!document.querySelector('iframe[data-page]')")
    shown = [frame for frame in page.frames if frame.url == "about:srcdoc"]
    assert len(shown) == 3
    assert any("settle" in frame.locator("body").inner_text() for frame in shown)
    page.fill("#search", "hostile")
    page.wait_for_timeout(200)
    assert page.evaluate("window.pwned") is None
    assert [url for url in opened.asked if url not in {opened.address, "about:srcdoc"}] == []
    assert opened.complaints == []
    assert page.url == opened.address


def test_checker_sees_a_script_that_runs(browser, report, tmp_path):
    """The same file without its policy and its sandbox is not inert, so the test above can fail."""
    html = report.read_text(encoding="utf-8")
    (tmp_path / "open.html").write_text(
        html.replace("default-src", "x-default-src")
        .replace("<main>", "<main><img src=x onerror='top.pwned=1'>")
        .replace("script-src", "x-script-src"),
        encoding="utf-8",
    )
    opened = Opened(browser, tmp_path / "open.html")
    opened.page.wait_for_function("window.pwned === 1")
    opened.page.close()


def test_policy_stops_a_script_that_gets_into_the_file(browser, report, tmp_path):
    html = report.read_text(encoding="utf-8")
    planted = "<main><img src=x onerror='top.pwned=1'><script>top.pwned=2</script>"
    (tmp_path / "planted.html").write_text(html.replace("<main>", planted), encoding="utf-8")
    opened = Opened(browser, tmp_path / "planted.html")
    opened.page.wait_for_timeout(200)
    assert opened.page.evaluate("window.pwned") is None
    opened.page.close()


def test_search_and_filter(opened):
    page = opened.page
    assert opened.found == f"{PAGES + 4} found, 100 shown"
    page.fill("#search", "dead01 404")
    assert (opened.rows.count(), opened.found) == (10, "10 found, 10 shown")
    page.fill("#search", "")
    page.select_option("#filter", "thin")
    assert opened.rows.count() == 1
    assert "<b onclick" in opened.rows.inner_text()
    page.select_option("#filter", "lossy")
    assert "; 1 of 2 headings lost" in opened.rows.inner_text()
    page.fill("#search", "no such page")
    assert (opened.rows.count(), opened.found) == (0, "0 found, 0 shown")


def test_keyboard_alone(opened):
    page = opened.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("dead")
    assert opened.found == f"{PAGES} found, 100 shown"
    page.focus("#more")
    page.keyboard.press("Enter")
    assert opened.rows.count() == 200
    assert page.evaluate("document.activeElement.textContent").endswith("dead100")
    page.focus("button.jump[data-filter=thin]")
    page.keyboard.press("Enter")
    assert opened.found == "1 found, 1 shown"
    page.focus("details.template:not([open]) > summary")
    page.keyboard.press("Enter")
    assert page.locator("details.template[open]").count() == 2


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_the_width_in_both_themes(browser, report, width, scheme):
    opened = Opened(browser, report, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    red, *_ = (
        int(part) for part in opened.page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)")
    )
    assert (red > 200) == (scheme == "light")
    opened.page.close()


@pytest.mark.slow
def test_five_thousand_pages_open_in_two_seconds_and_stay_below_twenty_megabytes(browser, tmp_path):
    # The longest page of each template is as large as what is shown of one.
    texts = (f"{TEXT}\n\n" * (120 if n < 40 else 1) for n in range(5_000))
    many = (
        good_page(f"/guide/{n % 40}/page{n}", f"# Post {n}\n\n{text}", html=f"<main><p>{text * 2}</p></main>")
        for n, text in enumerate(texts)
    )
    crawldb = write_crawl(tmp_path, many)
    with crawldb.begin() as connection:
        write_report(connection, tmp_path)
    crawldb.close()
    assert (tmp_path / "report.html").stat().st_size < 20_000_000
    Opened(browser, tmp_path / "report.html").page.close()
    began = time.perf_counter()
    Opened(browser, tmp_path / "report.html").page.close()
    assert time.perf_counter() - began < 2
