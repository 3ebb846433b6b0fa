"""Requests as JSON of known fields: what comes out of Redis is data, never code.

The module has the two functions that scrapy-redis asks of a serializer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mdcrawl.discovery.urls import canonical_url, site_of

# The callbacks of a spider are named by what anybody may call: a public method.
_METHOD = re.compile(r"[a-z][a-z0-9_]{0,60}")
_TEXTS = ("url", "site", "callback", "errback", "parent", "found_in")
_NUMBERS = ("priority", "depth")


class ForeignRequestError(ValueError):
    """What lies in Redis is no request of this program's. Holds what is wrong with it."""


def dumps(request: Mapping[str, Any]) -> str:
    """Return the JSON of a request for a page, as `Request.to_dict` gives it; the same request gives the same text."""
    meta = request["meta"]
    known = {
        "url": meta["mdcrawl_url"],
        "site": meta["download_slot"],
        "callback": request["callback"],
        "errback": request["errback"],
        "parent": meta["mdcrawl_parent"],
        "found_in": meta["mdcrawl_found_in"],
        "priority": request["priority"],
        "depth": meta["mdcrawl_depth"],
    }
    return json.dumps(known, separators=(",", ":"))


def loads(text: str | bytes) -> dict[str, Any]:
    """Return a request for `request_from_dict`. Raises ForeignRequestError unless every field is known and sound."""
    try:
        known = json.loads(text)
    except ValueError as error:
        raise ForeignRequestError("no JSON") from error
    if not isinstance(known, dict) or set(known) != {*_TEXTS, *_NUMBERS}:
        raise ForeignRequestError("not the fields of a request")
    if not all(isinstance(known[name], str) for name in _TEXTS) or not all(
        type(known[name]) is int for name in _NUMBERS
    ):
        raise ForeignRequestError("a field of another type")
    for name in ("callback", "errback"):
        if not _METHOD.fullmatch(known[name]):
            raise ForeignRequestError(f"{name}: no name of a method")
    url = known["url"]
    # With #/routes a canonical URL keeps its fragment, which this call would cut.
    if canonical_url(url) != url.partition("#")[0] or known["site"] != site_of(url):
        raise ForeignRequestError("not a canonical URL of its site")
    return {
        "url": url,
        "callback": known["callback"],
        "errback": known["errback"],
        "priority": known["priority"],
        "dont_filter": True,
        "meta": {
            "mdcrawl_url": url,
            "mdcrawl_depth": known["depth"],
            "mdcrawl_parent": known["parent"],
            "mdcrawl_found_in": known["found_in"],
            "mdcrawl_lastmod": "",
            "download_slot": known["site"],
        },
    }
