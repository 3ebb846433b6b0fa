"""Write files so that they are complete or absent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path` to write to; it takes the name of `path` if all went well.

    Works for a file and for a folder, which is replaced as a whole; what was there stays if anything
    fails. Raises OSError as the file system does.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    old = path.with_name(f".{path.name}.{os.getpid()}.old")
    try:
        yield temporary
        if path.is_dir():
            path.rename(old)
        try:
            temporary.replace(path)
        except OSError:
            if old.is_dir():
                old.rename(path)
            raise
    finally:
        for leftover in (temporary, old):
            if leftover.is_dir():
                shutil.rmtree(leftover)
            else:
                leftover.unlink(missing_ok=True)
