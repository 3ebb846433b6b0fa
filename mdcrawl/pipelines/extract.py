"""Extract: a page's body becomes Markdown with a receipt, in a worker process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from mdcrawl.configuration import Configuration
from mdcrawl.discovery.sniff import Kind, is_page, sniff
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.items import Page, Verdict
from mdcrawl.pipelines.jobs import ExtractJob, run_extract
from mdcrawl.pipelines.options import extraction_options

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.spiders.docs import DocsSpider


class ExtractPipeline:
    """Fill in the extraction, the links and the counts of a page; give other things than pages their verdict."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider = cast("DocsSpider", crawler.spider)
        self._options = extraction_options(Configuration.from_settings(crawler.settings), self._spider)

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
        """Return the page with its extraction, or with the verdict that there can be none."""
        if page.verdict is not None:
            return page
        kind = sniff(page.body, page.headers.get("content-type", ""), page.final_url)
        if kind is Kind.EMPTY:
            return page
        if not is_page(kind):
            page.verdict, page.reason = Verdict.UNSUPPORTED_TYPE, f"{kind}, not a page"
            return page
        if kind in {Kind.MARKDOWN, Kind.TEXT} and page.source == "html":
            page.source = "md-native"
        spider = self._spider
        job = ExtractJob(page.body, kind, page.final_url, page.charset, self._options, spider.scope, spider.url_options)
        try:
            extracted = await self._pool.run(run_extract, job)
        except ConversionError as error:
            page.verdict, page.reason = Verdict.BAD_CONTENT, str(error)
            return page
        page.extraction = extracted.extraction
        page.links = list(extracted.links)
        page.html_tokens = extracted.html_tokens
        page.markdown_tokens = extracted.markdown_tokens
        page.words = extracted.words
        page.sketch = extracted.sketch
        if extracted.extraction.charset_guessed:
            page.flags.append("charset_guessed")
        return page
