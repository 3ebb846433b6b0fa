"""Prepare a page's tree: every family of markup brought to one plain form, furniture taken out.

After it a tree holds blocks only (headings, paragraphs, lists, quotations, tables, code, containers
without meaning), and `data-md` marks what the renderer must know: code, html, headless, raw, keep.
"""

from __future__ import annotations

from collections.abc import Callable

from lxml.html import HtmlElement

from mdcrawl.extraction.prepare.admonitions import box_admonitions
from mdcrawl.extraction.prepare.blocks import normalise_blocks
from mdcrawl.extraction.prepare.chrome import remove_controls, remove_landmarks, remove_never
from mdcrawl.extraction.prepare.code import canonical_code
from mdcrawl.extraction.prepare.comments import remove_comments
from mdcrawl.extraction.prepare.furniture import remove_furniture
from mdcrawl.extraction.prepare.headings import clean_headings
from mdcrawl.extraction.prepare.hidden import clean_characters, remove_hidden
from mdcrawl.extraction.prepare.images import resolve_images
from mdcrawl.extraction.prepare.links import resolve_links, reveal_emails, show_hidden_links
from mdcrawl.extraction.prepare.lists import mark_tasks, repair_lists
from mdcrawl.extraction.prepare.math import write_math
from mdcrawl.extraction.prepare.notes import write_notes, write_ruby
from mdcrawl.extraction.prepare.phrases import remove_lines, remove_teasers
from mdcrawl.extraction.prepare.tables import sort_tables
from mdcrawl.extraction.prepare.tabs import open_details, open_tabs

Step = Callable[[HtmlElement], None]

STEPS: tuple[Step, ...] = (
    clean_characters,  # first: every later step compares texts
    canonical_code,  # gutters and labels still have their classes; code is safe from all that follows
    write_math,  # MathJax keeps its source in scripts, and what is drawn is aria-hidden
    remove_never,
    reveal_emails,  # before the link that hides an address is judged
    open_tabs,  # before hidden panels and the buttons that name them go
    show_hidden_links,
    mark_tasks,  # before form controls go
    remove_hidden,
    clean_headings,  # before furniture: its anchor signs carry the headings' ids
    write_notes,  # before furniture: notes stand in asides and footers
    box_admonitions,  # before furniture: an aside with a kind is content
    open_details,
    remove_controls,
    remove_landmarks,
    remove_furniture,
    remove_teasers,
    remove_lines,  # after the boxes that hold most of them
    write_ruby,
    repair_lists,
    sort_tables,  # last of the families: cells hold what the others made
)


def prepare(body: HtmlElement, base: str = "", url: str = "", kinds: frozenset[str] = frozenset()) -> None:
    """Bring a parsed body, in place, to the plain form that selection and rendering work on.

    `base` is what relative links stand against, `url` the page's own address, `kinds` the types of
    page that it declares (lower case).
    """
    for step in STEPS:
        step(body)
    remove_comments(body, url, kinds)
    resolve_links(body, base, url)
    resolve_images(body, base)
    normalise_blocks(body)  # whatever is left is now blocks that hold inline runs
