"""Sources of URLs beside links: the sitemaps and the llms.txt of a site, read once at the start."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mdcrawl.arguments import Source
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.discovery.llms_txt import llms_candidates, read_llms_txt
from mdcrawl.discovery.markdown_urls import page_urls
from mdcrawl.discovery.sitemap import EntryKind, SitemapEntry, read_sitemap
from mdcrawl.discovery.urls import canonical_url, join_url, site_of
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.fetching import fetch_file
from mdcrawl.middlewares.robots import RobotsMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)

# Files read for one site: large sites have hundreds of sitemaps, a loop has no end.
MAX_SITEMAPS = 500
# Bytes up to which a sitemap is read on the event loop: some ten milliseconds.
SMALL = 100_000
# Pages that a list names are one step from it.
DEPTH = 1


class SourceReader:
    """Read a site's sitemaps and llms.txt into candidates for the frontier, all in scope."""

    def __init__(self, crawler: Crawler, spider: DocsSpider) -> None:
        self._crawler = crawler
        self._spider = spider
        self._seen: set[str] = set()

    async def candidates(self, start: str) -> AsyncIterator[list[Candidate]]:
        """Yield what the sources of a start URL's site name, file by file."""
        arguments = self._spider.arguments
        only = Source.ONLY in {arguments.llms, arguments.sitemap}
        if arguments.llms is Source.ONLY or (arguments.llms is Source.AUTO and not only):
            async for found in self._from_llms_txt(start):
                yield found
        if arguments.sitemap is Source.ONLY or (arguments.sitemap is Source.AUTO and not only):
            async for found in self._from_sitemaps(start):
                yield found

    async def _from_llms_txt(self, start: str) -> AsyncIterator[list[Candidate]]:
        for url in llms_candidates(start):
            if url in self._seen:
                return
            self._seen.add(url)
            response = await fetch_file(self._crawler, url, may_follow=_stays_on(url))
            listed = read_llms_txt(response.body, response.url) if response else None
            if listed is not None:
                found = [self._candidate(entry.url, "llms", url) for entry in listed.entries]
                for entry in listed.entries:
                    for page_url in page_urls(entry.url):
                        self._spider.markdown_hints.setdefault(canonical_url(page_url), canonical_url(entry.url))
                self._report(url, found)
                yield [candidate for candidate in found if candidate is not None]
                return

    async def _from_sitemaps(self, start: str) -> AsyncIterator[list[Candidate]]:
        origin = _origin_of(start)
        waiting = deque([*(await self._declared(origin)), f"{origin}/sitemap.xml"])
        for _ in range(MAX_SITEMAPS):
            url = next((url for url in _drain(waiting) if url not in self._seen), "")
            if not url:
                return
            self._seen.add(url)
            response = await fetch_file(self._crawler, url, may_follow=_stays_on(url))
            if response is None:
                continue
            found: list[Candidate | None] = []
            for entry in await self._read(response.body, response.url):
                if entry.kind is EntryKind.PAGE:
                    found.append(self._candidate(entry.url, "sitemap", url, entry.lastmod))
                elif site_of(entry.url) == site_of(url):
                    waiting.append(canonical_url(entry.url))
            self._report(url, found)
            yield [candidate for candidate in found if candidate is not None]
        logger.warning("%s: more than %d sitemaps; the rest is not read", origin, MAX_SITEMAPS)

    async def _declared(self, origin: str) -> list[str]:
        """Return the sitemaps that robots.txt names; they may lie on any host (sitemaps.org)."""
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is None:
            return []
        rules = await robots.rules_for(origin)
        return [url for url in (canonical_url(join_url(f"{origin}/", line)) for line in rules.sitemaps) if url]

    async def _read(self, body: bytes, url: str) -> list[SitemapEntry]:
        pool = self._crawler.get_extension(WorkerPool)
        if len(body) <= SMALL or pool is None:
            return list(read_sitemap(body, url))
        try:
            return await pool.run(_read_job, (body, url))
        except ConversionError as error:
            logger.info("%s: %s", url, error)
            return []

    def _candidate(self, written: str, found_in: str, parent: str, lastmod: str = "") -> Candidate | None:
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

    def _report(self, url: str, found: list[Candidate | None]) -> None:
        kept = Counter(candidate is not None for candidate in found)
        logger.info("%s names %d pages in scope, %d outside", url, kept[True], kept[False])


def _stays_on(url: str) -> Callable[[str], bool]:
    """Return a test whether a redirect stays on the site of a URL."""
    return lambda target: site_of(target) == site_of(url)


def _read_job(job: tuple[bytes, str]) -> list[SitemapEntry]:
    return list(read_sitemap(*job))


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _drain(waiting: deque[str]) -> Iterator[str]:
    while waiting:
        yield waiting.popleft()
