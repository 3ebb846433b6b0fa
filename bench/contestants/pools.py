"""The conversion alone, of bytes at hand, in a bare pool of two processes: trafilatura's or mdcrawl's own."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

WORKERS = 2
Job = tuple[str, bytes]


def with_trafilatura(job: Job) -> str:
    """Return the Markdown that trafilatura makes of a page with its default settings."""
    import trafilatura  # noqa: PLC0415  in the worker only

    url, body = job
    return trafilatura.extract(body, url=url, output_format="markdown") or ""


def with_mdcrawl(job: Job) -> tuple[object, object]:
    """Return what mdcrawl's workers make of a page: extraction with links and counts, and the chunks."""
    from mdcrawl.chunking.options import ChunkOptions  # noqa: PLC0415  in the worker only
    from mdcrawl.discovery.scope import make_scope  # noqa: PLC0415  as above
    from mdcrawl.discovery.sniff import Kind  # noqa: PLC0415  as above
    from mdcrawl.extraction.options import ExtractionOptions  # noqa: PLC0415  as above
    from mdcrawl.pipelines.jobs import ChunkJob, ExtractJob, run_chunk, run_extract  # noqa: PLC0415  as above

    url, body = job
    page = run_extract(ExtractJob(body, Kind.HTML, url, "utf-8", ExtractionOptions(), make_scope((url,))))
    extraction = page.extraction
    return page, run_chunk(ChunkJob(extraction.markdown, url, extraction.title, extraction.anchors, ChunkOptions()))


CONVERTERS: dict[str, Callable[[Job], object]] = {"trafilatura": with_trafilatura, "mdcrawl": with_mdcrawl}


def main() -> None:
    """Convert the pages of the job."""
    folder = Path(sys.argv[1])
    urls = (folder / "urls.txt").read_text().split()
    jobs = [(url, (folder / "bodies" / str(number)).read_bytes()) for number, url in enumerate(urls)]
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        pages = sum(1 for _ in pool.map(CONVERTERS[sys.argv[2]], jobs))
    print(json.dumps({"pages": pages}))


if __name__ == "__main__":
    main()
