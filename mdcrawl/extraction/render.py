"""Render a prepared tree as Markdown: CommonMark 0.31 with GFM tables and strikethrough."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lxml.html import HtmlElement
from markdownify import MarkdownConverter

from mdcrawl.extraction import inline
from mdcrawl.extraction.citations import MAX_PREFIX, Cited, restore_links
from mdcrawl.extraction.html_tables import table_html
from mdcrawl.extraction.tree import BLOCK_TAGS, HEADINGS
from mdcrawl.items import ImageMode, LinkMode

_NOTHING: frozenset[str] = frozenset()
_FENCE_RUN = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rendered:
    """Markdown, and each of its headings in order: plain text and the id of its place in the page."""

    markdown: str = field(repr=False)
    anchors: tuple[tuple[str, str], ...] = ()


def to_markdown(root: HtmlElement, links: LinkMode = LinkMode.STRIP, images: ImageMode = ImageMode.ALT) -> Rendered:
    """Return the Markdown of a prepared element. Raises nothing for any prepared tree."""
    if links is LinkMode.CITATIONS:
        cited, anchors = cite(root, images)
        return Rendered(cited.with_references(), anchors)
    converter = Converter(links, images)
    return Rendered(converter.process_tag(root).strip("\n"), tuple(converter.anchors))


def cite(root: HtmlElement, images: ImageMode = ImageMode.ALT) -> tuple[Cited, tuple[tuple[str, str], ...]]:
    """Return the Markdown of a prepared element with numbered marks for its links, and its headings.

    `restore_links` gives the Markdown with inline links back, byte for byte: marks get a prefix until
    no text of the page's own (`table[0][1]` in its code) reads like one.
    """
    inline_links = Converter(LinkMode.KEEP, images).process_tag(root).strip("\n")
    for length in range(MAX_PREFIX + 1):
        converter = Converter(LinkMode.CITATIONS, images, "r" * length)
        body = converter.process_tag(root).strip("\n")
        cited = Cited(body, tuple((mark, url) for url, mark in converter.references.items()))
        if restore_links(cited) == inline_links:
            break
    return cited, tuple(converter.anchors)


class Converter(MarkdownConverter):
    """markdownify over lxml elements: one walk, no BeautifulSoup; `convert_TAG` methods give each tag's Markdown.

    A method takes the element, the Markdown of what it holds and the set of contexts around it
    (`_cell`, `_heading`, `a`), and returns Markdown without blank lines around it.
    """

    def __init__(self, links: LinkMode, images: ImageMode, prefix: str = "") -> None:
        super().__init__(heading_style="atx", bullets="-")
        self.links, self.images, self._prefix = links, images, prefix
        self.references: dict[str, str] = {}
        self.anchors: list[tuple[str, str]] = []

    def process_tag(self, node: HtmlElement, parent_tags: frozenset[str] = _NOTHING) -> str:
        """Return the Markdown of an element."""
        tag = str(node.tag)
        convert = self.converter_of(tag)
        if tag in _OWN_WALK:
            assert convert is not None
            return convert(node, "", parent_tags)
        if tag in BLOCK_TAGS and tag not in _INLINE_CONTENT:
            text = self.join_blocks(self.blocks(node, parent_tags))
        else:
            text = self.runs(node, parent_tags | {tag} if tag == "a" else parent_tags)
        return convert(node, text, parent_tags) if convert else text

    def converter_of(self, tag: str) -> Callable[[HtmlElement, str, frozenset[str]], str] | None:
        """Return markdownify's choice of method for a tag."""
        return self.get_conv_fn_cached(tag)  # type: ignore[attr-defined, no-any-return]  # its stubs leave the method out

    def blocks(
        self, node: HtmlElement, parent_tags: frozenset[str], found: list[tuple[str, str]] | None = None
    ) -> list[tuple[str, str]]:
        """Return the blocks of a container: (tag, Markdown) of each that shows anything, added to `found`."""
        found = [] if found is None else found
        if not any(child.tag in BLOCK_TAGS for child in node):  # a definition, a caption: one run of inline content
            text = self.convert_p(node, self.runs(node, parent_tags), parent_tags)
            found += [("p", text)] if text else []
            return found
        if node.text and node.text.strip():  # only in trees that were not prepared
            found.append(("p", self.convert_p(node, inline.escape(node.text), parent_tags)))
        for child in node:
            tag = child.tag
            if not isinstance(tag, str):
                continue
            if tag in _TRANSPARENT:
                self.blocks(child, parent_tags, found)
                continue
            if tag in {"ul", "ol"} and found and found[-1][0] == tag:
                child.set("data-md", "other")  # else the two lists would read as one
                tag += " other"
            text = self.process_tag(child, parent_tags)
            if child.tag not in BLOCK_TAGS:
                tag, text = "p", self.convert_p(child, text, parent_tags)
            if text:
                found.append((tag, text))
        return found

    def join_blocks(self, blocks: list[tuple[str, str]]) -> str:
        """Put a blank line between blocks."""
        return "\n\n".join(text for _, text in blocks)

    def runs(self, node: HtmlElement, parent_tags: frozenset[str]) -> str:
        """Return the inline Markdown of what an element holds, marks not yet resolved."""
        parts = [inline.escape(node.text)] if node.text else []
        for child in node:
            if isinstance(child.tag, str):
                parts.append(self.process_tag(child, parent_tags))
            if child.tail:
                parts.append(inline.escape(child.tail))
        return "".join(parts)

    # Blocks

    def convert_p(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Paragraphs; two breaks in a row part them."""
        lines = re.sub(r"\n{2,}", "\n\n", inline.finish(text))
        if not lines:
            return ""
        return "\n\n".join(inline.escape_line_starts(part).replace("\n", "  \n") for part in lines.split("\n\n"))

    convert_summary = convert_figcaption = convert_caption = convert_legend = convert_p

    def convert_hN(self, n: int, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:  # noqa: N802 (markdownify's name)
        """ATX headings without emphasis; the heading is noted with its anchor."""
        text = inline.finish(text, emphasis=False).replace("\n", " ")
        if not text:
            return ""
        if text.endswith("#"):
            text = text[:-1] + "\\#"
        self.anchors.append((" ".join("".join(el.itertext()).split()), el.get("data-anchor") or ""))
        return "#" * min(6, max(1, n)) + " " + text

    def convert_blockquote(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Every line after a ">"."""
        return "\n".join("> " + line if line else ">" for line in text.split("\n")) if text else ""

    def convert_pre(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Fenced code: the text as it is, the fence longer than any in it, a title behind the language."""
        code = "".join(el.itertext())
        first = next(iter(el), None)
        language = (first.get("class") or "").removeprefix("language-") if first is not None else ""
        fence = "`" * max(3, 1 + max((len(run) for run in _FENCE_RUN.findall(code)), default=2))
        title = el.get("data-md-title")
        info = f'{language} title="{title}"' if title else language
        return f"{fence}{info}\n{code}\n{fence}"

    def convert_hr(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Thematic breaks; hyphens behind a bullet would make one of both."""
        return "---" if next(el.iterancestors("li"), None) is None else "___"

    def convert_list(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Tight lists, numbered from `start`."""
        ordered, other = el.tag == "ol", el.get("data-md") == "other"
        number = _integer(el.get("start"), 1)
        lines: list[str] = []
        for item in el:
            if item.tag != "li":
                text = self.process_tag(item, parent_tags)
                if text and lines:
                    lines.append(_indent(text, 2))
                continue
            number = _integer(item.get("value"), number) if ordered else number
            marker = f"{number}{')' if other else '.'} " if ordered else "* " if other else "- "
            body = self._item(item, parent_tags)
            if body or item.get("data-md") == "keep":
                lines.append(marker.rstrip() if not body else marker + _indent(body, len(marker)))
            number += 1
        return "\n".join(lines)

    convert_ul = convert_ol = convert_list

    def _item(self, item: HtmlElement, parent_tags: frozenset[str]) -> str:
        blocks = self.blocks(item, parent_tags)
        text = ""
        for position, (tag, block) in enumerate(blocks):
            # A list may follow its item's first paragraph at once, if it can interrupt one.
            tight = position == 1 and blocks[0][0] == "p" and (tag == "ul" or (tag == "ol" and block.startswith("1.")))
            text += ("" if not position else "\n" if tight else "\n\n") + block
        return text

    def convert_dt(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Terms in bold, unless they are marked up themselves."""
        marked = any(child.tag in {"code", "strong", "b", "a"} for child in el.iter())
        return self.convert_p(el, text if marked else f"{inline.STRONG}{text}{inline.STRONG_END}", parent_tags)

    def convert_dd(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Definitions as their blocks."""
        return text

    def convert_div(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Containers are transparent."""
        return text

    convert_article = convert_section = convert_dl = convert_li = convert_tr = convert_td = convert_th = convert_div

    def convert_table(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Pipe tables, whose first row is the header."""
        if el.get("data-md") == "html":
            return table_html(el)
        caption = el.find("caption")
        label = self.convert_p(caption, self.runs(caption, parent_tags), parent_tags) if caption is not None else ""
        rows = [[self._cell(cell) for cell in row if cell.tag in {"td", "th"}] for row in el.iter("tr")]
        rows = [row for row in rows if row]
        if not rows:
            return label
        width = max(len(row) for row in rows)
        if el.get("data-md") == "headless":
            rows.insert(0, [""] * width)
        lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
        lines.insert(1, "|" + " --- |" * width)
        return (label + "\n\n" if label else "") + "\n".join(lines)

    def _cell(self, cell: HtmlElement) -> str:
        text = inline.finish(self.runs(cell, frozenset(("_cell",))))
        return re.sub(r"\n+", "<br>", text).replace("|", "\\|")

    # Inline

    def convert_br(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Hard breaks."""
        return inline.BREAK

    def convert_code(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Inline code."""
        return inline.code_span("".join(el.itertext()))

    convert_kbd = convert_samp = convert_tt = convert_code

    def convert_b(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Strong."""
        return _marked(inline.STRONG, text, inline.STRONG_END)

    convert_strong = convert_b

    def convert_em(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Emphasis."""
        return _marked(inline.EM, text, inline.EM_END)

    convert_i = convert_em

    def convert_del(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Struck out."""
        return _marked(inline.DEL, text, inline.DEL_END)

    convert_s = convert_strike = convert_del

    def convert_sup(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Sup and sub as HTML, so that they stay apart from what they stand at."""
        return f"<{el.tag!s}>{text.strip()}</{el.tag!s}>" if text.strip() else ""

    convert_sub = convert_sup

    def convert_span(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Spans say nothing, except those that hold Markdown already: TeX, note marks, task boxes."""
        return "".join(el.itertext()) if el.get("data-md") == "raw" else text

    def convert_q(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Quotations in marks."""
        return f'"{text}"'

    def convert_a(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Links by mode; `href` is absolute already, or absent where it leads nowhere."""
        href = el.get("href")
        inner = text.strip()
        if not href or self.links is LinkMode.STRIP or not inner or "a" in parent_tags:
            return text
        lead, trail = " " * (text[:1] in " \n"), " " * (text[-1:] in " \n")
        if not _balanced(inner):
            inner = re.sub(r"(?<!\\)([\[\]])", r"\\\1", inner)
        if self.links is LinkMode.CITATIONS:
            mark = self.references.setdefault(_destination(href), f"{self._prefix}{len(self.references) + 1}")
            return f"{lead}[{inner}][{mark}]{trail}"
        return f"{lead}[{inner}]({_destination(href)}){trail}"

    def convert_img(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Images by mode."""
        if self.images is ImageMode.STRIP:
            return ""
        alt = re.sub(r"([\[\]\\`])", r"\\\1", " ".join((el.get("alt") or "").split()))
        src = el.get("src") or ""
        if self.images is ImageMode.KEEP and src:
            return f"![{alt}]({_destination(src)})"
        return f"![{alt}]()" if alt else ""

    def convert_script(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Nothing."""
        return ""

    convert_style = convert_script

    def convert_video(self, el: HtmlElement, text: str, parent_tags: frozenset[str]) -> str:
        """Videos as what they show where they cannot play."""
        return text


_OWN_WALK = frozenset(("pre", "code", "kbd", "samp", "tt", "table", "ul", "ol", "br", "img", "hr", "script", "style"))
_INLINE_CONTENT = HEADINGS | {"p", "dt", "summary", "caption", "legend"}
_TRANSPARENT_NAMES = """
    div section article main header footer figure figcaption details body html center address form fieldset hgroup
    aside nav dl dd dialog search td th tr tbody thead tfoot
"""
_TRANSPARENT = frozenset(_TRANSPARENT_NAMES.split())


def _marked(start: str, text: str, end: str) -> str:
    return f"{start}{text}{end}" if text.strip() else text


def _indent(text: str, width: int) -> str:
    return text.replace("\n", "\n" + " " * width).replace("\n" + " " * width + "\n", "\n\n") if "\n" in text else text


def _integer(written: str | None, default: int) -> int:
    return int(written) if written and written.isascii() and written.isdigit() and len(written) < 10 else default


def _balanced(text: str) -> bool:
    depth = 0
    for char in re.sub(r"\\.", "", text):
        depth += (char == "[") - (char == "]")
        if depth < 0:
            return False
    return depth == 0


def _destination(url: str) -> str:
    """Return a link's target so that it ends where it should: no spaces, no bars (of tables), parentheses in pairs."""
    url = re.sub(r"[\s<>|]", lambda match: f"%{ord(match.group()):02X}", url.strip())
    depth = 0
    for char in url:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            break
    return url if depth == 0 else url.replace("(", "%28").replace(")", "%29")
