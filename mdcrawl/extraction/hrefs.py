"""What the links of a page lead to: absolute URLs, each worked out once for the pages of a folder."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

# A link with a path stands against the page's folder, which many pages share; one with a host against nothing.
_NEEDS_NO_PAGE = re.compile(r"https?://[^/?#]|/(?!/)|[^/?#;:]+(?:[/?#;]|\Z)")
# What is longer (an image or a program in a link) is worked out anew, lest such links fill the memory.
_LONGEST_KEPT = 1_000
_BREAKS = str.maketrans("", "", "\t\r\n")  # no part of a URL, wherever they stand (WHATWG URL, section 4.4)


def absolute_url(base: str, href: str) -> str:
    """Return what a link of a page leads to, "" for what is no URL.

    >>> absolute_url("https://pump.example/docs/oil.html#when", "../parts/?all")
    'https://pump.example/parts/?all'
    """
    href = href.strip().translate(_BREAKS)
    join = _joined if len(href) <= _LONGEST_KEPT else _joined.__wrapped__
    return join(_folder(base) if _NEEDS_NO_PAGE.match(href) else base, href)


@lru_cache(maxsize=256)
def _folder(base: str) -> str:
    """Return the URL of the folder that a page lies in, the page's own where that is not plain to see."""
    plain = base.partition("#")[0].partition("?")[0]
    return plain[: plain.rfind("/") + 1] if plain.startswith(("http://", "https://")) and plain.count("/") > 2 else base


@lru_cache(maxsize=8192)
def _joined(base: str, href: str) -> str:
    try:
        joined = urljoin(base, href)
        urlsplit(joined)
    except ValueError:
        return ""
    return joined


def scheme_and_host(url: str) -> tuple[str, str]:
    """Return the scheme, lower case, and the host (with port and user) of a URL; "" for what it lacks."""
    return _scheme_and_host(url) if len(url) <= _LONGEST_KEPT else _scheme_and_host.__wrapped__(url)


@lru_cache(maxsize=8192)
def _scheme_and_host(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.scheme.lower(), parts.netloc
