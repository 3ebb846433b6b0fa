"""Finish: when the spider closes, commit the run, write the files, decide the exit status."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Self, cast

from scrapy import signals

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.commit import TooManyDeletesError
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.crawldb.finish import Ending, finish_run, refuse_run
from mdcrawl.export.summary import Summary, describe
from mdcrawl.extensions import memory_guard
from mdcrawl.extensions.feeds import Feeds

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from sqlalchemy import Connection

    from mdcrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

EXIT_STATUS = "mdcrawl/exit_status"


class ExitStatus(IntEnum):
    """How a crawl ended, for cron."""

    OK = 0
    USER_MISTAKE = 1
    NOTHING_STORED = 2
    STOPPED = 3


class Finish:
    """Commit and export at the end of a crawl, whether it finished or was stopped cleanly."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._configuration = Configuration.from_settings(crawler.settings)
        self.summary: Summary | None = None  # once everything is written

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl and let it listen."""
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    async def spider_closed(self, reason: str) -> None:
        """Commit the run, write the files and feeds, and leave the exit status among the stats."""
        assert self._crawler.engine is not None
        assert self._crawler.stats is not None
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        feeds = self._crawler.get_extension(Feeds)
        status = ExitStatus.STOPPED
        try:
            is_ours = self._finish(scheduler, reason)
            if is_ours:
                self._write(scheduler, feeds)
            else:
                logger.info("Other workers go on with the crawl; one of them writes its files")
            with scheduler.crawldb.begin() as connection:
                ended = self._exit_status(scheduler, connection, reason)
            if feeds is None or not is_ours or await feeds.store():
                status = ended
        except TooManyDeletesError as error:
            self._refuse(scheduler, error)
        except CrawlDatabaseError:
            pass  # the scheduler has said it
        except OSError as error:
            scheduler.report_failure(f"{error.filename or scheduler.folder}: {error.strerror}")
        finally:
            self._crawler.stats.set_value(EXIT_STATUS, int(status))
            scheduler.crawldb.close()

    def _write(self, scheduler: FrontierScheduler, feeds: Feeds | None) -> None:
        from mdcrawl.export.export import write_all  # noqa: PLC0415  a fifth of a second, before the first request
        from mdcrawl.report.write import write_report  # noqa: PLC0415  as above

        with scheduler.crawldb.begin() as connection:
            self.summary = write_all(connection, scheduler.folder)
            write_report(connection, scheduler.folder)
            if feeds is not None:
                feeds.write(connection)
        logger.info("%s", describe(self.summary, scheduler.folder))

    def _finish(self, scheduler: FrontierScheduler, reason: str) -> bool:
        """Commit the run; False if that is for another worker to do."""
        stopped = ""
        if scheduler.is_full:
            stopped = f"max_pages={scheduler.spider.arguments.max_pages} reached"
        elif reason != "finished":
            stopped = f"the crawl was stopped ({reason}); the same command goes on with it"
        scope = scheduler.spider.scope
        ending = Ending(
            now=_now(),
            stopped=stopped,
            is_over=reason == "finished",
            is_in_scope=lambda url: not scope.leaves(url),
            max_delete_ratio=self._configuration.max_delete_ratio,
        )
        with scheduler.crawldb.begin() as connection:
            if not scheduler.may_finish(connection):
                return False
            scheduler.spider.translations.refresh()
            scheduler.spider.translations.settle(connection)
            finish_run(connection, scheduler.run, ending)
            return True

    def _refuse(self, scheduler: FrontierScheduler, error: TooManyDeletesError) -> None:
        allowed = self._configuration.max_delete_ratio
        reason = f"{error}, more than MDCRAWL_MAX_DELETE_RATIO={allowed:g} allows"
        logger.error("%s: nothing was changed: %s; if it is right, set a higher ratio", scheduler.folder, reason)
        with scheduler.crawldb.begin() as connection:
            refuse_run(connection, scheduler.run, now=_now(), reason=reason)

    def _exit_status(self, scheduler: FrontierScheduler, connection: Connection, reason: str) -> ExitStatus:
        if reason == memory_guard.REASON:
            return ExitStatus.STOPPED
        starts = scheduler.spider.arguments.start
        verdicts = ledger.count_verdicts(connection)
        if not any(verdicts.get(verdict) for verdict in ledger.STORED):
            return ExitStatus.NOTHING_STORED
        return ExitStatus.OK if len(ledger.verdicts_of(connection, starts)) == len(starts) else ExitStatus.STOPPED


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
