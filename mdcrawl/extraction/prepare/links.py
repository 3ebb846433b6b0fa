"""Links: absolute, or plain text where they lead nowhere; hidden e-mail addresses read."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.hrefs import absolute_url, scheme_and_host
from mdcrawl.extraction.tree import elements, has_class, is_attached, make, remove, replace, text_of

_EDIT = re.compile(r"/(?:edit|-/edit|_edit|tree)/|[?&]action=edit|/edit$")


def reveal_emails(body: HtmlElement) -> None:
    """Put the address in the place of what Cloudflare's e-mail protection shows."""
    for element in elements(body):
        code = element.get("data-cfemail")
        if not code and element.tag == "a" and "/cdn-cgi/l/email-protection#" in (element.get("href") or ""):
            code = (element.get("href") or "").rpartition("#")[2]
        if not code or not is_attached(element, body):
            continue
        address = _decoded(code)
        if not address:
            continue
        shown = text_of(element)
        hides = (
            ("email" in shown.lower() and "protected" in shown.lower())
            or element.get("data-cfemail") is not None
            or not shown
        )
        replace(element, make("span", address if hides else shown))


def _decoded(code: str) -> str:
    """Return an address from its hex form: the first byte is the key of the others.

    >>> _decoded("422302206c2127")
    'a@b.ce'
    """
    try:
        data = bytes.fromhex(code)
        text = bytes(byte ^ data[0] for byte in data[1:]).decode()
    except (ValueError, IndexError):
        return ""
    return text if "@" in text else ""


def show_hidden_links(body: HtmlElement) -> None:
    """Move a link that lies over a card, its own text hidden, to the card's title."""
    for link in elements(body, "a"):
        if not has_class(link, "sd-hide-link-text"):
            continue
        card = next((a for a in link.iterancestors() if has_class(a, "sd-card")), None)
        titles = [] if card is None else [e for e in elements(card, "div") if has_class(e, "sd-card-title")]
        if len(titles) != 1 or next(titles[0].iter("a"), None) is not None:
            continue
        title = titles[0]
        shown = make("a", title.text or "")
        shown.set("href", link.get("href") or "")
        shown.extend(list(title))
        title.text = None
        title.append(shown)
        remove(link)


def resolve_links(body: HtmlElement, base: str, url: str) -> None:
    """Make every href absolute, and drop those that lead nowhere outside this page."""
    page = url.partition("#")[0]
    for link in elements(body, "a"):
        href = link.get("href")
        if href is None:
            continue
        target = _target(href.strip(), base, page)
        if target:
            link.set("href", target)
        else:
            del link.attrib["href"]


def _target(href: str, base: str, page: str) -> str:
    if not href or href.startswith("#"):
        return ""
    target = absolute_url(base, href)
    scheme, _ = scheme_and_host(target)
    if scheme == "mailto":  # without ?subject= and the like, which track
        return target.partition("?")[0] if "@" in target else ""
    if scheme in {"javascript", "vbscript", "data", "about", "blob", "file"}:
        return ""
    if page and target.partition("#")[0] == page and "#" in target:
        return ""
    return target
