"""Finish: when the spider closes, commit the run, write the files, decide the exit status."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Self, cast

from scrapy import signals

from mdcrawl.crawldb import ledger
from mdcrawl.crawldb.commit import commit_documents, settle_duplicates
from mdcrawl.crawldb.frontier import count_unfetched
from mdcrawl.crawldb.runs import RunState, close_run
from mdcrawl.export.export import write_all
from mdcrawl.export.summary import describe
from mdcrawl.items import Verdict

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

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
        connection = scheduler.crawldb.connection
        try:
            with connection.begin():
                settle_duplicates(connection, scheduler.run.id)
                unfetched = count_unfetched(connection)
                finished = reason == "finished"
                commit_documents(connection, scheduler.run.id, complete=finished and not unfetched)
                close_run(
                    connection,
                    scheduler.run,
                    now=datetime.now(UTC).isoformat(timespec="seconds"),
                    state=RunState.COMMITTED if finished else RunState.STOPPED,
                    reason=self._why_not_fetched(scheduler, reason) if unfetched else "",
                )
            summary = write_all(connection, scheduler.folder)
            self._crawler.stats.set_value(EXIT_STATUS, int(self._exit_status(scheduler)))
            logger.info("%s", describe(summary, scheduler.folder))
        finally:
            scheduler.crawldb.close()

    def _why_not_fetched(self, scheduler: FrontierScheduler, reason: str) -> str:
        if scheduler.is_full:
            return f"max_pages={scheduler.spider.arguments.max_pages} reached"
        if reason == "finished":
            return ""
        return f"the crawl was stopped ({reason}); the same command goes on with it"

    def _exit_status(self, scheduler: FrontierScheduler) -> ExitStatus:
        connection = scheduler.crawldb.connection
        starts = cast("DocsSpider", self._crawler.spider).arguments.start
        with connection.begin():
            verdicts = ledger.count_verdicts(connection)
            judged = ledger.verdicts_of(connection, starts)
        if not verdicts.get(Verdict.OK) and not verdicts.get(Verdict.UNCHANGED):
            return ExitStatus.NOTHING_STORED
        return ExitStatus.OK if len(judged) == len(starts) else ExitStatus.STOPPED
