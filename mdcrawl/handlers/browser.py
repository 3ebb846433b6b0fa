"""The browser of a crawl: launched at the first need, replaced when it dies or has served enough, closed for good."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, cast

import psutil
from playwright.async_api import Error as PlaywrightError
from scrapy.http import HtmlResponse, Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from mdcrawl.configuration import Configuration
from mdcrawl.guard.proxy import GuardProxy
from mdcrawl.handlers.assets import Assets
from mdcrawl.handlers.errors import NoBrowserError, RenderError
from mdcrawl.handlers.finding import ARGUMENTS, HOW_TO_INSTALL, find_browser, needs_no_sandbox
from mdcrawl.handlers.visit import Left, Visit, VisitLimits, Written
from mdcrawl.middlewares.addresses import AddressesMiddleware

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page
    from scrapy import Request
    from scrapy.crawler import Crawler

    from mdcrawl.rendering import Shell
    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)
# Its warnings carry tracebacks of what the ledger says in a line.
logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)

# Seconds for the browser to come up, and to go away before it is killed.
LAUNCH_S = 30.0
CLOSE_S = 5.0
# So tall that most of what pages load when it comes into view is in view.
VIEWPORT = {"width": 1280, "height": 3000}
# Bytes of memory left on the machine below which the browser is replaced, to give back what it holds.
LOW_MEMORY_BYTES = 400_000_000


class BrowserHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]  # it has no types
    """scrapy-playwright's handler, started late, bounded in time and number, behind the guard's proxy.

    What it takes from there is the life of Playwright, browser and contexts (private methods: the
    version is pinned). A request carries the page as the server sent it in `mdcrawl_shell`.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        configuration = Configuration.from_settings(crawler.settings)
        spider = cast("DocsSpider", crawler.spider)
        self.process_request_headers = None  # the context has the crawl's name; the rest is the browser's
        self._timeout_s = configuration.render_timeout_s
        self._limits = VisitLimits(
            wait_s=configuration.render_wait_s,
            max_bytes=configuration.max_bytes,
            min_words=configuration.min_words,
            selector=spider.main_content,
        )
        self._pages_of_browser = configuration.render_pages
        self._room = asyncio.Semaphore(configuration.render_concurrency)
        self._gate = asyncio.Lock()
        self._idle = asyncio.Event()
        self._idle.set()
        self._names = count(1)
        self._assets = Assets()
        self._proxy: GuardProxy | None = None
        self._is_running = False
        self._generation = 0
        self._served = 0
        self._in_use = 0
        self._is_closed = False
        self._has_told_sandbox = False

    async def download_request(self, request: Request) -> Response:
        """Return the rendered page, or a redirect where its scripts lead elsewhere.

        Raises RenderError and NoBrowserError.
        """
        async with self._room:
            generation = await self._enter()
            try:
                async with asyncio.timeout(self._timeout_s):
                    return await self._render(request)
            except TimeoutError:
                raise RenderError(f"the browser took more than {self._timeout_s:g} s") from None
            except (PlaywrightError, OSError) as error:
                if not await self._is_well():
                    await self._discard(generation)
                raise RenderError(_in_short(error)) from error
            finally:
                self._leave()

    async def _render(self, request: Request) -> Response:
        shell: Shell = request.meta["mdcrawl_shell"]
        page = await self._open_page(request)
        try:
            page.on("response", self._assets.keep)
            visited = await Visit(page, shell, self._limits, self._assets).run()
        finally:
            await self._close_context(page)
        if isinstance(visited, Left):
            return Response(request.url, status=302, headers={"Location": visited.url}, request=request)
        return _answer(shell, visited, request)

    async def _open_page(self, request: Request) -> Page:
        """Return a page in a context of its own: nothing of one page is left for the next."""
        request.meta["playwright_context"] = f"page-{next(self._names)}"
        request.meta["playwright_context_kwargs"] = {
            "user_agent": (request.headers.get("User-Agent") or b"").decode("latin-1") or None,
            "service_workers": "block",
            "accept_downloads": False,
            "viewport": VIEWPORT,
            "ignore_https_errors": not self._crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"),
        }
        return cast("Page", await self._create_page(request, self._crawler.spider))

    async def _close_context(self, page: Page) -> None:
        """Close a page with its context; a browser that does not is not well and will be replaced."""
        closing = asyncio.ensure_future(page.context.close())
        with suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(asyncio.shield(closing), CLOSE_S)
        if not closing.done():
            closing.add_done_callback(_ignore)
            self._served = max(self._served, self._pages_of_browser)

    # --- The browser's life ---------------------------------------------------------------------

    async def _enter(self) -> int:
        """Wait for a browser to be there; return its number. A worn one is replaced while no page is open."""
        async with self._gate:  # newcomers wait while the browser is replaced
            if self._is_running and (self._served >= self._pages_of_browser or _is_memory_low()):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._idle.wait(), self._timeout_s)
                await self._discard(self._generation)
            if not self._is_running:
                await self._start()
            self._served += 1
            self._in_use += 1
            self._idle.clear()
            return self._generation

    def _leave(self) -> None:
        self._in_use -= 1
        if not self._in_use:
            self._idle.set()

    async def _start(self) -> None:
        if self._is_closed:
            raise RenderError("the crawl is ending")
        self._generation += 1
        self._served = 0
        try:
            async with asyncio.timeout(LAUNCH_S):
                if self._proxy is None:
                    addresses = self._crawler.get_downloader_middleware(AddressesMiddleware)
                    assert addresses is not None, "the browser must not run without the address guard"
                    self._proxy = GuardProxy(addresses.guard, addresses.proxies)
                    await self._proxy.start()
                await self._launch()
                self.config.launch_options = self._launch_options(self._proxy)
                self._is_running = True
                await self._maybe_launch_browser()
        except (PlaywrightError, OSError, TimeoutError) as error:
            await self._discard(self._generation)
            raise RenderError(f"the browser does not start: {_in_short(error)}") from error
        except NoBrowserError:
            await self._discard(self._generation)
            raise

    def _launch_options(self, proxy: GuardProxy) -> dict[str, Any]:
        executable = find_browser(self.browser_provider.playwright.chromium.executable_path)
        if executable is None:
            raise NoBrowserError(f"no browser found: {HOW_TO_INSTALL}")
        arguments = list(ARGUMENTS)
        if needs_no_sandbox():
            arguments.append("--no-sandbox")
            if not self._has_told_sandbox:
                self._has_told_sandbox = True
                logger.info("Running as root: the browser runs without its sandbox (--no-sandbox)")
        return {
            "args": arguments,
            "proxy": {"server": proxy.url, "username": proxy.user, "password": proxy.secret},
            "timeout": LAUNCH_S * 1000,
            # The crawl ends the browser; a signal that ends the crawl lets pages in flight end first.
            "handle_sigint": False,
            "handle_sigterm": False,
            "handle_sighup": False,
            **({"executable_path": executable} if executable else {}),
        }

    async def _is_well(self) -> bool:
        browser: Browser | None = getattr(self, "browser", None)
        return browser is not None and browser.is_connected()

    async def _discard(self, generation: int) -> None:
        """End the browser and its driver, if they are still the ones that were in use."""
        if generation != self._generation:
            return
        self._generation += 1
        self._is_running = False
        processes = _driver_processes()
        with suppress(Exception):  # whatever a dying browser says, its processes are ended below
            async with asyncio.timeout(CLOSE_S):
                await self._close()
        self.context_wrappers.clear()
        self.__dict__.pop("browser", None)
        await asyncio.get_running_loop().run_in_executor(None, _end, processes)

    async def close(self) -> None:
        """End everything: no process of the browser outlives the crawl."""
        self._is_closed = True
        if self._is_running:
            await self._discard(self._generation)
        if self._proxy is not None:
            assert self._crawler.stats is not None
            self._crawler.stats.inc_value("mdcrawl/render/blocked_addresses", len(self._proxy.blocked))
            await self._proxy.close()
            self._proxy = None
        await self._pool_close()

    async def _pool_close(self) -> None:
        """Close the HTTP connections that the base class would have used."""
        from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler  # noqa: PLC0415

        await HTTP11DownloadHandler.close(self)


def _answer(shell: Shell, written: Written, request: Request) -> HtmlResponse:
    headers = {name: value for name, value in shell.headers.items() if not name.startswith(("content-", "transfer-"))}
    headers["content-type"] = "text/html; charset=utf-8"
    # A page may hold half of a surrogate pair, which no encoding has.
    body = written.html.encode("utf-8", "replace")
    return HtmlResponse(
        written.url,
        status=shell.status,
        headers=headers,
        body=body,
        request=request,
        flags=["rendered"],
        encoding="utf-8",
    )


def _in_short(error: BaseException) -> str:
    """Return the first line of an error's message: Playwright adds a log of what it tried."""
    lines = str(error).strip().splitlines()
    return " ".join(lines[0].split())[:200] if lines else type(error).__name__


def _ignore(task: asyncio.Future[None]) -> None:
    if not task.cancelled():
        task.exception()


def _is_memory_low() -> bool:
    return bool(psutil.virtual_memory().available < LOW_MEMORY_BYTES)


def _driver_processes() -> list[psutil.Process]:
    """Return Playwright's driver, a child of this process, with all below it."""
    found: list[psutil.Process] = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if "run-driver" in child.cmdline():
                found += [*child.children(recursive=True), child]
    return found


def _end(processes: list[psutil.Process]) -> None:
    """Kill what is still there of processes that were told to go."""
    _, alive = psutil.wait_procs(processes, timeout=1)
    for process in alive:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(alive, timeout=2)
