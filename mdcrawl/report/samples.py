"""The sample pages of a site template: the page as it was, and what would be embedded of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlalchemy import Connection, Row, and_, select

from mdcrawl.crawldb import bodies
from mdcrawl.crawldb.bodies import StoredAnswer
from mdcrawl.crawldb.schema import chunks, corpus, documents, urls
from mdcrawl.report.preview import markdown_html
from mdcrawl.report.sanitize import harmless_page
from mdcrawl.report.site_templates import SiteTemplate
from mdcrawl.report.survey import losses_of

# Chunks and characters of their Markdown shown of one page; the rest is counted.
MAX_CHUNKS = 60
MAX_CHARACTERS = 60_000
# What an inventory counts, in the words of the receipt.
PARTS = ("headings", "code_blocks", "tables", "list_items", "words")


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One part of a receipt: what was found on the page and what its Markdown kept."""

    part: str
    found: int
    kept: int

    @property
    def is_short(self) -> bool:
        """Whether something of it is missing."""
        return self.kept < self.found


@dataclass(frozen=True, slots=True)
class SampleChunk:
    """One chunk to look at; `html` is its text without the breadcrumb line."""

    number: int
    section: str
    part: int
    tokens: int
    oversized: bool
    html: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Sample:
    """One page side by side; `original` is a whole harmless document, "" if the answer was not kept.

    What the Markdown left out is marked in it.
    """

    url: str
    why: str
    title: str
    html_tokens: int
    markdown_tokens: int
    receipt: list[ReceiptLine]
    losses: list[str]
    original: str = field(repr=False)
    chunks: list[SampleChunk] = field(repr=False)
    left_out: int = 0


def samples_of(connection: Connection, template: SiteTemplate) -> Iterator[Sample]:
    """Yield the samples of a site template, one at a time."""
    for url, why in template.samples:
        row = connection.execute(select(urls).where(urls.c.url == url)).one()
        answer = bodies.get(connection, url)
        shown, left_out = _chunks_of(connection, url)
        yield Sample(
            url=url,
            why=why,
            title=row.title or "",
            html_tokens=row.html_tokens or 0,
            markdown_tokens=row.markdown_tokens or 0,
            receipt=_receipt_lines(row.receipt),
            losses=losses_of(row.receipt),
            original=_original(answer, _markdown_of(connection, url)) if answer else "",
            chunks=shown,
            left_out=left_out,
        )


def _original(answer: StoredAnswer, markdown: str) -> str:
    return harmless_page(answer.body, answer.headers.get("content-type", ""), answer.url, markdown)


def _markdown_of(connection: Connection, url: str) -> str:
    query = (
        select(documents.c.markdown)
        .join(corpus, and_(corpus.c.url == documents.c.url, corpus.c.run == documents.c.run))
        .where(documents.c.url == url)
    )
    return connection.scalar(query) or ""


def _chunks_of(connection: Connection, url: str) -> tuple[list[SampleChunk], int]:
    """Return the first chunks of a page, and how many more there are."""
    query = (
        select(chunks)
        .join(corpus, and_(corpus.c.url == chunks.c.url, corpus.c.run == chunks.c.run))
        .where(chunks.c.url == url)
        .order_by(chunks.c.position)
    )
    shown: list[SampleChunk] = []
    room, left_out = MAX_CHARACTERS, 0
    for row in connection.execute(query):
        if len(shown) >= MAX_CHUNKS or room <= 0:
            left_out += 1
            continue
        room -= len(row.text)
        shown.append(_sample_chunk(row))
    return shown, left_out


def _sample_chunk(row: Row[tuple[object, ...]]) -> SampleChunk:
    # The breadcrumb is a line of its own above the Markdown; it is shown as the chunk's label.
    first, separator, rest = str(row.text).partition("\n\n")
    markdown = rest if separator and row.heading_path and "\n" not in first else str(row.text)
    return SampleChunk(
        number=row.position + 1,
        section=row.section,
        part=row.part,
        tokens=row.tokens,
        oversized=row.oversized,
        html=markdown_html(markdown[:MAX_CHARACTERS]),
    )


def _receipt_lines(receipt: object) -> list[ReceiptLine]:
    if not isinstance(receipt, dict):
        return []
    found, kept = receipt.get("found", {}), receipt.get("kept", {})
    lines = (ReceiptLine(part.replace("_", " "), found.get(part, 0), kept.get(part, 0)) for part in PARTS)
    return [line for line in lines if line.found or line.kept]
