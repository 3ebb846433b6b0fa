"""The Shell pipeline: which pages go to the browser, which carry their content, which are left as they are."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy.settings import Settings

from mdcrawl import settings
from mdcrawl.discovery.sniff import Kind
from mdcrawl.extraction.options import ExtractionOptions
from mdcrawl.items import Page, Verdict
from mdcrawl.middlewares.render import RenderMiddleware
from mdcrawl.outcomes import Reissued
from mdcrawl.pipelines.jobs import EmbeddedJob, ExtractJob, run_embedded, run_extract
from mdcrawl.pipelines.shell import ShellPipeline
from mdcrawl.spiders.docs import DocsSpider

URL = "https://docs.example.com/guide/a"
PROSE = " ".join(f"Valve {number} opens by a quarter turn, and the gauge beside it moves." for number in range(12))
SHELL = "<html><head><title>A</title></head><body><div id=root></div><script src=/app.js></script></body></html>"
DATA = f'{{"@type": "TechArticle", "headline": "A", "articleBody": "{PROSE}"}}'
CARRIES = SHELL.replace("</head>", f'<script type="application/ld+json">{DATA}</script></head>')
SHORT = "<html><head><title>A</title></head><body><main><h1>A</h1><p>Soon.</p></main></body></html>"
SOUND = f"<html><body><main><h1>A</h1><p>{PROSE}</p></main></body></html>"
WALL = (
    "<html><head><title>Just a moment...</title></head><body><div id=root></div><noscript>Enable JavaScript and cookies"
    " to continue</noscript><script src=/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1></script></body></html>"
)


class Pool:
    """Does the work at once, where it is asked."""

    async def run(self, function, argument):
        return function(argument)


def make(render="auto"):
    spider = DocsSpider(start="https://docs.example.com/guide/", render=render)
    counts, crawled = {}, []
    crawler = SimpleNamespace(
        spider=spider,
        settings=Settings(settings.defaults()),
        stats=SimpleNamespace(inc_value=lambda name: counts.update({name: counts.get(name, 0) + 1}), counts=counts),
        engine=SimpleNamespace(crawl=crawled.append),
        get_extension=lambda kind: Pool(),
    )
    middleware = RenderMiddleware(crawler)
    middleware.spider_opened()
    crawler.get_downloader_middleware = lambda kind: middleware
    pipeline = ShellPipeline.from_crawler(crawler)
    pipeline.open_spider()
    pipeline.crawled, pipeline.counts, pipeline.memory = crawled, counts, middleware.memory.of("docs.example.com")
    pipeline.middleware = middleware
    return pipeline


def page(html, **fields):
    given = {"url": URL, "asked_url": URL, "hops": (URL,), "final_url": URL, "status": 200, "body": html.encode()}
    made = Page(**given | fields)
    scope = DocsSpider(start="https://docs.example.com/guide/").scope
    extracted = run_extract(ExtractJob(made.body, Kind.HTML, URL, "", ExtractionOptions(), scope))
    made.extraction, made.words = extracted.extraction, extracted.words
    return made


async def test_shell_comes_again_with_its_own_bytes():
    pipeline = make()
    shell = page(SHELL, depth=2, parent="https://docs.example.com/guide/", headers={"etag": '"1"'})
    with pytest.raises(Reissued, match="empty #root"):
        await pipeline.process_item(shell)
    (request,) = pipeline.crawled
    assert request.url == URL
    assert request.meta["playwright"] is True
    assert request.meta["mdcrawl_url"] == URL
    assert (request.meta["mdcrawl_depth"], request.meta["mdcrawl_parent"]) == (2, "https://docs.example.com/guide/")
    sent = request.meta["mdcrawl_shell"]
    assert sent.body == SHELL.encode()
    assert sent.headers == {"etag": '"1"', "content-type": "text/html; charset=utf-8"}
    assert pipeline.counts == {"mdcrawl/render/shells": 1}


async def test_shell_behind_a_redirect_keeps_its_lease_and_its_way():
    pipeline = make()
    first = "https://docs.example.com/guide/old"
    with pytest.raises(Reissued):
        await pipeline.process_item(page(SHELL, asked_url=first, hops=(first, URL)))
    (request,) = pipeline.crawled
    assert (request.url, request.meta["mdcrawl_url"]) == (URL, first)
    assert request.meta["mdcrawl_chain"] == [first]


async def test_shell_that_was_not_modified_is_given_as_whole():
    pipeline = make()
    with pytest.raises(Reissued):
        await pipeline.process_item(page(SHELL, status=304))
    assert pipeline.crawled[0].meta["mdcrawl_shell"].status == 200


@pytest.mark.parametrize(
    ("html", "fields"),
    [
        pytest.param(SOUND, {}, id="sound page"),
        pytest.param(SHORT, {}, id="short page without scripts"),
        pytest.param(WALL, {}, id="wall"),
        pytest.param(SHELL, {"status": 404}, id="error"),
        pytest.param(SHELL, {"source": "md-native"}, id="Markdown"),
        pytest.param(SHELL, {"verdict": Verdict.UNCHANGED}, id="judged before"),
    ],
)
async def test_others_are_left_as_they_are(html, fields):
    pipeline, given = make(), page(html, **fields)
    before = (given.verdict, given.extraction)
    assert await pipeline.process_item(given) is given
    assert (given.verdict, given.extraction) == before
    assert pipeline.crawled == []


async def test_content_in_the_page_s_own_data_is_taken():
    pipeline, given = make(), page(CARRIES)
    assert await pipeline.process_item(given) is given
    assert given.verdict is None
    assert given.extraction.extractor == "embedded"
    assert "Valve 11 opens by a quarter turn" in given.extraction.markdown
    assert given.words > 100
    assert pipeline.crawled == []
    assert pipeline.counts == {"mdcrawl/render/embedded": 1}


class TestUnrendered:
    """A shell that is not rendered is thin, and the reason says why."""

    async def reason(self, pipeline):
        given = await pipeline.process_item(page(SHELL))
        assert given.verdict is Verdict.THIN
        assert pipeline.crawled == []
        return given.reason

    async def test_never(self):
        assert (await self.reason(make("never"))).endswith("; render=never")

    async def test_no_browser(self):
        pipeline = make()
        pipeline.middleware.missing = "no browser found: do this"
        assert (await self.reason(pipeline)).endswith("; no browser found: do this")

    async def test_site_that_never_gained(self):
        pipeline = make()
        pipeline.memory.rendered = 5
        assert (await self.reason(pipeline)).endswith("; rendering gained nothing for 5 pages of the site")


async def test_what_is_learned_of_a_site():
    pipeline = make()
    await pipeline.process_item(page(SOUND, flags=["rendered"]))
    await pipeline.process_item(page(SHORT, flags=["rendered"]))
    await pipeline.process_item(page(SOUND))
    await pipeline.process_item(page(WALL))
    assert (pipeline.memory.rendered, pipeline.memory.gained, pipeline.memory.plain) == (2, 1, 1)


async def test_rendered_page_says_so():
    assert (await make().process_item(page(SOUND, flags=["rendered"]))).source == "rendered"


@pytest.mark.parametrize("html", [SHELL, "", "<p>x", "<script>let x = {"])
def test_nothing_is_found_where_nothing_is(html):
    scope = DocsSpider(start="https://docs.example.com/guide/").scope
    assert run_embedded(EmbeddedJob(html.encode(), URL, "", ExtractionOptions(), scope)) is None
