"""Images: the real source of lazy ones, no placeholders, alternatives that say something."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.hrefs import absolute_url
from mdcrawl.extraction.tree import elements, remove

_LAZY = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-url",
    "data-hi-res-src",
    "data-full-src",
    "data-image",
    "data-actualsrc",
)
_LAZY_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_PLACEHOLDER = re.compile(
    r"^data:|(?:^|[/_-])(?:blank|spacer|placeholder|transparent|pixel|lazy|loading|1x1|grey|gray)(?:[._-]|$)",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"^\S+\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$|^(?:IMG|DSC|image|img|photo|screenshot|untitled|logo|icon|avatar)[\s_-]*\d*$",
    re.IGNORECASE,
)


def resolve_images(body: HtmlElement, base: str) -> None:
    """Give each image its real absolute source; drop pixels and what has neither source nor text."""
    for image in elements(body, "img"):
        source = _source(image)
        alt = " ".join((image.get("alt") or "").split())
        if _FILE_NAME.match(alt):
            alt = ""
        if _is_pixel(image) or (not source and not alt):
            remove(image)
            continue
        image.set("alt", alt)
        image.set("src", absolute_url(base, source) if source else "")
    for picture in elements(body, "picture"):
        if picture.find(".//img") is None:
            source_element = picture.find(".//source")
            candidates = _best(source_element.get("srcset") or "") if source_element is not None else ""
            if candidates:
                picture.tag = "img"
                picture.set("src", absolute_url(base, candidates))
    for alternative in elements(body, "source"):
        remove(alternative)


def _source(image: HtmlElement) -> str:
    written = (image.get("src") or "").strip()
    if written and not _PLACEHOLDER.search(written):
        return written
    for name in _LAZY:
        value = (image.get(name) or "").strip()
        if value and not value.startswith(("data:", "{", "[")):
            return value
    sets = [image.get(name) or "" for name in _LAZY_SETS]
    parent = image.getparent()
    if parent is not None and parent.tag == "picture":
        sets += [source.get(name) or "" for source in parent.iter("source") for name in _LAZY_SETS]
    best = next((found for found in map(_best, sets) if found), "")
    return best or ("" if written.startswith("data:") else written)


def _best(srcset: str) -> str:
    """Return the largest candidate of a srcset."""
    best, size = "", -1.0
    for candidate in re.split(r",\s+|,(?=https?:|/)", srcset.strip()):
        parts = candidate.split()
        if not parts or parts[0].startswith("data:"):
            continue
        number = re.match(r"[\d.]+", parts[1]) if len(parts) > 1 else None
        value = float(number.group()) if number and number.group().count(".") < 2 and number.group() != "." else 0.0
        if value > size:
            best, size = parts[0], value
    return best


def _is_pixel(image: HtmlElement) -> bool:
    return image.get("width") in {"0", "1"} and image.get("height") in {"0", "1"}
