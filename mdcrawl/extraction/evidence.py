"""The facts about a raw page that a verdict weighs, from one walk before anything is removed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

import lxml.html
import orjson
from lxml import etree

from mdcrawl.items import Evidence
from mdcrawl.verdicts.words import count_words

# A wall is short: no interstitial of the vendors known here shows more than about 250 words, a
# consent page with its purposes about 350. Longer bodies need no text of their own in the evidence.
_SHORT_BODY_WORDS = 400

# On a page of so few links they may be its buttons ("Yes", "No").
_FEW_LINKS = 4

_MAX_TEXT = 1500
_MAX_TITLE = 300
_MAX_OVERLAYS = 3
_MAX_OVERLAY_TEXT = 600
_MAX_ENTRIES = 24
_MAX_ENTRY = 160
_MAX_SCRIPT_HEAD = 400
_MAX_JSON_LD = 200_000

_INVISIBLE = frozenset({"script", "style", "noscript", "template", "svg", "head", "title", "select", "object"})
_DIALOG_ROLES = frozenset({"dialog", "alertdialog"})
_JSON_LD = "application/ld+json"

# Names and attributes of all elements, read by lxml without making an object for each element.
_CLASSES = etree.XPath("descendant-or-self::*/@class", smart_strings=False)
_IDS = etree.XPath("descendant-or-self::*/@id", smart_strings=False)
_ITEM_TYPES = etree.XPath("descendant::*/@itemtype", smart_strings=False)
_TEXTS = etree.XPath(".//text()", smart_strings=False)
_WITH_ID = etree.XPath("descendant::*[@id = $name]")
_WITH_CLASS = etree.XPath("descendant::*[@class = $value]")
_ROLES = etree.XPath("descendant::*/@role", smart_strings=False)
_DIALOGS = etree.XPath("descendant::*[@role = 'dialog' or @role = 'alertdialog']")

# Elements that scripts fill: the conventional ids of the frameworks' mount points, and their tags.
_ROOT_IDS = frozenset(
    {
        *("root", "app", "__next", "__nuxt", "___gatsby", "__docusaurus", "svelte", "q-app"),
        *("react-root", "app-root", "main-app", "application", "ember-app", "gatsby-focus-wrapper"),
    }
)
# A custom element directly below the body is one too.
_ROOT_TAGS = frozenset({"app-root", "ion-app", "redoc", "rapi-doc", "elements-api"})
# "Loading …" and a title may stand in a root that scripts are yet to fill.
_ROOT_WORDS = 12

# Parts of class names and ids that tell what kind of page this is.
_TELLING = re.compile(
    r"captcha|challenge|chl-|turnstile|^cf-|anubis|px-|ddos|waf|recaptcha|bot-?check|human|verify"
    r"|consent|cookie|gdpr|ccpa|privacy|cmp|onetrust|usercentrics|didomi|^qc-|trustarc|truste|cybot|sp_message|fc-dialog"
    r"|login|log-in|signin|sign-in|sso|auth"
    r"|paywall|regwall|meter|subscri|piano|^tp-|premium|gate|locked"
    r"|age-|agever|over18|geo-?block|region"
    r"|maintenance|not-?found|404|error|parked|coming-?soon|unsupported|outdated"
    r"|modal|dialog|overlay|popup|interstitial|loading|spinner|skeleton"
)
# Overlays by their name; a "cookie-policy" article, a "login-guide" or a "page" is none.
_OVERLAY = re.compile(
    r"(?:^|[-_])(?:consent|cookies?|gdpr|cmp|age|login|signin|pay|reg|subscri\w*|privacy)[-_]?"
    r"(?:wall|gate|modal|dialog|overlay|popup|banner|notice|box|prompt|layer)s?(?:$|[-_])"
    r"|(?:^|[-_])(?:modal|overlay|interstitial|lightbox)(?:$|[-_])"
    # The containers of consent platforms.
    r"|^(?:onetrust-(?:banner|consent)|sp_message_container|usercentrics-|didomi-(?:popup|notice|host)|qc-cmp"
    r"|cybotcookiebot|truste[-_]|fc-consent|cmpbox|cky-|osano-cm|axeptio|cmplz|borlabs|klaro|iubenda-cs)"
)


@lru_cache(maxsize=8192)
def _is_telling(name: str) -> bool:
    return bool(_TELLING.search(name))


@lru_cache(maxsize=8192)
def _names_overlay(names: str) -> bool:
    """Return whether one of the names in a class attribute or an id is an overlay's."""
    return any(_OVERLAY.search(name) for name in names.lower().split())


def collect(tree: lxml.html.HtmlElement) -> Evidence:
    """Return the facts about a parsed page; `tree` is the root of the raw page and is not changed.

    Raises nothing. Costs about twice what parsing the page does: everything that touches all
    elements is left to lxml's own loops, and Python sees only the few elements that matter.
    """
    body = _body(tree)
    body_words = _words_below(body)
    is_short = body_words < _SHORT_BODY_WORDS
    classes, ids = list(dict.fromkeys(_CLASSES(tree))), list(dict.fromkeys(_IDS(tree)))
    names = _names(classes, ids)
    main = _longest_main(body)
    main_words = -1 if main is None else _words_below(main)
    types, paywalled = _structured_data(tree)
    title = tree.find(".//title")
    return Evidence(
        title=_flat(title.text_content())[:_MAX_TITLE] if title is not None else "",
        headings=_cut(_visible_text(heading, _MAX_ENTRY) for heading in body.iter("h1", "h2")),
        body_words=body_words,
        main_words=main_words,
        main_link_words=_link_words(main) if main is not None and main_words < _SHORT_BODY_WORDS else 0,
        body_text=_visible_text(body, _MAX_TEXT) if is_short else "",
        overlay_text=_overlay_text(body, classes, ids),
        form_count=len(list(body.iter("form"))),
        actions=_cut(form.get("action") or "" for form in body.iter("form")),
        password_fields=sum(_type_of(field) == "password" for field in body.iter("input")),
        fields=_cut(_fields(body)),
        buttons=_cut(_buttons(body, is_short=is_short)),
        script_bytes=sum(len(text) for _, text in _inline_scripts(tree)),
        scripts=_cut(script.get("src") or "" for script in tree.iter("script")),
        inline_scripts=_script_heads(tree) if is_short else "",
        iframes=_cut(frame.get("src") or frame.get("data-src") or "" for frame in tree.iter("iframe")),
        marks=_cut([*_status_marks(tree), *(name for name in names if is_short or _is_telling(name))]),
        noscript_text=_flat(" ".join(each.text_content() for each in tree.iter("noscript")))[:_MAX_OVERLAY_TEXT],
        meta_refresh=_meta(tree, "http-equiv", "refresh")[:_MAX_ENTRY],
        schema_types=_cut(types),
        paywalled=paywalled or _meta(tree, "itemprop", "isaccessibleforfree").lower() == "false",
        empty_root=_empty_root(tree, body, names, main if main_words > _ROOT_WORDS else None),
        empty_box=_empty_box(body),
    )


def _body(tree: lxml.html.HtmlElement) -> lxml.html.HtmlElement:
    body = tree.find("body")
    return tree if body is None else body


def _words_below(element: lxml.html.HtmlElement) -> int:
    """Return the visible words below an element: all of them without those of scripts and the like."""
    hidden = [each for each in element.iter(*_INVISIBLE) if _tag_above(each) not in _INVISIBLE]
    words = count_words(" ".join(_TEXTS(element))) - count_words(" ".join(each.text_content() for each in hidden))
    return max(words, 0)


def _tag_above(element: lxml.html.HtmlElement) -> object:
    parent = element.getparent()
    return None if parent is None else parent.tag


def _visible_text(element: lxml.html.HtmlElement, max_chars: int) -> str:
    """Return the start of the text below an element without that of scripts and the like, spaces folded."""
    parts: list[str] = []
    chars = 0
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, below in walk:
        if event == "end":
            text = below.tail if below is not element else None
        elif not isinstance(below.tag, str) or below.tag in _INVISIBLE:
            walk.skip_subtree()
            continue
        else:
            text = below.text
        if text and not text.isspace():
            parts.append(text)
            chars += len(text)
            if chars > max_chars:
                break
    return _flat(" ".join(parts))[:max_chars]


def _names(classes: Iterable[str], ids: Iterable[str]) -> dict[str, None]:
    """Return all class names and ids, lower case, each once: classes in document order, then ids."""
    names = dict.fromkeys(name for each in classes for name in each.lower().split())
    return names | dict.fromkeys(name.lower() for name in ids)


def _longest_main(body: lxml.html.HtmlElement) -> lxml.html.HtmlElement | None:
    """Return the main or article element of the longest text, if there is any."""
    return max(body.iter("main", "article"), key=lambda element: len(element.text_content()), default=None)


def _overlay_text(body: lxml.html.HtmlElement, classes: Iterable[str], ids: Iterable[str]) -> str:
    """Return the text of the first dialog or overlay that has some, known by its element, role or name."""
    found = (each for each in _overlays(body, classes, ids) if each.tag not in ("body", "html"))
    return next((text for each in found if (text := _visible_text(each, _MAX_OVERLAY_TEXT))), "")


def _overlays(
    body: lxml.html.HtmlElement, classes: Iterable[str], ids: Iterable[str]
) -> Iterator[lxml.html.HtmlElement]:
    """Yield dialogs and overlays, the surest first; each costs a search, so it is looked for when asked for."""
    yield from body.iter("dialog")
    if not _DIALOG_ROLES.isdisjoint(_ROLES(body)):
        yield from _DIALOGS(body)
    for name in islice(filter(_names_overlay, ids), _MAX_OVERLAYS):
        yield from _WITH_ID(body, name=name)[:1]
    for value in islice(filter(_names_overlay, classes), _MAX_OVERLAYS):
        yield from _WITH_CLASS(body, value=value)[:1]


def _type_of(field: lxml.html.HtmlElement) -> str:
    return (field.get("type") or "text").lower()


def _fields(body: lxml.html.HtmlElement) -> Iterator[str]:
    """Yield "type name" of the fields that show, "select name" and "textarea name" of the others."""
    for field in body.iter("input", "textarea", "select"):
        kind = _type_of(field) if field.tag == "input" else str(field.tag)
        if kind not in ("hidden", "submit", "button", "image"):
            yield f"{kind} {field.get('name') or field.get('id') or ''}".lower()


def _link_words(element: lxml.html.HtmlElement) -> int:
    return count_words(" ".join(link.text_content() for link in element.iter("a")))


def _buttons(body: lxml.html.HtmlElement, *, is_short: bool) -> Iterator[str]:
    """Yield the labels of buttons and of links that are made to look like some; of all links of a short page of few."""
    are_links_buttons = is_short and len(list(islice(body.iter("a"), _FEW_LINKS + 1))) <= _FEW_LINKS
    for button in body.iter("button", "input", "a"):
        if button.tag == "input":
            if _type_of(button) in ("submit", "button"):
                yield button.get("value") or ""
        elif are_links_buttons or button.tag == "button" or _looks_like_button(button):
            yield _flat(button.text_content())


def _looks_like_button(link: lxml.html.HtmlElement) -> bool:
    return link.get("role") == "button" or "btn" in (link.get("class") or "")


def _inline_scripts(tree: lxml.html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield (id, text) of the scripts that stand in the page; structured data is none."""
    for script in tree.iter("script"):
        if not script.get("src") and (script.get("type") or "").lower() != _JSON_LD:
            yield script.get("id") or "", script.text or ""


def _script_heads(tree: lxml.html.HtmlElement) -> str:
    heads = [(f"#{name} " if name else "") + text[:_MAX_SCRIPT_HEAD] for name, text in _inline_scripts(tree)]
    return "\n".join(heads[:_MAX_ENTRIES])


def _meta(tree: lxml.html.HtmlElement, attribute: str, name: str) -> str:
    """Return the content of the first meta element of a name (lower case) in an attribute; "" if there is none."""
    found = (meta for meta in tree.iter("meta") if (meta.get(attribute) or "").lower() == name)
    return next((_flat(meta.get("content") or "") for meta in found), "")


def _status_marks(tree: lxml.html.HtmlElement) -> list[str]:
    """Return the mark of a page that tells crawlers a status in place of the server (single-page applications)."""
    return ["error-404"] if _meta(tree, "name", "prerender-status-code") in ("404", "410") else []


def _empty_root(
    tree: lxml.html.HtmlElement,
    body: lxml.html.HtmlElement,
    names: dict[str, None],
    filled: lxml.html.HtmlElement | None,
) -> str:
    """Return the name of the first element that scripts fill, by convention, if it holds hardly a word.

    `filled` is an element known to hold words: what is around it is not empty.
    """
    around = set() if filled is None else {filled, *filled.iterancestors()}
    roots = [each for name in _ROOT_IDS if name in names for each in _WITH_ID(tree, name=name)]
    roots += list(tree.iter(*_ROOT_TAGS))
    roots += [child for child in body if isinstance(child.tag, str) and "-" in child.tag]
    for root in roots:
        if root not in around and _has_few_words(root):
            return f"#{root.get('id')}" if root.get("id") else f"<{root.tag}>"
    return ""


def _has_few_words(element: lxml.html.HtmlElement) -> bool:
    """Return whether an element holds no more text than a loading message; stops where it holds more."""
    words = 0
    for below in element.iter():
        if isinstance(below.tag, str) and below.tag not in _INVISIBLE and below.text:
            words += count_words(below.text)
        if below is not element and below.tail:
            words += count_words(below.tail)
        if words > _ROOT_WORDS:
            return False
    return True


def _empty_box(body: lxml.html.HtmlElement) -> str:
    """Return the id of the first box without anything in it, one or two levels below the body."""
    for child in body:
        for box in (child, *child):
            is_empty = box.tag in ("div", "section") and not len(box) and not (box.text or "").strip()
            if is_empty and box.get("id"):
                return f"#{box.get('id')}"
    return ""


def _structured_data(tree: lxml.html.HtmlElement) -> tuple[list[str], bool]:
    """Return the types of the structured data, lower case, and whether it says that the page costs money."""
    types = [str(kind).rsplit("/", 1)[-1].lower() for kind in _ITEM_TYPES(tree)]
    paywalled = False
    for script in tree.iter("script"):
        if (script.get("type") or "").lower() != _JSON_LD:
            continue
        try:
            data: object = orjson.loads((script.text or "")[:_MAX_JSON_LD])
        except orjson.JSONDecodeError:
            continue
        for node in _nodes(data):
            kind = node.get("@type")
            types.extend(str(each).lower() for each in (kind if isinstance(kind, list) else [kind]) if each)
            # schema.org lets it be a boolean or its name as text.
            paywalled = paywalled or str(node.get("isAccessibleForFree", "")).lower() == "false"
    return types, paywalled


def _nodes(data: object) -> Iterator[dict[str, object]]:
    """Yield every object of a JSON value that has a type, outermost first."""
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if "@type" in value:
                yield value
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _cut(entries: Iterable[str]) -> tuple[str, ...]:
    """Return the first entries that are not empty, each cut."""
    return tuple(entry[:_MAX_ENTRY] for entry in islice(filter(None, entries), _MAX_ENTRIES))
