"""crawl4ai without a browser: its HTTP strategy and its own Markdown, no content filter, no cache."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig, HTTPCrawlerConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from crawl4ai.async_dispatcher import SemaphoreDispatcher
from lag import LoopLag

IN_FLIGHT = 16


async def main() -> None:
    """Fetch and convert the pages of the job."""
    urls = (Path(sys.argv[1]) / "urls.txt").read_text().split()
    strategy = AsyncHTTPCrawlerStrategy(HTTPCrawlerConfig(), max_connections=IN_FLIGHT)
    config = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False, mean_delay=0, max_range=0)
    lag = LoopLag()
    lag.start()
    async with AsyncWebCrawler(crawler_strategy=strategy, verbose=False) as crawler:
        # Without a rate limiter: nobody waits between requests.
        results = await crawler.arun_many(urls, config=config, dispatcher=SemaphoreDispatcher(IN_FLIGHT))
    pages = sum(1 for result in results if result.success and result.markdown.raw_markdown)
    print(json.dumps({"pages": pages, **lag.figures()}))


asyncio.run(main())
