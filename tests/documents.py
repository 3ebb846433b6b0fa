"""The blocks of code in the project's documents, for the tests that run them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt


class Block(NamedTuple):
    """A fenced block: the heading above it, its language, its text."""

    heading: str
    language: str
    text: str

    @property
    def commands(self) -> list[str]:
        """The lines that somebody types, comments left out and those that go on in the next line joined."""
        lines = self.text.replace("\\\n", "").splitlines()
        return [re.sub(r"\s+# .*", "", line[2:]) for line in lines if line.startswith("$ ")]


def blocks_of(document: Path) -> list[Block]:
    """Return the fenced blocks of a Markdown file, in order."""
    blocks, heading = [], ""
    tokens = MarkdownIt().parse(document.read_text(encoding="utf-8"))
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and before.type == "heading_open":
            heading = token.content
        elif token.type == "fence":
            blocks.append(Block(heading, token.info.strip(), token.content))
    return blocks
