"""Answers of language models, by what was asked: the same question about the same text is not paid for twice."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from mdcrawl.crawldb.schema import answers


def get(connection: Connection, key: str) -> str | None:
    """Return the answer to a question, None if it was never asked."""
    return connection.scalar(select(answers.c.answer).where(answers.c.key == key))


def keep(connection: Connection, key: str, answer: str) -> None:
    """Keep the answer to a question."""
    connection.execute(delete(answers).where(answers.c.key == key))
    connection.execute(insert(answers).values(key=key, answer=answer))
