"""Redis away and back: calls say so at once, and go on when it answers."""

from __future__ import annotations

import logging

import pytest

from mdcrawl.shared import server as module
from mdcrawl.shared.server import RedisAwayError, Server


@pytest.fixture
def server(redis, monkeypatch):
    monkeypatch.setattr(module, "RETRY_S", 0.0)
    opened = Server(redis.url(), "docs:test")
    yield opened
    opened.close()


def test_away_and_back(server, redis, caplog):
    server.call(lambda: server.client.set("docs:test:a", "kept"))
    redis.stop()
    for _ in range(3):
        with pytest.raises(RedisAwayError):
            server.call(lambda: server.client.get("docs:test:a"))
    redis.start()
    assert server.call(lambda: server.client.get("docs:test:a")) == "kept"
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [line[:13] for line in told] == ["Redis is away", "Redis is back"]


def test_scripts_are_known_again_after_a_restart(server, redis):
    script = "return ARGV[2]"
    assert server.run(script, "x") == "x"
    redis.stop()
    redis.start()
    assert server.run(script, "y") == "y"


def test_clear_leaves_other_crawls_alone(server, redis):
    server.client.mset({"docs:test:a": 1, "docs:test:b": 2, "docs:other:a": 3})
    server.clear()
    assert server.client.keys() == [b"docs:other:a"]


def test_name_tells_no_password():
    assert Server("redis://:sesame@127.0.0.1:7000/3", "p").name == "127.0.0.1:7000"
