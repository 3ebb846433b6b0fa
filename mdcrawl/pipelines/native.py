"""Native: where a site has a page as Markdown too, the better of that and its HTML is taken."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.configuration import Configuration
from mdcrawl.discovery.markdown_source import is_machine_converted, is_markdown
from mdcrawl.discovery.markdown_urls import declared_markdown, page_urls
from mdcrawl.discovery.urls import canonical_url, site_of
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.fetching import fetch_file
from mdcrawl.items import Page
from mdcrawl.native import ACCEPT, Place, Standing
from mdcrawl.pipelines.jobs import CompareJob, run_compare
from mdcrawl.pipelines.options import extraction_options

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.spiders.docs import DocsSpider


class NativePipeline:
    """Hold a page's own Markdown against its HTML, as long as its site is worth it.

    Of each site one page at a time: what it teaches decides what is asked for the next.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider = cast("DocsSpider", crawler.spider)
        self._locks: dict[str, asyncio.Lock] = {}
        self._extraction_options = extraction_options(Configuration.from_settings(crawler.settings), self._spider)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Find the worker pool."""
        pool = self._crawler.get_extension(WorkerPool)
        assert pool is not None
        self._pool = pool
        self._starts = frozenset(self._spider.arguments.start)

    async def process_item(self, page: Page) -> Page:
        """Return the page, with its own Markdown in place of its HTML's where that lacks nothing."""
        if page.status and page_urls(page.url):
            self._spider.markdown.of(page.url).see_file(is_there=page.status < 400)
        if page.verdict is not None or page.source not in {"html", "rendered"} or not page.extraction.markdown:
            return page
        if not self._spider.arguments.md_probe or page.status not in {200, 304}:
            return page
        async with self._locks.setdefault(site_of(page.url), asyncio.Lock()):
            await self._look(page)
            self._spider.markdown.keep(page.url)
        return page

    async def _look(self, page: Page) -> None:
        site = self._spider.markdown.of(page.url)
        site.see_redirect(page.asked_url, page.url)
        varies = {name.strip().lower() for name in page.headers.get("vary", "").split(",")}
        place = site.place(
            page.url, self._declared(page), negotiates="accept" in varies, is_start=page.asked_url in self._starts
        )
        if place is None or not self._may_ask(place.url):
            if site.standing is Standing.PROVEN:
                page.note = "HTML kept: not compared, the site's Markdown has proved equal"
            elif site.reason:
                page.note = f"HTML kept: {site.reason}"
            return
        self._count("asked")
        response = await fetch_file(self._crawler, place.url, may_follow=self._may_ask, accept=ACCEPT)
        if response is None:
            site.miss(page.url, place)
        elif not is_markdown(response.body, _header(response, "Content-Type"), response.url):
            site.refuse(page.url, place, "everything: it is HTML")
        else:
            await self._compare(page, place, response)

    def _declared(self, page: Page) -> str:
        """Return where page, headers or llms.txt say that the page's Markdown is; "" for nowhere, or out of reach."""
        said = page.extraction.markdown_url or declared_markdown(page.headers, page.final_url)
        declared = canonical_url(said) or self._spider.markdown.hints.get(page.url, "")
        return declared if declared and self._may_ask(declared) else ""

    def _may_ask(self, url: str) -> bool:
        return not self._spider.scope.leaves(canonical_url(url))

    async def _compare(self, page: Page, place: Place, response: Response) -> None:
        site = self._spider.markdown.of(page.url)
        spider = self._spider
        job = CompareJob(
            page.extraction, response.body, response.url, spider.scope, spider.url_options, self._extraction_options
        )
        try:
            compared = await self._pool.run(run_compare, job)
        except ConversionError as error:
            site.refuse(page.url, place, str(error))
            return
        if compared.loss is not None:
            self._count("lost")
            page.note = f"HTML kept: its Markdown lacks {compared.loss.lacks}"
            if compared.loss.is_other:
                site.refuse(page.url, place, compared.loss.lacks, is_markdown=True)
            else:
                site.lose(page.url, place, compared.loss.lacks)
            return
        self._count("taken")
        names = {name.decode("latin-1"): "" for name in response.headers}
        site.accept(page.url, place, is_author_s=not is_machine_converted(names))
        native, html = compared.native, page.extraction
        page.extraction = replace(
            html,
            markdown=native.extraction.markdown,
            extractor=native.extraction.extractor,
            receipt=native.extraction.receipt,
            views=native.extraction.views,
            # The fields of the HTML stay: it has the data that Markdown lacks.
            title=html.title or native.extraction.title,
        )
        page.source = place.source
        page.markdown_tokens, page.words, page.sketch = native.markdown_tokens, native.words, native.sketch
        page.note = "the site's Markdown, as good as its HTML"

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"mdcrawl/native/{what}")


def _header(response: Response, name: str) -> str:
    return (response.headers.get(name) or b"").decode("latin-1")
