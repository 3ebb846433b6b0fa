"""Short pages whose own content is complete: a product, a glossary entry, a call of an API."""

from __future__ import annotations

import re

from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.shell import needs_browser
from mdcrawl.verdicts.words import count_words

# Types of structured data whose pages are short by nature.
_SHORT_TYPES = frozenset(
    {
        *("product", "definedterm", "recipe", "event", "person", "place", "localbusiness", "organization", "book"),
        *("movie", "apireference", "techarticle", "softwareapplication", "question", "answer", "quotation", "dataset"),
        *("review", "offer"),
    }
)
_SENTENCE_END = re.compile(r"[.!?](?=[\s\"'”’)*_]|$)|[。！？।؟။។]|\.\s*$")
_BREAKS_OFF = re.compile(r"(?:…|\.\.\.|\[…\])[\s*_]*$")
_TABLE_RULE = re.compile(r"^\|?[ :|-]*---[ :|-]*\|", re.MULTILINE)
_ITEM = re.compile(r"^ *(?:[-*+]|\d+[.)]) +\S", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def complete(facts: Facts, min_words: int) -> str:
    """Return by what a page below `min_words` is known to be complete, as a phrase; "" if it is not."""
    # Below a tenth of the floor nothing tells a sound page from a stub, below a fifth no prose does.
    if facts.words < min_words // 10 or needs_browser(facts.evidence, facts.words, min_words=min_words):
        return ""
    markdown = facts.extraction.markdown.strip()
    if not facts.titles or _BREAKS_OFF.search(markdown) or _is_mostly_links(facts):
        return ""
    kept = facts.extraction.receipt.kept
    if kept.code_blocks or "```" in markdown:
        return "a title and a code block"
    if kept.tables or _TABLE_RULE.search(markdown):
        return "a title and a table"
    heading = _own_heading(facts)
    if not heading:
        return ""
    if kind := next((each for each in facts.evidence.schema_types if each in _SHORT_TYPES), ""):
        return f"its own heading and structured data of type {kind}"
    units = len(_SENTENCE_END.findall(markdown.split(heading, 1)[-1])) + len(_ITEM.findall(markdown))
    if facts.evidence.main_words >= 0 and units >= 2 and facts.words >= min_words // 5:
        return f"the title is its heading, {units} whole sentences or list items in its own main element"
    return ""


def _own_heading(facts: Facts) -> str:
    """Return the heading of the content that the page's title names too; "" if there is none."""
    title = facts.evidence.title.lower()
    lines = [line.lstrip("# ").strip() for line in facts.extraction.markdown.splitlines() if line.startswith("#")]
    for heading in (*lines, *facts.evidence.headings):
        if heading and heading.lower() in title:
            return heading
    return ""


def _is_mostly_links(facts: Facts) -> bool:
    """Return whether more than half of the main content is links: a list of pages, no page."""
    evidence = facts.evidence
    if evidence.main_words > 0:
        return evidence.main_link_words > evidence.main_words / 2
    linked = sum(count_words(text) for text in _LINK.findall(facts.extraction.markdown))
    return linked > facts.words / 2
