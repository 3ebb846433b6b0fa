"""The verdict on one page, with its reason, from what was extracted and how it was answered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from mdcrawl.items import Extraction, Verdict
from mdcrawl.seams import Component, make
from mdcrawl.verdicts.challenges import challenge, guard_of
from mdcrawl.verdicts.complete import complete
from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.gates import gate
from mdcrawl.verdicts.notices import notice
from mdcrawl.verdicts.soft_404 import MissingPage, is_like_missing, says_missing

REFUSED_STATUSES = frozenset({401, 403, 407, 429, 451})

_NOINDEX = frozenset({"noindex", "none"})
# "botname: directive, directive"; these directives have a value after their own colon.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_CONTENT_RANGE = re.compile(r"bytes\s+(\d+)-(\d+)/(\d+|\*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class VerdictOptions:
    """What steers verdicts.

    `min_words` is the floor below which a page is thin. `missing_page` is the site's answer for an
    address that cannot exist, if it was asked for. `agent` is the product token that a robots
    directive may name. `rules` are asked before all others, in their order; the first that has a
    verdict has the last word.
    """

    min_words: int = 80
    missing_page: MissingPage | None = None
    agent: str = "mdcrawl"
    rules: tuple[Component, ...] = ()


class VerdictRule(Protocol):
    """Judges pages of one kind; a seam."""

    def __call__(self, facts: Facts) -> tuple[Verdict, str] | None:
        """Return the verdict and its reason as one plain sentence, None for a page of another kind."""


def judge(
    extraction: Extraction,
    *,
    status: int,
    url: str,
    headers: Mapping[str, str],
    options: VerdictOptions,
    asked_url: str = "",
) -> tuple[Verdict, str]:
    """Return the verdict on a page and the reason for it, as one plain sentence. Raises nothing.

    `url` is the final URL, `asked_url` the one that was asked for ("": the same). Names of headers
    may have any case. A 404 or 410 comes out as `http_error`: whoever knows that the page was
    stored before makes it `gone`.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    facts = Facts(extraction, status, url, asked_url or url, lower)
    for rule in options.rules:
        said = cast("VerdictRule", make(rule))(facts)
        if said is not None:
            return said
    if reason := challenge(facts):
        return Verdict.CHALLENGE, reason
    if status in REFUSED_STATUSES:
        guard = guard_of(facts)
        return Verdict.REFUSED, f"status {status}, {guard.name} guards the site" if guard else f"status {status}"
    if status >= 400:
        return Verdict.HTTP_ERROR, f"status {status}"
    if 300 <= status < 400 and status != 304:
        return Verdict.HTTP_ERROR, f"status {status}, a redirect that leads nowhere"
    if part := _part_of_page(status, lower):
        return Verdict.BAD_CONTENT, part
    if reason := gate(facts):
        return Verdict.GATED, reason
    if options.missing_page is not None and (reason := is_like_missing(facts, options.missing_page)):
        return Verdict.SOFT_404, reason
    if reason := says_missing(facts):
        return Verdict.SOFT_404, reason
    if reason := noindex(extraction, lower, options.agent):
        return Verdict.NOINDEX, reason
    return _by_length(facts, options.min_words)


def _by_length(facts: Facts, min_words: int) -> tuple[Verdict, str]:
    if reason := notice(facts):
        return Verdict.THIN, f"{reason}, {facts.words} words"
    if facts.words >= min_words:
        return Verdict.OK, f"{facts.words} words"
    short = f"{facts.words} words, fewer than {min_words}"
    if facts.status != 200 and not facts.words:
        return Verdict.THIN, f"{short}, status {facts.status}"
    if reason := complete(facts, min_words):
        return Verdict.OK, f"{short}, but complete: {reason}"
    return Verdict.THIN, short


def noindex(extraction: Extraction, headers: Mapping[str, str], agent: str = "mdcrawl") -> str:
    """Return where the site asks not to index the page; "" if it does not.

    `headers` has lower-case names. A directive of X-Robots-Tag behind the name of another bot does
    not concern us (Google's robots meta tag specification).
    """
    if not _NOINDEX.isdisjoint(extraction.robots):
        return "noindex in a robots meta element"
    for name in _names(headers.get("x-robots-tag", "")):
        bot, _, directive = name.rpartition(":")
        if directive.strip() in _NOINDEX and bot.strip() in ("", "*", "robots", agent):
            return "noindex in the X-Robots-Tag header"
    return ""


def _names(tag: str) -> list[str]:
    """Return "bot:directive" for each directive of an X-Robots-Tag value; "directive" for those for all."""
    found, bot = [], ""
    for part in tag.lower().replace("\n", ",").split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in _VALUED:
            bot = name.strip()
        directive = rest if colon and bot == name.strip() else part
        found.append(f"{bot}:{directive.strip()}" if bot else directive.strip())
    return found


def _part_of_page(status: int, headers: Mapping[str, str]) -> str:
    """Return what is wrong with a 206 that holds only a part; "" if it holds the whole, or for other statuses."""
    found = _CONTENT_RANGE.search(headers.get("content-range", "")) if status == 206 else None
    if found is None:
        return ""
    first, last, size = found.groups()
    if first == "0" and size != "*" and int(last) + 1 >= int(size):
        return ""
    return f"status 206, bytes {first}-{last} of {size}, a part of the page"
