"""Fetch the files that say what a site holds (sitemaps, llms.txt): politely, hop by hop, never as pages."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http.request import NO_CALLBACK

from mdcrawl.discovery.redirects import MAX_HOPS, REDIRECT_STATUSES
from mdcrawl.discovery.urls import join_url, site_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

# Below the priority of robots.txt, above that of pages.
PRIORITY = 500


async def fetch_file(
    crawler: Crawler, url: str, *, may_follow: Callable[[str], bool], accept: str = ""
) -> Response | None:
    """Return the answer of status 200 for a file, None for any other outcome.

    It passes the same middlewares as pages do: robots.txt, addresses, limits. `may_follow` tells
    whether a redirect to a URL may be followed. Raises nothing.
    """
    assert crawler.engine is not None
    for _ in range(MAX_HOPS + 1):
        request = Request(
            url,
            callback=NO_CALLBACK,
            priority=PRIORITY,
            headers={"Accept": accept} if accept else None,
            meta={"mdcrawl_file": True, "download_slot": site_of(url)},
        )
        try:
            response = await crawler.engine.download_async(request)
        except Exception as error:  # noqa: BLE001  whatever went wrong, there is no such file to read
            logger.info("No answer from %s: %s", url, " ".join(str(error).split()) or type(error).__name__)
            return None
        location = response.headers.get("Location")
        if response.status not in REDIRECT_STATUSES or location is None:
            return response if response.status == 200 else None
        url = join_url(response.url, location.decode("utf-8", "replace"))
        if not url or not may_follow(url):
            return None
    return None
