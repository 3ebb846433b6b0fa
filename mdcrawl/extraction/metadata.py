"""Metadata of a page: title without the site's name, description, language, canonical URL, dates, robots, links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree
from lxml.html import HtmlElement

from mdcrawl.extraction.hrefs import absolute_url, scheme_and_host
from mdcrawl.extraction.tree import text_of
from mdcrawl.items import Link


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself; "" where it says nothing."""

    title: str = ""
    description: str = ""
    lang: str = ""
    canonical_url: str = ""
    published: str = ""
    modified: str = ""
    robots: tuple[str, ...] = ()
    use: tuple[tuple[str, str], ...] = ()
    markdown_url: str = ""
    llms_url: str = ""
    languages: tuple[tuple[str, str], ...] = ()
    kinds: frozenset[str] = frozenset()
    full_title: str = ""


_SEPARATOR = re.compile(r"\s+[|·•–—»›⋅:-]\s+|\s*[|»›]\s*|:\s")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_ITEM_TYPES = etree.XPath("//@itemtype", smart_strings=False)
_PUBLISHED = (
    "article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dcterms.created",
    "dc.date.issued",
    "pubdate",
    "publishdate",
    "sailthru.date",
    "parsely-pub-date",
    "og:published_time",
    "citation_publication_date",
)
_MODIFIED = (
    "article:modified_time",
    "datemodified",
    "og:updated_time",
    "last-modified",
    "dcterms.modified",
    "dc.date.modified",
    "revised",
)


def read_metadata(tree: HtmlElement, url: str) -> Metadata:
    """Return a raw page's metadata. Raises nothing."""
    metas = _metas(tree)
    title_element = tree.find(".//title")
    full = text_of(title_element) if title_element is not None else ""
    heads = [text for h1 in tree.iter("h1") if (text := text_of(h1))]
    data = list(_json_ld(tree))
    published, modified = _dates(tree, metas, data)
    return Metadata(
        title=_title(full, heads, metas),
        description=_first(metas, "description", "og:description", "twitter:description"),
        lang=_lang(tree, metas),
        canonical_url=_canonical(tree, metas, url),
        published=published,
        modified=modified,
        robots=_robots(tree),
        use=(
            *((name, metas[name]) for name in ("tdm-reservation", "tdm-policy") if name in metas),
            *(("license", license_urls) for license_urls in (_license_urls(tree, url),) if license_urls),
        ),
        markdown_url=_markdown_url(tree, url),
        llms_url=_llms_url(tree, url),
        languages=_languages(tree, url),
        kinds=_kinds(tree, metas, data),
        full_title=full,
    )


def _metas(tree: HtmlElement) -> dict[str, str]:
    metas: dict[str, str] = {}
    for meta in tree.iter("meta"):
        name = meta.get("name") or meta.get("property") or meta.get("itemprop") or meta.get("http-equiv")
        content = " ".join((meta.get("content") or "").split())
        if name and content:
            metas.setdefault(name.lower(), content)
    return metas


def _first(metas: dict[str, str], *names: str) -> str:
    return next((metas[name] for name in names if metas.get(name)), "")


def _title(full: str, heads: list[str], metas: dict[str, str]) -> str:
    """Prefer what the title element and a heading or og:title agree on; else cut the site's name off."""
    clean_heads = [re.sub(r"\s*[¶#🔗\u200b\uf0c1]+$", "", head).strip() for head in heads]
    for head in clean_heads:
        if head and full.lower().startswith(head.lower()):
            return head
    for head in clean_heads:
        # An h1 at the end of the title, among others, is the site's name in its bar.
        is_site = len(clean_heads) > 1 and full.lower().endswith(head.lower())
        if len(head) > 3 and head.lower() in full.lower() and not is_site:
            return head
    site = _first(metas, "og:site_name", "application-name", "twitter:site")
    og = _first(metas, "og:title", "twitter:title", "dc.title")
    title = full or og or (clean_heads[0] if clean_heads else "")
    if og and len(og) < len(title) and og.lower() in title.lower():
        title = og
    return _without_site(title, site)


def _without_site(title: str, site: str) -> str:
    parts = [part.strip() for part in _SEPARATOR.split(title)]
    if len(parts) < 2:
        return title
    if site:
        for position in (-1, 0):
            if parts[position].lower() == site.lower():
                cut = title[: title.rfind(parts[-1])] if position else title[title.find(parts[0]) + len(parts[0]) :]
                return cut.strip(" |·•–—»›⋅:-") or title
    match = list(re.finditer(r"\s+[|·•–—»›⋅-]\s+|\s*[|»›]\s*", title))
    if match and len(parts[-1].split()) <= 5 and match[-1].start() >= 3:
        return title[: match[-1].start()].strip() or title
    return title


def _lang(tree: HtmlElement, metas: dict[str, str]) -> str:
    written = tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or tree.get("xml:lang") or ""
    body = tree.find("body")
    if not written and body is not None:
        written = body.get("lang") or ""
    written = written or _first(metas, "content-language", "language", "og:locale", "dc.language")
    code = written.split(",")[0].strip().replace("_", "-")
    return code if re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*", code) else ""


def _canonical(tree: HtmlElement, metas: dict[str, str], url: str) -> str:
    for link in tree.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split() and (link.get("href") or "").strip():
            return absolute_url(base_url(tree, url), link.get("href") or "")
    return absolute_url(url, metas["og:url"]) if metas.get("og:url") else ""


def _related(tree: HtmlElement, relation: str) -> Iterator[HtmlElement]:
    for link in tree.iter("link"):
        if relation in (link.get("rel") or "").lower().split() and (link.get("href") or "").strip():
            yield link


def _markdown_url(tree: HtmlElement, url: str) -> str:
    """Return where the page says its Markdown is (llms.txt version 2), "" if it does not."""
    for link in _related(tree, "alternate"):
        if (link.get("type") or "").partition(";")[0].strip().lower() in {"text/markdown", "text/x-markdown"}:
            return absolute_url(base_url(tree, url), link.get("href") or "")
    return ""


def _llms_url(tree: HtmlElement, url: str) -> str:
    """Return the llms.txt that covers the page (llms.txt version 2); "describedby" is also said of other files."""
    for link in _related(tree, "describedby"):
        target = absolute_url(base_url(tree, url), link.get("href") or "")
        if target.partition("?")[0].endswith("llms.txt"):
            return target
    return ""


def _license_urls(tree: HtmlElement, url: str) -> str:
    """Return the RSL documents that the page names, with spaces between them."""
    kinds = ((link, (link.get("type") or "").partition(";")[0].strip().lower()) for link in _related(tree, "license"))
    base = base_url(tree, url)
    return " ".join(absolute_url(base, link.get("href") or "") for link, kind in kinds if kind == "application/rsl+xml")


def _languages(tree: HtmlElement, url: str) -> tuple[tuple[str, str], ...]:
    """Return language and URL of the page's copies in other languages (hreflang)."""
    base = base_url(tree, url)
    return tuple(
        (link.get("hreflang", "").strip().lower(), absolute_url(base, link.get("href") or ""))
        for link in _related(tree, "alternate")
        if link.get("hreflang", "").strip()
    )


def _robots(tree: HtmlElement) -> tuple[str, ...]:
    found: list[str] = []
    for meta in tree.iter("meta"):
        if (meta.get("name") or "").strip().lower() in {"robots", "mdcrawl"}:
            found += [d for d in (part.strip().lower() for part in (meta.get("content") or "").split(",")) if d]
    return tuple(dict.fromkeys(found))


def _dates(tree: HtmlElement, metas: dict[str, str], structured: list[dict[str, object]]) -> tuple[str, str]:
    published = _date(_first(metas, *_PUBLISHED))
    modified = _date(_first(metas, *_MODIFIED))
    if not (published and modified):
        for data in structured:
            published = published or _date(data.get("datePublished") or data.get("uploadDate"))
            modified = modified or _date(data.get("dateModified"))
    if not published:
        for element in tree.iter("time"):
            if (
                element.get("pubdate") is not None
                or "publish" in (element.get("class") or "").lower()
                or element.get("itemprop") == "datePublished"
            ):
                published = _date(element.get("datetime") or text_of(element))
                break
    return published, modified


def _kinds(tree: HtmlElement, metas: dict[str, str], structured: list[dict[str, object]]) -> frozenset[str]:
    """Return the types that a page declares (JSON-LD, microdata, Open Graph), lower case, without their namespace."""
    kinds = {metas["og:type"].rpartition(":")[2].lower()} if metas.get("og:type") else set()
    for data in structured:
        written = data.get("@type")
        kinds.update(
            name.lower() for name in (written if isinstance(written, list) else [written]) if isinstance(name, str)
        )
    kinds.update(name.rstrip("/").rpartition("/")[2].lower() for name in _ITEM_TYPES(tree))
    return frozenset(kinds)


def _date(written: object) -> str:
    match = _DATE.match(written.strip()) if isinstance(written, str) else None
    return match.group().replace(" ", "T") if match else ""


def _json_ld(tree: HtmlElement) -> Iterator[dict[str, object]]:
    for script in tree.iter("script"):
        if (script.get("type") or "").lower() != "application/ld+json" or not script.text:
            continue
        try:
            data = json.loads(script.text, strict=False)
        except (ValueError, RecursionError):
            continue
        stack = [data]
        while stack:
            item = stack.pop(0)
            if isinstance(item, list):
                stack += item
            elif isinstance(item, dict):
                yield item
                stack += [item["@graph"]] if isinstance(item.get("@graph"), list) else []


def base_url(tree: HtmlElement, url: str) -> str:
    """Return what relative links of a page stand against: its base element, else its URL."""
    base = tree.find(".//base[@href]")
    return absolute_url(url, base.get("href") or "") or url if base is not None else url


def read_links(tree: HtmlElement, base: str) -> tuple[Link, ...]:
    """Return the http(s) links of the whole page in order, absolute, each target once."""
    found: dict[str, Link] = {}
    for element in tree.iter("a", "area", "iframe", "frame"):
        href = element.get("href") if element.tag in {"a", "area"} else element.get("src")
        if not href or href.isspace():
            continue
        url = absolute_url(base, href)
        if url in found:
            continue
        scheme, host = scheme_and_host(url)
        if scheme in {"http", "https"} and host:
            rel = (element.get("rel") or "").lower().split()
            found[url] = Link(url, text_of(element)[:200], nofollow=bool({"nofollow", "ugc", "sponsored"} & set(rel)))
    return tuple(found.values())
