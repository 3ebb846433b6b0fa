"""The bundled site hangs together: every link leads somewhere, expected.json names what a crawl finds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import pytest
from lxml import etree, html

from mdcrawl.items import Verdict

ROOT = Path(__file__).parents[2] / "fixtures" / "site"
WWW = ROOT / "www"
HOST = "http://site.test"
PAGES = sorted(path.relative_to(WWW).as_posix() for path in WWW.rglob("*") if path.suffix in {".html", ".htm"})
EXPECTED = json.loads((ROOT / "expected.json").read_text(encoding="utf-8"))


class Link(NamedTuple):
    """A link of a page: tag, path with query, fragment, whether it is to be followed."""

    tag: str
    path: str
    fragment: str
    nofollow: bool


@pytest.fixture(scope="module")
def routes(serve):
    return serve.Routes(ROOT)


def url_of(file: str) -> str:
    """Return the URL path under which the site itself links to a file."""
    if file.endswith("index.html"):
        return "/" + file.removesuffix("index.html")
    # Sphinx writes .html into its links; the other generators here leave it out.
    return "/" + (file if "/reference/" in file else file.removesuffix(".html"))


def links_of(page: html.HtmlElement, path: str) -> Iterator[Link]:
    """Yield the links of a page into the site; raise for one that leads to a foreign or a fixed address."""
    base = urljoin(HOST + path, next(iter(page.xpath("//base/@href")), ""))
    for element in page.xpath("//*[@href or @src or @data-src]"):
        for name in ("href", "src", "data-src"):
            value = element.get(name)
            if element.tag == "base" or value is None or value.startswith(("data:", "mailto:")):
                continue
            parts = urlsplit(urljoin(base, value))
            if parts.netloc != "site.test":
                assert re.fullmatch(r"[a-z.]+\.example", parts.netloc), value
                continue
            query = f"?{parts.query}" if parts.query else ""
            yield Link(element.tag, parts.path + query, unquote(parts.fragment), "nofollow" in element.get("rel", ""))


def read(path: Path) -> html.HtmlElement:
    return html.document_fromstring(path.read_bytes())


def landing(routes, path: str) -> tuple[str, int]:
    """Return where a path leads after its redirects, and the status there; 0 for a loop."""
    for _ in range(5):
        answer = routes.answer(urlsplit(path).path, HOST)
        if "Location" not in answer.headers:
            return path, answer.status
        path = answer.headers["Location"]
    return path, 0


def ids_of(routes, path: str) -> set[str]:
    page = html.document_fromstring(routes.answer(urlsplit(path).path, HOST).body)
    return {*page.xpath("//@id"), *page.xpath("//a/@name")}


@pytest.mark.parametrize("file", PAGES)
def test_every_link_leads_somewhere(routes, file):
    for link in links_of(read(WWW / file), url_of(file)):
        declared = urlsplit(link.path).path in routes.by_path
        target, status = landing(routes, link.path)
        assert status == 200 or declared, f"{link.path}: {status}"
        if link.fragment:
            assert link.fragment in ids_of(routes, target), f"{link.path}#{link.fragment}"


@pytest.mark.parametrize("file", PAGES)
def test_no_fixed_address_and_a_title(file):
    text = (WWW / file).read_text(encoding="cp1252" if file.endswith(".htm") else "utf-8")
    assert not re.search(r"127\.0\.0\.1|localhost|https?://[^/\"\s]+:\d", text)
    assert "{{base}}" not in text
    assert read(WWW / file).findtext(".//title")


@pytest.mark.parametrize("file", PAGES)
def test_ids_are_unique_and_tags_balanced(file):
    parser = etree.HTMLParser(recover=True)
    page = etree.fromstring((WWW / file).read_bytes(), parser)
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    mistakes = [entry.message for entry in parser.error_log if re.search(r"nexpected end|mismatch", entry.message)]
    assert mistakes == []


def crawl(routes) -> dict[str, int]:
    """Return status by path of what links from /docs/ lead to, as a polite crawler without a browser sees it."""
    robots = RobotFileParser()
    robots.parse(routes.answer("/robots.txt", HOST).body.decode().splitlines())
    found: dict[str, int] = {}
    queue = ["/docs/"]
    while queue:
        path = queue.pop()
        if path in found or not path.startswith("/docs/"):
            continue
        if not robots.can_fetch("mdcrawl", HOST + path):
            found[path] = 0
            continue
        answer = routes.answer(urlsplit(path).path, HOST)
        found[path] = answer.status
        if "Location" in answer.headers:
            queue.append(urljoin(path, answer.headers["Location"].removeprefix(HOST)))
        elif answer.status == 200 and "html" in answer.headers["Content-Type"]:
            page = html.document_fromstring(answer.body)
            queue += [link.path for link in links_of(page, path) if link.tag == "a" and not link.nofollow]
    return found


def needing(source: str) -> set[str]:
    return {path for path, row in EXPECTED.items() if row["needs"] == [source]}


def test_expected_names_every_url_that_links_lead_to(routes):
    assert set(crawl(routes)) == {path for path, row in EXPECTED.items() if not row["needs"]}


@pytest.mark.parametrize(
    ("source", "file"), [("sitemap", "sitemap.xml"), ("llms", "docs/llms.txt"), ("browser", "docs/assets/status.js")]
)
def test_expected_names_what_only_one_source_tells(routes, source, file):
    text = (WWW / file).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:\{\{base\}\}|\")(/docs/[^)<\"]*)", text))
    assert needing(source) == named - set(crawl(routes))
    assert len(needing(source)) == 1
    assert all(landing(routes, path) == (path, 200) for path in needing(source))


def test_expected_is_sorted_and_well_formed():
    assert list(EXPECTED) == sorted(EXPECTED)
    for path, row in EXPECTED.items():
        assert set(row) - {"rendered"} == {"verdict", "needs"}, path
        assert {row["verdict"], row.get("rendered", "ok")} <= set(Verdict), path


@pytest.mark.parametrize(
    ("verdict", "paths"),
    [
        ("http_error", {"/docs/howto/rain-gauge", "/docs/marlpost-1/"}),
        ("refused", {"/docs/members/firmware-keys/"}),
        ("challenge", {"/docs/community/"}),
    ],
)
def test_only_declared_failures_fail(routes, verdict, paths):
    assert {path for path, row in EXPECTED.items() if row["verdict"] == verdict} == paths
    assert all(routes.answer(path, HOST).status >= 400 for path in paths)


def content_words(body: bytes) -> int:
    """Count words of the declared content, a letter of Japanese as half a word."""
    page = html.document_fromstring(body)
    for unwanted in page.xpath("//nav | //form | //script | //noscript | //aside[@class='md-source-file']"):
        unwanted.drop_tree()
    content = (page.xpath("//article | //main") or [page.body])[0].text_content()
    han_and_kana = len(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]", content))
    return len(re.findall(r"[^\W\u3040-\u30ff\u4e00-\u9fff]+", content)) + han_and_kana // 2


@pytest.mark.parametrize("path", [path for path, row in EXPECTED.items() if row["verdict"] == "ok"])
def test_pages_of_substance(routes, path):
    assert 110 <= content_words(routes.answer(path, HOST).body) <= 600


@pytest.mark.parametrize(
    "path", [path for path, row in EXPECTED.items() if row["verdict"] in {"thin", "gated", "soft_404"}]
)
def test_pages_without_substance(routes, path):
    target, _ = landing(routes, path)
    assert content_words(routes.answer(urlsplit(target).path, HOST).body) < 70


@pytest.mark.parametrize("file", sorted(path.relative_to(WWW).as_posix() for path in WWW.rglob("*.md")))
def test_markdown_says_what_its_page_says(file):
    markdown = (WWW / file).read_text(encoding="utf-8")
    for path in re.findall(r"\]\((/[^)#]*)", markdown):
        assert path in EXPECTED, path
    page = WWW / file.replace(".md", ".html")
    if not page.exists():
        assert needing("llms") == {"/" + file}
        return
    text = re.sub(r"\s+", " ", read(page).text_content().replace("¶", ""))
    fences = re.findall(r"^( *)```\w+.*\n((?:.*\n)*?)\1```$", markdown, re.MULTILINE)
    assert len(fences) == len(read(page).xpath("//pre"))
    for line in (line for _, code in fences for line in code.splitlines()):
        assert re.sub(r"\s+", " ", line).strip() in text
    for heading in re.findall(
        r"^#+ (.*)$", re.sub(r"^( *)```(?:.*\n)*?\1```$", "", markdown, flags=re.MULTILINE), re.MULTILINE
    ):
        assert heading in text
