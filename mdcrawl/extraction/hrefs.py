"""What the links of a page lead to: absolute URLs, each worked out once for the pages of a folder."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

# A link with a path stands against the page's folder, which many pages share; one with a host against nothing.
_NEEDS_NO_PAGE = re.compile(r"https?://[^/?#]|/(?!/)|[^/?#;:]+(?:[/?#;]|\Z)")
_BREAKS = str.maketrans("", "", "\t\r\n")  # no part of a URL, wherever they stand (WHATWG URL, section 4.4)


def absolute_url(base: str, href: str) -> str:
    """Return what a link of a page leads to, "" for what is no URL.

    >>> absolute_url("https://pump.example/docs/oil.html#when", "../parts/?all")
    'https://pump.example/parts/?all'
    """
    href = href.strip().translate(_BREAKS)
    return _joined(_folder(base) if _NEEDS_NO_PAGE.match(href) else base, href)


@lru_cache(maxsize=256)
def _folder(base: str) -> str:
    """Return the URL of the folder that a page lies in, the page's own where that is not plain to see."""
    plain = base.partition("#")[0].partition("?")[0]
    return plain[: plain.rfind("/") + 1] if plain.startswith(("http://", "https://")) and plain.count("/") > 2 else base


@lru_cache(maxsize=8192)
def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:
        return ""


@lru_cache(maxsize=8192)
def scheme_and_host(url: str) -> tuple[str, str]:
    """Return the scheme, lower case, and the host (with port and user) of a URL; "" for what it lacks."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.scheme.lower(), parts.netloc
