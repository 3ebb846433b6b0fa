"""What a site says about the use of a page: robots directives, Content-Signal, Content-Usage, TDMRep, RSL."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from mdcrawl.discovery.dates import iso_date
from mdcrawl.discovery.links import header_links
from mdcrawl.discovery.robots_rules import PRODUCT_TOKEN, RobotsRules

# Directives of X-Robots-Tag that have a colon themselves and so are not the name of a bot.
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
_BOT_PREFIX = re.compile(r"\s*([A-Za-z][\w.-]*)\s*:\s*")
# Dates hold commas ("Friday, 25-Jun-27 …"): a date ends where the next directive begins.
_DATE_DIRECTIVE = re.compile(r"unavailable_after\s*:\s*(.*?)(?=,\s*[a-z-]+(?:\s*[:,]|\s*$)|$)", re.IGNORECASE)
_PAIR = re.compile(r"([a-z][a-z-]*)\s*=\s*\??(yes|no|y|n|1|0)\b", re.IGNORECASE)
# What each purpose is called by Content-Usage (draft-ietf-aipref-vocab): it has no word for ai-input.
_USAGE_LABELS = {"ai-train": "train-ai", "search": "search"}
_AI_PURPOSES = frozenset({"ai-input", "ai-train"})
_TDM_BYTES = 1_000_000
_MAX_CHARS = 4000


@dataclass(frozen=True, slots=True)
class Rights:
    """What a site says about the use of one page.

    `directives` are those of robots meta and X-Robots-Tag that apply to this crawler, in lower case,
    sorted. `signals` (Content-Signal) and `usage` (Content-Usage) pair a label with True for "may"
    and False for "may not". `tdm_reservation` is "1", "0" or "". `expires` is the date of
    unavailable_after as ISO 8601 or "". `licenses` are the URLs of RSL documents, `permits` and
    `prohibits` the uses that those say something about; they are recorded and forbid nothing here.
    """

    directives: tuple[str, ...] = ()
    expires: str = ""
    signals: tuple[tuple[str, bool], ...] = ()
    usage: tuple[tuple[str, bool], ...] = ()
    tdm_reservation: str = ""
    tdm_policy: str = ""
    licenses: tuple[str, ...] = ()
    permits: tuple[str, ...] = ()
    prohibits: tuple[str, ...] = ()

    @property
    def follows_links(self) -> bool:
        """Whether the links of the page may be followed."""
        return not {"nofollow", "none"} & set(self.directives)

    def as_dict(self) -> dict[str, str]:
        """Return what was said, by kind of signal; kinds that said nothing are left out."""
        said = {
            "robots": ", ".join(self.directives),
            "unavailable_after": self.expires,
            "content_signal": ", ".join(f"{label}={'yes' if may else 'no'}" for label, may in self.signals),
            "content_usage": ", ".join(f"{label}={'y' if may else 'n'}" for label, may in self.usage),
            "tdm_reservation": self.tdm_reservation,
            "tdm_policy": self.tdm_policy,
            "license": " ".join(self.licenses),
            "license_permits": " ".join(self.permits),
            "license_prohibits": " ".join(self.prohibits),
        }
        return {kind: value for kind, value in said.items() if value}


@dataclass(frozen=True, slots=True)
class TdmRule:
    """One entry of /.well-known/tdmrep.json: the paths it is about, and what it says."""

    location: str
    reservation: str
    policy: str = ""


def read_rights(
    url: str,
    headers: Mapping[str, str],
    *,
    meta_robots: Sequence[str] = (),
    metas: Mapping[str, str] | None = None,
    robots: RobotsRules | None = None,
    tdm_rules: Sequence[TdmRule] = (),
) -> Rights:
    """Return what was said about a page by its headers, its meta elements, robots.txt and tdmrep.json.

    Names of `headers` and `metas` in any case; several values of one header joined by line breaks or
    commas. `meta_robots` are the contents of the robots meta elements, `metas` other elements by name
    (tdm-reservation, tdm-policy, license: URLs of RSL documents). Where two say different things about
    a use, "no" counts; for TDMRep the nearest to the page counts: meta, header, file. Raises nothing.

    >>> read_rights("https://example.com/a", {"X-Robots-Tag": "otherbot: noindex, noai"}).directives
    ()
    """
    headers = {name.lower(): value for name, value in headers.items()}
    metas = {name.lower(): value for name, value in (metas or {}).items()}
    path = path_of(url)
    directives, expires = _directives([*meta_robots, *_own_tag_lines(headers.get("x-robots-tag", ""))])
    lines = robots.signals if robots else ()
    tdm = _tdm(metas, headers, path, tdm_rules)
    return Rights(
        directives=directives,
        expires=expires,
        signals=_pairs(_matching(lines, "content-signal", path), headers.get("content-signal", "")),
        usage=_pairs(_matching(lines, "content-usage", path), headers.get("content-usage", "")),
        tdm_reservation=tdm.reservation,
        tdm_policy=tdm.policy,
        licenses=tuple(
            dict.fromkeys(
                [
                    *(robots.licenses if robots else ()),
                    *_license_links(headers.get("link", ""), url),
                    *metas.get("license", "").split(),
                ]
            )
        ),
    )


def noindex_reason(rights: Rights, now: datetime | None = None) -> str:
    """Return why a page is not to be stored for anybody, "" if it may be.

    `now` (with its time zone) is what the date of unavailable_after is held against; without it that
    date does not count.
    """
    for directive in ("noindex", "none"):
        if directive in rights.directives:
            return f"robots directive {directive}"
    if now is not None and rights.expires and datetime.fromisoformat(rights.expires) <= now:
        return f"unavailable after {rights.expires}"
    return ""


def forbids(rights: Rights, purpose: str = "ai-input") -> str:
    """Return the signal that speaks against a purpose (search, ai-input, ai-train), "" if none does.

    Silence neither grants nor restricts (contentsignals.org), and so does not forbid. A TDM
    reservation and noai are about every use by an AI system.
    """
    if dict(rights.signals).get(purpose) is False:
        return f"Content-Signal: {purpose}=no"
    label = _USAGE_LABELS.get(purpose, "")
    if dict(rights.usage).get(label) is False:
        return f"Content-Usage: {label}=n"
    if purpose in _AI_PURPOSES:
        if "noai" in rights.directives:
            return "robots directive noai"
        if rights.tdm_reservation == "1":
            return "tdm-reservation: 1" + (f" (policy {rights.tdm_policy})" if rights.tdm_policy else "")
    return ""


def read_tdmrep(body: bytes) -> tuple[TdmRule, ...]:
    """Return the rules of a /.well-known/tdmrep.json; none for anything that is not one. Raises nothing."""
    if len(body) > _TDM_BYTES:
        return ()
    try:
        entries = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    rules = []
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("location"), str):
            reservation, policy = str(entry.get("tdm-reservation", "")), entry.get("tdm-policy", "")
            if reservation in {"0", "1"}:
                rules.append(TdmRule(entry["location"], reservation, policy if isinstance(policy, str) else ""))
    return tuple(rules)


def path_matches(pattern: str, path: str) -> bool:
    """Return whether a path pattern of robots.txt ("*" any run, "$" the end) matches a path with its query.

    >>> path_matches("/docs/*.md$", "/docs/a/b.md"), path_matches("/docs", "/docs-old")
    (True, True)
    """
    anchored = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    if not others:
        return not anchored or path == first
    position = len(first)
    for part in others[:-1]:
        position = path.find(part, position)
        if position < 0:
            return False
        position += len(part)
    last = others[-1]
    if anchored:
        return len(path) - len(last) >= position and path.endswith(last)
    return path.find(last, position) >= 0


def path_of(url: str) -> str:
    """Return the path and query of a URL, which patterns as in robots.txt are about; "/" for what is no URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _own_tag_lines(value: str) -> list[str]:
    """Return the directives of X-Robots-Tag that are for every bot or for this one.

    A bot's name counts up to the next name or the end of the header line.
    """
    own: list[str] = []
    for line in value.splitlines():
        for_us = True
        for piece in re.split(r",(?=\s*[A-Za-z][\w.-]*\s*(?:[:,]|$))", line):
            named = _BOT_PREFIX.match(piece)
            if named and named[1].lower() not in _WITH_VALUE:
                for_us = named[1].lower() in {PRODUCT_TOKEN, "robots"}
            else:
                named = None
            if for_us:
                own.append(piece[named.end() :] if named else piece)
    return own


def _directives(contents: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """Return the directives in meta contents or header pieces, and the earliest date of unavailable_after."""
    found: set[str] = set()
    dates: list[str] = []
    for content in (text[:_MAX_CHARS] for text in contents):
        dates.extend(filter(None, (iso_date(text) for text in _DATE_DIRECTIVE.findall(content))))
        rest = _DATE_DIRECTIVE.sub("", re.sub(r"\s*:\s*", ":", content) if ":" in content else content)
        found.update(word.lower() for word in re.split(r"[\s,;]+", rest) if word)
    return tuple(sorted(found)), min(dates, default="")


def _matching(lines: Iterable[tuple[str, str]], field: str, path: str) -> list[str]:
    """Return the values of a field of robots.txt that are about a path: those with the longest pattern."""
    best: dict[int, list[str]] = {}
    for name, value in lines:
        if name != field:
            continue
        pattern, rest = "/", value
        if value.startswith(("/", "*")):
            pattern, _, rest = value.partition(" ")
        if path_matches(pattern, path):
            best.setdefault(len(pattern), []).append(rest)
    return best[max(best)] if best else []


def _pairs(lines: Iterable[str], header: str) -> tuple[tuple[str, bool], ...]:
    """Return labels with what is said of them, sorted; a label said twice is forbidden if either forbids it."""
    said: dict[str, bool] = {}
    for text in (*lines, header):
        for label, value in _PAIR.findall(text):
            said[label.lower()] = said.get(label.lower(), True) and value.lower() in {"yes", "y", "1"}
    return tuple(sorted(said.items()))


def _tdm(metas: Mapping[str, str], headers: Mapping[str, str], path: str, rules: Sequence[TdmRule]) -> TdmRule:
    for source in (metas, headers):
        reservation = source.get("tdm-reservation", "").strip()
        if reservation in {"0", "1"}:
            return TdmRule("", reservation, source.get("tdm-policy", "").strip())
    matching = [rule for rule in rules if path_matches(rule.location, path)]
    return max(matching, key=lambda rule: len(rule.location), default=TdmRule("", ""))


def _license_links(value: str, url: str) -> list[str]:
    """Return the targets of a Link header with rel="license" and the type of RSL."""
    return [
        link.url for link in header_links(value, url) if "license" in link.relations and link.type.endswith("rsl+xml")
    ]
