"""Ask a model: within a budget of tokens, a time limit and some tries; nothing secret is ever said in a message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import openai
from openai import AsyncOpenAI

from mdcrawl.chunking.tokens import count_tokens
from mdcrawl.llm.prompts import Message

# Questions under way at a time.
CONCURRENCY = 4
# Tokens that an answer may have.
MAX_ANSWER_TOKENS = 2000
# What roles and borders of messages add to their text.
_MESSAGE_TOKENS = 8


class ModelError(Exception):
    """A model gave no answer. Says why in a few words, without anything the endpoint said."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Where a model is and what asking it may take; `key` is secret. A budget of 0 tokens has no end."""

    url: str
    model: str
    key: str
    timeout_s: int = 60
    retries: int = 2
    budget_tokens: int = 0

    def __repr__(self) -> str:
        return f"ModelOptions(url={self.url!r}, model={self.model!r})"


@dataclass(slots=True)
class Usage:
    """Tokens that were sent and received, and the questions that were asked."""

    questions: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    @property
    def tokens(self) -> int:
        """All tokens that were spent."""
        return self.prompt_tokens + self.answer_tokens


class ModelClient:
    """Asks one model. A question that might go over the budget is not asked."""

    def __init__(self, options: ModelOptions, on_spent: Callable[[], None] = lambda: None) -> None:
        # They log what is sent, at levels that a crawl may turn on.
        for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._options = options
        self._on_spent = on_spent
        self._client = AsyncOpenAI(
            base_url=options.url, api_key=options.key or "none", timeout=options.timeout_s, max_retries=options.retries
        )
        self._slots = asyncio.Semaphore(CONCURRENCY)
        self._reserved = 0
        self.usage = Usage()

    async def ask(self, messages: Sequence[Message]) -> str:
        """Return the model's answer. Raises ModelError."""
        prompt_tokens = sum(count_tokens(message["content"]) + _MESSAGE_TOKENS for message in messages)
        async with self._slots:
            self._reserve(prompt_tokens + MAX_ANSWER_TOKENS)
            try:
                return await self._ask(messages, prompt_tokens)
            finally:
                self._reserved -= prompt_tokens + MAX_ANSWER_TOKENS

    def _reserve(self, tokens: int) -> None:
        budget = self._options.budget_tokens
        if budget and self.usage.tokens + self._reserved + tokens > budget:
            self._on_spent()
            raise ModelError(f"the budget of {budget:,} tokens is spent")
        self._reserved += tokens

    async def _ask(self, messages: Sequence[Message], prompt_tokens: int) -> str:
        self.usage.questions += 1
        try:
            answer = await self._client.chat.completions.create(
                model=self._options.model,
                messages=cast("list[openai.types.chat.ChatCompletionMessageParam]", list(messages)),
                temperature=0,
                max_tokens=MAX_ANSWER_TOKENS,
                response_format={"type": "json_object"},
            )
            text = answer.choices[0].message.content or ""
        except openai.APITimeoutError as error:
            raise ModelError(f"no answer within {self._options.timeout_s} s") from error
        except openai.APIConnectionError as error:
            raise ModelError("no connection") from error
        except openai.APIStatusError as error:
            raise ModelError(f"status {error.status_code}") from error
        except (openai.OpenAIError, AttributeError, IndexError, TypeError, ValueError) as error:
            raise ModelError("its answer is not that of a chat") from error
        usage = getattr(answer, "usage", None)
        self.usage.prompt_tokens += getattr(usage, "prompt_tokens", None) or prompt_tokens
        self.usage.answer_tokens += getattr(usage, "completion_tokens", None) or count_tokens(text)
        return text

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()
