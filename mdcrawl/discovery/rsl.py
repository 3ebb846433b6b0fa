"""Really Simple Licensing (RSL 1.0): which uses a licence document permits and prohibits, by page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml import etree

from mdcrawl.discovery.signals import path_matches, path_of

_MAX_BYTES = 1_000_000


class Terms(NamedTuple):
    """What a document says about the pages at a location: uses like "search" and "ai-train", as written.

    `location` is a URL or a path, a pattern as in robots.txt.
    """

    location: str
    permits: tuple[str, ...] = ()
    prohibits: tuple[str, ...] = ()


def read_rsl(body: bytes) -> tuple[Terms, ...]:
    """Return the terms in an RSL document; none for anything that is not one. Raises nothing.

    Namespaces do not count, as in sitemaps: half of them are wrong.

    >>> read_rsl(b'<rsl><content url="/"><license><permits type="usage">search</permits></license></content></rsl>')
    (Terms(location='/', permits=('search',), prohibits=()),)
    """
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(body[:_MAX_BYTES], parser)
    except (etree.XMLSyntaxError, ValueError):
        return ()
    if root is None or root.xpath("local-name()") != "rsl":
        return ()
    return tuple(
        Terms(content.get("url", ""), _uses(content, "permits"), _uses(content, "prohibits"))
        for content in root.iter("{*}content")
        if content.get("url")
    )


def terms_of(url: str, terms: Iterable[Terms]) -> Terms:
    """Return the terms of a page: those of the most specific location (RSL 1.0 takes RFC 9309's rules)."""
    path, site = path_of(url), urlsplit(url)[:2]
    found = [(_path_pattern(each.location, site), each) for each in terms]
    matching = [(len(pattern), each) for pattern, each in found if pattern and path_matches(pattern, path)]
    return max(matching, key=lambda pair: pair[0], default=(0, Terms("")))[1]


def _path_pattern(location: str, site: Sequence[str]) -> str:
    """Return the path in a location, "" if it is of another site."""
    if location.startswith(("/", "*")):
        return location
    scheme_and_host = re.match(r"(https?)://([^/]+)", location, re.IGNORECASE)
    if scheme_and_host is None or tuple(part.lower() for part in scheme_and_host.groups()) != tuple(site):
        return ""
    return location[scheme_and_host.end() :] or "/"


def _uses(content: etree._Element, name: str) -> tuple[str, ...]:
    written = [each.text or "" for each in content.iter(f"{{*}}{name}") if each.get("type", "usage") == "usage"]
    return tuple(dict.fromkeys(use for text in written for use in re.split(r"[\s,]+", text.lower()) if use))
