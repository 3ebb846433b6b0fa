"""What a language model adds to a page: fields, and fit views of the blocks that it keeps."""

from __future__ import annotations

from dataclasses import replace

from markdown_it import MarkdownIt

from mdcrawl.items import Fields, Page, View
from mdcrawl.llm.ask import Ask, find_fields, fit_markdown
from mdcrawl.llm.client import ModelError
from mdcrawl.llm.work import ModelWork


async def complete(page: Page, work: ModelWork, ask: Ask) -> None:
    """Write into a page what the model gives; what it does not give is named in the page's reason.

    Raises what `ask` raises but ModelError.
    """
    if work.fields:
        page.reason += await _add_fields(page, work, ask)
    if work.is_filter and page.extraction.views is not None:
        page.reason += await _narrow(page, work, ask)


async def _add_fields(page: Page, work: ModelWork, ask: Ask) -> str:
    found = await find_fields(ask, work.fields, page.extraction.markdown, work.chunk_tokens)
    had = page.extraction.fields or Fields()
    fields = Fields(had.values | found.values, had.problems + found.problems)
    page.extraction = replace(page.extraction, fields=fields)
    return found.complaint


async def _narrow(page: Page, work: ModelWork, ask: Ask) -> str:
    views = page.extraction.views
    assert views is not None
    try:
        fit = await fit_markdown(ask, work.query, page.extraction.markdown, work.chunk_tokens)
    except ModelError as error:
        return f"; fit view unfiltered: model: {error}"
    html = MarkdownIt("commonmark").enable("table").render(fit) if View.FIT_HTML in work.views else ""
    views = replace(views, fit_markdown=fit if View.FIT_MARKDOWN in work.views else "", fit_html=html)
    page.extraction = replace(page.extraction, views=views)
    return ""
