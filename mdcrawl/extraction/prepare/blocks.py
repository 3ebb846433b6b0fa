"""Bring a tree to blocks: containers hold blocks only, and every run of inline content is a paragraph."""

from __future__ import annotations

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import BLOCK_TAGS, HEADINGS, elements, is_element, make, unwrap

# What shows although it has no text.
_VISIBLE = frozenset(("img", "math"))
_INLINE_ONLY = HEADINGS | {"p", "summary", "legend", "dt", "caption"}
_CONTAINERS_OF_CONTAINERS = frozenset(("ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr", "menu", "dir"))


def normalise_blocks(body: HtmlElement) -> None:
    """Wrap inline runs in paragraphs, and unwrap inline elements that hold blocks."""
    around = _around_blocks(body)
    for element in elements(body):
        if element in around and element.tag not in BLOCK_TAGS and element.tag not in _VISIBLE:
            element.tag = "div"
    for element in [body, *elements(body)]:
        if element in around and element.tag in _INLINE_ONLY:
            if element.tag == "p":
                element.tag = "div"
            elif element.tag in HEADINGS:
                _make_inline(element)
    for element in [body, *elements(body)]:
        if (
            element.tag in BLOCK_TAGS
            and element.tag not in _INLINE_ONLY
            and element.tag != "pre"
            and element.tag not in _CONTAINERS_OF_CONTAINERS
        ):
            _wrap_runs(element)


def _around_blocks(body: HtmlElement) -> set[HtmlElement | None]:
    """Return the elements that hold a block, at whatever depth."""
    around: set[HtmlElement | None] = set()
    for element in reversed(elements(body)):
        if element.tag in BLOCK_TAGS or element in around:
            around.add(element.getparent())
    return around


def _make_inline(heading: HtmlElement) -> None:
    for child in elements(heading):
        if child.tag in BLOCK_TAGS:
            child.tail = " " + (child.tail or "")
            unwrap(child)


def _wrap_runs(container: HtmlElement) -> None:
    run: list[HtmlElement | str] = []
    children = [child for child in container if is_element(child)]
    text = container.text
    if not children and not (text and text.strip()):
        return
    tails = [child.tail for child in children]
    are_blocks = [child.tag in BLOCK_TAGS for child in children]
    if container.tag in {"td", "th", "dd", "figcaption"} and not any(are_blocks):
        return
    if all(are_blocks) and not any(between and not between.isspace() for between in (text, *tails)):
        container.text = None
        for child in children:
            child.tail = None
        return
    for child in children:
        child.tail = None
        container.remove(child)
    container.text = None
    if text:
        run.append(text)
    for child, tail in zip(children, tails, strict=True):
        if child.tag in BLOCK_TAGS:
            _close(container, run)
            container.append(child)
        else:
            run.append(child)
        if tail:
            run.append(tail)
    _close(container, run)


def _close(container: HtmlElement, run: list[HtmlElement | str]) -> None:
    if any(_shows(part) for part in run):
        paragraph = make("p")
        last: HtmlElement | None = None
        for part in run:
            if isinstance(part, str):
                if last is None:
                    paragraph.text = (paragraph.text or "") + part
                else:
                    last.tail = (last.tail or "") + part
            else:
                paragraph.append(part)
                last = part
        container.append(paragraph)
    run.clear()


def _shows(part: HtmlElement | str) -> bool:
    if isinstance(part, str):
        return bool(part.strip())
    return any(e.tag in _VISIBLE for e in part.iter()) or bool("".join(part.itertext()).strip())
