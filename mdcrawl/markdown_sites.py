"""The Markdown of the sites of a crawl: what is known of each, kept from one crawl to the next."""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from mdcrawl.arguments import RenderMode
from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.database import CrawlDatabase, CrawlDatabaseError
from mdcrawl.crawldb.notes import read_note, write_note
from mdcrawl.discovery.markdown_urls import page_urls
from mdcrawl.discovery.urls import canonical_url, site_of
from mdcrawl.native import ACCEPT, DECIDED, SiteMarkdown, Standing

if TYPE_CHECKING:
    from scrapy import Request

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)

# Pages that are started on one by one at the most, so that few come as HTML before a site is decided on.
ONE_BY_ONE = 2 * DECIDED


class MarkdownSites:
    """Where each site stands. Only what is proven is kept for the next crawl, so that this asks as the last did."""

    def __init__(self, spider: DocsSpider) -> None:
        self._spider = spider
        self._sites: dict[str, SiteMarkdown] = {}
        self._kept: dict[str, str] = {}
        self._told: dict[str, Standing] = {}
        self._alone: Counter[str] = Counter()
        # Where llms.txt says that the Markdown of a page is.
        self.hints: dict[str, str] = {}
        self._listed: set[str] = set()

    def of(self, url: str) -> SiteMarkdown:
        """Return what is known of a URL's site."""
        site = site_of(url)
        if site not in self._sites:
            self._kept[site] = ""
            with suppress(CrawlDatabaseError), self._crawldb.read() as connection:
                self._kept[site] = read_note(connection, _note(site))
            self._sites[site] = SiteMarkdown.from_text(self._kept[site])
        return self._sites[site]

    def take_hint(self, markdown: str) -> None:
        """Take in that llms.txt names a Markdown file."""
        for page_url in page_urls(markdown):
            self._listed.add(markdown)
            self.hints.setdefault(canonical_url(page_url), markdown)

    def page_of(self, markdown: str) -> str:
        """Return the page under which a Markdown file is known or is to be known, "" to take it for a page itself.

        That is the page of the last crawl; or, where llms.txt names the file of a site that is proven, one
        that ends as its other pages do. Files that only other files name may well be missing.
        """
        candidates = page_urls(markdown)
        if not candidates:
            return ""
        found = ""
        with suppress(CrawlDatabaseError), self._crawldb.read() as connection:
            found = next((url for url in candidates if ledger.previous_source(connection, url)), "")
        if not found and markdown in self._listed:
            found = self.of(markdown).page_like(candidates)
        return "" if self._spider.scope.leaves(found) else found

    def keep(self, url: str) -> None:
        """Write down where a URL's site stands, if that is news."""
        site, known = site_of(url), self.of(url)
        if known.standing not in {Standing.PROVEN, Standing.FAILED} or self._told.get(site) is known.standing:
            return
        self._told[site] = known.standing
        logger.info("%s: %s", site, known.reason or "its Markdown has proved as good as its HTML and is asked for")
        text = known.to_text() if known.standing is Standing.PROVEN else ""
        if text != self._kept[site]:
            self._kept[site] = text
            with suppress(CrawlDatabaseError), self._crawldb.begin() as connection:
                write_note(connection, _note(site), text)

    def directed(self, request: Request) -> Request:
        """Return the request for a page, or for its Markdown where that is proven.

        A page that was stored from its HTML stays with it: its chunks are not to change with the way it came.
        """
        url, arguments = request.meta["mdcrawl_url"], self._spider.arguments
        if not arguments.md_probe or arguments.render is RenderMode.ALWAYS:
            return request
        known = self.of(url)
        self._alone[site_of(url)] += known.is_undecided
        place = known.direct(url) if self._may_change(self.settled(url)) else None
        if place is None or self._spider.scope.leaves(canonical_url(place.url)):
            return request
        directed = request.replace(url=place.url, meta={**request.meta, "mdcrawl_native": place})
        directed.headers["Accept"] = ACCEPT
        return directed

    def settled(self, url: str) -> str:
        """Return the URL that a page will be known under if its Markdown is asked for."""
        return self.of(url).settled(url) if self._spider.arguments.md_probe else url

    def names_strays(self, url: str) -> bool:
        """Tell whether a Markdown file that no page is known of is not worth asking for."""
        return bool(page_urls(url)) and self.of(url).names_strays

    def may_start(self, site: str, outstanding: int) -> bool:
        """Tell whether one more page of a site may be started on: one by one until its Markdown is decided on."""
        known = self._sites.get(site)
        return not outstanding or known is None or not known.is_undecided or self._alone[site] >= ONE_BY_ONE

    def _may_change(self, url: str) -> bool:
        source = ""
        if self._spider.arguments.incremental and self.of(url).standing is Standing.PROVEN:
            with suppress(CrawlDatabaseError), self._crawldb.read() as connection:
                source = ledger.previous_source(connection, url)
        return source not in {"html", "rendered"}

    @property
    def _crawldb(self) -> CrawlDatabase:
        assert self._spider.crawler.engine is not None
        return cast("FrontierScheduler", self._spider.crawler.engine.scheduler).crawldb


def _note(site: str) -> str:
    return f"markdown of {site}"
