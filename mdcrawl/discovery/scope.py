"""How far links may lead: folder, host or domain of the start URLs, patterns and depth."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from mdcrawl.discovery.urls import site_of

if TYPE_CHECKING:
    from tldextract import TLDExtract

# Endings of a start URL that make it a page in a folder. "/docs/v1.2" and "/docs/node.js" are folders.
_PAGE_NAME = re.compile(
    r"[^/]*\.(?:x?html?|shtml|phtml|php[0-9]?|aspx?|jspx?|cfm|cgi|pl|do|mdx?|markdown|rst|txt|xml)", re.IGNORECASE
)
_PARTS = re.compile(r"https?://([^/?#]*)([^?#]*)", re.IGNORECASE)


class ScopeKind(StrEnum):
    """How far links may lead from the start URL."""

    PREFIX = "prefix"
    HOST = "host"
    DOMAIN = "domain"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class ScopeOptions:
    """Limits on the URLs of a crawl.

    `include` and `exclude` are regular expressions, searched for in the canonical URL: one of
    `include` must be found if there is any, none of `exclude` may. `max_depth` counts links from the
    start; 0 is no limit.
    """

    kind: ScopeKind = ScopeKind.PREFIX
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError, naming the argument, for a pattern that is no regular expression."""
        for name, patterns in (("include", self.include), ("exclude", self.exclude)):
            for pattern in patterns:
                try:
                    re.compile(pattern)
                except re.error as error:
                    raise ValueError(f"{name}: not a regular expression: {pattern!r} ({error})") from None


@dataclass(frozen=True, slots=True)
class Area:
    """What one start URL opens: its site (see `site_of`), and the folder or page that it names there."""

    start: str
    site: str
    folder: str
    moved_from: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """The URLs that belong to a crawl. Made by `make_scope`; URLs given to it are canonical."""

    areas: tuple[Area, ...]
    options: ScopeOptions = ScopeOptions()

    def admits(self, url: str, depth: int = 0) -> str:
        """Return why a URL is not to be fetched, "" if it is."""
        return self.leaves(url) or self.too_deep(depth)

    def too_deep(self, depth: int) -> str:
        """Return why a URL that many links from the start is too far, "" if it is not."""
        limit = self.options.max_depth
        return f"depth {depth}, more than {limit}" if 0 < limit < depth else ""

    def leaves(self, url: str) -> str:
        """Return how a URL leaves the scope, "" if it does not. A start URL itself never does."""
        if any(area.start == url for area in self.areas):
            return ""
        return self._outside(url) or self._filtered(url)

    def _outside(self, url: str) -> str:
        site, path = site_of(url), _path_of(url)
        if not site:
            return "not an http or https URL"
        kind = self.options.kind
        if kind is ScopeKind.ANY:
            return ""
        if kind is ScopeKind.DOMAIN:
            domain = registered_domain(site)
            return "" if any(registered_domain(area.site) == domain for area in self.areas) else f"domain {domain}"
        folders = [area.folder for area in self.areas if area.site == site]
        if not folders:
            return f"host {site}"
        if kind is ScopeKind.HOST or any(_is_below(path, folder) for folder in folders):
            return ""
        return f"outside {' and '.join(folders)}"

    def _filtered(self, url: str) -> str:
        for pattern in self.options.exclude:
            if re.search(pattern, url):
                return f"exclude: {pattern}"
        if self.options.include and not any(re.search(pattern, url) for pattern in self.options.include):
            return "matches no include pattern"
        return ""


def make_scope(starts: tuple[str, ...], options: ScopeOptions = ScopeOptions()) -> Scope:
    """Return the scope of a crawl from its start URLs, which are canonical.

    >>> scope = make_scope(("https://example.com/docs/intro.html",))
    >>> scope.admits("http://www.example.com/docs/a"), scope.admits("https://example.com/docs-old/")
    ('', 'outside /docs/')
    """
    return Scope(tuple(_area(start) for start in starts), options)


def move_scope(scope: Scope, start: str, landed: str) -> tuple[Scope, str]:
    """Return the scope after `start` was redirected to `landed`, and a sentence for the log.

    A start URL that leads out of the scope takes its area along, once: ("…/old/" moved to a new
    host). The scope comes back as it is, with "", when `landed` lies inside it, when `start` is no
    start URL, or when it has moved before.
    """
    for position, area in enumerate(scope.areas):
        if area.start != start or area.moved_from or not site_of(landed) or not scope.leaves(landed):
            continue
        new = replace(_area(landed), moved_from=start)
        areas = (*scope.areas[:position], new, *scope.areas[position + 1 :])
        return replace(scope, areas=areas), f"{start} redirects to {landed}: the scope moves to {new.site}{new.folder}"
    return scope, ""


def _area(start: str) -> Area:
    return Area(start, site_of(start), start_folder(start))


def start_folder(start: str) -> str:
    """Return the folder that a start URL opens; a last name without suffix is one, without its slash.

    >>> start_folder("https://example.com/docs/intro.html"), start_folder("https://example.com/docs")
    ('/docs/', '/docs')
    """
    path = _path_of(start)
    head, _, name = path.rpartition("/")
    return f"{head}/" if not name or _PAGE_NAME.fullmatch(name) else path


def _is_below(path: str, folder: str) -> bool:
    # A folder named without its slash is itself a page: /docs and /docs/a, not /docs-old or /docs.html.
    return path.startswith(folder) if folder.endswith("/") else path == folder or path.startswith(f"{folder}/")


def _path_of(url: str) -> str:
    found = _PARTS.match(url)
    return (found[2] if found else "") or "/"


@lru_cache(maxsize=1)
def public_suffixes() -> TLDExtract:
    """Return what splits a host at its public suffix, by the list that comes with the package.

    It asks no network and keeps no cache folder. Private suffixes count, since two users of one
    hosting service are two sites.
    """
    # Imports an HTTP client, 15 MB that a worker process seldom needs.
    from tldextract import TLDExtract  # noqa: PLC0415

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@lru_cache(maxsize=4096)
def registered_domain(site: str) -> str:
    """Return the registered domain of a site's host; the site itself, port included, if it has none.

    The suffix list is the one bundled with tldextract. A host under no known suffix ("a.b.test")
    counts its last two labels; an address or a single label stays as it is.

    >>> registered_domain("docs.example.co.uk:8080"), registered_domain("127.0.0.1:8080")
    ('example.co.uk', '127.0.0.1:8080')
    """
    host = site.partition(":")[0]
    if site.startswith("[") or "." not in host or host.rpartition(".")[2].isdigit():
        return site
    found = public_suffixes()(host)
    if found.suffix and found.domain:
        return f"{found.domain}.{found.suffix}"
    return host if found.suffix else ".".join(host.split(".")[-2:])
