"""The three calls for people who only want the conversion: no Scrapy, network or clock behind them."""

from __future__ import annotations

from collections.abc import Mapping

from mdcrawl.chunking.chunk import chunk_markdown as _chunk
from mdcrawl.chunking.options import ChunkOptions
from mdcrawl.extraction.extract import extract
from mdcrawl.extraction.options import ExtractionOptions
from mdcrawl.items import Chunk, Extraction, ImageMode, LinkMode, Verdict
from mdcrawl.verdicts.judge import VerdictOptions, judge

__all__ = ["chunk_markdown", "html_to_markdown", "judge_page"]


def html_to_markdown(
    html: str | bytes, url: str = "", *, links: str | bool = "strip", images: str | bool = "alt"
) -> Extraction:
    r"""Return the main content of a page as Markdown, with its metadata and receipt.

    `links` is strip, keep or citations and `images` alt, keep or strip; True means keep and False
    strip. Raises ValueError for any other value, and nothing for any page.

    >>> html_to_markdown("<main><h1>Hinge</h1><p>Oil it.</p></main>").markdown
    '# Hinge\n\nOil it.'
    """
    options = ExtractionOptions(
        links=LinkMode("keep" if links is True else links or "strip"),
        images=ImageMode("keep" if images is True else images or "strip"),
    )
    return extract(html, url, options)


def chunk_markdown(
    markdown: str, *, url: str = "", title: str = "", max_tokens: int = 300, overlap: int = 0
) -> list[Chunk]:
    """Return the chunks of a Markdown page in reading order; sizes are in o200k_base tokens.

    Raises ValueError if `max_tokens` is below 1 or `overlap` is not below `max_tokens`.
    """
    return _chunk(markdown, url=url, title=title, options=ChunkOptions(max_tokens=max_tokens, overlap=overlap))


def judge_page(
    extraction: Extraction,
    *,
    status: int,
    url: str,
    headers: Mapping[str, str] | None = None,
    min_words: int = 80,
) -> tuple[Verdict, str]:
    """Return the verdict on a page and the reason for it, as one plain sentence. Raises nothing."""
    return judge(extraction, status=status, url=url, headers=headers or {}, options=VerdictOptions(min_words=min_words))
