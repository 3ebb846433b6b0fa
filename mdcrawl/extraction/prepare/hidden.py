"""Remove what readers do not see; what is only folded away (tab panels, details) stays."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import elements, is_attached, names_of, remove, text_of, with_class

_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE)
_READER_ONLY = re.compile(
    r"[\s](?:sr-only|sr_only|visually-?hidden|visuallyhidden|screen-reader(?:-text|-only)?|screenreader(?:-text)?|a11y-hidden|"
    r"element-invisible|assistive-text|hide-visually|u-hidden-visually|cdk-visually-hidden|offscreen|govuk-visually-hidden)(?=\s)"
)
# Not shown, by the names of the usual style sheets, unless another name shows it on some screens.
_NOT_SHOWN = re.compile(r"\sd-none(?=\s)")
_SHOWN_SOMEWHERE = re.compile(r"\sd-(?:\w+-)?(?!none)\w+(?=\s)")
# A shorter text stands twice in a page by chance.
LEAST_OF_COPY = 80
# The text of the page is searched for each; built pages have a few dozen.
MOST_COPIES = 100
# Icon fonts whose glyphs are spelled as words ("chevron_right"); the words are not text.
_ICON = re.compile(
    r"\s(?:material-icons?(?:-\w+)*|material-symbols-\w+|mat-icon|mdi-icon|google-material-icons|icon-ligature)(?=\s)"
)
_FOLDED = re.compile(
    r"[\s_-](?:tab-?(?:panel?|pane|content|block|item|body)?s?|tabbed-(?:block|content)|tabpanel|accordion\w*|collaps\w*|panel|expand\w*)(?=[\s_-])"
)
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069\u180e\U000e0000-\U000e007f]")
# Joiners shape letters in many scripts and join emoji; between anything else they are nothing.
_JOINER = re.compile(
    "(?<![\u0590-\u0dff\u0e00-\u109f\u1780-\u17ff\u200d\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]|[\u200c\u200d](?=[\\s\x21-\x7e]|$)"
)
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007f]+")


def remove_hidden(body: HtmlElement) -> None:
    """Remove hidden elements, unless one holds most of the page (shown later by a script)."""
    total = len(text_of(body))
    for element in elements(body):
        if _is_hidden(element) and is_attached(element, body) and not _is_folded(element):
            if len(text_of(element)) > 0.5 * total and total > 200:
                continue
            remove(element)
    for element in with_class(body, "hidden")[:MOST_COPIES]:
        if is_attached(element, body) and _is_copy(element, body):
            remove(element)


def _is_hidden(element: HtmlElement) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return element.get("aria-hidden") != "true" or element.tag not in {"pre", "h1", "main", "article"}
    style = element.get("style")
    if style and _STYLE.search(style):
        return True
    names = element.get("class")
    if not names:
        return False
    names = f" {names} ".lower()
    if _NOT_SHOWN.search(names) and not _SHOWN_SOMEWHERE.search(names):
        return True
    return bool(_READER_ONLY.search(names) or _ICON.search(names))


def _is_copy(element: HtmlElement, body: HtmlElement) -> bool:
    """Tell a copy for machines or for other screens: its text stands once more in the page.

    The name "hidden" alone says little: scripts take it away, style sheets undo it.
    """
    text = text_of(element)
    middle = len(text) // 2
    return len(text) >= LEAST_OF_COPY and text_of(body).count(text[middle - 30 : middle + 30]) > 1


def _is_folded(element: HtmlElement) -> bool:
    """Tell an inactive tab panel or a collapsed part: content that a click shows."""
    if element.get("role") == "tabpanel" or element.get("hidden") == "until-found" or element.get("data-md") == "panel":
        return True
    if element.get("role") in {"dialog", "alertdialog", "menu", "tooltip"}:
        return False
    return (
        bool(_FOLDED.search(names_of(element).replace("_", "-")))
        and len(text_of(element)) > 20
        and element.get("aria-hidden") is None
    )


def clean_characters(body: HtmlElement) -> None:
    """Take zero-width, soft-hyphen, bidi-control and tag characters out of every text."""
    whole = "".join(body.itertext())
    if visible_text(whole) == whole:
        return
    for element in body.iter():
        text, tail = element.text, element.tail
        if text and not text.isascii():
            element.text = visible_text(text)
        if tail and not tail.isascii():
            element.tail = visible_text(tail)


def visible_text(text: str) -> str:
    r"""Return a text without characters that show nothing; joiners stay where they shape letters or emoji.

    >>> visible_text("retry\u200b_limit inter\u00adnational")
    'retry_limit international'
    """
    if text.isascii():
        return text
    if "\U0001f3f4" in text:  # the flags of England, Scotland and Wales are spelled in tag characters
        flags = _FLAG.findall(text)
        parts = _FLAG.split(text)
        return (
            "".join(visible_text(part) + flag for part, flag in zip(parts, [*flags, ""], strict=True))
            if flags
            else _strip(text)
        )
    return _strip(text)


def _strip(text: str) -> str:
    return _JOINER.sub("", _INVISIBLE.sub("", text))
