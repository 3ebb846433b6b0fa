"""The options of the pure rooms, put together from settings and spider in one place."""

from __future__ import annotations

import hashlib

from mdcrawl import __version__
from mdcrawl.chunking.chunk import ChunkOptions
from mdcrawl.configuration import Configuration
from mdcrawl.extraction.extract import ExtractionOptions
from mdcrawl.spiders.docs import DocsSpider
from mdcrawl.verdicts.judge import VerdictOptions

# A spider or its class: what a site's spider declares is the same on both.
Manner = DocsSpider | type[DocsSpider]


def extraction_options(configuration: Configuration, spider: Manner) -> ExtractionOptions:
    """Return how this crawl converts pages."""
    return ExtractionOptions(
        links=configuration.links,
        images=configuration.images,
        main_content=spider.main_content,
        drop=spider.drop,
    )


def verdict_options(configuration: Configuration) -> VerdictOptions:
    """Return how this crawl judges pages."""
    return VerdictOptions(min_words=configuration.min_words)


def chunk_options(configuration: Configuration) -> ChunkOptions:
    """Return how this crawl cuts pages."""
    return ChunkOptions(
        max_tokens=configuration.chunk_tokens,
        overlap=configuration.chunk_overlap,
        hard_tokens=configuration.chunk_hard_tokens,
        breadcrumb=configuration.chunk_breadcrumb,
        merge_sections=configuration.chunk_merge,
        strategy=configuration.chunk_strategy,
    )


def conversion_key(configuration: Configuration, spider: Manner) -> str:
    """Return a name for the code and the options that turn a body into chunks.

    The same body under the same name gives the same chunks, so it need not be converted again.
    """
    options = (
        __version__,
        extraction_options(configuration, spider),
        verdict_options(configuration),
        chunk_options(configuration),
        # What a page says of its use is read with its body.
        (configuration.purpose, configuration.signals),
    )
    return hashlib.sha256(repr(options).encode()).hexdigest()[:16]
