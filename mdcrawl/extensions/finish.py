"""Finish: when the spider closes, commit the run, write the files, decide the exit status."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Self, cast

from scrapy import signals
from sqlalchemy.exc import DatabaseError

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.commit import TooManyDeletesError
from mdcrawl.crawldb.finish import finish_run, refuse_run
from mdcrawl.export.export import write_all
from mdcrawl.export.summary import describe
from mdcrawl.items import Verdict

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

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

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl and let it listen."""
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_closed(self, reason: str) -> None:
        """Commit the run, write the files, and leave the exit status among the stats."""
        assert self._crawler.engine is not None
        assert self._crawler.stats is not None
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        status = ExitStatus.STOPPED
        try:
            self._finish(scheduler, reason)
            logger.info("%s", describe(write_all(scheduler.crawldb.connection, scheduler.folder), scheduler.folder))
            status = self._exit_status(scheduler)
        except TooManyDeletesError as error:
            self._refuse(scheduler, error)
        except (DatabaseError, OSError) as error:
            cause = error.orig if isinstance(error, DatabaseError) else error
            # The user's disk, not our fault: the cause in a line says more than a traceback.
            message = f"{scheduler.folder}: cannot write: {cause}; make room and run the same command again"
            logger.log(logging.ERROR, message)
        finally:
            self._crawler.stats.set_value(EXIT_STATUS, int(status))
            scheduler.crawldb.close()

    def _finish(self, scheduler: FrontierScheduler, reason: str) -> None:
        stopped = ""
        if scheduler.is_full:
            stopped = f"max_pages={scheduler.spider.arguments.max_pages} reached"
        elif reason != "finished":
            stopped = f"the crawl was stopped ({reason}); the same command goes on with it"
        finish_run(
            scheduler.crawldb.connection,
            scheduler.run,
            now=_now(),
            stopped=stopped,
            is_over=reason == "finished",
            max_delete_ratio=self._configuration.max_delete_ratio,
        )

    def _refuse(self, scheduler: FrontierScheduler, error: TooManyDeletesError) -> None:
        allowed = self._configuration.max_delete_ratio
        reason = f"{error}, more than MDCRAWL_MAX_DELETE_RATIO={allowed:g} allows"
        logger.error("%s: nothing was changed: %s; if it is right, set a higher ratio", scheduler.folder, reason)
        refuse_run(scheduler.crawldb.connection, scheduler.run, now=_now(), reason=reason)

    def _exit_status(self, scheduler: FrontierScheduler) -> ExitStatus:
        connection = scheduler.crawldb.connection
        starts = scheduler.spider.arguments.start
        with connection.begin():
            verdicts = ledger.count_verdicts(connection)
            judged = ledger.verdicts_of(connection, starts)
        if not verdicts.get(Verdict.OK) and not verdicts.get(Verdict.UNCHANGED):
            return ExitStatus.NOTHING_STORED
        return ExitStatus.OK if len(judged) == len(starts) else ExitStatus.STOPPED


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
