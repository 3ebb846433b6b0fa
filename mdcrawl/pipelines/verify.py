"""Verify: every page gets its verdict and the reason for it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from mdcrawl.configuration import Configuration
from mdcrawl.full_texts import FullTexts
from mdcrawl.items import Page, Verdict
from mdcrawl.missing import MissingPages
from mdcrawl.pipelines.options import verdict_options
from mdcrawl.rights import RightsReader
from mdcrawl.verdicts.judge import judge

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class VerifyPipeline:
    """Judge a page that has no verdict yet; hash the content of a good one."""

    def __init__(self, crawler: Crawler) -> None:
        self._rights = RightsReader(crawler)
        self._missing = MissingPages(crawler)
        self._full_texts = FullTexts(crawler)
        self._options = verdict_options(Configuration.from_settings(crawler.settings))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    async def process_item(self, page: Page) -> Page:
        """Return the page with its verdict."""
        if page.verdict is None:
            # A kept answer that the server confirmed is judged as what it was.
            status = 200 if page.status == 304 and page.body else page.status
            if not page.parent:
                self._missing.see_start(page.url, page.extraction)
            missing = await self._missing.of(page.url, page.words) if status == 200 else None
            page.verdict, page.reason = judge(
                page.extraction,
                status=status,
                url=page.final_url,
                headers=page.headers,
                options=replace(self._options, missing_page=missing),
                asked_url=page.asked_url,
            )
            if page.note and page.verdict is Verdict.OK:
                page.reason = f"{page.reason}; {page.note}"
            if (fields := page.extraction.fields) is not None and page.verdict is Verdict.OK and fields.problems:
                page.reason = f"{page.reason}; fields: {', '.join(fields.problems)}"
            if not self._rights.follows_links(page):
                page.links = []
        await self._full_texts.rescue(page)
        if page.verdict in {Verdict.OK, Verdict.UNCHANGED}:
            # Also of a page whose bytes are the same: what robots.txt and headers say may be new.
            rights = await self._rights.read(page)
            page.rights = rights.as_dict()
            if against := self._rights.objection(rights):
                page.verdict, page.reason = Verdict.NOINDEX, against
        if page.verdict is Verdict.OK:
            page.content_hash = hashlib.sha256(page.extraction.markdown.encode("utf-8", "replace")).hexdigest()
            if page.previous is not None and page.previous.content_hash == page.content_hash:
                page.verdict, page.reason = Verdict.UNCHANGED, "other bytes, the same content as last time"
        return page
