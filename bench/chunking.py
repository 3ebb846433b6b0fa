"""Print what chunking makes of a folder of Markdown files: sizes, seams and speed.

`PYTHONPATH=. .venv/bin/python bench/chunking.py FOLDER`, in the folder of the project.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from mdcrawl.chunking.chunk import ChunkOptions, ChunkStrategy, chunk_markdown
from mdcrawl.chunking.tokens import count_tokens, encoding
from mdcrawl.items import Chunk

_SENTENCE_END = re.compile(r"""[.!?…:;。！？]["'”’»)\]*_`]*\s*\Z""")
_BLOCK_START = re.compile(r"[#>|`~<\-+*\[!]|\d+[.)]|\s{4}")


def body(chunk: Chunk) -> str:
    """Return a chunk's Markdown without its breadcrumb."""
    return chunk.text.split("\n\n", 1)[1] if chunk.section else chunk.text


def starts_inside_sentence(previous: Chunk, chunk: Chunk) -> bool:
    """Return whether the chunk goes on in a sentence that the one before it began."""
    start, end = body(chunk).lstrip(), body(previous).rstrip()
    if not chunk.part or _BLOCK_START.match(start) or _SENTENCE_END.search(end):
        return False
    return end[-1:] not in "`|>~" and (start[:1].islower() or end[-1:].isalnum() or end[-1:] == ",")


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(rounds: int, work: Callable[[], object], base: Callable[[], object]) -> tuple[float, float, float]:
    """Return the median CPU seconds of both and the median of their ratios, run by turns."""
    work()
    pairs = [(cpu_seconds(work), cpu_seconds(base)) for _ in range(rounds)]
    works, bases = zip(*pairs, strict=True)
    return statistics.median(works), statistics.median(bases), statistics.median(a / b for a, b in pairs)


def report(name: str, pages: Sequence[Sequence[Chunk]], max_tokens: int) -> None:
    """Print one strategy's figures."""
    chunks = [chunk for page in pages for chunk in page]
    over = [chunk for chunk in chunks if chunk.tokens > max_tokens]
    wrong = sum(chunk.tokens != count_tokens(chunk.text) for chunk in chunks)
    inside = sum(starts_inside_sentence(a, b) for page in pages for a, b in pairwise(page))
    fill = statistics.median(chunk.tokens / max_tokens for chunk in chunks)
    plain = [chunk for chunk in over if not (chunk.oversized and (chunk.has_code or chunk.has_table))]
    print(f"{name}: {len(chunks)} chunks, median fill {fill:.2f}, wrong counts {wrong}")
    print(f"  over the limit {len(over)}, of them neither code nor table {len(plain)}")
    print(f"  starting inside a sentence {inside} ({100 * inside / len(chunks):.2f} %)")


def main() -> None:
    """Read the folder and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--max-tokens", type=int, default=300)
    arguments = parser.parse_args()
    texts = [path.read_text(encoding="utf-8") for path in sorted(arguments.folder.rglob("*.md"))]
    if not texts:
        sys.exit(f"{arguments.folder}: no .md files")
    for strategy in (ChunkStrategy.HEADINGS, ChunkStrategy.WINDOWS):
        options = ChunkOptions(max_tokens=arguments.max_tokens, strategy=strategy)
        report(strategy, [chunk_markdown(text, options=options) for text in texts], arguments.max_tokens)
    encode = encoding().encode_ordinary
    chunking, counting, ratio = compare(
        15, lambda: [chunk_markdown(text) for text in texts], lambda: [encode(text) for text in texts]
    )
    print(f"{len(texts)} files: chunking {chunking:.3f} s, one encoding {counting:.3f} s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
