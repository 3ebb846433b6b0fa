"""The work done in the worker processes: plain functions from picklable jobs to picklable results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mdcrawl.chunking.chunk import ChunkOptions, chunk_markdown
from mdcrawl.chunking.tokens import count_tokens
from mdcrawl.discovery.scope import Scope
from mdcrawl.discovery.sniff import Kind
from mdcrawl.discovery.traps import sketch
from mdcrawl.discovery.urls import DEFAULT_OPTIONS, UrlOptions, canonical_url
from mdcrawl.extraction.decode import decode
from mdcrawl.extraction.extract import ExtractionOptions, extract
from mdcrawl.items import Chunk, Extraction, Inventory, Receipt
from mdcrawl.verdicts.words import count_words


@dataclass(frozen=True, slots=True)
class ExtractJob:
    """A body to convert, and which of its links the crawl may follow."""

    body: bytes = field(repr=False)
    kind: Kind
    url: str
    charset: str
    options: ExtractionOptions
    scope: Scope
    url_options: UrlOptions = DEFAULT_OPTIONS


@dataclass(frozen=True, slots=True)
class Extracted:
    """A converted page; `links` are canonical, in scope, each once, in the order of the page."""

    extraction: Extraction
    links: tuple[str, ...]
    html_tokens: int
    markdown_tokens: int
    words: int
    sketch: frozenset[int]


@dataclass(frozen=True, slots=True)
class ChunkJob:
    """Markdown to cut into chunks."""

    markdown: str = field(repr=False)
    url: str
    title: str
    anchors: tuple[tuple[str, str], ...]
    options: ChunkOptions


def run_extract(job: ExtractJob) -> Extracted:
    """Convert a page and count what it costs a model before and after."""
    if job.kind in {Kind.MARKDOWN, Kind.TEXT}:
        extraction = _take_markdown(job)
        html_tokens = 0
    else:
        extraction = extract(job.body, job.url, job.options, job.charset)
        html_tokens = count_tokens(job.body.decode(extraction.charset or "utf-8", "replace"))
    links = () if "nofollow" in extraction.robots or "none" in extraction.robots else _links(extraction, job)
    return Extracted(
        # Links and the text of the raw page have done their work here; they need not travel back.
        replace(extraction, links=()),
        links,
        html_tokens,
        count_tokens(extraction.markdown),
        count_words(extraction.markdown),
        sketch(extraction.markdown),
    )


def run_chunk(job: ChunkJob) -> list[Chunk]:
    """Cut a page's Markdown into chunks."""
    return chunk_markdown(job.markdown, url=job.url, title=job.title, options=job.options, anchors=job.anchors)


def _links(extraction: Extraction, job: ExtractJob) -> tuple[str, ...]:
    found = (canonical_url(link.url, job.url_options) for link in extraction.links if not link.nofollow)
    return tuple(url for url in dict.fromkeys(found) if url and not job.scope.leaves(url))


def _take_markdown(job: ExtractJob) -> Extraction:
    """Return a page that the site serves as Markdown or plain text, as it is."""
    decoded = decode(job.body, job.charset)
    markdown = decoded.text.strip().replace("\r\n", "\n")
    heading = next((line for line in markdown.split("\n") if line.startswith("# ")), "# ")
    inventory = Inventory(words=count_words(markdown))
    return Extraction(
        title=heading[2:].strip(" #"),
        markdown=markdown,
        extractor="native",
        receipt=Receipt(inventory, inventory),
        charset=decoded.charset,
        charset_guessed=decoded.guessed,
    )
