"""What goes to the worker processes and comes back, all picklable; only they load what does the work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mdcrawl.chunking.options import ChunkOptions
from mdcrawl.discovery.scope import Scope
from mdcrawl.discovery.sniff import Kind
from mdcrawl.discovery.urls import DEFAULT_OPTIONS, UrlOptions
from mdcrawl.extraction.options import DEFAULT_OPTIONS as DEFAULT_EXTRACTION
from mdcrawl.extraction.options import ExtractionOptions
from mdcrawl.items import Chunk, Extraction
from mdcrawl.seams import Component

if TYPE_CHECKING:
    from mdcrawl.verdicts.native import NativeLoss


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
class CompareJob:
    """A page's HTML extraction, and the Markdown that its site has of it."""

    html: Extraction
    body: bytes = field(repr=False)
    url: str
    scope: Scope
    url_options: UrlOptions = DEFAULT_OPTIONS
    options: ExtractionOptions = DEFAULT_EXTRACTION


@dataclass(frozen=True, slots=True)
class Compared:
    """The site's own Markdown converted, and what it lacks against the HTML, None for nothing."""

    native: Extracted
    loss: NativeLoss | None


@dataclass(frozen=True, slots=True)
class ChunkJob:
    """Markdown to cut into chunks."""

    markdown: str = field(repr=False)
    url: str
    title: str
    anchors: tuple[tuple[str, str], ...]
    options: ChunkOptions


@dataclass(frozen=True, slots=True)
class EmbeddedJob:
    """The body of a shell, and how its content is converted if it is there."""

    body: bytes = field(repr=False)
    url: str
    charset: str
    options: ExtractionOptions
    scope: Scope


def load_conversion(tokenizer: Component | None = None) -> None:
    """Load all that a usual page needs, and the vocabulary if that is what counts."""
    from mdcrawl.pipelines.work import load  # noqa: PLC0415  half a second, in the worker only

    load(tokenizer)


def run_extract(job: ExtractJob) -> Extracted:
    """Convert a page and count what it costs a model before and after."""
    from mdcrawl.pipelines.work import extract_page  # noqa: PLC0415  as above

    return extract_page(job)


def run_compare(job: CompareJob) -> Compared:
    """Hold a page's own Markdown against its HTML."""
    from mdcrawl.pipelines.work import compare_native  # noqa: PLC0415  as above

    return compare_native(job)


def run_chunk(job: ChunkJob) -> list[Chunk]:
    """Cut a page's Markdown into chunks."""
    from mdcrawl.pipelines.work import cut_chunks  # noqa: PLC0415  as above

    return cut_chunks(job)


def run_embedded(job: EmbeddedJob) -> Extracted | None:
    """Return what the page carries for its scripts, converted; None if nothing there reads as a page."""
    from mdcrawl.pipelines.work import convert_embedded  # noqa: PLC0415  as above

    return convert_embedded(job)
