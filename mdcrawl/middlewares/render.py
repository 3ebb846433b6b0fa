"""Send pages to the browser, hold what it brings back to scope and robots, and give up after one more try."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self, cast

from scrapy import signals

from mdcrawl.arguments import RenderMode
from mdcrawl.discovery.sniff import Kind, sniff
from mdcrawl.discovery.urls import canonical_url, site_of
from mdcrawl.handlers.errors import NoBrowserError, RenderError
from mdcrawl.items import Verdict
from mdcrawl.middlewares.robots import RobotsMiddleware
from mdcrawl.outcomes import RequestVerdict
from mdcrawl.rendering import RenderMemory, Shell, Way

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)

# Once more after a browser that died, or was too slow once.
MAX_ATTEMPTS = 2
# What a request has in its meta because it is a rendering; the cache marks those that it leaves alone.
_META = frozenset({
    "playwright", "playwright_context", "playwright_context_kwargs", "mdcrawl_shell", "mdcrawl_attempt", "_dont_cache",
})  # fmt: skip


class RenderMiddleware:
    """Let a page that came plainly go on to the browser where all pages do, or all of its site gained by it.

    Shells among the others are found by the Shell pipeline, once their words are counted.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self.memory = RenderMemory()
        self.missing = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl and let it listen."""
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(middleware.spider_closed, signal=signals.spider_closed)
        return middleware

    def spider_opened(self) -> None:
        """Take the spider's mode."""
        self._spider = cast("DocsSpider", self._crawler.spider)
        self.mode = self._spider.arguments.render

    def spider_closed(self) -> None:
        """Leave what was learned of each site among the statistics."""
        assert self._crawler.stats is not None
        self._crawler.stats.set_value("mdcrawl/render/sites", self.memory.facts())

    def process_request(self, request: Request) -> None:
        """Make a rendering that was led elsewhere a plain request again."""
        shell: Shell | None = request.meta.get("mdcrawl_shell")
        if shell is not None and shell.url != request.url:
            for name in _META:
                request.meta.pop(name, None)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the answer, or the request to render it. Raises RequestVerdict."""
        if "rendered" in response.flags:
            self._count("pages")
            await self._check_final(request, response)
            return response
        if not self._goes_straight(request, response):
            return response
        headers = {
            name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
            for name, values in response.headers.items()
        }
        return to_render(request, Shell(response.url, response.status, headers, response.body))

    def _goes_straight(self, request: Request, response: Response) -> bool:
        if "mdcrawl_url" not in request.meta or request.meta.get("playwright") or response.status != 200:
            return False
        if self.mode is RenderMode.NEVER or self.missing:
            return False
        if self.mode is RenderMode.AUTO and self.memory.way(site_of(response.url)) is not Way.STRAIGHT:
            return False
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        return sniff(response.body, content_type, response.url) is Kind.HTML

    async def _check_final(self, request: Request, response: Response) -> None:
        """Hold the address that a page gave itself to the rules that its own was held to."""
        url = canonical_url(response.url)
        if url == canonical_url(request.url):
            return
        if not url or (reason := self._spider.scope.leaves(url)):
            reason = reason if url else "not a web address"
            raise RequestVerdict(Verdict.OUT_OF_SCOPE, f"its scripts lead to {response.url}: {reason}")
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is not None and not await robots.allows(response.url):
            raise RequestVerdict(Verdict.ROBOTS_DENIED, f"its scripts lead to {response.url}, which robots.txt forbids")

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request once more, or raise the verdict."""
        if isinstance(exception, NoBrowserError):
            if not self.missing:
                self.missing = str(exception)
                logger.error("Pages that need a browser are left out: %s", self.missing)
            verdict = Verdict.RENDER_FAILED if self.mode is RenderMode.ALWAYS else Verdict.THIN
            raise RequestVerdict(verdict, f"needs a browser; {self.missing}") from exception
        if not isinstance(exception, RenderError):
            return None
        attempt = request.meta.get("mdcrawl_attempt", 1)
        if attempt >= MAX_ATTEMPTS:
            self.memory.of(site_of(request.url)).failed += 1
            self._count("failed")
            raise RequestVerdict(Verdict.RENDER_FAILED, f"{exception}, {attempt} times") from exception
        self._count("retried")
        meta = {**request.meta, "mdcrawl_attempt": attempt + 1}
        return request.replace(meta=meta, dont_filter=True, priority=request.priority + 1)

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"mdcrawl/render/{what}")


def to_render(request: Request, shell: Shell) -> Request:
    """Return the request that renders a page which came as `shell`, on the lease of `request`."""
    meta: Mapping[str, object] = {**request.meta, "playwright": True, "mdcrawl_shell": shell}
    return request.replace(url=shell.url, meta=dict(meta), dont_filter=True)
