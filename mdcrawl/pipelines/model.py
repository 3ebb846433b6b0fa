"""Model: what a language model is asked of a good page, if the crawl asks for any of it."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from markdown_it import MarkdownIt

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import answers
from mdcrawl.crawldb.database import CrawlDatabaseError
from mdcrawl.items import Fields, Page, Verdict, View
from mdcrawl.pipelines.model_options import ModelWork, model_work

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from mdcrawl.llm.client import ModelClient
    from mdcrawl.llm.prompts import Message
    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

logger = logging.getLogger(__name__)


class ModelPipeline:
    """Fill in the fields and the fit views that a model gives. Answers are kept by what was asked."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        spider = cast("DocsSpider", crawler.spider)
        self._configuration = Configuration.from_settings(crawler.settings)
        self._query = spider.query
        self._work: ModelWork | None = model_work(self._configuration, spider)
        self._is_spent = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline of a crawl."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Make the client, if there is work for it."""
        if self._work is None:
            return
        # A second and 60 MB, for crawls that ask a model.
        from mdcrawl.llm.client import ModelClient  # noqa: PLC0415  see above

        assert self._crawler.engine is not None
        self._scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        self._client: ModelClient = ModelClient(self._configuration.model_options(), self._note_spent)

    async def close_spider(self) -> None:
        """Close the client."""
        if self._work is not None:
            await self._client.close()

    async def process_item(self, page: Page) -> Page:
        """Return the page with what the model gave; what it did not give is named in the reason."""
        if self._work is None or page.verdict is not Verdict.OK:
            return page
        problems: list[str] = []
        if self._work.fields:
            problems += await self._add_fields(page, self._work)
        if self._work.is_filter and page.extraction.views is not None:
            problems += await self._narrow(page)
        if problems:
            page.reason = f"{page.reason}; {'; '.join(problems)}"
        self._count()
        return page

    async def _add_fields(self, page: Page, work: ModelWork) -> list[str]:
        from mdcrawl.llm.ask import find_fields  # noqa: PLC0415  see open_spider

        found = await find_fields(
            self._ask, work.fields, page.extraction.markdown, self._configuration.llm_chunk_tokens
        )
        had = page.extraction.fields or Fields()
        fields = Fields(had.values | found.values, had.problems + found.problems)
        page.extraction = replace(page.extraction, fields=fields)
        return [f"fields: {', '.join(found.problems)}"] if found.problems else []

    async def _narrow(self, page: Page) -> list[str]:
        from mdcrawl.llm.ask import fit_markdown  # noqa: PLC0415  see open_spider
        from mdcrawl.llm.client import ModelError  # noqa: PLC0415  see open_spider

        views = page.extraction.views
        assert views is not None
        try:
            fit = await fit_markdown(
                self._ask, self._query, page.extraction.markdown, self._configuration.llm_chunk_tokens
            )
        except ModelError as error:
            return [f"fit view unfiltered: model: {error}"]
        asked = self._work.views if self._work is not None else ()
        html = MarkdownIt("commonmark").enable("table").render(fit) if View.FIT_HTML in asked else ""
        views = replace(views, fit_markdown=fit if View.FIT_MARKDOWN in asked else "", fit_html=html)
        page.extraction = replace(page.extraction, views=views)
        return []

    async def _ask(self, messages: Sequence[Message]) -> str:
        """Return the answer that is kept for a question, else the model's."""
        question = json.dumps([self._configuration.llm_url, self._configuration.llm_model, list(messages)])
        key = hashlib.sha256(question.encode()).hexdigest()
        try:
            with self._scheduler.crawldb.read() as connection:
                kept = answers.get(connection, key)
            if kept is not None:
                return kept
            answer = await self._client.ask(messages)
            with self._scheduler.crawldb.begin() as connection:
                answers.keep(connection, key, answer)
        except CrawlDatabaseError:
            return ""  # the crawl is stopping; the page is fetched again
        return answer

    def _count(self) -> None:
        assert self._crawler.stats is not None
        usage = self._client.usage
        for name in ("questions", "prompt_tokens", "answer_tokens"):
            self._crawler.stats.set_value(f"mdcrawl/llm/{name}", getattr(usage, name))
        cost = self._configuration.llm_cost(usage.prompt_tokens, usage.answer_tokens)
        if cost is not None:
            self._crawler.stats.set_value("mdcrawl/llm/cost", round(cost, 6))

    def _note_spent(self) -> None:
        if not self._is_spent:
            self._is_spent = True
            logger.warning(
                "The model's budget of %d tokens is spent: no more is asked of it; a page that lacks something for "
                "it says so in its reason",
                self._configuration.llm_budget_tokens,
            )
