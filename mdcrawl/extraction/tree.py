"""Parse a page into one lxml tree, and the small operations on trees that every step shares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TypeGuard

from cssselect import SelectorError
from lxml import etree
from lxml.html import HtmlComment, HtmlElement, HtmlEntity, HTMLParser, HtmlProcessingInstruction, document_fromstring

# libxml2 drops what lies deeper than 2,048 elements, even with huge_tree. Where that happens, tags
# that nest deeper than this are taken out of the source (each may stand with two uncounted ones).
MAX_PARSED_DEPTH = 500
# The steps walk the tree recursively, a few Python frames a level; built pages stay below 60 levels.
MAX_DEPTH = 120

_BLOCK_TAGS = """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search
    section summary table tbody td tfoot th thead tr ul video
"""
BLOCK_TAGS = frozenset(_BLOCK_TAGS.split())
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
# The elements of HTML section 13.2.6.4.4 that do not end the head.
_HEAD_TAGS = frozenset(
    ("base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title")
)
_GROUPING = frozenset(("div", "span", "font", "center", "section", "article", "main", "b", "i", "u", "em", "strong"))
_TAG = re.compile(r"<(/?)([a-z][a-z0-9:-]*)(?=[\s>/])[^>]*>", re.IGNORECASE)
# Tags that nothing need close, so that they cannot be counted; void ones among them.
_UNCOUNTED_NAMES = """
    p li dt dd td th tr thead tbody tfoot option optgroup colgroup br img hr input meta link base area col embed
    source track wbr param html head body script style
"""
_UNCOUNTED = frozenset(_UNCOUNTED_NAMES.split())
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_CONTROLS = bytes(number for number in range(32) if chr(number) not in "\t\n\r\x0c")
_REFERENCE = re.compile(r"&#(?:x([0-9a-f]+)|([0-9]+));?", re.IGNORECASE)
# Every element is of one class, which lxml then need not ask Python for: a third of the time of a walk.
_CLASSES = etree.ElementDefaultClassLookup(
    element=HtmlElement, comment=HtmlComment, pi=HtmlProcessingInstruction, entity=HtmlEntity
)
# Every attribute of a name, read by libxml2 without an object for each element.
_CLASS_VALUES = etree.XPath("descendant::*/@class", smart_strings=False)
_ROLES = etree.XPath("descendant::*/@role", smart_strings=False)
# Characters of a class attribute that are read; the rest could only fill the memory.
LONGEST_CLASSES = 2_000
_LONG_CLASSES = etree.XPath(f"descendant::*[string-length(@class) > {LONGEST_CLASSES}]")
_COUNT = etree.XPath("count(descendant-or-self::*)")
_TOO_DEEP = etree.XPath(f"boolean(/{'*/' * MAX_DEPTH}*)")


def parse(html: str) -> HtmlElement:
    """Return the `html` element of a page, with a body, comments left out. Raises nothing.

    Characters that no document may hold (NUL, lone surrogates) are dropped first, written out or by number. Of an
    endless class attribute only the first names are left.
    """
    declaration = _XML_DECLARATION.match(html)
    source = (html[declaration.end() :] if declaration else html).replace("\x0c", " ")
    if "&#" in source:
        source = _REFERENCE.sub(_sound_reference, source)
    parser = _parser()
    tree = _parse_with(parser, source)
    is_deep = _TOO_DEEP(tree)
    if is_deep and any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        tree = _parse_with(_parser(), _flatten(source))
    _leave_head(tree)
    for element in _LONG_CLASSES(tree):
        element.set("class", element.get("class")[:LONGEST_CLASSES].rpartition(" ")[0])
    if is_deep:
        _limit_depth(tree)
    return tree


def _sound_reference(match: re.Match[str]) -> str:
    """Return a reference to a character by its number, "" for one that no document may hold."""
    digits = match[1] or match[2]
    number = int(digits, 16 if match[1] else 10) if len(digits) < 10 else 0x110000
    return "" if number == 0x0C or (number < 0x110000 and _NOT_IN_XML.match(chr(number))) else match[0]


def _parser() -> HTMLParser:
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    parser.set_element_class_lookup(_CLASSES)
    return parser


_MAKER = _parser()  # makes an element eight times as fast as its class does


def _parse_with(parser: HTMLParser, source: str) -> HtmlElement:
    try:
        tree = document_fromstring(_sound_bytes(source), parser=parser, ensure_head_body=True)
    except etree.ParserError:  # nothing but space and comments
        tree = document_fromstring(b"<html><body></body></html>", parser=parser, ensure_head_body=True)
    return tree


def _sound_bytes(source: str) -> bytes:
    """Return a source as UTF-8 without the characters that no document may hold."""
    if "\ufffe" in source or "\uffff" in source:
        source = _NOT_IN_XML.sub("", source)
    try:
        encoded = source.encode()
    except UnicodeEncodeError:  # lone surrogates
        encoded = _NOT_IN_XML.sub("", source).encode()
    return encoded.translate(None, _CONTROLS)  # four times as fast as the pattern


def _leave_head(tree: HtmlElement) -> None:
    """Move what is no head content into the body.

    Pages may leave out the tags of head and body (HTML section 13.1.2.4); there libxml2, which knows no
    main or article, takes all that follows the title for head.
    """
    head, body = tree.find("head"), tree.find("body")
    if head is None or body is None:
        return
    first = next((at for at, child in enumerate(head) if is_element(child) and child.tag not in _HEAD_TAGS), None)
    if first is None:
        return
    moved = head[first:]
    text, body.text = body.text, None
    for at, child in enumerate(moved):
        body.insert(at, child)
    moved[-1].tail = (moved[-1].tail or "") + (text or "")


def _flatten(source: str) -> str:
    """Take out the tags that nest deeper than MAX_PARSED_DEPTH; their text stays."""
    depth = 0

    def keep_or_drop(match: re.Match[str]) -> str:
        nonlocal depth
        if match.group(2).lower() in _UNCOUNTED:
            return match.group() if depth <= MAX_PARSED_DEPTH else " "
        if match.group(1):
            depth = max(0, depth - 1)
            return match.group() if depth < MAX_PARSED_DEPTH else " "
        depth += 1
        return match.group() if depth <= MAX_PARSED_DEPTH else " "

    return _TAG.sub(keep_or_drop, source)


def cut(tree: HtmlElement, limit: int) -> int:
    """Take out what follows the first `limit` elements; return how many elements that were (0: none)."""
    total = int(_COUNT(tree))
    if total <= limit:
        return 0
    last = next(islice(tree.iter(), limit, None))
    node: HtmlElement | None = last
    while node is not None:
        parent = node.getparent()
        if parent is not None:
            del parent[parent.index(node) + 1 :]
        node = parent
    return total - limit


def _limit_depth(tree: HtmlElement) -> None:
    """Unwrap what is nested deeper than MAX_DEPTH: groups first, anything but leaves of text below twice that."""
    deep: list[HtmlElement] = []
    depth = 0
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if event == "end":
            depth -= 1
            continue
        depth += 1
        if depth > MAX_DEPTH and (element.tag in _GROUPING or depth > 2 * MAX_DEPTH):
            deep.append(element)
    for element in reversed(deep):
        unwrap(element)


def is_element(node: object) -> TypeGuard[HtmlElement]:
    """Return whether a node of a tree is an element (not a comment, entity or processing instruction)."""
    return isinstance(node, HtmlElement) and isinstance(node.tag, str)


def body_of(tree: HtmlElement) -> HtmlElement:
    """Return the body of a parsed page, or the whole tree when it has none."""
    body = tree.find("body")
    return tree if body is None else body


def elements(root: HtmlElement, *tags: str) -> list[HtmlElement]:
    """Return the elements below `root` (itself left out) in document order, safe against changes."""
    return [e for e in root.iter(*(tags or (etree.Element,))) if e is not root]


def ancestors(element: HtmlElement, limit: int = 0) -> Iterator[HtmlElement]:
    """Yield the ancestors of an element, nearest first, at most `limit` of them unless that is 0."""
    for count, ancestor in enumerate(element.iterancestors(), 1):
        yield ancestor
        if count == limit:
            return


def text_of(element: HtmlElement) -> str:
    """Return the text of an element with runs of white space folded into one space."""
    return " ".join(raw_text(element).split())


def short_text(element: HtmlElement, most_letters: int) -> str | None:
    """Return the `text_of` an element if it has no more letters than that, None else, which is soon seen."""
    most_words = most_letters // 2 + 1  # and as many spaces less one
    words = raw_text(element).split(None, most_words)
    text = " ".join(words)
    return text if len(words) <= most_words and len(text) <= most_letters else None


def raw_text(element: HtmlElement) -> str:
    """Return the text of an element as it stands in the source."""
    # Half the time of XPath's string(), a quarter of that of itertext().
    if len(element):
        return str(etree.tostring(element, method="text", encoding="unicode", with_tail=False))
    return element.text or ""


def has_text(element: HtmlElement) -> bool:
    """Return whether an element has text that is no white space."""
    text = raw_text(element)
    return bool(text) and not text.isspace()


def names_of(element: HtmlElement) -> str:
    """Return the class names and the id of an element, lower case, each between spaces."""
    return f" {element.get('class') or ''} {element.get('id') or ''} ".lower()


@lru_cache(maxsize=8192)
def class_names(written: str | None) -> frozenset[str]:
    """Return the names in a class attribute, lower case. Pages repeat few of them, sites hardly more."""
    return frozenset(written.lower().split()) if written else frozenset()


def class_values(root: HtmlElement) -> set[str]:
    """Return the class attributes of the elements below `root`, each once, as they are written."""
    return set(_CLASS_VALUES(root))


def has_class(element: HtmlElement, *names: str) -> bool:
    """Return whether an element has one of the class names, which are given in lower case."""
    return not class_names(element.get("class")).isdisjoint(names)


def with_class(root: HtmlElement, *names: str, role: str = "", among: set[str] | None = None) -> list[HtmlElement]:
    """Return the elements below `root` with one of the class names (see `has_class`), or with the role if one is given.

    They are in document order. `among` are their `class_values`, where they are known.
    """
    values = class_values(root) if among is None else among
    wanted = {value for value in values if not class_names(value).isdisjoint(names)}
    if not wanted and not (role and role in _ROLES(root)):
        return []
    return [e for e in elements(root) if e.get("class") in wanted or (role and e.get("role") == role)]


def is_attached(element: HtmlElement, root: HtmlElement) -> bool:
    """Return whether an element is still below `root`."""
    above = element.getparent()
    while above is not None and above is not root:
        above = above.getparent()
    return above is not None


def remove(element: HtmlElement) -> None:
    """Take an element out of its tree and leave the text behind it where it was."""
    if element.getparent() is not None:
        element.drop_tree()


def unwrap(element: HtmlElement) -> None:
    """Put the content of an element in its place."""
    if element.getparent() is not None:
        element.drop_tag()


def replace(element: HtmlElement, new: HtmlElement) -> None:
    """Put a new element in the place of an old one, before the text that follows it."""
    parent = element.getparent()
    if parent is not None:
        new.tail = element.tail
        element.tail = None
        parent.replace(element, new)


def make(tag: str, text: str = "", **attributes: str) -> HtmlElement:
    """Return a new element; `class_` stands for the class attribute."""
    element: HtmlElement = _MAKER.makeelement(tag)
    if text:
        element.text = text
    for name, value in attributes.items():
        element.set(name.rstrip("_").replace("_", "-"), value)
    return element


def empty(element: HtmlElement) -> None:
    """Take out all that an element holds; its attributes and the text behind it stay."""
    for child in list(element):
        element.remove(child)
    element.text = None


def find_by_css(root: HtmlElement, selector: str) -> list[HtmlElement]:
    """Return the elements below `root` that a CSS selector names; none for a selector that is not valid."""
    try:
        return list(root.cssselect(selector))
    except (SelectorError, etree.XPathError):
        return []
