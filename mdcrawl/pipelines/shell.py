"""Shell: a page that its scripts would fill is looked for in its own data, else it goes back once, to be rendered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.arguments import RenderMode
from mdcrawl.configuration import Configuration
from mdcrawl.discovery.urls import site_of
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.items import Extraction, Page, Verdict
from mdcrawl.middlewares.render import RenderMiddleware, to_render
from mdcrawl.outcomes import Reissued
from mdcrawl.pipelines.jobs import EmbeddedJob, run_embedded
from mdcrawl.pipelines.options import extraction_options, verdict_options
from mdcrawl.rendering import Shell, Way
from mdcrawl.verdicts.judge import judge
from mdcrawl.verdicts.shell import needs_browser

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.pipelines.jobs import Extracted
    from mdcrawl.spiders.docs import DocsSpider


class ShellPipeline:
    """Take a thin page's content from the data that it carries, or send it to the browser. A wall is left alone."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider = cast("DocsSpider", crawler.spider)
        configuration = Configuration.from_settings(crawler.settings)
        self._verdict_options = verdict_options(configuration)
        self._extraction_options = extraction_options(configuration, self._spider)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Find the worker pool and the middleware that knows the browser."""
        pool = self._crawler.get_extension(WorkerPool)
        middleware = self._crawler.get_downloader_middleware(RenderMiddleware)
        assert pool is not None
        assert middleware is not None
        self._pool, self._middleware = pool, middleware

    async def process_item(self, page: Page) -> Page:
        """Return the page. Raises Reissued if it comes again, rendered."""
        if page.verdict is not None or page.source != "html":
            return page
        memory = self._middleware.memory.of(site_of(page.url))
        if "rendered" in page.flags:
            page.source = "rendered"
            memory.rendered += 1
            if self._judge(page)[0] is Verdict.OK:
                memory.gained += 1
                self._count("gained")
            return page
        why = needs_browser(page.extraction.evidence, page.words, min_words=self._verdict_options.min_words)
        if not why and memory.plain:  # nothing more to learn from it
            return page
        verdict, reason = self._judge(page)
        if not why or verdict is not Verdict.THIN:
            memory.plain = memory.plain or verdict is Verdict.OK
            return page
        if await self._take_embedded(page):
            return page
        self._count("shells")
        refusal = self._refusal(page)
        if refusal:
            page.verdict, page.reason = Verdict.THIN, f"{reason}; {why}; {refusal}"
            return page
        self._reissue(page)
        raise Reissued(f"to be rendered: {why}")

    def _judge(self, page: Page) -> tuple[Verdict, str]:
        return judge(
            page.extraction,
            status=200 if page.status == 304 else page.status,
            url=page.final_url,
            headers=page.headers,
            options=self._verdict_options,
            asked_url=page.asked_url,
        )

    def _refusal(self, page: Page) -> str:
        """Return why a shell is not rendered; "" if it is."""
        if self._spider.arguments.render is RenderMode.NEVER:
            return "render=never"
        if self._middleware.missing:
            return self._middleware.missing
        memory = self._middleware.memory
        if memory.way(site_of(page.url)) is Way.NEVER:
            return f"rendering gained nothing for {memory.of(site_of(page.url)).rendered} pages of the site"
        return ""

    async def _take_embedded(self, page: Page) -> bool:
        """Give the page the content that it carries in its data, if that makes a good page of it."""
        job = EmbeddedJob(
            page.body, page.final_url, page.extraction.charset, self._extraction_options, self._spider.scope
        )
        try:
            found = await self._pool.run(run_embedded, job)
        except ConversionError:
            return False
        if found is None:
            return False
        shell, page.extraction = page.extraction, _merged(page, found)
        if self._judge(page)[0] is not Verdict.OK:
            page.extraction = shell
            return False
        page.links = list(dict.fromkeys([*page.links, *found.links]))
        page.markdown_tokens, page.words = found.markdown_tokens, found.words
        self._count("embedded")
        return True

    def _reissue(self, page: Page) -> None:
        headers = dict(page.headers)
        if page.extraction.charset:
            headers["content-type"] = f"text/html; charset={page.extraction.charset}"
        shell = Shell(page.final_url, 200 if page.status == 304 else page.status, headers, page.body)
        request = self._spider.page_request(page.asked_url, depth=page.depth, parent=page.parent)
        request.meta["mdcrawl_chain"] = [url for url in page.hops if url != page.url]
        request.meta["download_slot"] = site_of(page.url)
        assert self._crawler.engine is not None
        self._crawler.engine.crawl(to_render(request, shell))

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"mdcrawl/render/{what}")


def _merged(page: Page, found: Extracted) -> Extraction:
    """Return the shell's extraction with the content, the title and the receipt of what was found."""
    content = found.extraction
    return replace(
        page.extraction,
        title=content.title or page.extraction.title,
        markdown=content.markdown,
        extractor=content.extractor,
        receipt=content.receipt,
        views=content.views,
        anchors=(),
    )
