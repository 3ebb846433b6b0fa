"""The tree of Markdown files: a stored page each, with YAML front matter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from mdcrawl.export.files import replacing
from mdcrawl.export.rows import JsonRow

# libyaml is ten times as fast, where PyYAML was built with it.
_FAST: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
# It escapes what is beyond U+FFFF, which PyYAML's own writes as it is; that one loses U+0085.
_ESCAPED = re.compile("[\U00010000-\U0010ffff]")


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
    text = "".join(map(str, fields.values()))
    dumper = yaml.SafeDumper if _ESCAPED.search(text) and "\x85" not in text else _FAST
    header = yaml.dump(fields, Dumper=dumper, allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{header}---\n\n{markdown.strip()}\n"
