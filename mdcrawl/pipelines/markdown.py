"""A page that its site serves as Markdown, as an extraction like any other."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from mdcrawl.discovery.links import markdown_links
from mdcrawl.discovery.markdown_source import clean_markdown
from mdcrawl.extraction.decode import decode
from mdcrawl.items import Evidence, Extraction, Inventory, Receipt
from mdcrawl.verdicts.words import count_words

_PARSER = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")
_PARSER.core.ruler.enableOnly(["normalize", "block"])


def take_markdown(body: bytes, charset: str, url: str) -> Extraction:
    """Return the extraction of a Markdown page: cleaned, with title, links and inventory.

    What was taken out (banners, instructions to machines, components) is counted in the receipt.
    """
    decoded = decode(body, charset)
    source = clean_markdown(decoded.text)
    front = dict(source.front)
    markdown = source.markdown.strip()
    inventory = _inventory(markdown)
    title = front.get("title", "") or _first_heading(markdown)
    return Extraction(
        title=title,
        markdown=markdown,
        extractor="native",
        receipt=Receipt(inventory, inventory, tuple(f"removed: {count} {what}" for what, count in source.removed)),
        description=front.get("description", ""),
        canonical_url=front.get("canonical_url", ""),
        charset=decoded.charset,
        charset_guessed=decoded.guessed,
        links=markdown_links(markdown, url),
        # All of a Markdown page is its main content.
        evidence=Evidence(title=title, body_words=inventory.words, main_words=inventory.words),
    )


def _first_heading(markdown: str) -> str:
    found = re.search(r"^# +(.+?)[ #]*$", markdown, re.MULTILINE)
    return found[1] if found else ""


def _inventory(markdown: str) -> Inventory:
    kinds = [token.type for token in _PARSER.parse(markdown)]
    return Inventory(
        headings=kinds.count("heading_open"),
        code_blocks=kinds.count("fence") + kinds.count("code_block"),
        tables=kinds.count("table_open"),
        list_items=kinds.count("list_item_open"),
        words=count_words(markdown),
    )
