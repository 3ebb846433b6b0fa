"""mdcrawl turns websites into clean Markdown and heading-aware chunks for retrieval."""

from __future__ import annotations

__version__ = "0.1.0"
