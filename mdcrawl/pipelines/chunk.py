"""Chunk: a page that is kept is cut along its headings, in a worker process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from mdcrawl.configuration import Configuration
from mdcrawl.extensions.workers import ConversionError, WorkerPool
from mdcrawl.items import Page, Verdict
from mdcrawl.pipelines.jobs import ChunkJob, run_chunk
from mdcrawl.pipelines.options import chunk_options

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class ChunkPipeline:
    """Fill in the chunks of a page whose verdict is ok."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._options = chunk_options(Configuration.from_settings(crawler.settings))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Find the worker pool."""
        pool = self._crawler.get_extension(WorkerPool)
        assert pool is not None
        self._pool = pool

    async def process_item(self, page: Page) -> Page:
        """Return the page with its chunks."""
        if page.verdict is not Verdict.OK:
            return page
        extraction = page.extraction
        job = ChunkJob(extraction.markdown, page.url, extraction.title, extraction.anchors, self._options)
        try:
            page.chunks = await self._pool.run(run_chunk, job)
        except ConversionError as error:
            page.verdict, page.reason = Verdict.BAD_CONTENT, str(error)
        return page
