"""Let only requests pass that lead to the public web, or where the operator says; choose their proxy."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self, cast

from scrapy import signals
from scrapy.exceptions import CannotResolveHostError

from mdcrawl.configuration import Configuration
from mdcrawl.discovery.addresses import blocked_reason, url_fault
from mdcrawl.discovery.urls import split_url
from mdcrawl.guard.gate import AddressGuard, BlockedAddressError, HostPort, UnresolvedNameError
from mdcrawl.guard.resolver import installed_guard
from mdcrawl.guard.upstream import Proxies, parse_proxy, private_name
from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)

_DEFAULT_PORTS = {"http": 80, "https": 443}


class AddressesMiddleware:
    """Give a request to a blocked address its verdict before anything is asked, robots.txt included.

    The guard's resolver is what enforces it: it would not let the connection be made either.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._configuration = Configuration.from_settings(crawler.settings)
        self._starts: set[HostPort] = set()
        self._named_private: set[HostPort] = set()
        self.proxies = Proxies(self._configuration.proxy)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl and let it listen."""
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_opened, signal=signals.spider_opened)
        return middleware

    def spider_opened(self) -> None:
        """Tell the guard whom the operator named."""
        self.guard: AddressGuard = installed_guard()
        for address in self._configuration.allow_addresses:
            host, _, port = address.rpartition(":")
            self.guard.exempt(host, int(port))
        for proxy in self.proxies.all():
            self.guard.exempt(proxy.host, proxy.port)
            self.guard.exempt(proxy.host, 0)  # Twisted looks up the proxy of a tunnel without its port
        if self._configuration.trust_start:
            self._starts = {host_port(url) for url in cast("DocsSpider", self._crawler.spider).arguments.start}
            for start in self._starts:
                self.guard.trust(*start)

    async def process_request(self, request: Request) -> None:
        """Let a request pass if its address may be asked. Raises RequestVerdict if not."""
        fault = url_fault(request.url)
        if fault:
            raise self._blocked(request, fault)
        host, port = host_port(request.url)
        proxy = self._choose_proxy(request)
        if proxy:
            reason = "" if self.guard.may_be_private(host, port) else private_name(host)
            if reason:
                raise self._blocked(request, reason)
            return
        try:
            addresses = await self.guard.resolve(host, port)
        except BlockedAddressError as error:
            raise self._blocked(request, str(error)) from error
        except UnresolvedNameError as error:
            raise CannotResolveHostError(host) from error
        self._say_private((host, port), addresses)

    def _choose_proxy(self, request: Request) -> str:
        """Return the URL of the proxy that a request goes through, "" if none; put the setting's on it."""
        if self.proxies.is_set:
            request.meta["proxy"] = self.proxies.url_for(request.url) or None
        proxy = request.meta.get("proxy", "") or self.proxies.url_for(request.url)
        upstream = parse_proxy(proxy) if proxy else None
        if upstream is not None:  # a spider may have named one of its own
            self.guard.exempt(upstream.host, upstream.port)
            self.guard.exempt(upstream.host, 0)
        return proxy

    def _say_private(self, named: HostPort, addresses: tuple[str, ...]) -> None:
        if named not in self._starts or named in self._named_private:
            return
        reason = next(filter(None, map(blocked_reason, addresses)), "")
        if reason:
            self._named_private.add(named)
            logger.info(
                "%s:%d is a %s; it is asked because it is a start URL (MDCRAWL_TRUST_START=False forbids it)",
                *named,
                reason,
            )

    def _blocked(self, request: Request, reason: str) -> RequestVerdict:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value("mdcrawl/addresses/blocked")
        return RequestVerdict(Verdict.BLOCKED_ADDRESS, reason)


def host_port(url: str) -> HostPort:
    """Return the host (without brackets) and the port of an http or https URL. Raises ValueError for another."""
    parts = split_url(url)
    return parts.host.strip("[]"), int(parts.port or _DEFAULT_PORTS[parts.scheme])
