"""The general spider: any site from a start URL, and the base class of site spiders."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

import scrapy
from cssselect import HTMLTranslator, SelectorError
from scrapy import Request
from scrapy.exceptions import ResponseDataLossError
from scrapy.http import Response
from twisted.python.failure import Failure
from w3lib.encoding import http_content_type_encoding

from mdcrawl.arguments import CrawlArguments, parse_arguments
from mdcrawl.configuration import VariantMode
from mdcrawl.discovery.markdown_urls import page_urls
from mdcrawl.discovery.scope import ScopeOptions, make_scope
from mdcrawl.discovery.urls import UrlOptions, canonical_url, site_of
from mdcrawl.discovery.variants import Variant, originals_of, variant_of
from mdcrawl.errors import SpiderArgumentError
from mdcrawl.items import Page
from mdcrawl.markdown_sites import MarkdownSites
from mdcrawl.outcomes import RequestVerdict, outcome_of
from mdcrawl.sources import SourceReader
from mdcrawl.translations import Translations

if TYPE_CHECKING:
    from mdcrawl.native import Place
    from mdcrawl.scheduler import FrontierScheduler


_ARGUMENTS = frozenset(CrawlArguments.__dataclass_fields__)
_SETTINGS = {"min_words": "MDCRAWL_MIN_WORDS", "links": "MDCRAWL_LINKS"}


class DocsSpider(scrapy.Spider):
    """Turn a site into pages. A site spider subclasses it and declares what is special about its site.

    `start` is the start URL, `main_content` a CSS selector of the main content, `drop` CSS selectors
    of what is never wanted, `query` what sections are ranked by for the fit view, `fields` what is
    extracted of each page (docs/fields.md). Every other argument of the crawl can be declared by its name (`scope`,
    `render`, …); one given with `-a` goes first. `min_words` and `links` stand for the settings of
    that name, and one given with `-s` goes first.
    """

    name = "docs"
    main_content: ClassVar[str] = ""
    drop: ClassVar[tuple[str, ...]] = ()
    query: str = ""
    fields: Mapping[str, object] = {}
    arguments_by_default: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Take what a site spider declares to where it belongs: Scrapy and a crawl use some of the names."""
        super().__init_subclass__(**kwargs)
        declared = {name: value for name, value in vars(cls).items() if isinstance(value, str | int)}
        arguments = {name: str(declared[name]) for name in _ARGUMENTS & declared.keys()}
        settings = {_SETTINGS[name]: declared[name] for name in _SETTINGS.keys() & declared.keys()}
        cls.arguments_by_default = {**cls.arguments_by_default, **arguments}
        cls.custom_settings = {**(cls.custom_settings or {}), **settings}
        for name in arguments:
            delattr(cls, name)
        if isinstance(cls.drop, str):
            cls.drop = (cls.drop,)

    def __init__(self, name: str | None = None, **arguments: Any) -> None:
        super().__init__(name)
        self.arguments = self.parse_arguments(arguments)
        self.query = self.arguments.query or self.query
        self.fields = json.loads(self.arguments.fields) if self.arguments.fields else {}
        self.markdown = MarkdownSites(self)
        self.translations = Translations(self)
        self.url_options = UrlOptions(hash_routes=self.arguments.hash_routes)
        self.scope = make_scope(
            self.arguments.start,
            ScopeOptions(
                kind=self.arguments.scope,
                include=(self.arguments.include,) if self.arguments.include else (),
                exclude=(self.arguments.exclude,) if self.arguments.exclude else (),
                max_depth=self.arguments.max_depth,
            ),
        )

    @classmethod
    def parse_arguments(cls, given: Mapping[str, Any]) -> CrawlArguments:
        """Return the typed arguments of a crawl. Raises SpiderArgumentError, also for a selector that is none."""
        for selector in (cls.main_content, *cls.drop):
            _check_selector(cls.name, selector)
        return parse_arguments({**cls.arguments_by_default, **given}, cls.fields)

    async def start(self) -> AsyncIterator[Request]:
        """Yield a request for each start URL, then have the sources of its site read into the frontier."""
        assert self.crawler.engine is not None
        scheduler = cast("FrontierScheduler", self.crawler.engine.scheduler)
        if not await scheduler.may_begin():
            return
        for url in self.arguments.start:
            yield self.page_request(url, found_in="start")
        await self.sources.read(self.arguments.start)
        scheduler.has_begun()

    @cached_property
    def sources(self) -> SourceReader:
        """The reader of the sitemaps and llms.txt of the crawl."""
        return SourceReader(self.crawler, self)

    def originals_of(self, url: str) -> tuple[str, ...]:
        """Return the URLs that one is a copy of in another language or version than the starts', if it is."""
        if self.crawler.settings.get("MDCRAWL_VARIANTS") == VariantMode.ALL:
            return ()
        return () if variant_of(url) in self._homes else originals_of(url, self._homes[0])

    @cached_property
    def _homes(self) -> tuple[Variant, ...]:
        return tuple(variant_of(start) for start in self.arguments.start)

    def priority_of(self, url: str) -> int:
        """Return the place of a page in the queue: what may prove a copy of another comes after all others."""
        if page_urls(url):
            return -1
        return -2 if self.originals_of(url) else 0

    def page_request(
        self, url: str, *, depth: int = 0, parent: str = "", found_in: str = "link", lastmod: str = ""
    ) -> Request:
        """Return the request for a page that is to be stored; `url` is canonical."""
        return Request(
            url,
            callback=self.parse,
            errback=self.failed,
            dont_filter=True,  # the frontier knows which URLs it has seen
            meta={
                "mdcrawl_url": url,
                "mdcrawl_depth": depth,
                "mdcrawl_parent": parent,
                "mdcrawl_found_in": found_in,
                "mdcrawl_lastmod": lastmod,
                "download_slot": site_of(url),
            },
        )

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Page]:
        """Yield the page of an answer; the pipelines do the rest."""
        assert response.request is not None
        page = self._page(response.request)
        place: Place | None = response.request.meta.get("mdcrawl_native")
        if place is not None:
            page.source, page.note = place.source, "the site's Markdown, proven"
            page.url = self.markdown.settled(page.url)
        else:
            page.url = canonical_url(response.url) or page.url
        page.final_url = response.url
        page.status = 304 if "not_modified" in response.flags else response.status
        page.headers = {
            key.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
            for key, values in response.headers.items()
        }
        page.body = response.body
        page.charset = http_content_type_encoding(page.headers.get("content-type")) or ""
        if "dataloss" in response.flags:
            page.flags.append("truncated")
        if "rendered" in response.flags:
            page.flags.append("rendered")
        yield page

    def failed(self, failure: Failure) -> Iterator[Page]:
        """Yield the page of a request that got no answer, with its verdict."""
        error = failure.value
        assert error is not None
        request: Request = failure.request  # type: ignore[attr-defined]
        page = self._page(request)
        page.hops = tuple(dict.fromkeys((*page.hops, canonical_url(request.url))))
        page.verdict, page.reason = outcome_of(error)
        if isinstance(error, ResponseDataLossError):
            page.flags.append("truncated")
        if isinstance(error, RequestVerdict):
            page.duplicate_of, page.final_url = error.duplicate_of, error.final_url
        if page.duplicate_of or len(page.hops) > 1:
            page.flags.append("redirected")
        yield page

    def _page(self, request: Request) -> Page:
        meta = request.meta
        return Page(
            url=meta["mdcrawl_url"],
            depth=meta.get("mdcrawl_depth", 0),
            parent=meta.get("mdcrawl_parent", ""),
            asked_url=meta["mdcrawl_url"],
            hops=tuple(dict.fromkeys(canonical_url(url) for url in meta.get("mdcrawl_chain", ()))),
            flags=["retried"] if meta.get("retry_times") else [],
            fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )


def _check_selector(spider: str, selector: str) -> None:
    try:
        HTMLTranslator().css_to_xpath(selector or "*")
    except SelectorError as error:
        raise SpiderArgumentError(f"{spider}: not a CSS selector: {selector!r} ({error})") from error
