"""Verify: every page gets its verdict and the reason for it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Self, cast

from mdcrawl.configuration import Configuration
from mdcrawl.items import Page, Verdict
from mdcrawl.verdicts.judge import VerdictOptions, judge

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.spiders.docs import DocsSpider


class VerifyPipeline:
    """Judge a page that has no verdict yet; hash the content of a good one."""

    def __init__(self, crawler: Crawler) -> None:
        spider = cast("DocsSpider", crawler.spider)
        configuration = Configuration.from_settings(crawler.settings)
        floor = configuration.min_words if spider.min_words is None else spider.min_words
        self._options = VerdictOptions(min_words=floor)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def process_item(self, page: Page) -> Page:
        """Return the page with its verdict."""
        if page.verdict is None:
            page.verdict, page.reason = judge(
                page.extraction, status=page.status, url=page.final_url, headers=page.headers, options=self._options
            )
        if page.verdict is Verdict.OK:
            page.content_hash = hashlib.sha256(page.extraction.markdown.encode("utf-8", "replace")).hexdigest()
        return page
