"""One page of Markdown to its chunks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from mdcrawl.chunking.blocks import Block, BlockKind, split_blocks
from mdcrawl.chunking.headings import Section, split_sections
from mdcrawl.chunking.ids import chunk_id, content_hash
from mdcrawl.chunking.split import split_block
from mdcrawl.chunking.tokens import count_tokens
from mdcrawl.items import Chunk


class ChunkStrategy(StrEnum):
    """How a page is cut."""

    HEADINGS = "headings"
    WINDOWS = "windows"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """Sizes and shape of chunks; all sizes in o200k_base tokens."""

    max_tokens: int = 300
    overlap: int = 0
    hard_tokens: int = 0
    breadcrumb: bool = True
    merge_sections: bool = False
    strategy: ChunkStrategy = ChunkStrategy.HEADINGS

    def __post_init__(self) -> None:
        """Raise ValueError for a value that makes no sense, naming it."""
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens: must be at least 1, not {self.max_tokens}")
        if not 0 <= self.overlap < self.max_tokens:
            raise ValueError(f"overlap: must be at least 0 and below max_tokens, not {self.overlap}")
        if self.hard_tokens and self.hard_tokens < self.max_tokens:
            raise ValueError(f"hard_tokens: must be 0 or at least max_tokens, not {self.hard_tokens}")
        ChunkStrategy(self.strategy)


_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)


def chunk_markdown(
    markdown: str,
    *,
    url: str = "",
    title: str = "",
    options: ChunkOptions = ChunkOptions(),
    anchors: Sequence[tuple[str, str]] = (),
) -> list[Chunk]:
    """Return the chunks of one page in reading order. Raises nothing, whatever the text."""
    text = markdown.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    front = _FRONT.match(text)
    if front:
        text = text[front.end() :]
        found = _TITLE.search(front[1] or "")
        title = title or (found[1].strip("\"'") if found else "")
    chunks: list[Chunk] = []
    seen: Counter[tuple[str, ...]] = Counter()
    for section in split_sections(split_blocks(text), title):
        occurrence = seen[section.path]
        seen[section.path] += 1
        crumb = " > ".join(section.path) if options.breadcrumb else ""
        anchor = anchors[section.ordinal][1] if 0 <= section.ordinal < len(anchors) else ""
        for part, blocks in enumerate(_pack(section, crumb, options)):
            body = "\n\n".join(block.text for block in blocks)
            whole = f"{crumb}\n\n{body}" if crumb else body
            tokens = count_tokens(whole)
            chunks.append(
                Chunk(
                    id=chunk_id(url, section.path, occurrence, part, body),
                    url=url,
                    title=title,
                    heading_path=section.path,
                    position=len(chunks),
                    part=part,
                    text=whole,
                    tokens=tokens,
                    content_hash=content_hash(whole),
                    anchor_url=f"{url}#{anchor}" if anchor else url,
                    section=" > ".join(section.path),
                    oversized=tokens > options.max_tokens,
                    has_code=any(block.kind is BlockKind.CODE for block in blocks),
                    has_table=any(block.kind is BlockKind.TABLE for block in blocks),
                )
            )
    return [
        replace(
            chunk,
            prev_id=chunks[index - 1].id if index else "",
            next_id=chunks[index + 1].id if index + 1 < len(chunks) else "",
        )
        for index, chunk in enumerate(chunks)
    ]


def _pack(section: Section, crumb: str, options: ChunkOptions) -> list[list[Block]]:
    room = max(1, options.max_tokens - (count_tokens(crumb + "\n\n") if crumb else 0))
    parts: list[list[Block]] = []
    current = [*section.leading, *([section.heading] if section.heading else [])]
    used = sum(count_tokens(block.text + "\n\n") for block in current)
    bare = True
    for block in section.blocks:
        cost = count_tokens(block.text + "\n\n")
        if used + cost > room and not bare:
            parts.append(current)
            current, used, bare = [], 0, True
        pieces = [block] if used + cost <= room else split_block(block, room - used - 2, room - 2)
        for number, piece in enumerate(pieces):
            if number:
                parts.append(current)
                current, used = [], 0
            current.append(piece)
            used += count_tokens(piece.text + "\n\n")
            bare = False
    return [*parts, current]
