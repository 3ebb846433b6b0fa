"""Find local files to convert: folders and .zip archives opened, each file named by a relative URL, all bounded."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from mdcrawl.errors import MdcrawlError
from mdcrawl.items import Verdict

# What one archive may hold: a documentation site of 100,000 pages has some 2 GB unpacked.
MAX_MEMBERS = 200_000
MAX_UNPACKED_BYTES = 4_000_000_000


class InputError(MdcrawlError):
    """A path that is to be converted is not there or cannot be opened. Raised by `scrapy convert`."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file's relative URL and content, or the verdict that it cannot be read with and why."""

    url: str
    body: bytes = field(default=b"", repr=False)
    verdict: Verdict | None = None
    reason: str = ""


def local_files(paths: Sequence[Path], max_bytes: int) -> Iterator[LocalFile]:
    """Yield the files of all paths, one at a time; of several paths each has a folder of its own name.

    Raises InputError at once for a path that is not there. No file is read beyond `max_bytes`.
    """
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder")
    return _all_files(paths, max_bytes)


def _all_files(paths: Sequence[Path], max_bytes: int) -> Iterator[LocalFile]:
    taken: set[str] = set()
    for path in paths:
        root = _free_name(path.resolve().name, taken) if len(paths) > 1 else ""
        if path.is_dir():
            yield from _in_folder(path, root, max_bytes)
        elif zipfile.is_zipfile(path):
            yield from _in_archive(path, root, max_bytes)
        else:
            yield _read(path, _url(root or path.name), max_bytes)


def _free_name(name: str, taken: set[str]) -> str:
    """Return a name that no earlier path has: name, name-2, name-3."""
    free, count = name, 1
    while free in taken:
        count += 1
        free = f"{name}-{count}"
    taken.add(free)
    return free


def _url(*parts: str) -> str:
    """Return a relative URL; everything that would mean something in one is quoted."""
    return quote("/".join(part for part in parts if part), safe="/~", errors="surrogateescape")


def _in_folder(folder: Path, root: str, max_bytes: int) -> Iterator[LocalFile]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent) / name
            if not name.startswith("."):
                yield _read(path, _url(root, path.relative_to(folder).as_posix()), max_bytes)


def _read(path: Path, url: str, max_bytes: int) -> LocalFile:
    if not path.is_file():  # a pipe or a device would never end
        return LocalFile(url, verdict=Verdict.BAD_CONTENT, reason="no regular file")
    try:
        with path.open("rb") as file:
            body = file.read(max_bytes + 1)
    except OSError as error:
        return LocalFile(url, verdict=Verdict.BAD_CONTENT, reason=f"cannot be read: {error.strerror}")
    return _bounded(url, body, max_bytes)


def _bounded(url: str, body: bytes, max_bytes: int) -> LocalFile:
    if len(body) > max_bytes:
        return LocalFile(url, verdict=Verdict.TOO_LARGE, reason=f"over {max_bytes} bytes")
    return LocalFile(url, body)


def _in_archive(path: Path, root: str, max_bytes: int) -> Iterator[LocalFile]:
    """Yield the files of an archive; what its directory says of sizes is not believed."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        yield LocalFile(_url(root or path.name), verdict=Verdict.BAD_CONTENT, reason=f"not a sound archive: {error}")
        return
    with archive:
        room = MAX_UNPACKED_BYTES
        members = sorted(
            (member for member in archive.infolist() if not member.is_dir()), key=lambda each: each.filename
        )
        for count, member in enumerate(members):
            name = PurePosixPath(member.filename.replace("\\", "/"))
            url = _url(root, *(part for part in name.parts if part not in {"/", ".", ".."}))
            if ".." in name.parts or name.is_absolute():
                yield LocalFile(url, verdict=Verdict.BLOCKED_ADDRESS, reason="its path leads out of the archive")
            elif count >= MAX_MEMBERS or room <= 0:
                yield LocalFile(url, verdict=Verdict.LIMIT, reason="the archive holds too much")
            else:
                file = _read_member(archive, member, url, max_bytes)
                room -= len(file.body) or (max_bytes if file.verdict is Verdict.TOO_LARGE else 0)
                yield file


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, url: str, max_bytes: int) -> LocalFile:
    try:
        with archive.open(member) as file:
            return _bounded(url, file.read(max_bytes + 1), max_bytes)
    # RuntimeError is zipfile's word for an encrypted member, zlib.error for a broken one.
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, zlib.error) as error:
        return LocalFile(url, verdict=Verdict.BAD_CONTENT, reason=f"cannot be unpacked: {error}"[:300])
