"""The rows of the report's table of pages, as JSON that can stand inside a script element."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from sqlalchemy import Connection, case, func, select

from mdcrawl.crawldb.schema import urls
from mdcrawl.export.rows import STREAMED
from mdcrawl.items import Verdict
from mdcrawl.report.advice import GOOD
from mdcrawl.report.survey import losses_of

# Rows that a browser filters at every key without delay: some 3 MB. All of them are in pages.jsonl.
MAX_ROWS = 10_000
# Characters of a field that are shown.
MAX_URL = 500
MAX_TEXT = 160


def table_rows(connection: Connection, not_fetched: str) -> Iterator[str]:
    """Yield each row as a JSON array: url, title, verdict, reason, words, tokens before and after, chunks, losses.

    Trouble comes first, then good pages, copies, and at last what was not fetched, so that what is
    cut off matters least.
    """
    verdict = func.coalesce(urls.c.verdict, Verdict.LIMIT)
    weight = case((verdict.in_(GOOD), 1), (verdict == Verdict.DUPLICATE, 2), (verdict == Verdict.LIMIT, 3), else_=0)
    query = select(urls, verdict.label("its_verdict")).order_by(weight, urls.c.url).limit(MAX_ROWS)
    for row in connection.execute(query, execution_options=STREAMED):
        fields = [
            row.url[:MAX_URL],
            (row.title or "")[:MAX_TEXT],
            row.its_verdict,
            (row.reason or not_fetched)[:MAX_TEXT],
            row.words or 0,
            row.html_tokens or 0,
            row.markdown_tokens or 0,
            row.chunks or 0,
            "; ".join(losses_of(row.receipt))[:MAX_TEXT],
        ]
        yield script_safe(orjson.dumps(fields).decode())


def script_safe(json: str) -> str:
    r"""Return JSON that no HTML parser finds an end tag or a comment in.

    >>> script_safe('["</script>"]')
    '["\\u003c/script\\u003e"]'
    """
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
