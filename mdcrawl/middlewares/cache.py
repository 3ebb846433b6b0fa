"""Keep answers in the crawl database: to ask only for what changed, and to convert again without the network."""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.http import HtmlResponse
from scrapy.responsetypes import responsetypes

from mdcrawl.configuration import CacheMode, Configuration
from mdcrawl.crawldb import bodies, ledger
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.discovery.sniff import is_page, sniff
from mdcrawl.discovery.urls import site_of

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response
    from scrapy.settings import Settings

    from mdcrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

# Every so-manieth page of a site is asked for in full although its validators would allow a 304, so
# that a server whose validators lie is found out; another one in each run, so that every page and
# every small site has its turn.
SAMPLE = 10


class CachePolicy:
    """Which requests and answers go through the cache in each mode.

    An entry is never taken for fresh because its server once said so: a crawl is there to find out
    what changed. `distrusted` holds the sites whose validators proved false in this crawl.
    """

    def __init__(self, settings: Settings) -> None:
        self.mode = Configuration.from_settings(settings).cache
        self.distrusted: set[str] = set()
        self.run_id = 0
        self._asked: Counter[str] = Counter()

    def should_cache_request(self, request: Request) -> bool:
        """Tell whether the cache is asked at all: for pages, not for robots.txt or a browser's rendering."""
        return (
            self.mode is not CacheMode.BYPASS and "mdcrawl_url" in request.meta and not request.meta.get("playwright")
        )

    def should_cache_response(self, response: Response, request: Request) -> bool:
        """Tell whether an answer is kept: good pages only, unless the site forbids it."""
        if self.mode is CacheMode.READ_ONLY or response.status != 200 or "cached" in response.flags:
            return False
        if b"no-store" in (response.headers.get("Cache-Control") or b"").lower():
            return False
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        return is_page(sniff(response.body, content_type, response.url))

    def is_cached_response_fresh(self, cachedresponse: Response, request: Request) -> bool:
        """Tell whether the entry answers the request; if not, make the request a conditional one."""
        if self.mode is CacheMode.READ_ONLY:
            return True
        if self.mode is CacheMode.ENABLED and self._may_ask_conditionally(site_of(request.url)):
            for validator, condition in (("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")):
                value = cachedresponse.headers.get(validator)
                if value is not None:
                    request.headers[condition] = value
        return False

    def _may_ask_conditionally(self, site: str) -> bool:
        self._asked[site] += 1
        return site not in self.distrusted and (self._asked[site] + self.run_id) % SAMPLE != 0

    def is_cached_response_valid(self, cachedresponse: Response, response: Response, request: Request) -> bool:
        """Tell whether the server confirmed the entry."""
        if response.status == 304:
            cachedresponse.flags.append("not_modified")
            return True
        return False


class CacheStorage:
    """The entries, in the crawl database of the output folder."""

    def __init__(self, settings: Settings) -> None:
        pass

    def open_spider(self, spider: Spider) -> None:
        """Find the scheduler, which holds the crawl database."""
        assert spider.crawler.engine is not None
        self.crawldb = cast("FrontierScheduler", spider.crawler.engine.scheduler).crawldb

    def close_spider(self, spider: Spider) -> None:
        """Do nothing: the database is closed at the end of the crawl."""

    def retrieve_response(self, spider: Spider, request: Request) -> Response | None:
        """Return the answer kept for a request, or None."""
        kept = None
        with suppress(CrawlDatabaseError), self.crawldb.read() as connection:
            kept = bodies.get(connection, request.url)
        if kept is None:
            return None
        response_class = responsetypes.from_args(headers=None, url=kept.url, body=kept.body)
        if not issubclass(response_class, HtmlResponse):
            response_class = HtmlResponse
        return response_class(kept.url, status=kept.status, headers=dict(kept.headers), body=kept.body)

    def store_response(self, spider: Spider, request: Request, response: Response) -> None:
        """Keep an answer."""
        headers = {
            key.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
            for key, values in response.headers.items()
        }
        stored_at = datetime.now(UTC).isoformat(timespec="seconds")
        answer = bodies.StoredAnswer(request.url, response.status, headers, response.body, stored_at)
        with suppress(CrawlDatabaseError), self.crawldb.begin() as connection:
            bodies.put(connection, answer)


class CacheMiddleware(HttpCacheMiddleware):
    """Scrapy's HTTP cache with the policy and the storage above; trouble is never papered over by an old answer."""

    policy: CachePolicy

    def spider_opened(self, spider: Spider) -> None:
        """Open the storage; let the sample be this run's."""
        super().spider_opened(spider)
        assert self.crawler.engine is not None
        self.policy.run_id = cast("FrontierScheduler", self.crawler.engine.scheduler).run.id

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the answer to go on with; find out servers whose validators lie."""
        kept: Response | None = request.meta.get("cached_response")
        asked_in_full = "If-None-Match" not in request.headers and "If-Modified-Since" not in request.headers
        if kept is not None and asked_in_full and response.status == 200 and _has_same_validator(kept, response):
            self._check_validator(request, kept, response)
        return super().process_response(request, response)

    def _check_validator(self, request: Request, kept: Response, response: Response) -> None:
        site = site_of(request.url)
        if kept.body == response.body or site in self.policy.distrusted:
            return
        self.policy.distrusted.add(site)
        crawldb = cast("CacheStorage", self.storage).crawldb
        with crawldb.begin() as connection:
            reopened = ledger.reopen_unmodified(connection, site)
        assert self.crawler.engine is not None
        cast("FrontierScheduler", self.crawler.engine.scheduler).add_sites([site])
        logger.warning(
            "%s sends the same validator for another page (%s): its answers of 304 are not believed; "
            "%d pages are fetched again",
            site,
            urlsplit(request.url).path,
            reopened,
        )

    def process_exception(self, request: Request, exception: Exception, spider: Spider | None = None) -> None:
        """Forget the entry: a page that cannot be had is trouble, and the ledger says so."""
        request.meta.pop("cached_response", None)


def _has_same_validator(kept: Response, response: Response) -> bool:
    """Tell whether the answer claims to be the kept one, by its strong ETag or else by its date."""
    for name in ("ETag", "Last-Modified"):
        old, new = kept.headers.get(name), response.headers.get(name)
        if old is not None and new is not None:
            return old == new and not old.startswith(b"W/")
    return False
