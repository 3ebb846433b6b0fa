"""Memory guard: a crawl takes less at a time while memory is short, and ends before the system ends it."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self, cast

from scrapy import signals

from mdcrawl.configuration import Configuration
from mdcrawl.extensions.workers import WorkerPool
from mdcrawl.memory import Reading, allowed, fullest, next_level

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

# Why a crawl was closed, for its exit status.
REASON = "memory"


class MemoryGuard:
    """Halve the pages under way and the workers at each reading above a threshold, double them below another."""

    # A page takes a second or so; what was just given up has been freed by the next reading.
    interval_s: ClassVar[float] = 2.0
    # Where proc and sys are.
    root: ClassVar[Path] = Path("/")

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._options = Configuration.from_settings(crawler.settings).memory
        self._most_pages = crawler.settings.getint("CONCURRENT_REQUESTS")
        self._level = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl and let it listen."""
        guard = cls(crawler)
        crawler.signals.connect(guard.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(guard.spider_closed, signal=signals.spider_closed)
        return guard

    def spider_opened(self) -> None:
        """Begin to read."""
        self._task = asyncio.ensure_future(self._watch())

    def spider_closed(self) -> None:
        """End reading."""
        self._task.cancel()

    async def _watch(self) -> None:
        while reading := fullest(self.root):
            if reading.share > self._options.stop:
                self._stop(reading)
                return
            level = next_level(self._level, reading.share, self._options)
            if level != self._level:
                self._set(level, reading)
            await asyncio.sleep(self.interval_s)

    def _set(self, level: int, reading: Reading) -> None:
        assert self._crawler.engine is not None
        assert self._crawler.stats is not None
        pool = self._crawler.get_extension(WorkerPool)
        assert pool is not None
        pages, workers = allowed(self._most_pages, level), allowed(pool.size, level)
        self._crawler.stats.inc_value(f"mdcrawl/memory/{'shrunk' if level > self._level else 'recovered'}")
        logger.log(
            logging.WARNING if level > self._level else logging.INFO,
            "%s: at most %d pages at a time and %d workers from now on",
            *(reading, pages, workers),
        )
        self._level = level
        pool.limit(workers)
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        scheduler.limit(pages if level else None)

    def _stop(self, reading: Reading) -> None:
        assert self._crawler.engine is not None
        # On the error level, without a traceback: it is the user's machine.
        message = (
            f"{reading}, more than MDCRAWL_MEMORY_STOP={self._options.stop:g} allows: the crawl is stopped; "
            "make room and run the same command again to go on"
        )
        logger.log(logging.ERROR, message)
        self._closing = asyncio.ensure_future(self._crawler.engine.close_spider_async(reason=REASON))
