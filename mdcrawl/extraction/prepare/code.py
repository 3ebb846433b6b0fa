"""Code blocks to one canonical form: `<pre><code class="language-x">text</code></pre>`, the text byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

from mdcrawl.extraction.prepare.languages import known_language, language_name
from mdcrawl.extraction.tree import (
    ancestors,
    class_names,
    class_values,
    elements,
    has_class,
    is_attached,
    make,
    names_of,
    raw_text,
    remove,
    replace,
    text_of,
)

# "language- theme" names none.
_LANGUAGE_CLASS = re.compile(
    r"(?:^|\s)(?P<prefix>(?:language|lang)(?=[-_:]+\S)|highlight-source|highlight-text|highlight|brush:|"
    r"sourcecode|hljs|prism|code|src|syntaxhighlighter|codehilite)[-_ :]+(?P<name>[a-z0-9][\w+#.-]*)",
)
# Prefixes behind which a name need not be known; "code-box" and "hljs-ln" are no languages.
_CERTAIN_PREFIXES = frozenset(("language", "lang", "highlight-source", "highlight-text", "highlight", "brush:"))
_LANGUAGE_ATTRIBUTES = (
    "data-language",
    "data-lang",
    "data-code-language",
    "data-highlight-language",
    "data-syntax",
    "language",
    "lang-name",
)
# Tables that show line numbers in one cell and the code in the next.
_CODE_TABLE = re.compile(
    r"(?:^|[\s_-])(highlighttable|rouge-table|lntable|linenotable|codehilitetable|hljs-ln|highlight|syntaxhighlighter|blob-code\S*|js-file-line-container|crayon-table)(?=\s|$)"
)
# Parts of a block that are not its code. Must not match token classes ("ln" of SQL, "copy" keywords).
_DECORATION = re.compile(
    r"(?:^|[\s_-])(?:linenos?|linenodiv|line-?numbers?(?:-rows|-wrapper|-sizer|-row)?|ln-num|lnt|hljs-ln-numbers|hljs-ln-n|gutter|rouge-gutter|gl|"
    r"copy|copybtn|copy-button|copy-code-button|code-copy|clipboard(?:-copy)?|buttons?|toolbar|toolbar-item|tooltip|code-header|crayon-num|"
    r"sr-only|visually-hidden|screen-reader-text|boring)(?=\s|$)"
)
_NUMBERED_LINE = re.compile(r"(?:^|\s)(?:data-line-number|line-number)(?=\s|$)")
_LINE_CLASS = re.compile(
    r"(?:^|\s)(?:line|token-line|ec-line|view-line|cl|code-line|codeline|hljs-ln-line|cm-line|react-code-line-contents|sourceline|row-line)(?=\s|$)"
)
_LINE_TAGS = frozenset(("div", "p", "li", "tr"))
# The title of a block: a file name, or what the code shows.
_TITLE = re.compile(
    r"(?:^|[\s_-])(?:code-?(?:block-?)?(?:title|caption|name|file-?name)|file-?name|listing-?title)(?=[\s_-]|$)"
)
# What an info string cannot hold between quotes.
_NOT_IN_INFO = re.compile(r"[`\"\\\n]")
# A label, the word on a copy button and a file name fit in this; a sentence about the code does not.
MOST_LABEL_LETTERS = 60
_LABEL_TAGS = frozenset(("span", "div", "p", "small", "figcaption"))
_TITLE_TAGS = frozenset(("span", "div", "p", "figcaption"))
_NEVER = frozenset(("button", "svg", "script", "style", "template", "select", "input", "textarea", "iframe", "canvas"))


# Whether a block holds what may be anything else than a token; an empty link shows nothing.
_HAS_MORE_THAN_TOKENS = etree.XPath(
    "boolean(descendant::*[not(self::span or self::code or self::a[not(node())])"
    " or @aria-hidden or @data-line or @data-line-number])"
)
_PLAIN_ATTRIBUTES = frozenset(("class", "id", "style"))


class _Kind(Enum):
    """What an element in a block is."""

    TOKEN = auto()
    LINE = auto()
    DECORATION = auto()


def canonical_code(body: HtmlElement) -> None:
    """Turn every code block below `body` into its canonical form."""
    for table in elements(body, "table"):
        if is_attached(table, body):
            _unwrap_code_table(table)
    for pre in elements(body, "pre", "listing", "xmp"):
        if is_attached(pre, body) and not any(a.tag == "pre" for a in pre.iterancestors()):
            _canonical_pre(pre)
    for code in elements(body, "code"):
        parent = code.getparent()
        if parent is not None and parent.tag != "pre" and _is_block_code(code):
            _canonical_pre(code)


def _unwrap_code_table(table: HtmlElement) -> None:
    """Put the code of a line-number table in its place; leave every other table alone."""
    inside_pre = any(a.tag in {"pre", "code"} for a in ancestors(table, 3))
    if inside_pre:
        return
    rows = list(table.iter("tr"))
    pres = list(table.iter("pre"))
    named = bool(_CODE_TABLE.search(names_of(table)))
    if pres and len(pres) <= 2 and (named or (len(rows) == 1 and _is_gutter_row(rows[0]))):
        code = max(pres, key=lambda pre: len(re.sub(r"[\d\s]", "", "".join(pre.itertext()))))
        _take_place(table, code)
    elif named and rows and all(_line_of(row) is not None for row in rows):
        pre = make("pre")
        cells = [_line_of(row) for row in rows]
        pre.text = "\n".join(code_text(cell).strip("\n") for cell in cells if cell is not None)
        _take_place(table, pre)


def _line_of(row: HtmlElement) -> HtmlElement | None:
    """Return the cell with the code of a row that is one line, or None where the row is no such thing."""
    cells = [cell for cell in row if cell.tag in {"td", "th"}]
    if not 1 <= len(cells) <= 3:
        return None
    return cells[-1] if all(re.fullmatch(r"[\d\s+-]*", text_of(cell)) for cell in cells[:-1]) else None


def _is_gutter_row(row: HtmlElement) -> bool:
    cells = [cell for cell in row if cell.tag in {"td", "th"}]
    return (
        len(cells) == 2
        and bool(re.fullmatch(r"[\d\s]+", text_of(cells[0])))
        and next(cells[1].iter("pre"), None) is not None
    )


def _take_place(table: HtmlElement, pre: HtmlElement) -> None:
    language = find_language(pre) or find_language(table)
    new = make("pre")
    _fill(new, code_text(pre), language)
    caption = next(table.iter("caption"), None)
    if caption is None:
        caption = next((th for th in table.iter("th") if has_class(th, "filename")), None)
    label = text_of(caption) if caption is not None else ""
    replace(table, new)
    if label and _fits_info(new, language, label):
        new.set("data-md-title", label)
    elif label:
        new.addprevious(make("p", label))


def _canonical_pre(pre: HtmlElement) -> None:
    text = code_text(pre)
    label = _take_label(pre)
    language = find_language(pre) or label
    title = pre.get("data-md-title") or _take_title(pre, language)
    new = make("pre")
    for key in ("id", "hidden"):
        if pre.get(key) is not None:
            new.set(key, pre.get(key) or "")
    if title and _fits_info(pre, language, title):
        new.set("data-md-title", title)
    _fill(new, text, language)
    if text.strip():
        replace(pre, new)
    else:
        remove(pre)


def _take_label(pre: HtmlElement) -> str:
    """Remove the language that a block shows beside its code, and return its name, or "".

    A label is a short text alone beside an only pre: a name that the wrapper's classes say too, or
    one that is known.
    """
    found = ""
    for wrapper in _wrappers(pre, 2):
        for beside in _beside(wrapper, pre, _LABEL_TAGS):
            text = text_of(beside).lower()
            if text and (known_language(text) or f"language-{text}" in names_of(wrapper)):
                found = found or language_name(text)
                remove(beside)
    return found


def _take_title(pre: HtmlElement, language: str) -> str:
    """Remove the title that a block shows over its code if it fits an info string, and return it, or ""."""
    if not language:
        return ""
    for wrapper in _wrappers(pre, 3):
        for beside in _beside(wrapper, pre, _TITLE_TAGS):
            if not _is_title(beside):
                continue
            title = text_of(beside).rstrip("¶# ")
            if title and _fits_info(pre, language, title):
                remove(beside)
                return title
    return ""


def _beside(wrapper: HtmlElement, pre: HtmlElement, tags: frozenset[str]) -> list[HtmlElement]:
    """Return the elements of some tags in a wrapper that neither hold a pre nor stand in the block, in order."""
    found: list[HtmlElement] = []
    for child in wrapper:
        if child is pre:
            continue
        if child.tag in tags and next(child.iter("pre"), None) is None:
            found.append(child)
        if len(child):
            found += _beside(child, pre, tags)
    return found


def _is_title(element: HtmlElement) -> bool:
    """Tell a title by its own name, or by being "title" where Expressive Code and Asciidoctor put one."""
    if element.get("data-rehype-pretty-code-title") is not None or _TITLE.search(names_of(element)):
        return True
    box = element.getparent()
    return (
        has_class(element, "title") and box is not None and (box.tag == "figcaption" or has_class(box, "listingblock"))
    )


def _fits_info(pre: HtmlElement, language: str, title: str) -> bool:
    """Return whether a title can stand behind the language of a fence, where most sources have it.

    Code in a table has no fence.
    """
    return (
        bool(language)
        and not _NOT_IN_INFO.search(title)
        and not any(a.tag in {"td", "th"} for a in pre.iterancestors())
    )


def _wrappers(pre: HtmlElement, depth: int) -> Iterator[HtmlElement]:
    """Yield the near boxes that hold a block and, beside it, no more than labels."""
    size = len(text_of(pre))
    for wrapper in ancestors(pre, depth):
        if (
            wrapper.tag not in {"div", "figure", "section"}
            or next(islice(wrapper.iter("pre"), 1, None), None) is not None
        ):
            return
        if len(text_of(wrapper)) - size > MOST_LABEL_LETTERS:
            return
        yield wrapper


def _fill(pre: HtmlElement, text: str, language: str) -> None:
    code = make("code", _trim(text))
    if language:
        code.set("class", f"language-{language}")
    pre.append(code)
    pre.set("data-md", "code")


def _trim(text: str) -> str:
    """Drop blank lines around the code and the spaces of its last line, nothing else."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    return re.sub(r"\s+\Z", "", re.sub(r"\A(?:[ \t]*\n)+", "", text))


def _is_block_code(code: HtmlElement) -> bool:
    """Tell a code element that is a block of its own (lines, but no pre around it)."""
    if code.find(".//br") is None and code.find(".//div") is None:
        return False
    return not any(a.tag in {"pre", "table", "p", "li", "td", "a"} for a in ancestors(code, 2))


def code_text(block: HtmlElement) -> str:
    """Return the code that an element shows: without gutters, buttons and labels, one line a line."""
    if not _HAS_MORE_THAN_TOKENS(block) and all(_kind(value) is _Kind.TOKEN for value in class_values(block)):
        return raw_text(block)
    parts: list[str] = []
    _collect(block, parts, is_line=False)
    return "".join(parts)


def _collect(element: HtmlElement, parts: list[str], *, is_line: bool) -> None:
    if element.text:
        parts.append(element.text)
    children = [(child, child.tag, _kind_of(child)) for child in element if isinstance(child.tag, str)]
    if not children:
        return
    blocks = any(tag in _LINE_TAGS and kind is not _Kind.DECORATION for _, tag, kind in children)
    has_lines = blocks or any(kind is _Kind.LINE for _, _, kind in children)
    last = children[-1][0]
    for child, tag, kind in children:
        if kind is _Kind.DECORATION:
            pass
        elif tag == "br":
            # prism-react-renderer ends a line of a diff with a line end and a break.
            if not (is_line and parts and parts[-1].endswith("\n")):
                parts.append("\n")
        elif tag in _LINE_TAGS if blocks else kind is _Kind.LINE:
            _collect_line(child, parts, is_last=child is last)
        elif len(child):
            _collect(child, parts, is_line=is_line)
        elif text := child.text:
            parts.append(text)
        tail = child.tail
        if tail and not (has_lines and not tail.strip(" \t")):
            parts.append(tail)


def _collect_line(line: HtmlElement, parts: list[str], *, is_last: bool) -> None:
    own: list[str] = []
    _collect(line, own, is_line=True)
    text = "".join(own)
    parts.append(text)
    follows_break = text.endswith("\n") or (line.tail or "").lstrip(" \t").startswith(("\n", "\r"))
    following = line.getnext()
    if not follows_break and not is_last and not (following is not None and following.tag == "br"):
        parts.append("\n")


def _kind_of(element: HtmlElement) -> _Kind:
    """Return what an element in a block is: decoration, a line of the code where its like are lines, or a token."""
    tag = element.tag
    if tag in _NEVER:
        return _Kind.DECORATION
    kind = _kind(element.get("class"))
    if kind is _Kind.DECORATION or (tag == "span" and _PLAIN_ATTRIBUTES.issuperset(element.keys())):
        return kind
    if element.get("aria-hidden") == "true":
        text = text_of(element)
        hides = not text or bool(re.fullmatch(r"[\d\s$>#%]+", text))
    elif tag == "a":  # permalinks and line anchors carry no text or only a mark
        hides = text_of(element) in {"¶", "#", "🔗"}
    else:
        hides = element.get("data-line-number") is not None and not text_of(element).strip("0123456789")
    if hides:
        return _Kind.DECORATION
    if tag not in {"span", "code"}:
        return _Kind.TOKEN
    if kind is _Kind.TOKEN and element.get("data-line") is not None and not has_class(element, "token"):
        return _Kind.LINE
    return kind


@lru_cache(maxsize=8192)
def _kind(names: str | None) -> _Kind:
    """Return what a class attribute makes of a span in a block."""
    if not names:
        return _Kind.TOKEN
    if _DECORATION.search(names.lower()):
        return _Kind.DECORATION
    # Prism names the tokens of a diff "line".
    return _Kind.LINE if _LINE_CLASS.search(names) and "token" not in class_names(names) else _Kind.TOKEN


def find_language(block: HtmlElement) -> str:
    """Return the language that a block, what it holds or its near wrappers declare, or ""."""
    inner = next(block.iter("code"), block)
    for element in (inner, block):
        name = _declared(element, bare=True)
        if name:
            return name
    for depth, wrapper in enumerate(ancestors(block, 5)):
        if wrapper.tag in {"body", "main", "article", "li", "td", "section", "html"}:
            break
        if depth and sum(1 for _ in wrapper.iter("pre")) > 1:
            break
        name = _declared(wrapper, bare=False)
        if name:
            return name
    return ""


def _declared(element: HtmlElement, *, bare: bool) -> str:
    own = dict(element.items())
    if not own:
        return ""
    for attribute in _LANGUAGE_ATTRIBUTES:
        if attribute in own and (name := language_name(own[attribute])):
            return name
    return _language_of(own.get("class", "").lower(), bare=bare)


@lru_cache(maxsize=8192)
def _language_of(classes: str, *, bare: bool) -> str:
    for match in _LANGUAGE_CLASS.finditer(classes):
        certain = match.group("prefix") in _CERTAIN_PREFIXES
        name = language_name(match.group("name")) if certain else known_language(match.group("name"))
        if name:
            return name
    if bare:
        for word in classes.split():
            name = known_language(word)
            if name and len(word) > 1:
                return name
    return ""
