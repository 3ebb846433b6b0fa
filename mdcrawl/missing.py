"""What a site answers for an address that cannot exist: asked for once, when a page gives reason to."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from mdcrawl.discovery.sniff import is_page, sniff
from mdcrawl.discovery.urls import join_url, site_of
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.extraction.options import ExtractionOptions
from mdcrawl.fetching import fetch_file
from mdcrawl.pipelines.jobs import ExtractJob, run_extract
from mdcrawl.verdicts.soft_404 import MissingPage, likeness

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.items import Extraction
    from mdcrawl.spiders.docs import DocsSpider

# Longer pages are no "not found" in any case; most crawls of a sound site never ask.
MAX_WORDS = 250
# As like the start page as this, the answer tells nothing: the site gives its start page for everything.
ALIKE = 0.8


class MissingPages:
    """The answers of the sites of a crawl, fetched when first needed."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._pages: dict[str, MissingPage | None] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._starts: dict[str, Extraction] = {}

    async def of(self, url: str, words: int) -> MissingPage | None:
        """Return the answer of a page's site, None if it has none or the page is too long to be like it."""
        if not 0 < words <= MAX_WORDS:
            return None
        site = site_of(url)
        async with self._locks.setdefault(site, asyncio.Lock()):
            if site not in self._pages:
                self._pages[site] = await self._fetch(url)
            return self._pages[site]

    def see_start(self, url: str, extraction: Extraction) -> None:
        """Take note of a start page, to tell it from an answer for what is missing."""
        self._starts.setdefault(site_of(url), extraction)

    async def _fetch(self, url: str) -> MissingPage | None:
        spider = cast("DocsSpider", self._crawler.spider)
        folder = urlsplit(url).path.rpartition("/")[0]
        name = hashlib.sha256(url.encode()).hexdigest()[:12]
        target = join_url(url, f"{folder}/no-such-page-{name}")
        response = await fetch_file(
            self._crawler, target, may_follow=lambda hop: site_of(hop) == site_of(url) and not spider.scope.leaves(hop)
        )
        pool = self._crawler.get_extension(WorkerPool)
        if response is None or pool is None:
            return None
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        kind = sniff(response.body, content_type, response.url)
        if not is_page(kind):
            return None
        job = ExtractJob(response.body, kind, response.url, "", ExtractionOptions(), spider.scope, spider.url_options)
        try:
            extraction = (await pool.run(run_extract, job)).extraction
        except ConversionError:
            return None
        start = self._starts.get(site_of(url))
        if start is not None and likeness(start, extraction) >= ALIKE:
            return None
        return MissingPage(extraction, response.url)
