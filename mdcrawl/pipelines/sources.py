"""Sources: the llms.txt that a page says covers it is read too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from mdcrawl.items import Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.spiders.docs import DocsSpider


class SourcesPipeline:
    """Read the llms.txt that a page declares, by its headers or a link element; leave the page as it is."""

    def __init__(self, crawler: Crawler) -> None:
        self._spider = cast("DocsSpider", crawler.spider)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    async def process_item(self, page: Page) -> Page:
        """Return the page once what it declares is in the frontier."""
        if page.status:
            await self._spider.sources.read_declared(page)
        return page
