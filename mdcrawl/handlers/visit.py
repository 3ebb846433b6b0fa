"""One page in the browser: filled by its scripts, opened up, written down as one HTML document."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error as PlaywrightError
from scrapy.exceptions import DownloadCancelledError

from mdcrawl.handlers import scripts
from mdcrawl.handlers.assets import Assets
from mdcrawl.rendering import Shell, is_blocked, is_same_document

if TYPE_CHECKING:
    from playwright.async_api import Page, Request, Route

# Seconds between two looks at the page.
LOOK_S = 0.2
# Seconds without a change of the text after which it has stopped growing: with nothing on its way,
# and with something (a page that polls is never idle).
STILL_S = 0.6
STILL_BUSY_S = 2.0
# Seconds after which a page with too little text and nothing on its way is taken as it is: the
# latest content that a timer brought in the pages tried came after 2.5 s.
STILL_SHORT_S = 5.0
# A request that takes longer is a stream or a long poll, and nothing to wait for.
LONG_POLL_S = 5.0
SCROLL_STEPS = 12
# A page may load itself anew (to set a cookie); more often is a loop.
MAX_RELOADS = 2

# What must not be handed to the browser along with a body that is unpacked and whole.
_DROPPED_HEADERS = frozenset({
    "content-encoding", "content-length", "transfer-encoding", "content-disposition", "connection", "keep-alive",
    "link",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class VisitLimits:
    """How long a page is waited for, and for how much text in which element ("": main content or body)."""

    wait_s: float = 10.0
    max_bytes: int = 10_000_000
    min_words: int = 80
    selector: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A page as its scripts left it, and its address by then."""

    url: str
    html: str


@dataclass(frozen=True, slots=True)
class Left:
    """The page's scripts lead to another address, which was not asked for."""

    url: str


class Visit:
    """Give the browser a page's own bytes, wait for what the scripts make of them, and take that.

    The page itself is not asked for a second time: what the crawl got, under all its rules, is what
    the browser sees. Where scripts lead elsewhere the visit ends, so that the next address is held
    to those rules too.
    """

    def __init__(self, page: Page, shell: Shell, limits: VisitLimits, assets: Assets) -> None:
        self._page = page
        self._shell = shell
        self._limits = limits
        self._assets = assets
        self._began = False
        self._reloads = 0
        self._leads_to = ""
        self._pending: dict[Request, float] = {}

    async def run(self) -> Written | Left:
        """Return the rendered page, or where it leads.

        Raises playwright.async_api.Error, and DownloadCancelledError if the page has grown too large.
        """
        page = self._page
        await page.add_init_script(scripts.QUIET)
        await page.route("**/*", self._route)
        page.on("request", self._note_request)
        page.on("requestfinished", self._note_end)
        page.on("requestfailed", self._note_end)
        await page.goto(self._shell.url, wait_until="commit")
        if not await self._settle(self._limits.wait_s, self._limits.min_words):
            return Left(self._leads_to)
        changed = await self._call(scripts.SCROLL, SCROLL_STEPS)
        changed = await self._call(scripts.OPEN, self._limits.selector) or changed
        if changed:
            await self._settle(self._limits.wait_s / 3, 0)
        html = cast("str | None", await self._call(scripts.WRITE_DOWN, self._limits.max_bytes))
        if html is None:
            raise DownloadCancelledError
        return Written(page.url, html)

    async def _settle(self, wait_s: float, min_words: int) -> bool:
        """Wait until the page holds enough text and has stopped growing; False if it leads elsewhere."""
        clock = asyncio.get_running_loop().time
        began = changed_at = clock()
        size = -1
        while clock() - began < wait_s:
            await asyncio.sleep(LOOK_S)
            if self._leads_to:
                return False
            try:
                seen = cast("dict[str, int]", await self._page.evaluate(scripts.MEASURE, self._limits.selector))
            except PlaywrightError as error:
                if not _is_on_its_way(error):
                    raise
                continue
            if seen["size"] != size:
                size, changed_at = seen["size"], clock()
                continue
            still_s = clock() - changed_at
            if seen["words"] >= min_words:
                if still_s >= (STILL_BUSY_S if self._is_busy(clock()) else STILL_S):
                    break
            elif still_s >= STILL_SHORT_S and not self._is_busy(clock()):
                break
        return not self._leads_to

    def _is_busy(self, now: float) -> bool:
        return any(now - began < LONG_POLL_S for began in self._pending.values())

    async def _call(self, script: str, argument: object = None) -> Any:
        """Run one of our programs in the page; once more if the page loaded itself anew meanwhile."""
        try:
            return await self._page.evaluate(script, argument)
        except PlaywrightError as error:
            if not _is_on_its_way(error):
                raise
            await self._page.wait_for_load_state("domcontentloaded", timeout=5000)
            return await self._page.evaluate(script, argument)

    def _note_request(self, request: Request) -> None:
        self._pending[request] = asyncio.get_running_loop().time()

    def _note_end(self, request: Request) -> None:
        self._pending.pop(request, None)

    async def _route(self, route: Route, request: Request) -> None:
        # A request of a page that is closed by now is nobody's business any more.
        with suppress(PlaywrightError):
            if request.is_navigation_request() and request.frame.parent_frame is None:
                await self._navigate(route, request)
            elif is_blocked(request.resource_type, request.url, self._shell.url):
                await route.abort()
            else:
                await self._assets.answer(route, request)

    async def _navigate(self, route: Route, request: Request) -> None:
        if not self._began:
            self._began = True
            headers = {name: value for name, value in self._shell.headers.items() if name not in _DROPPED_HEADERS}
            await route.fulfill(status=self._shell.status, headers=headers, body=self._shell.body)
        elif is_same_document(request.url, self._shell.url) and self._reloads < MAX_RELOADS:
            self._reloads += 1
            await route.continue_()
        else:
            self._leads_to = self._leads_to or request.url
            # "No content" leaves the document in place; an error would put the browser's own page there.
            await route.fulfill(status=204)


def _is_on_its_way(error: PlaywrightError) -> bool:
    """Tell whether the page was loading itself anew just then."""
    return "navigat" in error.message or "context was destroyed" in error.message
