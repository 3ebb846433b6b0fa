"""Unpack what servers send packed, within MDCRAWL_MAX_BYTES; half an answer and a damaged one never pass as whole."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

from scrapy.http import TextResponse
from scrapy.responsetypes import responsetypes

from mdcrawl.configuration import Configuration
from mdcrawl.discovery.codings import ACCEPTED, Fault, unpack
from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

# Bytes: the event loop does smaller ones itself, in under a millisecond.
_THREAD_FROM = 50_000
_VERDICTS = {Fault.TOO_LARGE: Verdict.TOO_LARGE, Fault.DAMAGED: Verdict.BAD_CONTENT}


class UnpackMiddleware:
    """Replace a packed body by what it holds, in place of Scrapy's HttpCompressionMiddleware.

    That one takes damaged and cut data for whole, and gives up on plain bodies under a label.
    """

    def __init__(self, *, max_bytes: int) -> None:
        self._max_bytes = max_bytes

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl."""
        return cls(max_bytes=Configuration.from_settings(crawler.settings).max_bytes)

    def process_request(self, request: Request) -> None:
        """Offer the codings that can be undone."""
        request.headers.setdefault("Accept-Encoding", ACCEPTED)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the answer unpacked. Raises RequestVerdict for one that is too large or damaged."""
        # A browser has unpacked its answers itself.
        if not response.body or request.meta.get("playwright") or "cached" in response.flags:
            return response
        codings = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1").split(",")
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        arguments = (response.body, codings, content_type)
        if len(response.body) < _THREAD_FROM:
            unpacked = unpack(*arguments, max_bytes=self._max_bytes)
        else:
            unpacked = await asyncio.to_thread(unpack, *arguments, max_bytes=self._max_bytes)
        if unpacked.fault is Fault.BROKEN_OFF:
            request.meta["mdcrawl_broken_off"] = unpacked.reason  # whether it is tried again is not decided here
            return response
        if unpacked.fault is not None:
            raise RequestVerdict(_VERDICTS[unpacked.fault], unpacked.reason, final_url=response.url)
        return _with_body(response, unpacked.body)


def _with_body(response: Response, body: bytes) -> Response:
    headers = response.headers.copy()
    if headers.pop("Content-Encoding", None) is None and body == response.body:
        return response
    kind = responsetypes.from_args(headers=headers, url=response.url, body=body)
    # The charset of a text is found anew: what was guessed before was guessed from packed bytes.
    anew: dict[str, Any] = {"encoding": None} if issubclass(kind, TextResponse) else {}
    return response.replace(cls=kind, body=body, headers=headers, **anew)
