"""Follow redirects hop by hop: each is held to scope and robots before it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from mdcrawl.crawldb import frontier
from mdcrawl.crawldb.frontier import Candidate
from mdcrawl.discovery.redirects import REDIRECT_STATUSES, end_of_chain
from mdcrawl.discovery.urls import canonical_url, join_url, site_of
from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider


class RedirectsMiddleware:
    """Turn a redirect into the next request of the same lease, or into the verdict that ends it.

    A redirect to a URL that the crawl knows anyway ends as its duplicate: that URL is fetched once,
    under its own name.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the request for the next hop, or the answer if it is none. Raises RequestVerdict."""
        location = response.headers.get("Location")
        asked = request.meta.get("mdcrawl_url")
        if response.status not in REDIRECT_STATUSES or location is None or asked is None:
            return response
        target = join_url(request.url, location.decode("utf-8", "replace"))
        chain = [*request.meta.get("mdcrawl_chain", []), request.url]
        spider = cast("DocsSpider", self._crawler.spider)
        self._scheduler.move_scope(asked, canonical_url(target))
        end = end_of_chain(chain, target, spider.scope, sets_cookie=b"Set-Cookie" in response.headers)
        if end is not None:
            raise RequestVerdict(*end, final_url=request.url)
        url = canonical_url(target)
        if url not in map(canonical_url, chain) and not self._claim(url, request):
            raise RequestVerdict(
                Verdict.DUPLICATE, f"redirects ({response.status}) to {url}", duplicate_of=url, final_url=url
            )
        return request.replace(url=target, meta={**request.meta, "mdcrawl_chain": chain, "download_slot": site_of(url)})

    @property
    def _scheduler(self) -> FrontierScheduler:
        assert self._crawler.engine is not None
        return cast("FrontierScheduler", self._crawler.engine.scheduler)

    def _claim(self, url: str, request: Request) -> bool:
        """Put the target of a hop on lease, so that nobody else asks for it; False if it is known."""
        target = Candidate(
            url=url,
            site=site_of(url),
            depth=request.meta.get("mdcrawl_depth", 0),
            parent=request.meta.get("mdcrawl_parent", "") or request.meta["mdcrawl_url"],
            found_in="redirect",
        )
        with self._scheduler.crawldb.begin() as connection:
            return frontier.claim(connection, target)
