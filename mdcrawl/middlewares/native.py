"""Pages of a site whose Markdown is proven are asked for as Markdown; what fails is asked for as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from mdcrawl.discovery.markdown_source import is_markdown
from mdcrawl.outcomes import RequestVerdict

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.spiders.docs import DocsSpider


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
        if not request.meta.get("mdcrawl_native"):
            return response
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        if response.status == 200 and is_markdown(response.body, content_type, request.url):
            return response
        return self._as_html(request)

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request for the page's HTML if only its Markdown is forbidden."""
        if request.meta.get("mdcrawl_native") and isinstance(exception, RequestVerdict):
            return self._as_html(request)
        return None

    def _as_html(self, request: Request) -> Request:
        url = request.meta["mdcrawl_url"]
        cast("DocsSpider", self._crawler.spider).markdown_of(url).refuse("some of its pages")
        meta = {
            name: value for name, value in request.meta.items() if name not in {"mdcrawl_native", "cached_response"}
        }
        return request.replace(url=url, meta=meta)
