"""A page as it was, made harmless: written anew from a short list of elements and attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.message import Message
from html import escape

from lxml.html import HtmlElement

from mdcrawl.discovery.sniff import Kind, sniff
from mdcrawl.extraction.decode import decode
from mdcrawl.extraction.tree import body_of, is_element, parse
from mdcrawl.report.left_out import Fate, fates_of

# Characters of one page that are shown; a longer one is cut, and says so.
MAX_CHARACTERS = 60_000
MAX_ATTRIBUTE = 300

_KEPT = frozenset(
    """
    a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn
    div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark menu nav ol p
    pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul
    var wbr
    """.split()  # noqa: SIM905  a word list reads best as words
)
_VOID = frozenset(("br", "col", "hr", "wbr"))
_DROPPED = frozenset(
    """
    script style template iframe frame frameset object embed applet noscript noframes link meta base title head
    svg math canvas audio video source track param map area portal fencedframe xmp plaintext listing select option
    """.split()  # noqa: SIM905
)
_ATTRIBUTES = frozenset(("colspan", "rowspan", "dir", "lang", "hidden", "start", "title"))
# The frame has an origin of its own and may do nothing: no script, no form, no request of any kind.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_STYLE = (
    ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:12px;overflow-wrap:anywhere}"
    "pre{overflow:auto;padding:8px;border:1px solid #8886}code,pre{font:13px/1.5 ui-monospace,monospace}"
    "table{border-collapse:collapse}td,th{border:1px solid #8886;padding:2px 6px}"
    "nav,aside,footer{max-height:6em;overflow:auto}"  # the content is what is looked for
    ".out{opacity:.5}.gap{background:#d9902544;border-bottom:2px dotted #c27c0e}"
    "i.img{border:1px dashed #8888;padding:0 4px;font-style:normal}"
)


def harmless_page(body: bytes, content_type: str = "text/html", url: str = "", markdown: str = "") -> str:
    """Return a whole document of a page's visible structure. Raises nothing.

    Only what is on the lists gets through, and every text is escaped: no script, style, address or
    handler is left. Links have lost their targets, pictures are their descriptions. What the page's
    `markdown` left out is marked: class `gap` in the midst of what was kept, `out` around it.
    """
    text = decode(body, _charset(content_type)).text
    if sniff(body, content_type, url) in {Kind.MARKDOWN, Kind.TEXT}:
        pieces: Iterator[_Piece] = iter(("<pre>", _Text(text[:MAX_CHARACTERS]), "</pre>"))
    else:
        pieces = _written(body_of(parse(text)))
    return (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<style>{_STYLE}</style><body>{''.join(_marked(list(_bounded(pieces)), markdown))}"
    )


def harmless_fragment(html: str) -> str:
    """Return what is harmless of a piece of HTML, by the same lists; the end tags of all elements are there."""
    return "".join(map(str, _written(body_of(parse(html)))))


class _Text(str):
    """A text of the page, not yet escaped."""

    __slots__ = ()

    def __str__(self) -> str:
        return escape(self)


_Piece = str | _Text


def _marked(pieces: Sequence[_Piece], markdown: str) -> Iterator[str]:
    """Yield the pieces as markup, texts that the Markdown left out in an element of their own."""
    texts = [piece for piece in pieces if isinstance(piece, _Text)]
    fates = iter(fates_of(texts, markdown) if markdown else [Fate.KEPT] * len(texts))
    for piece in pieces:
        fate = next(fates) if isinstance(piece, _Text) else Fate.KEPT
        yield str(piece) if fate is Fate.KEPT else f'<span class="{fate}">{piece}</span>'


def _charset(content_type: str) -> str:
    message = Message()
    message["content-type"] = content_type
    return str(message.get_param("charset") or "")


def _bounded(pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    room = MAX_CHARACTERS
    for piece in pieces:
        yield piece
        room -= len(piece)
        if room < 0:
            # The parser of the reader's browser closes what is open.
            yield "<hr><p><b>The rest of the page is not shown.</b>"
            return


def _written(body: HtmlElement) -> Iterator[_Piece]:
    """Yield the markup of an element's content piece by piece; depth is a list, not the call stack."""
    waiting: list[HtmlElement | _Piece] = [*reversed(_content(body))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        tag = str(node.tag).lower()
        if tag == "img":
            yield f'<i class="img">image: {escape((node.get("alt") or "no description")[:MAX_ATTRIBUTE])}</i>'
        elif tag not in _DROPPED:
            if tag in _KEPT:
                yield f"<{tag}{_attributes(node)}>"
                if tag not in _VOID:
                    waiting.append(f"</{tag}>")
            waiting.extend(reversed(_content(node)))


def _content(element: HtmlElement) -> list[HtmlElement | _Piece]:
    """Return an element's text, children and their tails in order."""
    content: list[HtmlElement | _Piece] = [_text(element.text)]
    for child in element:
        if is_element(child):
            content.append(child)
        content.append(_text(child.tail))
    return content


def _text(text: str | None) -> _Text:
    return _Text((text or "")[:MAX_CHARACTERS])


def _attributes(element: HtmlElement) -> str:
    kept = "".join(
        f' {name}="{escape(value[:MAX_ATTRIBUTE], quote=True)}"'
        for name, value in element.attrib.items()
        if name in _ATTRIBUTES
    )
    return f"{kept} open" if element.tag == "details" else kept
