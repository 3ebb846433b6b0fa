"""Pages of a site whose Markdown is proven are asked for as Markdown; what fails is asked for as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from mdcrawl.discovery.markdown_source import is_markdown
from mdcrawl.outcomes import RequestVerdict

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.native import Place
    from mdcrawl.spiders.docs import DocsSpider

# What was set for the request of the Markdown, by the cache also, and means nothing to the page's own.
OF_MARKDOWN = frozenset({b"Accept", b"If-None-Match", b"If-Modified-Since"})


class NativeMiddleware:
    """Fall back on a page's HTML when its Markdown is not what it should be."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the answer if it is the page's Markdown, else the request for its HTML."""
        place: Place | None = request.meta.get("mdcrawl_native")
        if place is None:
            return response
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        if response.status == 200 and is_markdown(response.body, content_type, request.url):
            return response
        self._refuse(request)
        if place.is_negotiated:
            # It is the page's own URL: whatever came is its answer.
            del request.meta["mdcrawl_native"]
            return response
        return self._as_html(request)

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request for the page's HTML if only its Markdown is forbidden or unreadable."""
        place: Place | None = request.meta.get("mdcrawl_native")
        if place is None or place.is_negotiated or not isinstance(exception, RequestVerdict):
            return None
        self._refuse(request)
        return self._as_html(request)

    def _refuse(self, request: Request) -> None:
        url, place = request.meta["mdcrawl_url"], request.meta["mdcrawl_native"]
        markdown = cast("DocsSpider", self._crawler.spider).markdown
        markdown.of(url).refuse(url, place, "some of its pages")
        markdown.keep(url)

    def _as_html(self, request: Request) -> Request:
        left = {"mdcrawl_native", "cached_response", "retry_times"}
        meta = {name: value for name, value in request.meta.items() if name not in left}
        headers = {name: value for name, value in request.headers.items() if name not in OF_MARKDOWN}
        return request.replace(url=request.meta["mdcrawl_url"], meta=meta, headers=headers)
