"""Give a site the time it needs: slow down with it, stay away after trouble, try again, give up in the end."""

from __future__ import annotations

import asyncio
import logging
import random
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Self, cast

from scrapy import exceptions, signals
from scrapy.downloadermiddlewares.retry import get_retry_request

from mdcrawl.discovery.pace import Failure, Pace, Trouble, retry_after_s, trouble_of_status
from mdcrawl.discovery.urls import site_of
from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict, outcome_of
from mdcrawl.verdicts.vendors import VENDORS

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from mdcrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

# In order, the special before the general. What is not here (too many bytes, a blocked address) would
# end the same way at a second try.
_TROUBLES: tuple[tuple[type[Exception], Trouble], ...] = (
    (exceptions.DownloadTimeoutError, Trouble.SILENCE),
    (exceptions.ResponseDataLossError, Trouble.PAGE),
    (exceptions.CannotResolveHostError, Trouble.SITE),
    (exceptions.DownloadConnectionRefusedError, Trouble.SITE),
    (exceptions.DownloadFailedError, Trouble.SITE),
)


class ThrottleMiddleware:
    """Tell the site's pace what came of each request, and try again what may have been bad luck.

    The scheduler asks the same pace when a site may be asked next, so waiting takes up no place in
    the downloader. Requests for robots.txt and to the browser pass: they have tries of their own.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl and let it listen."""
        middleware = cls(crawler)
        crawler.signals.connect(middleware.reached_downloader, signal=signals.request_reached_downloader)
        return middleware

    @property
    def _pace(self) -> Pace:
        assert self._crawler.engine is not None
        return cast("FrontierScheduler", self._crawler.engine.scheduler).pace

    def reached_downloader(self, request: Request) -> None:
        """Give the downloader's slot the delay of its site; Scrapy forgets slots that were idle for a minute."""
        assert self._crawler.engine is not None
        downloader, site = self._crawler.engine.downloader, request.meta["download_slot"]
        if site not in downloader.per_slot_settings:  # what the operator says of one site goes first
            slot = downloader.slots[site]
            slot.delay, slot.jitter = self._pace.delay(site)

    async def process_request(self, request: Request) -> Request | None:
        """Let a request pass if its site may be asked now. Raises RequestVerdict if the site was given up."""
        site = _site(request)
        given_up = self._pace.given_up(site)
        if given_up:
            raise RequestVerdict(Verdict.LIMIT, given_up)
        wait_s = max(self._pace.ready_in(site, monotonic()), request.meta.get("mdcrawl_not_before", 0.0) - monotonic())
        if wait_s <= 0:
            return None
        if "mdcrawl_url" in request.meta:
            return request.replace(dont_filter=True)  # to wait in the scheduler
        await asyncio.sleep(wait_s)
        return None

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the answer, or the request for another try. Raises ResponseDataLossError for half an answer."""
        if "mdcrawl_robots" in request.meta or request.meta.get("playwright") or "cached" in response.flags:
            return response
        broken = request.meta.pop("mdcrawl_broken_off", "")
        trouble = Trouble.PAGE if broken else trouble_of_status(response.status)
        if trouble is None or _is_challenge(response):
            if "mdcrawl_url" in request.meta:  # a sitemap that is there, or is not, says nothing of the pages
                latency_s = request.meta.get("download_latency", 0.0)
                self._pace.answered(_site(request), latency_s, is_good=response.status == 200)
            return response
        header = (response.headers.get("Retry-After") or b"").decode("latin-1")
        wait_s = retry_after_s(header, datetime.now(UTC))
        reason = broken or f"status {response.status}"
        again = self._again(request, Failure(_page(request), trouble, reason, _tries(request), wait_s), reason)
        if again is None and broken:
            raise exceptions.ResponseDataLossError(broken)
        return again or response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request for another try, None if there is none."""
        trouble = next((trouble for kind, trouble in _TROUBLES if isinstance(exception, kind)), None)
        if trouble is None or "mdcrawl_robots" in request.meta:
            return None
        reason = outcome_of(exception)[1]
        return self._again(request, Failure(_page(request), trouble, reason, _tries(request)), type(exception).__name__)

    def _again(self, request: Request, failure: Failure, name: str) -> Request | None:
        """Return the request for another try, None if there is none; `name` is the trouble's in the statistics."""
        site = _site(request)
        wait_s = self._pace.failed(site, failure, now_s=monotonic(), chance=random.random())  # noqa: S311  no secret
        given_up = self._pace.given_up(site)
        if given_up:
            logger.warning("%s: %s; its other pages are left", site, given_up)
        if wait_s is None:
            return None
        logger.info("%s: %s; again in %.1f s", request.url, failure.reason, wait_s)
        assert self._crawler.spider is not None
        tries = failure.retries + 1
        again = get_retry_request(request, spider=self._crawler.spider, reason=name, max_retry_times=tries)
        assert again is not None
        if failure.trouble is Trouble.PAGE:  # else its whole site waits
            again.meta["mdcrawl_not_before"] = monotonic() + wait_s
        return again


def _site(request: Request) -> str:
    return str(request.meta.get("download_slot") or site_of(request.url))


def _page(request: Request) -> str:
    return str(request.meta.get("mdcrawl_url", request.url))


def _tries(request: Request) -> int:
    """Return how often a request was tried again; very often if its spider wants no more tries."""
    return 1_000 if request.meta.get("dont_retry") else int(request.meta.get("retry_times", 0))


def _is_challenge(response: Response) -> bool:
    """Tell whether a header says that this is a bot check: it gets its verdict, and no second try."""
    headers = ((vendor, response.headers.get(vendor.header)) for vendor in VENDORS if vendor.header)
    return any(value and vendor.header_value.search(value.decode("latin-1")) for vendor, value in headers)
