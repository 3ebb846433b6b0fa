"""The client against an endpoint that is slow, busy, broken: what it sends, and what it says when it gets nothing."""

from __future__ import annotations

import logging

import pytest

from mdcrawl.llm.client import MAX_ANSWER_TOKENS, ModelClient, ModelError, ModelOptions
from tests.llm.endpoint import Endpoint, Reply

MESSAGES = [{"role": "system", "content": "Say it."}, {"role": "user", "content": "the page"}]
KEY = "sk-very-secret"


async def ask(endpoint: Endpoint, times: int = 1, **options: object) -> tuple[list[str], ModelClient]:
    client = ModelClient(ModelOptions(endpoint.url, "marl-1", KEY, **options))
    try:
        return [await client.ask(MESSAGES) for _ in range(times)], client
    finally:
        await client.close()


async def test_question_and_answer():
    with Endpoint(lambda _: Reply('{"a": 1}')) as endpoint:
        answers, client = await ask(endpoint)
    (asked,) = endpoint.asked
    assert answers == ['{"a": 1}']
    assert asked.path == "/v1/chat/completions"
    assert asked.authorization == f"Bearer {KEY}"
    assert (asked.body["model"], asked.body["messages"], asked.body["temperature"]) == ("marl-1", MESSAGES, 0)
    assert (client.usage.questions, client.usage.prompt_tokens, client.usage.answer_tokens) == (1, 100, 10)


async def test_busy_endpoint_is_asked_again():
    with Endpoint(lambda _: Reply(status=429) if len(endpoint.asked) < 3 else Reply("late")) as endpoint:
        answers, _ = await ask(endpoint)
    assert answers == ["late"]
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize(
    ("reply", "options", "said"),
    [
        pytest.param(Reply(status=429), {"retries": 1}, "status 429", id="busy for ever"),
        pytest.param(Reply(status=500), {"retries": 0}, "status 500", id="broken"),
        pytest.param(Reply(status=401, raw=f'{{"error": "bad key {KEY}"}}'), {}, "status 401", id="key refused"),
        pytest.param(Reply(wait_s=3), {"timeout_s": 1, "retries": 0}, "no answer within 1 s", id="slow"),
        pytest.param(Reply(raw='{"choices": []}'), {}, "its answer is not that of a chat", id="no choice"),
        pytest.param(Reply(raw="<html>"), {"retries": 0}, "its answer is not that of a chat", id="no JSON"),
    ],
)
async def test_no_answer_is_said_in_a_few_words(reply, options, said, caplog):
    caplog.set_level(logging.DEBUG)
    with Endpoint(lambda _: reply) as endpoint, pytest.raises(ModelError) as raised:
        await ask(endpoint, **options)
    assert str(raised.value) == said
    assert KEY not in caplog.text
    assert "the page" not in caplog.text


async def test_no_connection():
    with Endpoint(lambda _: Reply()) as endpoint:
        pass
    with pytest.raises(ModelError, match="no connection"):
        await ask(endpoint, retries=0)


async def test_budget_stops_before_it_is_overspent():
    spent = []
    with Endpoint(lambda _: Reply("yes")) as endpoint:
        options = ModelOptions(endpoint.url, "m", KEY, budget_tokens=MAX_ANSWER_TOKENS + 200)
        client = ModelClient(options, lambda: spent.append(1))
        assert [await client.ask(MESSAGES), await client.ask(MESSAGES)] == ["yes", "yes"]
        with pytest.raises(ModelError, match="the budget of 2,200 tokens is spent"):
            await client.ask(MESSAGES)
        await client.close()
    assert client.usage.tokens <= 2200
    assert len(endpoint.asked) == client.usage.questions == 2
    assert spent == [1]


def test_key_is_not_in_what_options_print():
    assert KEY not in repr(ModelOptions("http://a.example/v1", "m", KEY))
