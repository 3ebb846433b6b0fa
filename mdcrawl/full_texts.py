"""The text of pages that cannot be had otherwise, out of their site's llms-full.txt: fetched when first needed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from mdcrawl.arguments import Source
from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import ledger
from mdcrawl.discovery.llms_txt import FullPage, read_llms_full
from mdcrawl.discovery.markdown_urls import page_urls
from mdcrawl.discovery.sniff import Kind
from mdcrawl.discovery.urls import canonical_url, join_url, site_of
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.fetching import fetch_file
from mdcrawl.items import Page, Verdict
from mdcrawl.pipelines.jobs import Extracted, ExtractJob, run_extract
from mdcrawl.pipelines.options import conversion_key, extraction_options, verdict_options
from mdcrawl.verdicts.judge import judge
from mdcrawl.verdicts.native import native_loss
from mdcrawl.verdicts.shell import needs_browser

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

# What is wrong with the page and not with asking for it: bot checks, logins and robots.txt say no.
TROUBLE = frozenset({Verdict.THIN, Verdict.REFUSED, Verdict.HTTP_ERROR, Verdict.NETWORK_ERROR, Verdict.RENDER_FAILED})


class FullTexts:
    """The llms-full.txt of each site whose llms.txt was read: one request for a site, and none while all goes well."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider = cast("DocsSpider", crawler.spider)
        configuration = Configuration.from_settings(crawler.settings)
        self._options = verdict_options(configuration)
        self._extraction_options = extraction_options(configuration, self._spider)
        self._conversion = conversion_key(configuration, self._spider)
        self._parts: dict[str, dict[str, FullPage]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def rescue(self, page: Page) -> None:
        """Give a page in trouble its text and a new verdict, if its site has a text of it that is sound.

        A copy that an earlier crawl made of the page itself is better, and is held.
        """
        if page.verdict not in TROUBLE or (page.verdict is Verdict.HTTP_ERROR and page.status < 500):
            return
        if self._spider.arguments.llms is Source.OFF or not self._may_replace(page):
            return
        part = (await self._parts_of(page.url)).get(page.url)
        if part is None:
            return
        extracted = await self._convert(part)
        if extracted is None or self._contradicts(page, extracted):
            return
        verdict, reason = judge(extracted.extraction, status=200, url=part.url, headers={}, options=self._options)
        if verdict is not Verdict.OK:
            return
        page.reason = f"{reason}, from the site's llms-full.txt; the page itself is {page.verdict}: {page.reason}"
        page.verdict, page.source = verdict, "llms-full"
        page.final_url = page.final_url or page.url
        page.extraction = replace(extracted.extraction, title=extracted.extraction.title or part.title)
        page.words, page.markdown_tokens = extracted.words, extracted.markdown_tokens
        page.sketch, page.links = extracted.sketch, list(extracted.links)
        # Not that of the answer, which says nothing about this text.
        page.body_hash = hashlib.sha256(part.markdown.encode("utf-8", "replace")).hexdigest()

    def _may_replace(self, page: Page) -> bool:
        """Tell whether there is no copy of the page itself; take note of one that this file gave."""
        assert self._crawler.engine is not None
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        with scheduler.crawldb.read() as connection:
            source = ledger.previous_source(connection, page.url)
            previous = ledger.previous_version(connection, page.url)
        if previous is not None and previous.conversion == self._conversion and self._spider.arguments.incremental:
            page.previous = previous
        return source in {"", "llms-full"}

    def _contradicts(self, page: Page, extracted: Extracted) -> bool:
        """Tell whether the page itself, short as it is, says what the text does not; a shell says nothing."""
        if page.verdict is not Verdict.THIN or needs_browser(page.extraction.evidence, page.words):
            return False
        return native_loss(page.extraction, extracted.extraction) is not None

    async def _convert(self, part: FullPage) -> Extracted | None:
        body = part.markdown.encode("utf-8", "replace")
        spider = self._spider
        job = ExtractJob(
            body, Kind.MARKDOWN, part.url, "utf-8", self._extraction_options, spider.scope, spider.url_options
        )
        try:
            return await self._pool.run(run_extract, job)
        except ConversionError:
            return None

    async def _parts_of(self, url: str) -> dict[str, FullPage]:
        site = site_of(url)
        async with self._spider.sources.reading_llms:
            llms_url = self._spider.sources.llms_of.get(site, "")
        async with self._locks.setdefault(site, asyncio.Lock()):
            if site not in self._parts:
                self._parts[site] = await self._fetch(llms_url) if llms_url else {}
            return self._parts[site]

    async def _fetch(self, llms_url: str) -> dict[str, FullPage]:
        url = join_url(llms_url, "llms-full.txt")
        response = await fetch_file(self._crawler, url, may_follow=lambda target: site_of(target) == site_of(url))
        if response is None:
            return {}
        try:
            pages = await self._pool.run(_read_job, (response.body, response.url))
        except ConversionError:
            return {}
        return _by_url(pages)

    @property
    def _pool(self) -> WorkerPool:
        pool = self._crawler.get_extension(WorkerPool)
        assert pool is not None
        return pool


def _read_job(job: tuple[bytes, str]) -> tuple[FullPage, ...]:
    return read_llms_full(*job)


def _by_url(pages: Iterable[FullPage]) -> dict[str, FullPage]:
    """Return the parts by the page that each is of; one that names a Markdown file is of its page."""
    found: dict[str, FullPage] = {}
    for page in pages:
        for url in (page.url, *page_urls(page.url)):
            found.setdefault(canonical_url(url), page)
    found.pop("", None)
    return found
