"""One process at a time in an output folder: a lock that ends with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self

from mdcrawl.errors import OutputFolderError

FILE_NAME = "crawl.lock"


class FolderLock:
    """The right of this process to write in a folder, held until it is closed.

    The lock is the kernel's (POSIX), so that none is left behind by a process that was killed. It
    belongs to the process: who has it may take it again, and whoever closes first lets go of it. The
    file stays: to remove it could take away the lock of whoever opened it meanwhile. It holds the
    number of the process, for the message only. Raises OutputFolderError if another process holds
    the lock or the file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / FILE_NAME
        try:
            self._file = path.open("a+")
        except OSError as error:
            raise OutputFolderError(f"{path}: cannot write ({error.strerror})") from error
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:  # which of the two is the system's choice
            self._file.seek(0)
            holder = self._file.read(20).strip()
            self._file.close()
            raise OutputFolderError(
                f"{folder}: another crawl is at work there (process {holder}); wait for its end or choose another "
                "folder with -s MDCRAWL_OUTPUT=FOLDER"
            ) from error
        except OSError:
            # A file system that knows no locks: better to crawl without one than not at all.
            return
        self._write_holder()

    def _write_holder(self) -> None:
        try:
            self._file.truncate(0)
            self._file.write(str(os.getpid()))
            self._file.flush()
        except OSError:  # a full disk is found out where it matters
            return

    def close(self) -> None:
        """Let go of the folder."""
        try:
            self._file.close()
        except OSError:  # what was not written of the number; the descriptor is closed all the same
            return

    def __enter__(self) -> Self:
        """Hold the lock."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Let go of the folder."""
        self.close()
