"""Convert the corpus again without the network: with other options, or with better code."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, and_, select

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import bodies, ledger
from mdcrawl.crawldb.commit import commit_documents, next_version
from mdcrawl.crawldb.schema import corpus, documents
from mdcrawl.discovery.scope import Scope, ScopeKind, ScopeOptions
from mdcrawl.discovery.sniff import sniff
from mdcrawl.items import Extraction, Inventory, Page, Receipt, Verdict
from mdcrawl.pipelines.jobs import ChunkJob, ExtractJob, run_chunk, run_extract
from mdcrawl.pipelines.model_options import model_work
from mdcrawl.pipelines.options import Manner, chunk_options, conversion_key, extraction_options, verdict_options
from mdcrawl.verdicts.judge import judge

if TYPE_CHECKING:
    from mdcrawl.crawldb.database import CrawlDatabase
    from mdcrawl.llm.work import ModelWork
    from mdcrawl.questions import Questions

logger = logging.getLogger(__name__)

# Of a stored answer every link is kept, as the crawl that follows them has a scope of its own.
_EVERYWHERE = Scope((), ScopeOptions(kind=ScopeKind.ANY))

# Documents read at a time.
BATCH = 50


def reconvert(
    connection: Connection,
    configuration: Configuration,
    spider: Manner,
    *,
    reextract: bool,
    questions: Questions | None = None,
) -> int:
    """Cut every document again whose options differ, and commit the result; return how many there were.

    With `reextract` the answers that were kept are converted anew before; `questions` holds what a
    language model was asked of them beforehand. A document whose answer was not kept, or would not be
    stored today, stays as it is; a line in the log says how many those are.
    """
    work = model_work(configuration, spider) if questions is not None else None
    conversion = conversion_key(configuration, spider)
    version = next_version(connection)
    count = 0
    staying: Counter[str] = Counter()
    for page, run, has, size in _stored_pages(connection):
        if has == conversion and not reextract:
            continue
        if not reextract:
            page.extraction = replace(
                page.extraction,
                views=ledger.views_of(connection, page.url, run),
                fields=ledger.fields_of(connection, page.url, run),
            )
        elif why := _extract_again(connection, page, configuration, spider):
            staying[why] += 1
            continue
        elif questions is not None and work is not None:
            _add_answers(connection, page, work, questions)
        extraction = page.extraction
        page.chunks = run_chunk(
            ChunkJob(extraction.markdown, page.url, extraction.title, extraction.anchors, chunk_options(configuration))
        )
        known = {} if page.body else {"bytes": size}
        ledger.store(connection, page, version, conversion, known=known)
        ledger.update_facts(connection, page, known=known)
        if reextract:
            ledger.amend_reason(connection, page.url, page.reason)
        count += 1
    if count:
        commit_documents(connection, version)
    for why, pages in staying.items():
        logger.warning("%d of %d pages left as they are: %s", pages, count + staying.total(), why)
    return count


async def ask_beforehand(
    crawldb: CrawlDatabase, configuration: Configuration, spider: Manner, questions: Questions
) -> None:
    """Ask a language model all that `reconvert` will want to know.

    Each answer is kept at once, apart from the one transaction of a reconversion: what was paid for
    is not lost when that is stopped.
    """
    from mdcrawl.llm.pages import complete  # noqa: PLC0415  a second, for those who ask a model

    work = model_work(configuration, spider)
    assert work is not None
    last = ""
    while True:
        with crawldb.begin() as connection:
            stored = [page for page, *_ in _batch_after(connection, last)]
            good = [page for page in stored if not _extract_again(connection, page, configuration, spider)]
        if not stored:
            return
        await asyncio.gather(*(complete(page, work, questions.ask) for page in good))
        last = stored[-1].url


def _add_answers(connection: Connection, page: Page, work: ModelWork, questions: Questions) -> None:
    from mdcrawl.llm.pages import complete  # noqa: PLC0415  as above

    asyncio.run(complete(page, work, questions.recalled(connection)))


def _stored_pages(connection: Connection) -> Iterator[tuple[Page, int, str, int]]:
    """Yield each document of the corpus as a page, with its version, its conversion's name and its answer's size.

    They are read a few at a time, so that others may be written between.
    """
    last = ""
    while batch := _batch_after(connection, last):
        yield from batch
        last = batch[-1][0].url


def _batch_after(connection: Connection, last: str) -> list[tuple[Page, int, str, int]]:
    query = (
        select(documents)
        .join(corpus, and_(corpus.c.url == documents.c.url, corpus.c.run == documents.c.run))
        .where(documents.c.url > last)
        .order_by(documents.c.url)
        .limit(BATCH)
    )
    return [_stored_page(row) for row in connection.execute(query)]


def _stored_page(row: Row[Any]) -> tuple[Page, int, str, int]:
    facts = row.facts
    extraction = Extraction(
        title=facts["title"],
        markdown=row.markdown,
        extractor=facts["extractor"],
        receipt=_receipt(facts["receipt"]),
        description=facts["description"],
        lang=facts["lang"],
        canonical_url=facts["canonical_url"],
        published=facts["published"],
        anchors=tuple((text, anchor) for text, anchor in row.anchors),
    )
    page = Page(
        url=row.url,
        asked_url=row.url,
        final_url=row.url,
        headers={"last-modified": facts["last_modified"], "etag": facts["etag"]},
        source=facts["source"],
        fetched_at=facts["fetched_at"],
        extraction=extraction,
        html_tokens=facts["html_tokens"],
        markdown_tokens=facts["markdown_tokens"],
        words=facts["words"],
        content_hash=row.content_hash,
        body_hash=row.body_hash,
        sketch=frozenset(row.sketch),
        links=list(row.links),
        rights=facts["rights"],
    )
    return page, row.run, row.conversion, facts["bytes"]


def _receipt(stored: dict[str, object]) -> Receipt:
    found, kept, losses = stored["found"], stored["kept"], stored["losses"]
    assert isinstance(found, dict)
    assert isinstance(kept, dict)
    assert isinstance(losses, list)
    return Receipt(Inventory(**found), Inventory(**kept), tuple(losses))


def _extract_again(connection: Connection, page: Page, configuration: Configuration, spider: Manner) -> str:
    """Convert the answer that was kept for a page; return why it stays as it is, "" if it does not."""
    answer = bodies.get(connection, page.url)
    if answer is None:
        return "their answers were not kept (MDCRAWL_CACHE)"
    kind = sniff(answer.body, answer.headers.get("content-type", ""), page.url)
    job = ExtractJob(answer.body, kind, page.url, "", extraction_options(configuration, spider), _EVERYWHERE)
    try:
        extracted = run_extract(job)
        verdict, _ = judge(
            extracted.extraction,
            status=answer.status,
            url=page.url,
            headers=answer.headers,
            options=verdict_options(configuration),
        )
    except Exception as error:  # noqa: BLE001  whatever stands at a seam may raise anything
        logger.warning("%s: stays as it is: not converted: %s: %s", page.url, type(error).__name__, error)
        return "their answers cannot be converted now"
    if verdict is not Verdict.OK:
        return f"their verdict would be {verdict} now"
    page.body, page.extraction = answer.body, extracted.extraction
    page.reason = page.extraction.fields.complaint if page.extraction.fields is not None else ""
    page.html_tokens, page.markdown_tokens, page.words = (
        extracted.html_tokens,
        extracted.markdown_tokens,
        extracted.words,
    )
    page.sketch = extracted.sketch
    page.content_hash = hashlib.sha256(page.extraction.markdown.encode("utf-8", "replace")).hexdigest()
    return ""
