"""Cookies without a word to anybody else: the public suffixes come from the list in the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.downloadermiddlewares import cookies

from mdcrawl.discovery.scope import public_suffixes

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class CookiesMiddleware(cookies.CookiesMiddleware):
    """Scrapy's own, whose first cookie would fetch the list of public suffixes from publicsuffix.org.

    That download is no request of the crawl: it waits in the event loop, and no guard, proxy or log sees it.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raise NotConfigured when COOKIES_ENABLED is off."""
        cookies._split_domain = public_suffixes()  # noqa: SLF001 - Scrapy has no setting for it
        return super().from_crawler(crawler)
