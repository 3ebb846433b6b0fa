"""Convert the corpus again without the network: with other options, or with better code."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, and_, select

from mdcrawl.configuration import Configuration
from mdcrawl.crawldb import bodies, ledger
from mdcrawl.crawldb.commit import commit_documents, next_version
from mdcrawl.crawldb.schema import corpus, documents
from mdcrawl.discovery.scope import Scope, ScopeKind, ScopeOptions
from mdcrawl.discovery.sniff import sniff
from mdcrawl.items import Extraction, Inventory, Page, Receipt, Verdict
from mdcrawl.pipelines.jobs import ChunkJob, ExtractJob, run_chunk, run_extract
from mdcrawl.pipelines.options import Manner, chunk_options, conversion_key, extraction_options, verdict_options
from mdcrawl.verdicts.judge import judge

# Of a stored answer every link is kept, as the crawl that follows them has a scope of its own.
_EVERYWHERE = Scope((), ScopeOptions(kind=ScopeKind.ANY))

# Documents read at a time.
BATCH = 50


def reconvert(connection: Connection, configuration: Configuration, spider: Manner, *, reextract: bool) -> int:
    """Cut every document again whose options differ, and commit the result; return how many there were.

    With `reextract` the answers that were kept are converted anew before. A document whose answer
    was not kept, or would not be stored today, stays as it is.
    """
    conversion = conversion_key(configuration, spider)
    version = next_version(connection)
    count = 0
    for page, run, has, size in _stored_pages(connection):
        if has == conversion and not reextract:
            continue
        if not reextract:
            page.extraction = replace(
                page.extraction,
                views=ledger.views_of(connection, page.url, run),
                fields=ledger.fields_of(connection, page.url, run),
            )
        elif not _extract_again(connection, page, configuration, spider):
            continue
        extraction = page.extraction
        page.chunks = run_chunk(
            ChunkJob(extraction.markdown, page.url, extraction.title, extraction.anchors, chunk_options(configuration))
        )
        known = {} if page.body else {"bytes": size}
        ledger.store(connection, page, version, conversion, known=known)
        ledger.update_facts(connection, page, known=known)
        count += 1
    if count:
        commit_documents(connection, version)
    return count


def _stored_pages(connection: Connection) -> Iterator[tuple[Page, int, str, int]]:
    """Yield each document of the corpus as a page, with its version, its conversion's name and its answer's size.

    They are read a few at a time, so that others may be written between.
    """
    query = (
        select(documents)
        .join(corpus, and_(corpus.c.url == documents.c.url, corpus.c.run == documents.c.run))
        .order_by(documents.c.url)
        .limit(BATCH)
    )
    last = ""
    while rows := connection.execute(query.where(documents.c.url > last)).all():
        yield from map(_stored_page, rows)
        last = rows[-1].url


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


def _extract_again(connection: Connection, page: Page, configuration: Configuration, spider: Manner) -> bool:
    """Convert the answer that was kept for a page; False if there is none or it is no good page now."""
    answer = bodies.get(connection, page.url)
    if answer is None:
        return False
    kind = sniff(answer.body, answer.headers.get("content-type", ""), page.url)
    job = ExtractJob(answer.body, kind, page.url, "", extraction_options(configuration, spider), _EVERYWHERE)
    extracted = run_extract(job)
    verdict, _ = judge(
        extracted.extraction,
        status=answer.status,
        url=page.url,
        headers=answer.headers,
        options=verdict_options(configuration),
    )
    if verdict is not Verdict.OK:
        return False
    page.body, page.extraction = answer.body, extracted.extraction
    page.html_tokens, page.markdown_tokens, page.words = (
        extracted.html_tokens,
        extracted.markdown_tokens,
        extracted.words,
    )
    page.sketch = extracted.sketch
    page.content_hash = hashlib.sha256(page.extraction.markdown.encode("utf-8", "replace")).hexdigest()
    return True
