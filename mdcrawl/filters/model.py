"""The filter that stands for a language model: the page is narrowed after its verdict, outside the workers."""

from __future__ import annotations

from lxml.html import HtmlElement

from mdcrawl.extraction.seams import FilterPage

PATH = "mdcrawl.filters.model.keep_all"


def keep_all(root: HtmlElement, page: FilterPage) -> None:
    """Take nothing out: `mdcrawl.pipelines.model` asks the model which blocks are fit."""
