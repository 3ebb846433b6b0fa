"""Bot checks: pages that a guard answers instead of the site."""

from __future__ import annotations

import re

from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.lexicon import guards as says
from mdcrawl.verdicts.lexicon import is_headline, ways_said
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


def challenge(facts: Facts) -> str:
    """Return why the answer is a bot check, whatever its status; "" if it is none."""
    for vendor in VENDORS:
        if (
            vendor.header
            and vendor.header in facts.headers
            and vendor.header_value.search(facts.headers[vendor.header])
        ):
            return f"{vendor.name} challenge: {vendor.header} header"
    vendor_found, mark = _vendor(facts)
    score = Score()
    if mark:
        score.add(4, f"its mark {mark!r}")
    has_bot_talk = _weigh_words(facts, score)
    _weigh_answer(facts, score, is_guarded=bool(vendor_found))
    is_widget = bool(CAPTCHA_WIDGET.search(facts.sources))
    if not (mark or (has_bot_talk and (is_widget or says.ADDRESS.search(facts.text)))) or score.points < _ENOUGH:
        return ""
    name = f"{vendor_found.name} challenge" if vendor_found else "bot check"
    return f"{name}: {score.says()}, {facts.words} words"


def _vendor(facts: Facts) -> tuple[Vendor | None, str]:
    """Return the vendor whose mark the page holds and the mark, or the vendor that guards a refusal and ""."""
    moved_to = facts.url if facts.was_moved else ""
    for vendor in VENDORS:
        if vendor.check is None:
            continue
        for line in (*facts.sources.split("\n"), moved_to):
            if found := vendor.check.search(line):
                return vendor, found.group()
    if loader := _lone_loader(facts):
        return loader
    return guard_of(facts) if facts.status >= 400 else None, ""


def _lone_loader(facts: Facts) -> tuple[Vendor, str] | None:
    """Return the vendor whose script is the only thing on the page, and the script."""
    evidence = facts.evidence
    if evidence.body_words >= 10 or evidence.empty_root or not evidence.scripts:
        return None
    for vendor in VENDORS:
        if vendor.loader and all(vendor.loader.search(source) for source in evidence.scripts):
            return vendor, evidence.scripts[0][:40]
    return None


def guard_of(facts: Facts) -> Vendor | None:
    """Return the vendor that the headers name as the site's guard, if any."""
    for vendor in VENDORS:
        if vendor.guard in facts.headers and vendor.guard_value.search(facts.headers[vendor.guard]):
            return vendor
    return None


def _weigh_words(facts: Facts, score: Score) -> bool:
    """Weigh what the page says; return whether it talks to a bot."""
    evidence, text = facts.evidence, facts.text
    is_bot_talk = False
    if is_headline(says.HUMAN_CHECK, facts.titles):
        score.add(3, "a headline that asks for a human")
        is_bot_talk = True
    elif ways_said(says.HUMAN_CHECK, text):
        score.add(1, "a text that asks for a human")
        is_bot_talk = True
    has_incident = bool(says.INCIDENT.search(text))
    is_denied = is_headline(says.DENIED, facts.titles)
    if is_headline(says.BLOCKED, facts.titles) or ways_said(says.BLOCKED, text) > 1:
        score.add(3, "it says that the request was blocked")
        is_bot_talk = is_bot_talk or facts.status not in _REFUSALS
    elif ways_said(says.BLOCKED, text):
        score.add(1, "it says that the request was blocked")
        is_bot_talk = is_bot_talk or (is_denied and facts.status not in _REFUSALS)
    if is_denied:
        score.add(1, "a headline that denies access")
    if has_incident:
        score.add(2, "an incident number")
        is_bot_talk = is_bot_talk or (is_denied and facts.status not in _REFUSALS)
    if is_headline(says.WAITING, facts.titles):
        score.add(1, "a headline that asks to wait")
    # A form of several fields, or one that takes a password, has its widget for its own sake.
    if len(evidence.fields) < 2 and not evidence.password_fields and CAPTCHA_WIDGET.search(facts.sources):
        score.add(2, "a captcha")
        is_bot_talk = True
    if ENABLE_SCRIPTS.search(evidence.noscript_text) or ways_said(ENABLE_SCRIPTS, text[:600]):
        score.add(1)
    return is_bot_talk


def _weigh_answer(facts: Facts, score: Score, *, is_guarded: bool) -> None:
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
    # The longest interstitial known here has about 150 words; a page that explains bot checks more.
    if facts.words >= 250:
        score.add(-6)
    elif facts.words >= 120:
        score.add(-3)
