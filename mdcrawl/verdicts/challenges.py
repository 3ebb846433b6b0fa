"""Bot checks: pages that a guard answers instead of the site."""

from __future__ import annotations

import re

from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.lexicon import guards as says
from mdcrawl.verdicts.lexicon.notices import ENABLE_SCRIPTS
from mdcrawl.verdicts.score import Score
from mdcrawl.verdicts.vendors import CAPTCHA_WIDGET, VENDORS, Vendor

# Statuses that guards give; each is also given for other reasons.
_GUARD_STATUSES = frozenset({202, 403, 405, 406, 429, 503})
# Refusals have a verdict of their own: at these, a text that denies access proves no bot check.
_REFUSALS = frozenset({401, 403, 407, 429, 451})
_CHECK_PATH = re.compile(
    r"/(?:captcha|challenge|bot-?check|verify-?human|robot-?check|sorry)(?:[/._-]|$)", re.IGNORECASE
)

_ENOUGH = 4
# The longest interstitial known here has about 150 words; beyond this, no evidence would be enough.
_MAX_WORDS = 300


def challenge(facts: Facts) -> str:
    """Return why the answer is a bot check, whatever its status; "" if it is none."""
    for vendor in VENDORS:
        if vendor.header in facts.headers and vendor.header_value.search(facts.headers[vendor.header]):
            return f"{vendor.name} challenge: {vendor.header} header"
    if facts.words > _MAX_WORDS:
        return ""
    vendor_found, mark = _vendor(facts)
    score = Score()
    if mark:
        score.add(4, f"its mark {mark!r}")
    has_widget = _has_lone_widget(facts)
    if has_widget:
        score.add(2, "a captcha")
    has_bot_talk = _weigh_words(facts, score)
    if not (mark or has_widget or (has_bot_talk and facts.says(says.ADDRESS))):
        return ""
    _weigh_answer(facts, score, is_guarded=bool(vendor_found), has_mark=bool(mark))
    if score.points < _ENOUGH:
        return ""
    name = f"{vendor_found.name} challenge" if vendor_found else "bot check"
    return f"{name}: {score.says()}, {facts.words} words"


def guard_of(facts: Facts) -> Vendor | None:
    """Return the vendor that the headers name as the site's guard, if any."""
    for vendor in VENDORS:
        if vendor.guard in facts.headers and vendor.guard_value.search(facts.headers[vendor.guard]):
            return vendor
    return None


def _vendor(facts: Facts) -> tuple[Vendor | None, str]:
    """Return the vendor whose mark the page holds and the mark, or the vendor that guards a refusal and ""."""
    sources = f"{facts.sources}\n{facts.url}" if facts.was_moved else facts.sources
    for vendor in VENDORS:
        if vendor.check and (found := vendor.check.search(sources)):
            return vendor, found.group()
    return _lone_loader(facts) or (guard_of(facts) if facts.status >= 400 else None, "")


def _lone_loader(facts: Facts) -> tuple[Vendor, str] | None:
    """Return the vendor whose script is the only thing on the page, and the script."""
    evidence = facts.evidence
    if evidence.body_words >= 10 or evidence.empty_root or not evidence.scripts:
        return None
    for vendor in VENDORS:
        if vendor.loader and all(vendor.loader.search(source) for source in evidence.scripts):
            return vendor, evidence.scripts[0][:40]
    return None


def _has_lone_widget(facts: Facts) -> bool:
    """Return whether a captcha stands by itself: a form of several fields has one for its own sake."""
    evidence = facts.evidence
    return len(evidence.fields) < 2 and not evidence.password_fields and bool(CAPTCHA_WIDGET.search(facts.sources))


def _weigh_words(facts: Facts, score: Score) -> bool:
    """Weigh what the page says; return whether it speaks as a guard does."""
    is_refusal = facts.status in _REFUSALS
    speaks = True
    if facts.is_headline(says.HUMAN_CHECK):
        score.add(3, "a headline that asks for a human")
    elif facts.says(says.HUMAN_CHECK):
        score.add(1, "a text that asks for a human")
    else:
        speaks = False
    is_denied = facts.is_headline(says.DENIED)
    ways_blocked = facts.ways_said(says.BLOCKED)
    if ways_blocked > 1 or facts.is_headline(says.BLOCKED):
        score.add(3, "it says that the request was blocked")
        speaks = speaks or not is_refusal
    elif ways_blocked:
        score.add(1, "it says that the request was blocked")
        speaks = speaks or (is_denied and not is_refusal)
    if is_denied:
        score.add(1, "a headline that denies access")
    if facts.says(says.INCIDENT):
        score.add(2, "an incident number")
        speaks = speaks or (is_denied and not is_refusal)
    if facts.is_headline(says.WAITING):
        score.add(1, "a headline that asks to wait")
    if ENABLE_SCRIPTS.found_in(facts.evidence.noscript_text + facts.text[:600]):
        score.add(1)
    return speaks


def _weigh_answer(facts: Facts, score: Score, *, is_guarded: bool, has_mark: bool) -> None:
    """Weigh how it was answered and how much of a page there is."""
    if facts.status in _GUARD_STATUSES:
        score.add(1, f"status {facts.status}")
    if is_guarded and facts.status >= 400:
        score.add(1)
    if facts.was_moved and _CHECK_PATH.search(facts.parts.path):
        score.add(2, f"a redirect to {facts.parts.path}")
    if "noindex" in facts.extraction.robots:
        score.add(1)
    if facts.evidence.body_words < 60:
        score.add(1)
    if facts.has_structure:
        score.add(-3)
    if facts.words >= 120:
        score.add(-3)
    if has_mark:
        return
    beside = facts.words_beside(
        says.HUMAN_CHECK, says.BLOCKED, says.DENIED, says.INCIDENT, says.WAITING, says.GUARD_TALK
    )
    score.add(-6 if beside >= 80 else -3 if beside >= 40 else 0)
