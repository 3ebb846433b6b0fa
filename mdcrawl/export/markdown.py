"""The tree of Markdown files: a stored page each, with YAML front matter."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml

from mdcrawl.export.files import replacing
from mdcrawl.export.rows import JsonRow


def write_markdown_tree(folder: Path, documents: Iterable[tuple[str, JsonRow, str]]) -> None:
    """Write each document (path, front matter, Markdown) below `folder`, which is replaced as a whole."""
    with replacing(folder / "markdown") as temporary:
        temporary.mkdir()
        for path, front_matter, markdown in documents:
            target = temporary / Path(path).relative_to("markdown")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(to_document(front_matter, markdown), encoding="utf-8", newline="\n")


def to_document(front_matter: JsonRow, markdown: str) -> str:
    """Return front matter and Markdown as the text of one file; empty fields are left out."""
    fields = {name: value for name, value in front_matter.items() if value not in ("", None)}
    header = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{header}---\n\n{markdown.strip()}\n"
