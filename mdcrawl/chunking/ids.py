"""Ids and content hashes of chunks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def chunk_id(url: str, heading_path: Sequence[str], occurrence: int, part: int, text: str) -> str:
    """Return the 32 hex digits that name a chunk, as the contract defines them.

    `occurrence` tells apart the sections of one page that share a heading path and `part` the
    chunks of one section, both from 0; `text` is the chunk without its breadcrumb.
    """
    fields = (url, *heading_path, str(occurrence), str(part), text)
    # Each field carries its length, so that no two lists of fields read the same.
    return hashlib.sha256("".join([f"{len(field)}:{field}" for field in fields]).encode()).hexdigest()[:32]


def content_hash(text: str) -> str:
    """Return the sha256 of the text in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
