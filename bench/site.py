"""Serve a made documentation site of any size on loopback: pages of some 50 KB, with validators, always the same.

`python bench/site.py --pages 500` prints the base URL and serves until its standard input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import random
import re
import sys
from functools import lru_cache
from pathlib import Path

from serving import Answer, serve

PAGES = Path(__file__).resolve().parents[1] / "fixtures" / "site" / "www" / "docs"
# Bundled pages whose main contents make up each page of the made site.
PARTS = ("settings", "install", "start", "calibrate", "placing")
_MAIN = re.compile(r"<main\b[^>]*>(.*?)</main>", re.DOTALL)
# What would mark one of the parts as a content of its own.
_FRAME = re.compile(r"</?(?:div|section|article|main|nav|aside|header|footer)\b[^>]*>|<h1\b.*?</h1>", re.DOTALL)
_LINK = re.compile(r'href="[^"]*"')
_TEXT = re.compile(r"(?<=<p>)[^<]+")
# Links of a page's side bar.
NAVIGATION = 40


def name_of(number: int) -> str:
    """Return the last segment of a page's path: letters only, since numbers are what traps are made of.

    >>> name_of(0), name_of(1), name_of(27)
    ('', 'b', 'bb')
    """
    name = ""
    while number:
        number, letter = divmod(number, 26)
        name = chr(ord("a") + letter) + name
    return name


class MadeSite:
    """Pages below `/docs/`, each of which links to the next `fan_out` new ones."""

    def __init__(self, pages: int, *, fan_out: int, tiny: bool, shells: bool = False) -> None:
        self._pages = pages
        self._shells = shells
        self._numbers = {name_of(number): number for number in range(pages)}
        self._fan_out = fan_out
        sections = [_MAIN.search((PAGES / part / "index.html").read_text(encoding="utf-8")) for part in PARTS]
        texts = [_FRAME.sub("", _LINK.sub('href="#top"', found[1])) for found in sections if found]
        self._sections = texts[:1] if tiny else texts

    def find(self, path: str) -> Answer | None:
        """Return the page of a path, None if there is none."""
        number = self._numbers.get(path.removeprefix("/docs/"))
        return None if number is None else Answer(self._page(number))

    @lru_cache(maxsize=1000)  # noqa: B019  one site lives as long as the process
    def _page(self, number: int) -> bytes:
        first = number * self._fan_out + 1
        linked = range(min(first, self._pages), min(first + self._fan_out, self._pages))
        links = "".join(f'<li><a href="/docs/{name_of(n)}">Chapter {n}</a></li>' for n in linked)
        words = random.Random(number)  # noqa: S311  texts that differ, the same in every run
        body = "".join(
            f"<h2>Part {index} of chapter {number}</h2>{_TEXT.sub(lambda text: _mixed(text[0], words), section)}"
            for index, section in enumerate(self._sections)
        )
        shown = (
            f"<header><a href='/docs/'>Manual</a></header><nav><ul>{links}</ul></nav>"
            f"<main><h1>Chapter {number}</h1>{body}</main><footer>The end of chapter {number}</footer>"
        )
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chapter {number}</title></head>'
            f"<body>{_shell(shown) if self._shells else shown}</body></html>"
        ).encode()


def _shell(html: str) -> str:
    """Return what a script turns into the HTML, and holds no word of it."""
    packed = base64.b64encode(html.encode()).decode()
    return (
        "<div id=root>Loading...</div><noscript>This page needs JavaScript.</noscript><script>"
        f'const bytes = Uint8Array.from(atob("{packed}"), sign => sign.charCodeAt(0));'
        "document.getElementById('root').innerHTML = new TextDecoder().decode(bytes)</script>"
    )


def _mixed(text: str, order: random.Random) -> str:
    pieces = text.split()
    order.shuffle(pieces)
    return " ".join(pieces)


def main() -> int:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(description="Serve a made documentation site.")
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fan-out", type=int, default=NAVIGATION, help="links to new pages on each page")
    parser.add_argument("--tiny", action="store_true", help="pages of some 10 KB")
    parser.add_argument("--shells", action="store_true", help="pages that are empty until their script has run")
    options = parser.parse_args()
    site = MadeSite(options.pages, fan_out=options.fan_out, tiny=options.tiny, shells=options.shells)
    asyncio.run(serve([site.find], options.port))
    return 0


if __name__ == "__main__":
    sys.exit(main())
