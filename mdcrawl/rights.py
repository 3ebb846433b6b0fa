"""What a site says about the use of its pages, gathered from robots.txt, tdmrep.json, headers and the page."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mdcrawl.configuration import Configuration, SignalMode
from mdcrawl.discovery.signals import Rights, TdmRule, forbids, noindex_reason, read_rights, read_tdmrep
from mdcrawl.discovery.urls import site_of
from mdcrawl.fetching import fetch_file
from mdcrawl.items import Page
from mdcrawl.middlewares.robots import RobotsMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class RightsReader:
    """Read the rights of pages; each site's tdmrep.json is fetched once."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        configuration = Configuration.from_settings(crawler.settings)
        self._mode = configuration.signals
        self._purpose = configuration.purpose
        self._tdm_rules: dict[str, tuple[TdmRule, ...]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def read(self, page: Page) -> Rights:
        """Return what was said about a page that was answered."""
        if self._mode is SignalMode.IGNORE:
            return Rights()
        parts = urlsplit(page.final_url)
        origin = f"{parts.scheme}://{parts.netloc}"
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        return read_rights(
            page.final_url,
            page.headers,
            meta_robots=page.extraction.robots,
            metas=dict(page.extraction.use),
            robots=await robots.rules_for(origin) if robots else None,
            tdm_rules=await self._tdm_rules_of(origin),
        )

    def objection(self, rights: Rights) -> str:
        """Return why the page is not to be stored, "" if it may be.

        A page past its unavailable_after is for nobody; a signal against the purpose (MDCRAWL_PURPOSE)
        counts when signals are obeyed.
        """
        against = noindex_reason(rights, datetime.now(UTC))
        if not against and self._mode is SignalMode.OBEY:
            against = forbids(rights, self._purpose)
            against = against and f"{against}, and the pages are for {self._purpose}"
        return against

    def follows_links(self, page: Page) -> bool:
        """Tell whether the headers of a page let its links be followed; its meta elements were heard before."""
        return read_rights(page.final_url, page.headers).follows_links

    async def _tdm_rules_of(self, origin: str) -> tuple[TdmRule, ...]:
        async with self._locks.setdefault(origin, asyncio.Lock()):
            if origin not in self._tdm_rules:
                url = f"{origin}/.well-known/tdmrep.json"
                response = await fetch_file(
                    self._crawler, url, may_follow=lambda target: site_of(target) == site_of(url)
                )
                self._tdm_rules[origin] = read_tdmrep(response.body) if response else ()
            return self._tdm_rules[origin]
