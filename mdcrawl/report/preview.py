"""The Markdown of a chunk as HTML to look at: of its own HTML only structure is shown, and nothing loads."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from mdcrawl.report.sanitize import harmless_fragment


class _Renderer(RendererHTML):
    """Pictures become their descriptions, headings paragraphs (the report has an outline of its own)."""

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        alt = self.renderInlineAsText(tokens[idx].children or [], options, env)
        return f'<i class="img">image: {escape(alt or "no description")}</i>'

    def heading_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<p class="h {tokens[idx].tag}">'

    def heading_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</p>\n"

    def html_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return tokens[idx].content if tokens[idx].content in _INLINE else escape(tokens[idx].content)

    def html_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        html = tokens[idx].content
        return harmless_fragment(html) if html.lstrip().startswith("<table") else f"<p>{escape(html.strip())}</p>\n"

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        target = str(tokens[idx].attrGet("href") or "")
        if not target.lower().startswith(("http://", "https://")):
            return "<a>"
        return f'<a href="{escape(target, quote=True)}" rel="noopener noreferrer" target="_blank">'


# Scrapy lets every record be made, whatever the level of its log; the parser makes seven a line.
logging.getLogger("markdown_it").setLevel(logging.INFO)
# What the converter writes in a line; a browser ends what is left open with its paragraph.
_INLINE = frozenset(("<br>", "<sub>", "</sub>", "<sup>", "</sup>"))
# What lies deeper the parser leaves out; lists of real pages are ten levels deep at most.
_MAX_NESTING = 60
_OPTIONS = {"html": True, "maxNesting": _MAX_NESTING}
_PARSER = MarkdownIt("commonmark", _OPTIONS, renderer_cls=_Renderer).enable("table")


def markdown_html(markdown: str) -> str:
    r"""Return Markdown as HTML; HTML in it shows as text, but for what the converter itself writes.

    >>> markdown_html("**Oil** <b>it</b>")
    '<p><strong>Oil</strong> &lt;b&gt;it&lt;/b&gt;</p>\n'
    """
    env: dict[str, Any] = {}
    tokens = _PARSER.parse(markdown, env)
    if any(token.level >= _MAX_NESTING - 1 for token in tokens):
        return f"<pre>{escape(markdown)}</pre>"
    return str(_PARSER.renderer.render(tokens, _PARSER.options, env))
