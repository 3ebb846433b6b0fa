"""What a site says about the use of its pages, gathered from robots.txt, tdmrep.json, headers and the page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mdcrawl.configuration import Configuration, SignalMode
from mdcrawl.discovery.rsl import Terms, read_rsl, terms_of
from mdcrawl.discovery.signals import Rights, TdmRule, forbids, noindex_reason, read_rights, read_tdmrep
from mdcrawl.discovery.urls import site_of
from mdcrawl.fetching import fetch_file
from mdcrawl.items import Page
from mdcrawl.middlewares.robots import RobotsMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


# RSL documents read for one site; it has one, or one for each product.
MAX_LICENSES = 5


class RightsReader:
    """Read the rights of pages; each site's tdmrep.json and RSL documents are fetched once."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        configuration = Configuration.from_settings(crawler.settings)
        self._mode = configuration.signals
        self._purpose = configuration.purpose
        self._tdm_rules: dict[str, tuple[TdmRule, ...]] = {}
        self._terms: dict[str, dict[str, tuple[Terms, ...]]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def read(self, page: Page) -> Rights:
        """Return what was said about a page that was answered."""
        if self._mode is SignalMode.IGNORE:
            return Rights()
        parts = urlsplit(page.final_url)
        origin = f"{parts.scheme}://{parts.netloc}"
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        rights = read_rights(
            page.final_url,
            page.headers,
            meta_robots=page.extraction.robots,
            metas=dict(page.extraction.use),
            robots=await robots.rules_for(origin) if robots else None,
            tdm_rules=await self._tdm_rules_of(origin),
        )
        terms = terms_of(page.final_url, await self._terms_of(origin, rights.licenses))
        return replace(rights, permits=terms.permits, prohibits=terms.prohibits)

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
                self._tdm_rules[origin] = read_tdmrep(await self._fetch(f"{origin}/.well-known/tdmrep.json"))
            return self._tdm_rules[origin]

    async def _terms_of(self, origin: str, licenses: Sequence[str]) -> list[Terms]:
        """Return the terms in a site's own RSL documents; of those elsewhere the URL is all that is recorded."""
        own = [url for url in licenses if site_of(url) == site_of(origin)]
        async with self._locks.setdefault(origin, asyncio.Lock()):
            known = self._terms.setdefault(origin, {})
            for url in own:
                if url not in known and len(known) < MAX_LICENSES:
                    known[url] = read_rsl(await self._fetch(url))
            return [terms for url in own for terms in known.get(url, ())]

    async def _fetch(self, url: str) -> bytes:
        """Return a file about a site, b"" if there is none."""
        response = await fetch_file(self._crawler, url, may_follow=lambda target: site_of(target) == site_of(url))
        return response.body if response else b""
