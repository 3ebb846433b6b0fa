"""The ways to cut a page: along its headings, in fixed windows of tokens, or not at all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, Protocol, cast

from mdcrawl.chunking.breadcrumb import breadcrumb
from mdcrawl.chunking.fill import Sizes, fitting_end, is_between_characters
from mdcrawl.chunking.headings import Section, split_sections
from mdcrawl.chunking.options import ChunkOptions, ChunkStrategy
from mdcrawl.chunking.pack import Part, pack, whole_part
from mdcrawl.chunking.tokens import chosen_tokenizer, count_joined, count_tokens, encoding
from mdcrawl.markdown.blocks import Block, BlockKind, split_blocks
from mdcrawl.seams import make


class Document(NamedTuple):
    """One page's Markdown, its title and the ids of its headings."""

    markdown: str
    title: str
    anchors: Sequence[tuple[str, str]]


class Cut(NamedTuple):
    """One section's chunks: its heading path, the id of its place in the page, and the chunks.

    `own` says from which block on the section's own text starts in its first chunk: blocks before
    it are headings of other sections that have no text of their own.
    """

    path: tuple[str, ...]
    anchor: str
    parts: list[Part]
    own: int = 0


class Strategy(Protocol):
    """Cuts a page; a seam."""

    def __call__(self, document: Document, options: ChunkOptions) -> Iterable[Cut]:
        """Return the page's chunks, section by section in reading order."""


def cut_by_headings(document: Document, options: ChunkOptions) -> Iterator[Cut]:
    """Return whole blocks of one section, packed up to the limit."""
    sections = split_sections(split_blocks(document.markdown), document.title, document.anchors)
    if options.merge_sections:
        sections = [merged for group in _siblings(sections) for merged in _merge(group, options)]
    for section in sections:
        crumb = _crumb(section.path, options)
        parts = pack(
            section, crumb, Sizes(options.max_tokens, options.max_tokens, options.hard_tokens), options.overlap
        )
        yield Cut(section.path, section.anchor, parts, len(section.leading))


def _crumb(path: tuple[str, ...], options: ChunkOptions) -> str:
    return breadcrumb(path, options.max_tokens // 2) if options.breadcrumb else ""


def _siblings(sections: Sequence[Section]) -> Iterator[list[Section]]:
    """Yield runs of neighbouring sections of one level under one parent."""
    for _, group in groupby(sections, key=lambda section: (section.path[:-1], section.level)):
        yield list(group)


def _merge(group: Sequence[Section], options: ChunkOptions) -> Iterator[Section]:
    """Yield the sections, those that fit into one chunk together as one section of their parent."""
    parent = group[0].path[:-1]
    room = _room(_crumb(parent, options), options)
    run: list[Section] = []
    used = 0
    for section in group:
        tokens = sum(count_joined(block.text) for block in section.all_blocks())
        if run and used + tokens > room:
            yield _joined(run, parent)
            run, used = [], 0
        run.append(section)
        used += tokens
    yield _joined(run, parent)


def _joined(run: Sequence[Section], parent: tuple[str, ...]) -> Section:
    if len(run) == 1:
        return run[0]
    blocks = [block for section in run for block in section.all_blocks()]
    return Section(parent, run[0].anchor, run[0].level, blocks=blocks)


def _room(crumb: str, options: ChunkOptions) -> int:
    return max(1, options.max_tokens - (count_joined(crumb) if crumb else 0))


def cut_by_windows(document: Document, options: ChunkOptions) -> Iterator[Cut]:
    """Return windows of as many tokens as the limit allows, wherever they start; to compare with."""
    path = (document.title,) if document.title else ()
    crumb = _crumb(path, options)
    room = _room(crumb, options)
    text = document.markdown.strip()
    parts: list[Part] = []
    start = 0
    while start < len(text):
        end = fitting_end(text, start, room)
        parts.append(whole_part(crumb, [Block(BlockKind.PARAGRAPH, text[start:end])]))
        start = end if end == len(text) else max(_back(text, end, min(options.overlap, room // 2)), start + 1)
    if parts:
        yield Cut(path, "", parts)


def _back(text: str, end: int, tokens: int) -> int:
    """Return the start of the last `tokens` tokens before the end."""
    if not tokens:
        return end
    if chosen_tokenizer() is not None:
        starts = range(end, -1, -1)
        start = starts[bisect_right(starts, tokens, key=lambda start: count_tokens(text[start:end])) - 1]
        while not is_between_characters(text, start):
            start += 1
        return start
    tail = encoding().encode_ordinary(text[max(0, end - tokens * 16) : end])[-tokens:]
    start = end - len(encoding().decode_bytes(tail).decode("utf-8", "ignore"))
    while not is_between_characters(text, start):
        start += 1
    return start


def cut_as_page(document: Document, options: ChunkOptions) -> Iterator[Cut]:
    """Return the whole page as one chunk, whatever its size."""
    path = (document.title,) if document.title else ()
    if blocks := split_blocks(document.markdown):
        yield Cut(path, "", [whole_part(_crumb(path, options), blocks)])


def strategy_of(options: ChunkOptions) -> Strategy:
    """Return what cuts the page: the chunker at the seam, else the strategy by its name."""
    if options.chunker is not None:
        return cast("Strategy", make(options.chunker))
    return STRATEGIES[ChunkStrategy(options.strategy)]


STRATEGIES: dict[ChunkStrategy, Strategy] = {
    ChunkStrategy.HEADINGS: cut_by_headings,
    ChunkStrategy.WINDOWS: cut_by_windows,
    ChunkStrategy.PAGE: cut_as_page,
}
