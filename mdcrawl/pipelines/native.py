"""Native: where a site has a page as Markdown too, the better of that and its HTML is taken."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.discovery.markdown_source import is_machine_converted, is_markdown
from mdcrawl.discovery.markdown_urls import declared_markdown
from mdcrawl.discovery.urls import canonical_url, site_of
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.fetching import fetch_file
from mdcrawl.items import Page
from mdcrawl.native import SiteMarkdown
from mdcrawl.pipelines.work import CompareJob, run_compare

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.spiders.docs import DocsSpider

# What a site sends that negotiates its representation; HTML stays welcome.
ACCEPT = "text/markdown, text/html;q=0.9, */*;q=0.8"


class NativePipeline:
    """Hold a page's own Markdown against its HTML, as long as its site is worth it."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider = cast("DocsSpider", crawler.spider)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Find the worker pool."""
        pool = self._crawler.get_extension(WorkerPool)
        assert pool is not None
        self._pool = pool

    async def process_item(self, page: Page) -> Page:
        """Return the page, with its own Markdown in place of its HTML's where that lacks nothing."""
        if page.verdict is not None or page.source not in {"html", "rendered"} or not page.extraction.markdown:
            return page
        if not self._spider.arguments.md_probe or page.status not in {200, 304}:
            return page
        site = self._spider.markdown_of(page.url)
        declared = canonical_url(page.extraction.markdown_url or declared_markdown(page.headers, page.final_url))
        declared = declared or self._spider.markdown_hints.get(page.url, "")
        candidate = site.candidate(page.url, declared)
        if not candidate or self._spider.scope.leaves(candidate):
            page.note = f"HTML kept: {site.reason}" if site.reason else ""
            return page
        self._count("asked")
        response = await fetch_file(
            self._crawler, candidate, may_follow=lambda url: site_of(url) == site_of(candidate), accept=ACCEPT
        )
        if response is None:
            site.miss()
        elif not is_markdown(response.body, _header(response, "Content-Type"), response.url):
            site.refuse("everything: it is HTML")
        else:
            await self._compare(page, site, response)
        return page

    async def _compare(self, page: Page, site: SiteMarkdown, response: Response) -> None:
        job = CompareJob(page.extraction, response.body, response.url, self._spider.scope, self._spider.url_options)
        try:
            compared = await self._pool.run(run_compare, job)
        except ConversionError as error:
            site.refuse(str(error))
            return
        if compared.loss is not None:
            self._count("lost")
            page.note = f"HTML kept: its Markdown lacks {compared.loss.lacks}"
            (site.refuse if compared.loss.is_other else site.lose)(compared.loss.lacks)
            return
        self._count("taken")
        headers = {name: _header(response, name) for name in ("x-markdown-tokens",) if name in response.headers}
        site.accept(page.url, response.url, is_author_s=not is_machine_converted(headers))
        native, html = compared.native, page.extraction
        page.extraction = replace(
            html,
            markdown=native.extraction.markdown,
            extractor=native.extraction.extractor,
            receipt=native.extraction.receipt,
            title=html.title or native.extraction.title,
        )
        page.source = "md-native"
        page.markdown_tokens, page.words, page.sketch = native.markdown_tokens, native.words, native.sketch
        page.note = "the site's Markdown, as good as its HTML"

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"mdcrawl/native/{what}")


def _header(response: Response, name: str) -> str:
    return (response.headers.get(name) or b"").decode("latin-1")
