"""llms.txt and llms-full.txt of the corpus, for models that read a site through them (llmstxt.org, version 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mdcrawl.export.files import replacing
from mdcrawl.export.rows import JsonRow

Document = tuple[str, JsonRow, str]


def write_llms_txt(path: Path, documents: Iterable[Document]) -> None:
    """Write the list of pages: a section for each folder, an entry with title and description for each page."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_index_lines(documents))


def write_llms_full(path: Path, documents: Iterable[Document]) -> None:
    """Write all pages into one file, each with its title and where it is from."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        for _, front, markdown in documents:
            title = _line(front["title"]) or front["source"]
            body = markdown.strip().removeprefix(f"# {title}").lstrip("\n")
            file.write(f"# {title}\n\nSource: {front['source']}\n\n{body}\n\n")


def _index_lines(documents: Iterable[Document]) -> Iterator[str]:
    section = None
    for _, front, _ in documents:
        parts = urlsplit(front["source"])
        if section is None:
            yield f"# {parts.netloc}\n"
        folder = unquote(parts.path).rpartition("/")[0] or "/"
        if folder != section:
            section = folder
            yield f"\n## {_line(folder)}\n\n"
        title = _line(front["title"]).replace("[", "(").replace("]", ")") or front["source"]
        description = _line(front["description"])
        yield f"- [{title}]({front['source']})" + (f": {description}" if description else "") + "\n"


def _line(text: str) -> str:
    return " ".join(text.split())
