"""The work of looking for a page's content in its own data, done in a worker process."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mdcrawl.discovery.scope import Scope
from mdcrawl.discovery.sniff import Kind
from mdcrawl.extraction.decode import decode
from mdcrawl.extraction.extract import ExtractionOptions
from mdcrawl.extraction.tree import parse
from mdcrawl.pipelines.work import Extracted, ExtractJob, run_extract
from mdcrawl.verdicts.embedded.find import find_embedded


@dataclass(frozen=True, slots=True)
class EmbeddedJob:
    """The body of a shell, and how its content is converted if it is there."""

    body: bytes = field(repr=False)
    url: str
    charset: str
    options: ExtractionOptions
    scope: Scope


def run_embedded(job: EmbeddedJob) -> Extracted | None:
    """Return what the page carries for its scripts, converted; None if nothing there reads as a page."""
    found = find_embedded(parse(decode(job.body, job.charset).text))
    if found is None:
        return None
    kind = Kind.MARKDOWN if found.is_markdown else Kind.HTML
    extracted = run_extract(ExtractJob(found.text.encode(), kind, job.url, "utf-8", job.options, job.scope))
    extraction = replace(extracted.extraction, extractor="embedded", title=found.title or extracted.extraction.title)
    return replace(extracted, extraction=extraction)
