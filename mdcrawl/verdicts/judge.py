"""The verdict on one page, with its reason, from what was extracted and how it was answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mdcrawl.items import Extraction, Verdict
from mdcrawl.verdicts.soft_404 import missing_page
from mdcrawl.verdicts.walls import challenge, gate
from mdcrawl.verdicts.words import count_words

REFUSED_STATUSES = frozenset({401, 403, 407, 429, 451})


@dataclass(frozen=True, slots=True)
class VerdictOptions:
    """What steers verdicts. `min_words` is the floor below which a page is thin."""

    min_words: int = 80


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

    `url` is the final URL, `asked_url` the one that was asked for ("": the same). A 404 or 410 comes
    out as `http_error`; whoever knows that the page was stored before makes it `gone`.
    """
    headers = {name.lower(): value for name, value in headers.items()}
    words = count_words(extraction.markdown)
    if reason := challenge(extraction, words, status, headers):
        return Verdict.CHALLENGE, reason
    if status in REFUSED_STATUSES:
        return Verdict.REFUSED, f"status {status}"
    if status >= 400:
        return Verdict.HTTP_ERROR, f"status {status}"
    if reason := gate(extraction, words, url, asked_url or url):
        return Verdict.GATED, reason
    if reason := missing_page(extraction, words):
        return Verdict.SOFT_404, reason
    if "noindex" in extraction.robots or "none" in extraction.robots:
        return Verdict.NOINDEX, "noindex in the robots meta element"
    if words < options.min_words:
        return Verdict.THIN, f"{words} words, fewer than {options.min_words}"
    return Verdict.OK, f"{words} words"
