"""A local file on the way of a page: sniffed, converted, judged, cut; no Scrapy, no network."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from mdcrawl.chunking.options import ChunkOptions
from mdcrawl.discovery.scope import Scope, ScopeKind, ScopeOptions
from mdcrawl.discovery.sniff import Kind, is_page, sniff
from mdcrawl.extraction.options import ExtractionOptions
from mdcrawl.items import Page, Verdict
from mdcrawl.pipelines.jobs import ChunkJob, ExtractJob, run_chunk, run_extract
from mdcrawl.verdicts.judge import VerdictOptions, judge

# No link of a file is followed.
_NOWHERE = Scope((), ScopeOptions(kind=ScopeKind.ANY))


@dataclass(frozen=True, slots=True)
class FileJob:
    """A file's content, the name it goes by (a relative URL) and how it is converted."""

    body: bytes = field(repr=False)
    url: str
    fetched_at: str
    extraction: ExtractionOptions
    verdict: VerdictOptions
    chunk: ChunkOptions


def convert_file(job: FileJob) -> Page:
    """Return the file as a page with verdict, Markdown and chunks. Raises nothing for any content."""
    page = Page(
        url=job.url,
        asked_url=job.url,
        final_url=job.url,
        body=job.body,
        fetched_at=job.fetched_at,
        body_hash=hashlib.sha256(job.body).hexdigest(),
    )
    kind = sniff(job.body, "", job.url)
    if kind is not Kind.EMPTY and not is_page(kind):
        page.verdict, page.reason = Verdict.UNSUPPORTED_TYPE, f"{kind}, not a page"
        return page
    if kind in {Kind.MARKDOWN, Kind.TEXT}:
        page.source = "md-native"
    extracted = run_extract(ExtractJob(job.body, kind, job.url, "", job.extraction, _NOWHERE))
    page.extraction = extracted.extraction
    page.html_tokens, page.markdown_tokens, page.words = (
        extracted.html_tokens,
        extracted.markdown_tokens,
        extracted.words,
    )
    page.verdict, page.reason = judge(
        extracted.extraction, status=200, url=job.url, headers={}, options=job.verdict, asked_url=job.url
    )
    if page.verdict is Verdict.OK:
        markdown = page.extraction.markdown
        page.content_hash = hashlib.sha256(markdown.encode("utf-8", "replace")).hexdigest()
        page.chunks = run_chunk(ChunkJob(markdown, page.url, page.extraction.title, page.extraction.anchors, job.chunk))
    return page
