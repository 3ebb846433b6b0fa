"""The options of the pure rooms, put together from settings and spider in one place."""

from __future__ import annotations

import hashlib
import json

from mdcrawl import __version__
from mdcrawl.arguments import CrawlArguments
from mdcrawl.chunking.options import ChunkOptions, ChunkStrategy
from mdcrawl.configuration import Configuration
from mdcrawl.export.rows import Extras, definitions_of
from mdcrawl.extraction.options import FILTERS, ExtractionOptions, ViewOptions, asked_views, css_selector
from mdcrawl.items import View
from mdcrawl.seams import Component
from mdcrawl.spiders.docs import DocsSpider
from mdcrawl.verdicts.judge import VerdictOptions

# A spider or its class: what a site's spider declares is the same on both.
Manner = DocsSpider | type[DocsSpider]


def manner_of(spider: type[DocsSpider], arguments: CrawlArguments) -> type[DocsSpider]:
    """Return a spider's class as it is with the query and the fields of a crawl."""
    return asking(spider, arguments.query, arguments.fields)


def asking(spider: type[DocsSpider], query: str, fields: str) -> type[DocsSpider]:
    """Return a spider's class with another query and other fields, as JSON; with its own where they are empty."""
    made: type[DocsSpider] = type(spider.__name__, (spider,), {})
    made.query = query or spider.query
    made.fields = json.loads(fields) if fields else spider.fields
    return made


def extraction_options(configuration: Configuration, spider: Manner) -> ExtractionOptions:
    """Return how this crawl converts pages."""
    return ExtractionOptions(
        links=configuration.links,
        images=configuration.images,
        drop=spider.drop,
        selector=configuration.selector or (css_selector(spider.main_content) if spider.main_content else None),
        renderer=configuration.renderer,
        tokenizer=configuration.tokenizer,
        views=view_options(configuration, spider),
        fields=json.dumps(spider.fields, sort_keys=False) if spider.fields else "",
    )


def asked_views_of(configuration: Configuration, spider: Manner) -> tuple[View, ...]:
    """Return the views that this crawl makes."""
    return asked_views(configuration.views, spider.query)


def asked_extras(configuration: Configuration, spider: Manner) -> Extras:
    """Return what this crawl is asked for beside the columns that every crawl has."""
    return Extras(asked_views_of(configuration, spider), definitions_of(spider.fields))


def view_options(configuration: Configuration, spider: Manner) -> ViewOptions | None:
    """Return how this crawl makes views, None if it makes none."""
    views = asked_views_of(configuration, spider)
    if not views:
        return None
    usual = FILTERS["bm25" if spider.query else "pruning"]
    return ViewOptions(views, configuration.filter or Component(usual), spider.query)


def verdict_options(configuration: Configuration) -> VerdictOptions:
    """Return how this crawl judges pages."""
    return VerdictOptions(min_words=configuration.min_words, rules=configuration.verdict_rules)


def chunk_options(configuration: Configuration) -> ChunkOptions:
    """Return how this crawl cuts pages."""
    strategy = configuration.chunk_strategy
    own = strategy if isinstance(strategy, Component) else None
    return ChunkOptions(
        max_tokens=configuration.chunk_tokens,
        overlap=configuration.chunk_overlap,
        hard_tokens=configuration.chunk_hard_tokens,
        breadcrumb=configuration.chunk_breadcrumb,
        merge_sections=configuration.chunk_merge,
        strategy=strategy if isinstance(strategy, ChunkStrategy) else ChunkStrategy.HEADINGS,
        chunker=own,
        tokenizer=configuration.tokenizer,
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
