"""Pages that say "not found" with a status of success."""

from __future__ import annotations

import re

from mdcrawl.items import Extraction

_MISSING = re.compile(r"page not found|nicht gefunden|introuvable|no encontrad|não encontrad|не найден", re.IGNORECASE)


def missing_page(extraction: Extraction, words: int) -> str:
    """Return why this says that there is no such page, or ""."""
    if words < 150 and _MISSING.fullmatch(extraction.title.strip()):
        return f"the title says {extraction.title.strip()!r}, {words} words"
    return ""
