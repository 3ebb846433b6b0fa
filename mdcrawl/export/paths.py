"""Where each stored page's Markdown file lies below the output folder."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from urllib.parse import unquote, urlsplit

# Control characters and what Windows forbids in names.
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\/]')
# Names of devices on Windows, whatever follows the first dot.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)", re.IGNORECASE)
_PAGE_SUFFIX = re.compile(r"\.(?:x?html?|php|md|markdown)$", re.IGNORECASE)
# File systems take 255 bytes; room is left for the hash and the suffix.
_MAX_NAME_BYTES = 120
_MAX_PATH = 200


class MarkdownPaths:
    """Paths that follow the URLs: host, folders, name. Give it the URLs in order, once each.

    Two URLs never share a file, on no file system: where a path would be another's but for letter
    case or what names may not hold, the first digits of the URL's hash tell them apart.
    """

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def path_of(self, url: str) -> str:
        """Return the path for a URL, relative to the output folder; a relative URL has no host.

        >>> MarkdownPaths().path_of("https://docs.example.com/guide/intro.html")
        'markdown/docs.example.com/guide/intro.md'
        """
        parts = urlsplit(url)
        *folders, name = parts.path.removeprefix("/").split("/")
        host = parts.netloc.rpartition("@")[2].strip("[]")
        path = "/".join(
            [
                "markdown",
                *([_safe(host)] if host else []),
                *map(_safe_folder, folders),
                _safe(_PAGE_SUFFIX.sub("", unquote(name)) or "index"),
            ]
        )
        if parts.query or parts.fragment or len(path) > _MAX_PATH or self._is_taken(path):
            path = f"{path[:_MAX_PATH].rstrip('/. ')}-{hashlib.sha256(url.encode('utf-8', 'replace')).hexdigest()[:8]}"
        self._taken.add(_key(path))
        return f"{path}.md"

    def _is_taken(self, path: str) -> bool:
        return _key(path) in self._taken


def _key(path: str) -> int:
    # A hash is enough: taking a free path for a taken one only makes it longer.
    return hash(unicodedata.normalize("NFC", path).casefold())


def _safe_folder(segment: str) -> str:
    name = _safe(unquote(segment))
    # "a.md" is the file of the page "a".
    return f"{name}_" if name.lower().endswith(".md") else name


def _safe(name: str) -> str:
    """Return a name that every file system takes."""
    name = _FORBIDDEN.sub("_", name).encode("utf-8", "replace")[:_MAX_NAME_BYTES].decode("utf-8", "ignore")
    name = name.strip(" ").rstrip(". ")
    return f"_{name}" if not name or _DEVICE.match(name) else name
