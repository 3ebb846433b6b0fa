"""Scripts and style sheets are loaded once for a crawl: a browser that is listened to keeps no cache of its own."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

if TYPE_CHECKING:
    from playwright.async_api import Request, Response, Route

KINDS = frozenset({"script", "stylesheet"})
# The bundles of a site are some megabytes; the least used go first.
MAX_BYTES = 40_000_000
MAX_ASSET_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class _Asset:
    status: int
    headers: dict[str, str]
    body: bytes = field(repr=False)


class Assets:
    """Answer a page's requests for scripts and styles that another page loaded before."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, _Asset] = OrderedDict()
        self._bytes = 0

    async def answer(self, route: Route, request: Request) -> None:
        """Fulfil a request from what is kept, else let it out."""
        asset = self._kept.get(request.url) if request.resource_type in KINDS else None
        if asset is None:
            await route.continue_()
            return
        self._kept.move_to_end(request.url)
        await route.fulfill(status=asset.status, headers=asset.headers, body=asset.body)

    async def keep(self, response: Response) -> None:
        """Keep an answer of the network, if it is a script or a style sheet that may be kept."""
        request = response.request
        if request.resource_type not in KINDS or request.method != "GET" or response.status != 200:
            return
        if request.url in self._kept or "no-store" in response.headers.get("cache-control", ""):
            return
        with suppress(PlaywrightError):  # the page is closed, and the body with it
            body = await response.body()
            if len(body) <= MAX_ASSET_BYTES:
                self._put(request.url, _Asset(response.status, _headers(response.headers), body))

    def _put(self, url: str, asset: _Asset) -> None:
        if url in self._kept:
            return
        self._kept[url] = asset
        self._bytes += len(asset.body)
        while self._bytes > self._max_bytes:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= len(gone.body)


def _headers(headers: dict[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in headers.items()
        if name not in {"content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection"}
    }
