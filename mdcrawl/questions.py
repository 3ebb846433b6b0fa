"""Questions to a language model: each is asked once, its answer kept by what was asked."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence

from sqlalchemy import Connection

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import answers
from mdcrawl.crawldb.database import CrawlDatabase
from mdcrawl.llm.ask import Ask
from mdcrawl.llm.client import ModelClient, ModelError, Usage
from mdcrawl.llm.prompts import Message, read_object

logger = logging.getLogger(__name__)


class Questions:
    """Asks the model of a configuration, and keeps the answers in a crawl database.

    Only an answer that can be read is kept, so that another try may do better.
    """

    def __init__(self, configuration: Configuration, crawldb: CrawlDatabase) -> None:
        self._configuration = configuration
        self._crawldb = crawldb
        self._client = ModelClient(configuration.model_options(), self._note_spent)
        self._unread: dict[str, str] = {}
        self._failures: dict[str, str] = {}
        self._is_spent = False

    async def ask(self, messages: Sequence[Message]) -> str:
        """Return the answer that is kept for a question, else the model's. Raises ModelError."""
        key = self._key(messages)
        with self._crawldb.read() as connection:
            kept = answers.get(connection, key)
        if kept is not None:
            return kept
        try:
            answer = await self._client.ask(messages)
        except ModelError as error:
            self._failures[key] = str(error)
            raise
        if read_object(answer) is None:
            self._unread[key] = answer
            return answer
        with self._crawldb.begin() as connection:
            answers.keep(connection, key, answer)
        return answer

    def recalled(self, connection: Connection) -> Ask:
        """Return what gives the answers that are kept, or fails as it did when it was asked; nothing is asked anew."""

        async def recall(messages: Sequence[Message]) -> str:
            key = self._key(messages)
            kept = answers.get(connection, key)
            kept = self._unread.get(key) if kept is None else kept
            if kept is None:
                raise ModelError(self._failures.get(key, "it was not asked"))
            return kept

        return recall

    @property
    def usage(self) -> Usage:
        """Questions that were asked and tokens that were spent."""
        return self._client.usage

    @property
    def cost(self) -> float | None:
        """What was spent, by the prices that are set; None if none are."""
        return self._configuration.llm_cost(self.usage.prompt_tokens, self.usage.answer_tokens)

    def describe(self) -> str:
        """Return in one line what was asked and spent."""
        usage, cost = self.usage, self.cost
        spent = f"{usage.prompt_tokens:,} tokens sent, {usage.answer_tokens:,} received"
        return f"model: {usage.questions} questions, {spent}" + ("" if cost is None else f", cost {cost:.6f}")

    async def close(self) -> None:
        """Close the connections to the model."""
        await self._client.close()

    def _key(self, messages: Sequence[Message]) -> str:
        question = json.dumps([self._configuration.llm_url, self._configuration.llm_model, list(messages)])
        return hashlib.sha256(question.encode()).hexdigest()

    def _note_spent(self) -> None:
        if not self._is_spent:
            self._is_spent = True
            logger.warning(
                "The model's budget of %d tokens is spent: no more is asked of it; a page that lacks something for "
                "it says so in its reason",
                self._configuration.llm_budget_tokens,
            )
