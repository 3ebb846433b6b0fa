"""Code blocks to one canonical form: `<pre><code class="language-x">text</code></pre>`, the text byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from mdcrawl.extraction.prepare.languages import known_language, language_name
from mdcrawl.extraction.tree import (
    ancestors,
    elements,
    has_class,
    is_attached,
    make,
    names_of,
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
_NEVER = frozenset(("button", "svg", "script", "style", "template", "select", "input", "textarea", "iframe", "canvas"))


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
        for beside in elements(wrapper, "span", "div", "p", "small", "figcaption"):
            text = text_of(beside).lower()
            if not text or next(beside.iter("pre"), None) is not None or any(a is pre for a in beside.iterancestors()):
                continue
            if f"language-{text}" in names_of(wrapper) or known_language(text):
                found = found or language_name(text)
                remove(beside)
    return found


def _take_title(pre: HtmlElement, language: str) -> str:
    """Remove the title that a block shows over its code if it fits an info string, and return it, or ""."""
    for wrapper in _wrappers(pre, 3):
        for beside in elements(wrapper, "span", "div", "p", "figcaption"):
            if not _is_title(beside):
                continue
            title = text_of(beside).rstrip("¶# ")
            if title and next(beside.iter("pre"), None) is None and _fits_info(pre, language, title):
                remove(beside)
                return title
    return ""


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
    for wrapper in ancestors(pre, depth):
        if wrapper.tag not in {"div", "figure", "section"} or sum(1 for _ in wrapper.iter("pre")) > 1:
            return
        if len(text_of(wrapper)) - len(text_of(pre)) > MOST_LABEL_LETTERS:
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
    parts: list[str] = []
    _collect(block, parts, is_line=False)
    return "".join(parts)


def _collect(element: HtmlElement, parts: list[str], *, is_line: bool) -> None:
    if element.text:
        parts.append(element.text)
    children = [child for child in element if isinstance(child.tag, str)]
    lines = _lines_among(children)
    for child in element:
        if isinstance(child.tag, str):
            if _is_decoration(child):
                pass
            elif child.tag == "br":
                # prism-react-renderer ends a line of a diff with a line end and a break.
                if not (is_line and parts and parts[-1].endswith("\n")):
                    parts.append("\n")
            elif child in lines:
                _collect_line(child, parts, is_last=child is children[-1])
            else:
                _collect(child, parts, is_line=is_line)
        if child.tail and not (lines and not child.tail.strip(" \t")):
            parts.append(child.tail)


def _collect_line(line: HtmlElement, parts: list[str], *, is_last: bool) -> None:
    own: list[str] = []
    _collect(line, own, is_line=True)
    text = "".join(own)
    parts.append(text)
    follows_break = text.endswith("\n") or (line.tail or "").lstrip(" \t").startswith(("\n", "\r"))
    following = line.getnext()
    if not follows_break and not is_last and not (following is not None and following.tag == "br"):
        parts.append("\n")


def _lines_among(children: list[HtmlElement]) -> set[HtmlElement]:
    """Return the children that are each a line of the code: blocks, or spans of a line class."""
    blocks = {child for child in children if child.tag in _LINE_TAGS and not _is_decoration(child)}
    if blocks:
        return blocks
    spans = [
        c
        for c in children
        if c.tag in {"span", "code"}
        and (_LINE_CLASS.search(c.get("class") or "") or c.get("data-line") is not None)
        and not has_class(c, "token")  # Prism names the tokens of a diff "line"
    ]
    return set(spans)


def _is_decoration(element: HtmlElement) -> bool:
    if element.tag in _NEVER:
        return True
    own = element.get("class")
    if own and _DECORATION.search(own.lower()):
        return True
    if element.get("aria-hidden") == "true":
        return not text_of(element) or bool(re.fullmatch(r"[\d\s$>#%]+", text_of(element)))
    if element.tag == "a":  # permalinks and line anchors carry no text or only a mark
        return text_of(element) in {"¶", "#", "🔗"}
    return element.get("data-line-number") is not None and not text_of(element).strip("0123456789")


def find_language(block: HtmlElement) -> str:
    """Return the language that a block, what it holds or its near wrappers declare, or ""."""
    inner = list(block.iter("code"))[:1]
    for element in (*inner, block):
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
    for attribute in _LANGUAGE_ATTRIBUTES:
        name = language_name(element.get(attribute) or "")
        if name:
            return name
    classes = (element.get("class") or "").lower()
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
