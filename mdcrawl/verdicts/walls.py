"""Walls in front of a page: bot checks and gates."""

from __future__ import annotations

from collections.abc import Mapping

from mdcrawl.items import Extraction


def challenge(extraction: Extraction, words: int, status: int, headers: Mapping[str, str]) -> str:
    """Return why this is a bot check, or ""."""
    if "challenge" in headers.get("cf-mitigated", ""):
        return "Cloudflare challenge: cf-mitigated header"
    evidence = extraction.evidence
    if words < 250 and any("/cdn-cgi/challenge-platform/h/" in source for source in evidence.scripts):
        return f"Cloudflare challenge: its script on a page of {evidence.body_words} words, status {status}"
    return ""


def gate(extraction: Extraction, words: int, url: str, asked_url: str) -> str:
    """Return which gate stands before the page, or ""."""
    evidence = extraction.evidence
    if evidence.password_fields and words < 80:
        moved = " after a redirect" if url != asked_url else ""
        return f"login: a password field and {words} words{moved}"
    if evidence.paywalled and words < 80:
        return f"pay wall: isAccessibleForFree is false, {words} words shown"
    return ""
