"""One spelling for every URL: the canonical form by the WHATWG URL Standard, tracking and sessions dropped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from mdcrawl.discovery.hosts import canonical_host

# Parameters that say where a visitor came from, never what the page is. A name that ends in "*"
# stands for all that start so. Collected from the vendors' documentation of each.
TRACKING_PARAMETERS = (
    "utm_*", "mtm_*", "pk_*", "piwik_*", "matomo_*", "hsa_*", "wt_mc*", "gad_*", "gclid", "gclsrc", "dclid",
    "gbraid", "wbraid", "srsltid", "fbclid", "fb_action_ids", "fb_action_types", "fb_ref", "fb_source",
    "msclkid", "yclid", "ysclid", "twclid", "ttclid", "li_fat_id", "igsh", "igshid", "mc_cid", "mc_eid", "mkt_tok",
    "_ga", "_gl", "_gac", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking", "vero_id",
    "vero_conv", "oly_enc_id", "oly_anon_id", "s_kwcid", "s_cid", "ef_id", "epik", "rb_clickid", "wickedid",
    "_openstat", "ml_subscriber", "ml_subscriber_hash", "_branch_match_id", "sc_cid", "irclickid",
)  # fmt: skip

# Parameters that hold a visitor's session, whatever their value.
SESSION_PARAMETERS = (
    "phpsessid", "jsessionid", "aspsessionid*", "asp.net_sessionid", "sessionid", "session_id", "session-id",
    "sessid", "sess_id", "cfid", "cftoken", "cfide", "zenid", "oscsid", "xtcsid", "viewstate", "__viewstate",
)  # fmt: skip

# Names that often hold something else (a section, a search): dropped only with a value like a session's.
_MAYBE_SESSION = frozenset({"sid", "s", "session", "sess", "ssid", "s_id"})
# Ten or more hexadecimal digits with a letter among them, or twenty word characters with a digit:
# not 1234567890 (a number of a record) nor getting-started-with-pumps (a slug).
_SESSION_VALUE = re.compile(r"(?=[0-9]*[a-f])[0-9a-f]{10,}|(?=[^0-9]*[0-9])[0-9a-z_,-]{20,}", re.IGNORECASE)
_SESSION_PATH = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|session_id|sid|cfid|cftoken)=[^/;]*"  # servlet containers
    r"|/\((?:[a-z]\([0-9a-z_-]+\))+\)(?=/)",  # ASP.NET: /(S(abc))/page.aspx
    re.IGNORECASE,
)

_EDGES = "".join(map(chr, range(0x21)))
_INNER_BLANKS = re.compile(r"[\t\n\r]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# "localhost:8000/docs" reads as a scheme, and is none.
_HOST_AND_PORT = re.compile(r"[a-z0-9.-]+:[0-9]+(?:/|$)", re.IGNORECASE)
_DEFAULT_PORTS = {"http": "80", "https": "443"}

# What most links look like: nothing to change, so that no further work is done. No upper case in the
# host, no port, escape, dot segment, parameter or fragment; a last label with a letter (no address).
_CLEAN = re.compile(
    r"https?://(?:[a-z0-9][a-z0-9-]{0,61}\.){1,3}(?!xn--)[a-z]{2,20}/(?:(?!\.)[A-Za-z0-9_~.-]+/)*(?!\.)[A-Za-z0-9_~.-]*"
)
# Everything but what every URL standard leaves bare; an escape counts as one.
_PATH_WORK = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~!$&'()*+,;=:@/-]")
_QUERY_WORK = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~!$&()*+,;=:@/?-]")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_BASE = re.compile(r"(([a-z][a-z0-9+.-]*:)//[^/?#\\]*)([^?#]*)(\?[^#]*)?", re.IGNORECASE)
_SITE = re.compile(r"(https?)://(?:[^/?#@]*@)?(\[[^\]/]*\]|[^/?#:\\]*)(?::([0-9]*))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UrlOptions:
    """What two URLs may differ in and still be one page.

    `hash_routes` keeps fragments that start with "/" or "!/": pages of old single-page sites.
    """

    tracking: tuple[str, ...] = TRACKING_PARAMETERS
    sessions: tuple[str, ...] = SESSION_PARAMETERS
    hash_routes: bool = False


DEFAULT_OPTIONS = UrlOptions()


class UrlParts(NamedTuple):
    """A parsed http or https URL: host canonical, port "" when it is the default, the rest as written."""

    scheme: str
    credentials: str
    host: str
    port: str
    path: str
    query: str
    fragment: str


def split_url(text: str) -> UrlParts:
    """Return the parts of an absolute http or https URL as a browser reads it.

    Raises ValueError naming the fault: no scheme, another scheme, no host, a bad host, a bad port.
    """
    text = _INNER_BLANKS.sub("", text.strip(_EDGES))
    found = _SCHEME.match(text)
    if found is None:
        raise ValueError("no scheme")
    scheme = found[1].lower()
    if scheme not in _DEFAULT_PORTS:
        raise ValueError(f"scheme {scheme}")
    rest, _, fragment = text[found.end() :].partition("#")
    rest, _, query = rest.partition("?")
    # Backslashes are slashes, and any number of them may come before the host.
    authority, slash, path = rest.replace("\\", "/").lstrip("/").partition("/")
    credentials, _, host_port = authority.rpartition("@")
    host, port = _split_port(host_port)
    if port == _DEFAULT_PORTS[scheme]:
        port = ""
    return UrlParts(scheme, credentials, canonical_host(host), port, slash + path, query, fragment)


def _split_port(host_port: str) -> tuple[str, str]:
    end = host_port.rfind("]")
    colon = host_port.find(":", end + 1)
    if colon < 0:
        return host_port, ""
    host, digits = host_port[:colon], host_port[colon + 1 :]
    if not digits:
        return host, ""
    if not (digits.isascii() and digits.isdigit()) or len(digits.lstrip("0")) > 5 or int(digits) > 65535:
        raise ValueError(f"bad port {digits[:20]!r}")
    return host, str(int(digits))


def canonical_url(url: str, options: UrlOptions = DEFAULT_OPTIONS) -> str:
    """Return the canonical form of an absolute http or https URL, "" for anything else. Raises nothing.

    Canonical twice is canonical once. Credentials stay, so that whoever checks addresses sees them.
    Parameters keep their order: to some servers it means something.

    >>> canonical_url("HTTPS://Docs.Example.com:443/a/../b%7e?utm_source=x#top")
    'https://docs.example.com/b~'
    """
    if _CLEAN.fullmatch(url) and len(url) < 300:
        return url
    try:
        parts = split_url(url)
    except ValueError:
        return ""
    path = _resolve_dots(_without_session(_PATH_WORK.sub(_escape_match, parts.path)) or "/")
    query = _clean_query(parts.query, options) if parts.query else ""
    fragment = ""
    if options.hash_routes and parts.fragment.startswith(("/", "!/")):
        fragment = "#" + _QUERY_WORK.sub(_escape_match, parts.fragment)
    user = _PATH_WORK.sub(_escape_match, parts.credentials).replace("/", "%2F") + "@" if parts.credentials else ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{user}{parts.host}{port}{path}{'?' if query else ''}{query}{fragment}"


def _without_session(path: str) -> str:
    # What one session id leaves behind may read as another.
    while (shorter := _SESSION_PATH.sub("", path)) != path:
        path = shorter
    return path


def _escape_match(match: re.Match[str]) -> str:
    return _escape(match[0])


@lru_cache(maxsize=4096)
def _escape(text: str) -> str:
    """Return an escape normalised (upper case; unreserved characters bare), a character escaped as UTF-8."""
    if len(text) == 3:
        char = chr(int(text[1:], 16))
        return char if char in _UNRESERVED else text.upper()
    # A lone surrogate has no UTF-8; WHATWG makes it U+FFFD.
    return quote("\ufffd" if "\ud800" <= text <= "\udfff" else text, safe="")


def _resolve_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path[1:].split("/")
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _clean_query(query: str, options: UrlOptions) -> str:
    names, prefixes = _dropped(options)
    kept = []
    for piece in _QUERY_WORK.sub(_escape_match, query).split("&"):
        name, _, value = piece.partition("=")
        name = name.lower()
        if not piece or name in names or name.startswith(prefixes):
            continue
        if name in _MAYBE_SESSION and _SESSION_VALUE.fullmatch(value):
            continue
        kept.append(piece)
    return "&".join(kept)


@lru_cache(maxsize=64)
def _dropped(options: UrlOptions) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names of parameters to drop, and the starts of such names."""
    names = [name.lower() for name in (*options.tracking, *options.sessions)]
    exact = frozenset(name for name in names if not name.endswith("*"))
    return exact, tuple(name[:-1] for name in names if name.endswith("*"))


def join_url(base: str, href: str) -> str:
    """Return `href` as an absolute URL, resolved against `base`; "" where that cannot be. Raises nothing.

    Not canonical: the fragment and every parameter stay.
    """
    href = _INNER_BLANKS.sub("", href.strip(_EDGES))
    if _SCHEME.match(href):
        return href
    found = _BASE.match(base)
    if found is None:
        return ""
    origin, scheme, path, query = found[1], found[2], found[3] or "/", found[4] or ""
    if not href or href.startswith("#"):
        return f"{origin}{path}{query}{href}"
    end = min(len(href.partition(mark)[0]) for mark in "?#")
    name, rest = href[:end].replace("\\", "/"), href[end:]
    if not name:
        return f"{origin}{path}{rest}"
    if name.startswith("//"):
        return f"{scheme}{name}{rest}"
    folder = "" if name.startswith("/") else path.rpartition("/")[0] + "/"
    return f"{origin}{_resolve_dots(folder + name)}{rest}"


def parse_start_url(text: str, options: UrlOptions = DEFAULT_OPTIONS) -> str:
    """Return the canonical form of a URL that a person typed.

    Raises ValueError naming the fault and the text: no URL, another scheme than http and https, no or
    a bad host or port, credentials in it.

    >>> parse_start_url("htp:/x")
    Traceback (most recent call last):
    ...
    ValueError: not a URL: 'htp:/x' (scheme htp; use http or https)
    """
    shown = text.strip()
    try:
        parts = split_url(text)
    except ValueError as error:
        raise ValueError(f"not a URL: {shown!r} ({_advice(shown, str(error))})") from None
    if parts.credentials:
        raise ValueError(f"credentials in the URL of {parts.host}: leave out the part before '@'")
    return canonical_url(text, options)


def _advice(text: str, fault: str) -> str:
    if fault == "no scheme" or _HOST_AND_PORT.match(text):
        return f"no scheme; write https://{text.lstrip('/')}" if text else "empty"
    if fault.startswith("scheme "):
        return f"{fault}; use http or https"
    return fault


def site_of(url: str) -> str:
    """Return the key of the site whose politeness a URL shares: host without "www.", port if not the default.

    http and https share one key; "" if `url` is no http or https URL.

    >>> site_of("https://www.example.com/a"), site_of("http://example.com:8080/")
    ('example.com', 'example.com:8080')
    """
    found = _SITE.match(url)
    if found is None:
        return ""
    host, port = found[2].lower().removesuffix("."), found[3] or ""
    # "www.com" is a name of its own.
    if host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    return host if port in {"", _DEFAULT_PORTS[found[1].lower()]} else f"{host}:{port}"
