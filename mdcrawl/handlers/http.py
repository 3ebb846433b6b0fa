"""The download handler of plain requests: Scrapy's own with two more bounds, on headers and on silence."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.core.downloader.handlers import http11
from scrapy.exceptions import DownloadFailedError, DownloadTimeoutError
from twisted.internet.error import ConnectionClosed
from twisted.web._newclient import ParseError, ResponseFailed

from mdcrawl.configuration import Configuration

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.web._newclient import Request as TxRequest
    from twisted.web.iweb import IResponse

# Browsers stop at 256 KB (Chromium); Twisted bounds a line, but takes lines without end.
MAX_HEADER_BYTES = 256 * 1024


class BoundedHttpHandler(http11.HTTP11DownloadHandler):
    """End an answer whose headers go on for ever, and one that says nothing for too long.

    Scrapy itself ends one that takes too long as a whole (DOWNLOAD_TIMEOUT) or grows too large.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool._factory = _BoundedFactory  # noqa: SLF001  where Scrapy puts its own
        self._silence_s = Configuration.from_settings(crawler.settings).silence_timeout_s
        self._heard_at: dict[Request, float] = {}
        crawler.signals.connect(self._heard, signal=signals.headers_received)
        crawler.signals.connect(self._heard, signal=signals.bytes_received)

    def _heard(self, request: Request) -> None:
        if request in self._heard_at:
            self._heard_at[request] = monotonic()

    async def download_request(self, request: Request) -> Response:
        """Download a request. Raises DownloadTimeoutError when nothing came for too long, and what Scrapy raises."""
        self._heard_at[request] = monotonic()
        download = asyncio.ensure_future(super().download_request(request))
        try:
            while not download.done():
                left_s = self._heard_at[request] + self._silence_s - monotonic()
                if left_s <= 0:
                    raise DownloadTimeoutError(f"nothing came from {request.url} for {self._silence_s} seconds")
                await asyncio.wait({download}, timeout=left_s)
            return download.result()
        except DownloadFailedError as error:
            raise DownloadFailedError(_in_plain_words(error)) from error
        finally:
            del self._heard_at[request]
            download.cancel()


def _in_plain_words(error: DownloadFailedError) -> str:
    """Return what went wrong, out of the Failures in which Twisted wraps it."""
    if not isinstance(error.__cause__, ResponseFailed):
        return str(error)
    faults = [failure.value for failure in error.__cause__.reasons]
    words = []
    for fault in faults:
        if isinstance(fault, ParseError):
            words.append(f"not an HTTP answer: {fault.args[0]}")
        elif isinstance(fault, ConnectionClosed):
            words.append("the server closed it before its answer was there")
        else:
            words.append(f"{type(fault).__name__}: {fault}")
    return "; ".join(dict.fromkeys(words))


class _BoundedParser(http11._LenientHTTPClientParser):  # noqa: SLF001  there is no public one
    received = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802  Twisted's name
        self.received += len(line)
        if self.received > MAX_HEADER_BYTES:
            raise ParseError(f"more than {MAX_HEADER_BYTES} bytes of headers", b"")  # type: ignore[no-untyped-call]
        super().lineReceived(line)


class _BoundedProtocol(http11._LenientHTTP11ClientProtocol):  # noqa: SLF001  there is no public one
    def request(self, request: TxRequest) -> Deferred[IResponse]:
        answer = super().request(request)
        assert self._parser is not None
        self._parser.__class__ = _BoundedParser  # as Scrapy's own does with its parser
        return answer


class _BoundedFactory(http11._LenientHTTP11ClientFactory):  # noqa: SLF001  there is no public one
    def buildProtocol(self, addr: IAddress | None) -> _BoundedProtocol:  # noqa: N802  Twisted's name
        return _BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
