"""Progress: a calm live view while a crawl runs on a terminal, a log line now and then where there is none."""

from __future__ import annotations

import atexit
import logging
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Self, TextIO, cast

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.log import get_scrapy_root_handler

from mdcrawl.crawldb import frontier
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.extensions.finish import EXIT_STATUS, ExitStatus, Finish
from mdcrawl.extensions.snapshot import ParkedSite, Snapshot, to_line
from mdcrawl.extensions.terminal import can_draw

if TYPE_CHECKING:
    from rich.live import Live
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

# Seconds between two pictures: often enough to see that it lives, seldom enough to read.
REFRESH_S = 1.0
# The share of time that counting the frontier may take; a large one is counted less often.
COUNTING_SHARE = 0.02
# Seconds over which the speed is measured.
SPEED_S = 30.0
VERDICTS, BROWSER = "mdcrawl/verdict/", "mdcrawl/render/"


class Progress:
    """Show how a crawl is getting on. On a terminal `scrapy crawl` logs warnings only, for the view's sake."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._interval_s = crawler.settings.getfloat("LOGSTATS_INTERVAL")
        self._live: Live | None = None
        self._log: _LogAbove | None = None
        self._started = monotonic()
        self._counted_at, self._counting_s = 0.0, 0.0
        self._done = self._known = 0
        self._history: list[tuple[float, int]] = []
        self._folder = Path()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl and let it listen."""
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        crawler.signals.connect(extension.engine_stopped, signal=signals.engine_stopped)
        return extension

    @property
    def is_live(self) -> bool:
        """Whether there is a terminal to draw on that no log is written to; `-L INFO` asks for the log instead."""
        settings = self._crawler.settings
        level = str(settings.get("LOG_LEVEL")).upper()
        is_free = level == "WARNING" or bool(settings.get("LOG_FILE"))
        return can_draw() and is_free and settings.getbool("LOG_ENABLED")

    def spider_opened(self) -> None:
        """Begin to show."""
        self._started = monotonic()
        if self.is_live:
            from mdcrawl.extensions.view import start_view  # noqa: PLC0415  what draws is for terminals only

            self._live = start_view()
            self._log = _LogAbove()
            atexit.register(self._end_view)  # a second Ctrl-C must not leave a terminal without its cursor
        interval_s = REFRESH_S if self._live else self._interval_s
        if interval_s:
            self._task = create_looping_call(self._show)
            self._task.start(interval_s, now=False)

    def spider_closed(self) -> None:
        """Show no more; the files are about to be written."""
        scheduler = self._scheduler
        self._folder = scheduler.folder if scheduler is not None else Path()
        task = getattr(self, "_task", None)
        if task is not None and task.running:
            task.stop()
        self._end_view()

    def engine_stopped(self) -> None:
        """Print on the terminal what came out, where it is and what to do next."""
        finish = self._crawler.get_extension(Finish)
        if not self.is_live or finish is None or finish.summary is None:
            return
        assert self._crawler.stats is not None
        status = ExitStatus(self._crawler.stats.get_value(EXIT_STATUS, int(ExitStatus.STOPPED)))
        from mdcrawl.extensions.view import print_closing  # noqa: PLC0415  as above

        print_closing(finish.summary, self._folder, is_complete=status is ExitStatus.OK)

    @property
    def _scheduler(self) -> FrontierScheduler | None:
        engine = self._crawler.engine
        return cast("FrontierScheduler | None", getattr(engine, "scheduler", None))

    def _end_view(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            if self._log is not None:
                self._log.end()
            live.stop()
            atexit.unregister(self._end_view)

    def _show(self) -> None:
        snapshot = self._snapshot()
        if self._live is not None:
            from mdcrawl.extensions.view import live_view  # noqa: PLC0415  as above

            self._live.update(live_view(snapshot), refresh=True)
        else:
            logger.info("%s", to_line(snapshot))

    def _snapshot(self) -> Snapshot:
        now = monotonic()
        self._count(now)
        assert self._crawler.stats is not None
        stats = self._crawler.stats.get_stats()
        scheduler = self._scheduler
        return Snapshot(
            elapsed_s=now - self._started,
            done=self._done,
            known=self._known,
            per_second=self._speed(now),
            verdicts={name.removeprefix(VERDICTS): n for name, n in stats.items() if name.startswith(VERDICTS)},
            parked=[ParkedSite(*site) for site in scheduler.pace.parked(now)] if scheduler else [],
            browser={
                name.removeprefix(BROWSER): n
                for name, n in stats.items()
                if name.startswith(BROWSER) and isinstance(n, int)
            },
            memory_bytes=memory_bytes(),
        )

    def _count(self, now: float) -> None:
        """Count the frontier if the last time is long enough ago for what it took."""
        scheduler = self._scheduler
        if scheduler is None or now - self._counted_at < self._counting_s / COUNTING_SHARE:
            return
        with suppress(CrawlDatabaseError), scheduler.crawldb.read() as connection:
            self._done, self._known = frontier.count_done(connection)
        self._counted_at = monotonic()
        self._counting_s = self._counted_at - now
        self._history = [*(each for each in self._history if now - each[0] <= SPEED_S), (now, self._done)]

    def _speed(self, now: float) -> float:
        """Return the URLs done in a second, over the last half minute."""
        since, before = self._history[0] if self._history else (now, self._done)
        return (self._done - before) / (now - since) if now > since else 0.0


class _LogAbove:
    """Let log lines stand above the live view until it ends."""

    def __init__(self) -> None:
        handler = get_scrapy_root_handler()
        self._handler: logging.StreamHandler[TextIO] | None = None
        # A log that goes to a file is no trouble.
        if isinstance(handler, logging.StreamHandler) and not isinstance(handler, logging.FileHandler):
            self._handler, self._stream = handler, handler.stream
            handler.setStream(sys.stderr)  # rich's, while the view is there

    def end(self) -> None:
        """Put the stream back."""
        if self._handler is not None:
            self._handler.setStream(self._stream)


def memory_bytes() -> int:
    """Return the memory of this process and all below it: workers and browser. Raises nothing."""
    import psutil  # noqa: PLC0415  a short crawl never asks

    total = 0
    with suppress(psutil.Error):
        process = psutil.Process()
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                total += each.memory_info().rss
    return total
