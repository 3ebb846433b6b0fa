"""The options of extraction, apart from it: who only hands them on need not load it."""

from __future__ import annotations

from dataclasses import dataclass

from mdcrawl.items import ImageMode, LinkMode


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """How to extract: link and image mode; CSS selectors of the main content and of what to drop."""

    links: LinkMode = LinkMode.STRIP
    images: ImageMode = ImageMode.ALT
    main_content: str = ""
    drop: tuple[str, ...] = ()


DEFAULT_OPTIONS = ExtractionOptions()
