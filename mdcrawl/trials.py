"""Parts of the user's tried out on a small page: one that gives something else than its seam asks is known at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from lxml.html import HtmlElement

from mdcrawl.chunking.options import ChunkOptions
from mdcrawl.chunking.strategies import Cut, Document
from mdcrawl.extraction.extract import extract
from mdcrawl.extraction.prepare import prepare
from mdcrawl.extraction.render import Rendered
from mdcrawl.extraction.tree import body_of, parse
from mdcrawl.items import ImageMode, LinkMode, Verdict
from mdcrawl.verdicts.facts import Facts

_URL = "https://example.com/hinge"
_HTML = "<main><h1>Hinge</h1><p>Oil it every spring, or it rusts.</p></main>"


def fault_of(seam: str, made: Any) -> str:
    """Return what is wrong with what a part gives for a small page, "" for nothing; `seam` is its Protocol's name.

    A part that raises is left to the pages of the crawl, of which this may be none.
    """
    with suppress(Exception):
        return _TRIALS[seam](made) if seam in _TRIALS else ""
    return ""


def _body() -> HtmlElement:
    body = body_of(parse(_HTML))
    prepare(body, _URL, _URL)
    return body


def _tokenizer(made: Any) -> str:
    count = made("Oil it every spring.")
    return "" if isinstance(count, int) else f"returns {count!r}, not a number of tokens"


def _selector(made: Any) -> str:
    chosen = made(_body(), frozenset())
    return "" if chosen is None or isinstance(chosen, HtmlElement) else f"returns {chosen!r}, not an element"


def _renderer(made: Any) -> str:
    rendered = made(_body(), LinkMode.STRIP, ImageMode.ALT)
    return "" if isinstance(rendered, Rendered) else f"returns {rendered!r}, not a Rendered"


def _chunker(made: Any) -> str:
    cuts = made(Document("# Hinge\n\nOil it every spring.", "Hinge", ()), ChunkOptions())
    if not isinstance(cuts, Iterable):
        return f"returns {cuts!r}, not Cuts"
    wrong = [cut for cut in cuts if not isinstance(cut, Cut)]
    return f"gives {wrong[0]!r}, not a Cut" if wrong else ""


def _rule(made: Any) -> str:
    said = made(Facts(extract(_HTML, _URL), 200, _URL, _URL, {}))
    is_verdict = isinstance(said, tuple) and len(said) == 2 and said[0] in set(Verdict) and isinstance(said[1], str)
    return "" if said is None or is_verdict else f"returns {said!r}, not a verdict and its reason, nor None"


_TRIALS: Mapping[str, Callable[[Any], str]] = {
    "Tokenizer": _tokenizer,
    "Selector": _selector,
    "Renderer": _renderer,
    "Strategy": _chunker,
    "VerdictRule": _rule,
}
