"""Sources of URLs beside links: the sitemaps and the llms.txt of a site, each file read once."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import urlsplit

from mdcrawl.arguments import Source
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.crawldb.notes import INCOMPLETE_SOURCES, read_note, write_note
from mdcrawl.discovery.hreflang import Alternate
from mdcrawl.discovery.llms_txt import LlmsTxt, declared_llms, llms_candidates, read_llms_txt
from mdcrawl.discovery.sitemap import EntryKind, SitemapEntry, read_sitemap
from mdcrawl.discovery.urls import canonical_url, join_url, site_of
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.fetching import fetch_file
from mdcrawl.items import Page
from mdcrawl.middlewares.robots import RobotsMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

T = TypeVar("T")

logger = logging.getLogger(__name__)

# Files read for one site: large sites have hundreds of sitemaps, a loop has no end.
MAX_SITEMAPS = 500
# Files that the pages of a crawl name as their llms.txt; a site has one, or one for each product.
MAX_DECLARED = 20
# Bytes up to which a file is read on the event loop: some ten milliseconds. What is packed is never small.
SMALL = 100_000
GZIP = b"\x1f\x8b"
# Entries taken up at a time: some ten milliseconds.
BATCH = 500
# Pages that a list names are one step from it.
DEPTH = 1


class SourceReader:
    """Read a site's sitemaps and llms.txt into candidates for the frontier, all in scope.

    `llms_of` is the llms.txt that was found for a site; `reading_llms` is held while those of the
    start URLs are looked for.
    """

    def __init__(self, crawler: Crawler, spider: DocsSpider) -> None:
        self._crawler = crawler
        self._spider = spider
        self._seen: set[str] = set()
        self._declared_count = 0
        self._incomplete: dict[str, str] = {}
        self.llms_of: dict[str, str] = {}
        self.reading_llms = asyncio.Lock()

    async def read(self, starts: Iterable[str]) -> None:
        """Put what the sources of the start URLs' sites name into the frontier, file by file."""
        self._recall()
        async with self.reading_llms:
            for start in starts if self._takes_llms else ():
                await self._read_llms_txt(llms_candidates(start))
        for start in starts if self._takes_sitemaps else ():
            await self._read_sitemaps(start)

    async def read_declared(self, page: Page) -> None:
        """Put what the llms.txt names that a page declares into the frontier."""
        declared = [*declared_llms(page.headers, page.final_url), canonical_url(page.extraction.llms_url)]
        for url in declared if self._takes_llms else ():
            if url and url not in self._seen and _stays_on(page.url)(url) and self._declared_count < MAX_DECLARED:
                self._declared_count += 1
                await self._read_llms_txt([url])

    @property
    def _takes_llms(self) -> bool:
        arguments = self._spider.arguments
        return arguments.llms is Source.ONLY or (arguments.llms is Source.AUTO and arguments.sitemap is not Source.ONLY)

    @property
    def _takes_sitemaps(self) -> bool:
        arguments = self._spider.arguments
        return arguments.sitemap is Source.ONLY or (
            arguments.sitemap is Source.AUTO and arguments.llms is not Source.ONLY
        )

    async def _read_llms_txt(self, urls: Iterable[str]) -> None:
        """Read the first of some URLs that is an llms.txt; one that was read before ends the search."""
        for url in urls:
            if url in self._seen:
                return
            self._seen.add(url)
            response = await fetch_file(self._crawler, url, may_follow=_stays_on(url))
            listed = None
            if response is not None:
                listed = await self._in_pool(_read_llms_job, response.body, response.url)
            if listed is None:
                continue
            self.llms_of.setdefault(site_of(url), url)
            if not listed.is_complete:
                self._note_incomplete(url, "says that entries were left out")
            await self._add(url, "llms", ((entry.url, "") for entry in listed.entries))
            self._take_hints(listed)
            return

    def _take_hints(self, listed: LlmsTxt) -> None:
        for entry in listed.entries:
            url = canonical_url(entry.url)
            if not self._spider.scope.leaves(url):
                self._spider.markdown.take_hint(url)

    async def _read_sitemaps(self, start: str) -> None:
        origin = _origin_of(start)
        waiting = deque([*(await self._declared_sitemaps(origin)), f"{origin}/sitemap.xml"])
        for _ in range(MAX_SITEMAPS):
            url = next((url for url in _drain(waiting) if url not in self._seen), "")
            if not url:
                return
            self._seen.add(url)
            response = await fetch_file(self._crawler, url, may_follow=_stays_on(url))
            if response is None:
                continue
            entries = await self._in_pool(_read_sitemap_job, response.body, response.url) or []
            await self._take_translations(url, entries)
            pages = ((entry.url, entry.lastmod) for entry in entries if entry.kind is EntryKind.PAGE)
            await self._add(url, "sitemap", pages)
            waiting.extend(
                canonical_url(entry.url)
                for entry in entries
                if entry.kind is EntryKind.SITEMAP and site_of(entry.url) == site_of(url)
            )
        if any(url not in self._seen for url in waiting):
            self._note_incomplete(origin, f"more than {MAX_SITEMAPS} sitemaps; the rest is not read")

    async def _take_translations(self, sitemap: str, entries: Iterable[SitemapEntry]) -> None:
        """Take in which pages are translations before they are put into the frontier."""
        pages = [(canonical_url(entry.url), entry.alternates) for entry in entries if entry.alternates]
        translations, crawldb = self._spider.translations, self._scheduler.crawldb
        with suppress(CrawlDatabaseError), crawldb.begin() as connection:
            translations.open_sitemap(connection, sitemap, pages)
        for start in range(0, len(pages), BATCH):
            with suppress(CrawlDatabaseError), crawldb.begin() as connection:
                translations.take(connection, sitemap, pages[start : start + BATCH])
            await asyncio.sleep(0)

    async def _declared_sitemaps(self, origin: str) -> list[str]:
        """Return the sitemaps that robots.txt names; they may lie on any host (sitemaps.org)."""
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is None:
            return []
        rules = await robots.rules_for(origin)
        return [url for url in (canonical_url(join_url(f"{origin}/", line)) for line in rules.sitemaps) if url]

    async def _in_pool(self, job: Callable[[tuple[bytes, str]], T], body: bytes, url: str) -> T | None:
        """Return what a file holds, read in a worker unless it is small; None if that fails."""
        pool = self._crawler.get_extension(WorkerPool)
        if pool is None or (len(body) <= SMALL and not body.startswith(GZIP)):
            return job((body, url))
        try:
            return await pool.run(job, (body, url))
        except ConversionError as error:
            logger.info("%s: %s", url, error)
            return None

    async def _add(self, parent: str, found_in: str, entries: Iterable[tuple[str, str]]) -> None:
        """Put the pages that a file names into the frontier, some at a time: others have their turn in between."""
        counted: Counter[bool] = Counter()
        entries = iter(entries)
        while batch := list(islice(entries, BATCH)):
            found = [self._candidate(url, found_in, parent, lastmod) for url, lastmod in batch]
            counted.update(candidate is not None for candidate in found)
            self._scheduler.add([candidate for candidate in found if candidate is not None])
            await asyncio.sleep(0)
        logger.info("%s names %d pages in scope, %d outside", parent, counted[True], counted[False])

    def _candidate(self, written: str, found_in: str, parent: str, lastmod: str) -> Candidate | None:
        url = canonical_url(written, self._spider.url_options)
        if not url or self._spider.scope.leaves(url):
            return None
        return Candidate(
            url=url,
            site=site_of(url),
            depth=DEPTH,
            parent=parent,
            found_in=found_in,
            priority=self._spider.priority_of(url),
            lastmod=lastmod,
            reason=self._spider.scope.too_deep(DEPTH),
        )

    def _recall(self) -> None:
        """Forget which sources were incomplete in the last run, but not in the first part of this one."""
        with suppress(CrawlDatabaseError), self._scheduler.crawldb.begin() as connection:
            if self._scheduler.run.resumed:
                self._incomplete = json.loads(read_note(connection, INCOMPLETE_SOURCES) or "{}")
            else:
                write_note(connection, INCOMPLETE_SOURCES, "")

    def _note_incomplete(self, url: str, why: str) -> None:
        logger.warning("%s: %s", url, why)
        self._incomplete[url] = why
        with suppress(CrawlDatabaseError), self._scheduler.crawldb.begin() as connection:
            write_note(connection, INCOMPLETE_SOURCES, json.dumps(self._incomplete, sort_keys=True))

    @property
    def _scheduler(self) -> FrontierScheduler:
        assert self._crawler.engine is not None
        return cast("FrontierScheduler", self._crawler.engine.scheduler)


def _stays_on(url: str) -> Callable[[str], bool]:
    """Return a test whether a URL is on the site of another."""
    return lambda target: site_of(target) == site_of(url)


def _read_sitemap_job(job: tuple[bytes, str]) -> list[SitemapEntry]:
    canonical = lru_cache(10_000)(canonical_url)  # a page stands in the entry of each of its translations
    return [
        entry._replace(alternates=tuple(Alternate(each.language, canonical(each.url)) for each in entry.alternates))
        for entry in read_sitemap(*job)
    ]


def _read_llms_job(job: tuple[bytes, str]) -> LlmsTxt | None:
    return read_llms_txt(*job)


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _drain(waiting: deque[str]) -> Iterator[str]:
    while waiting:
        yield waiting.popleft()
