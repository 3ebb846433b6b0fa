"""Quiet log lines: what the ledger says is not said again with a traceback."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.logformatter import LogFormatter, LogFormatterResult

from mdcrawl.outcomes import Reissued

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response
    from twisted.python.failure import Failure


class QuietLogFormatter(LogFormatter):
    """Keep items out of the log and put failed downloads on one line of the debug level."""

    def scraped(self, item: Any, response: Response | Failure | None, spider: Spider) -> LogFormatterResult:
        """Log an item in short: the Store pipeline logs its verdict."""
        return {"level": logging.DEBUG, "msg": "Scraped %(item)s", "args": {"item": type(item).__name__}}

    def dropped(
        self, item: Any, exception: BaseException, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult:
        """Log a dropped item in short; one that comes again, on the debug level."""
        level = logging.DEBUG if isinstance(exception, Reissued) else logging.WARNING
        url = getattr(item, "asked_url", type(item).__name__)
        return {"level": level, "msg": "Dropped %(url)s: %(exception)s", "args": {"url": url, "exception": exception}}

    def crawled(self, request: Request, response: Response, spider: Spider) -> LogFormatterResult:
        """Log an answer on the debug level."""
        result = super().crawled(request, response, spider)
        result["level"] = logging.DEBUG
        return result

    def download_error(
        self, failure: Failure, request: Request, spider: Spider, errmsg: str | None = None
    ) -> LogFormatterResult:
        """Log a failed download on the debug level."""
        result = super().download_error(failure, request, spider, errmsg)
        result["level"] = logging.DEBUG
        return result
