"""Scrapy's own fetch of a list of pages, nothing done with them."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import scrapy
from lag import LoopLag
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response

IN_FLIGHT = 16


class FetchSpider(scrapy.Spider):
    """Ask for every page; count the answers."""

    name = "fetch"
    pages = 0

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield a request for each page."""
        self.lag = LoopLag()
        self.lag.start()
        for url in self.urls:  # type: ignore[attr-defined]  # given to the crawl
            yield scrapy.Request(url)

    def parse(self, response: Response) -> None:
        """Count the page."""
        self.pages += bool(response.body)

    def closed(self, reason: str) -> None:
        """Print the result."""
        print(json.dumps({"pages": self.pages, **self.lag.figures()}))


def main() -> None:
    """Fetch the pages of the job."""
    urls = (Path(sys.argv[1]) / "urls.txt").read_text().split()
    settings = {
        "CONCURRENT_REQUESTS": IN_FLIGHT,
        "CONCURRENT_REQUESTS_PER_DOMAIN": IN_FLIGHT,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "WARNING",
        "REMOTE_CONTROL_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(FetchSpider, urls=urls)
    process.start()


main()
