"""The work done in the worker processes: plain functions from the jobs of mdcrawl.pipelines.jobs to their results."""

from __future__ import annotations

import json
from dataclasses import replace

from mdcrawl.chunking.chunk import chunk_markdown
from mdcrawl.chunking.html_tokens import count_html_tokens
from mdcrawl.chunking.tokens import count_tokens, counting_by
from mdcrawl.discovery.sniff import Kind
from mdcrawl.discovery.traps import sketch
from mdcrawl.discovery.urls import canonical_url
from mdcrawl.extraction.decode import decode
from mdcrawl.extraction.extract import extract
from mdcrawl.extraction.opinion import second_opinion
from mdcrawl.extraction.tree import parse
from mdcrawl.items import Chunk, Extraction, Fields
from mdcrawl.pipelines.jobs import ChunkJob, Compared, CompareJob, EmbeddedJob, Extracted, ExtractJob
from mdcrawl.pipelines.markdown import take_markdown
from mdcrawl.seams import Component
from mdcrawl.verdicts.embedded.find import find_embedded
from mdcrawl.verdicts.native import native_loss
from mdcrawl.verdicts.words import count_words


def load(tokenizer: Component | None) -> None:
    """Load what is otherwise loaded by the first page that needs it."""
    second_opinion(parse("<p>Loaded</p>"))
    with counting_by(tokenizer):
        count_tokens("Loaded")


def extract_page(job: ExtractJob) -> Extracted:
    """Convert a page and count what it costs a model before and after."""
    with counting_by(job.options.tokenizer):
        return _extracted(job)


def _extracted(job: ExtractJob) -> Extracted:
    if job.kind in {Kind.MARKDOWN, Kind.TEXT}:
        extraction = take_markdown(job.body, job.charset, job.url)
        if (options := job.options.views) is not None:
            from mdcrawl.extraction.seams import FilterPage  # noqa: PLC0415  few crawls ask for views
            from mdcrawl.extraction.views import views_of_markdown  # noqa: PLC0415  as above

            page = FilterPage(extraction.title, extraction.lang, options.query)
            views = views_of_markdown(extraction.markdown, job.url, options, page, job.options.images)
            extraction = replace(extraction, views=views)
        html_tokens = 0
    else:
        extraction = extract(job.body, job.url, job.options, job.charset)
        html_tokens = count_html_tokens(job.body.decode(extraction.charset or "utf-8", "replace"))
    if job.options.fields:
        extraction = replace(extraction, fields=_fields(job, extraction))
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


def _fields(job: ExtractJob, extraction: Extraction) -> Fields:
    # Parsel and pydantic take 30 MB and a fifth of a second, for crawls that ask for fields.
    from mdcrawl.fields.definition import parse_fields  # noqa: PLC0415  see above
    from mdcrawl.fields.find import FieldPage, find_fields  # noqa: PLC0415
    from mdcrawl.fields.model import validate  # noqa: PLC0415

    is_text = job.kind in {Kind.MARKDOWN, Kind.TEXT}
    html = "" if is_text else job.body.decode(extraction.charset or "utf-8", "replace")
    definitions = [each for each in parse_fields(json.loads(job.options.fields)) if not each.llm]
    return validate(definitions, find_fields(FieldPage(html, extraction.markdown, job.url), definitions))


def compare_native(job: CompareJob) -> Compared:
    """Hold a page's own Markdown against its HTML."""
    native = extract_page(ExtractJob(job.body, Kind.MARKDOWN, job.url, "", job.options, job.scope, job.url_options))
    return Compared(native, native_loss(job.html, native.extraction))


def cut_chunks(job: ChunkJob) -> list[Chunk]:
    """Cut a page's Markdown into chunks."""
    return chunk_markdown(job.markdown, url=job.url, title=job.title, options=job.options, anchors=job.anchors)


def convert_embedded(job: EmbeddedJob) -> Extracted | None:
    """Return what the page carries for its scripts, converted; None if nothing there reads as a page."""
    found = find_embedded(parse(decode(job.body, job.charset).text))
    if found is None:
        return None
    kind = Kind.MARKDOWN if found.is_markdown else Kind.HTML
    extracted = extract_page(ExtractJob(found.text.encode(), kind, job.url, "utf-8", job.options, job.scope))
    extraction = replace(extracted.extraction, extractor="embedded", title=found.title or extracted.extraction.title)
    return replace(extracted, extraction=extraction)


def _links(extraction: Extraction, job: ExtractJob) -> tuple[str, ...]:
    targets = (link.url for link in extraction.links if not link.nofollow)
    if not job.url_options.hash_routes:  # then many are one page
        targets = (target.partition("#")[0] for target in targets)
    found = (canonical_url(target, job.url_options) for target in dict.fromkeys(targets))
    return tuple(url for url in dict.fromkeys(found) if url and not job.scope.leaves(url))
