"""Sizes and shape of chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mdcrawl.seams import Component

# Short names in the setting.
TOKENIZERS: Mapping[str, str] = {
    "cl100k": "mdcrawl.chunking.tokenizers.Cl100k",
    "characters": "mdcrawl.chunking.tokenizers.Characters",
}


class ChunkStrategy(StrEnum):
    """How a page is cut: along its headings, in windows of tokens, or not at all."""

    HEADINGS = "headings"
    WINDOWS = "windows"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """Sizes and shape of chunks; all sizes are in o200k_base tokens of a chunk's whole text.

    `max_tokens` is the limit for everything that can be cut. `overlap` repeats whole blocks from
    the end of a section's chunk at the start of its next one. `hard_tokens` is the limit above which
    code is cut too (0: never). `breadcrumb` puts the heading path above the text. `merge_sections`
    joins small neighbouring sections under one parent. `chunker` cuts in place of the strategy, and
    `tokenizer` counts in place of o200k_base. Raises ValueError for a senseless value.
    """

    max_tokens: int = 300
    overlap: int = 0
    hard_tokens: int = 0
    breadcrumb: bool = True
    merge_sections: bool = False
    strategy: ChunkStrategy = ChunkStrategy.HEADINGS
    chunker: Component | None = None
    tokenizer: Component | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a value that makes no sense, naming it."""
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens: must be at least 1, not {self.max_tokens}")
        if not 0 <= self.overlap < self.max_tokens:
            raise ValueError(f"overlap: must be from 0 to below max_tokens ({self.max_tokens}), not {self.overlap}")
        if self.hard_tokens and self.hard_tokens < self.max_tokens:
            raise ValueError(
                f"hard_tokens: must be 0 or at least max_tokens ({self.max_tokens}), not {self.hard_tokens}"
            )
        if self.strategy not in tuple(ChunkStrategy):
            raise ValueError(f"strategy: must be headings, windows or page, not {self.strategy!r}")


DEFAULT_OPTIONS = ChunkOptions()
