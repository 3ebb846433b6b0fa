"""`scrapy crawl docs` as anybody runs it, but for the delay: it finds the pages itself, from the start URLs."""

from __future__ import annotations

import json
import resource
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from lag import LoopLag
from scrapy import signals
from scrapy.cmdline import execute
from scrapy.utils.project import get_project_settings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

IN_FLIGHT = 16
RESULT: dict[str, float] = {}


class LagExtension:
    """Watch the loop while the spider is open; what is written at the end delays no download."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl and let it listen."""
        extension = cls()
        extension.lag = LoopLag()
        crawler.signals.connect(extension.opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.closed, signal=signals.spider_closed)
        return extension

    lag: LoopLag

    def opened(self) -> None:
        """Begin to watch."""
        self.lag.start()

    def closed(self) -> None:
        """Keep the figures."""
        RESULT.update(self.lag.figures())


def main() -> None:
    """Crawl from the start URLs of the job; count the pages that were fetched, whatever their verdict."""
    job = Path(sys.argv[1])
    settings = get_project_settings()
    settings.set("EXTENSIONS", {**settings.getdict("EXTENSIONS"), LagExtension: 50}, priority="project")
    given = {
        "CONCURRENT_REQUESTS": IN_FLIGHT,
        "CONCURRENT_REQUESTS_PER_DOMAIN": IN_FLIGHT,
        "DOWNLOAD_DELAY": 0,
        "MDCRAWL_CONTACT": "https://example.com/bot",
        "MDCRAWL_OUTPUT": job / "out",
    }
    options = [f"-s{name}={value}" for name, value in given.items()]
    # Everybody takes the same bytes: the HTML.
    options += [f"-astart={job / 'start.txt'}", "-amd_probe=off", "-allms=off", "-arender=never", *sys.argv[2:]]
    with suppress(SystemExit):
        execute(["scrapy", "crawl", "docs", *options], settings)
    rows = [json.loads(line) for line in (job / "out" / "pages.jsonl").open(encoding="utf-8")]
    RESULT["pages"] = len({row["final_url"] for row in rows if row["status"] == 200})
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    RESULT["workers_cpu_s"] = workers.ru_utime + workers.ru_stime
    print(json.dumps(RESULT))


if __name__ == "__main__":
    main()
