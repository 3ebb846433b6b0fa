"""Model: what a language model is asked of a good page, if the crawl asks for any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.items import Page, Verdict
from mdcrawl.pipelines.model_options import model_work

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.questions import Questions
    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider


class ModelPipeline:
    """Fill in the fields and the fit views that a model gives."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._configuration = Configuration.from_settings(crawler.settings)
        self._work = model_work(self._configuration, cast("DocsSpider", crawler.spider))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Make what asks, if there is work for it."""
        if self._work is None:
            return
        # A second and 60 MB, for crawls that ask a model.
        from mdcrawl.questions import Questions  # noqa: PLC0415  see above

        assert self._crawler.engine is not None
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        self._questions: Questions = Questions(self._configuration, scheduler.crawldb)

    async def close_spider(self) -> None:
        """Close the client."""
        if self._work is not None:
            await self._questions.close()

    async def process_item(self, page: Page) -> Page:
        """Return the page with what the model gave; what it did not give is named in the reason."""
        if self._work is None or page.verdict is not Verdict.OK:
            return page
        from mdcrawl.llm.pages import complete  # noqa: PLC0415  see open_spider

        try:
            await complete(page, self._work, self._questions.ask)
        except CrawlDatabaseError:
            return page  # the crawl is stopping; the page is fetched again
        self._count()
        return page

    def _count(self) -> None:
        assert self._crawler.stats is not None
        for name in ("questions", "prompt_tokens", "answer_tokens"):
            self._crawler.stats.set_value(f"mdcrawl/llm/{name}", getattr(self._questions.usage, name))
        if (cost := self._questions.cost) is not None:
            self._crawler.stats.set_value("mdcrawl/llm/cost", round(cost, 6))
