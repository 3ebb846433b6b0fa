"""Gates: login, consent, age, pay and country walls in front of a page."""

from __future__ import annotations

import re
from collections.abc import Callable

from mdcrawl.verdicts.facts import Facts
from mdcrawl.verdicts.lexicon import gates as says
from mdcrawl.verdicts.lexicon import ways_said
from mdcrawl.verdicts.lexicon.guards import ADDRESS, DENIED
from mdcrawl.verdicts.score import Score
from mdcrawl.verdicts.vendors import CONSENT_PLATFORM

_ENOUGH = 4
# Beyond this no evidence would be enough; see _against.
_MAX_WORDS = 400
# A text of so few words without any form may be a gate by its words alone ("Please log in.").
_FEW_WORDS = 40

_LOGIN_PATH = re.compile(
    r"/(?:log-?in|sign-?in|logon|signon|sso|oauth2?|saml2?|auth|account/login|users?/sign_in|anmelden|connexion|acceso"
    r"|entrar|wp-login\.php|login\.\w+|uas|cas)(?:[/.;]|$)",
    re.IGNORECASE,
)
_RETURN_QUERY = re.compile(
    r"(?:^|&)(?:next|return(?:_?to|_?url)?|redirect(?:_?(?:to|uri|url))?|continue|came_from|back|goto|dest(?:ination)?|service|r|u)=",
    re.IGNORECASE,
)
_CONSENT_PLACE = re.compile(
    r"(?:^|[./_-])(?:consent|cookie-?wall|privacy-?(?:gate|wall)|collectconsent|gdpr)(?:[./_-]|$)", re.IGNORECASE
)
_AGE_MARK = re.compile(r"age[-_]?(?:gate|verif\w*|check|wall|confirm\w*|modal|restrict\w*)|over-?18", re.IGNORECASE)
_BIRTH_FIELD = re.compile(r"birth|\bdob\b|\b(?:day|month|year)\b|geburt|naissance|nacimiento|nascimento", re.IGNORECASE)
_PAY_MARK = re.compile(
    r"pay-?wall|reg-?wall|\btp-(?:modal|container|iframe)|piano-|subscri(?:be|ber|ption)-?(?:only|wall|gate|offer|required|prompt)"
    r"|premium-(?:content|wall|gate|only)|metered|locked-(?:content|article)|content-?gate|member-?only",
    re.IGNORECASE,
)


def gate(facts: Facts) -> str:
    """Return which gate stands in place of the page and by what it is known; "" if none does."""
    if facts.words > _MAX_WORDS:
        return ""
    best, points = "", _ENOUGH - 1
    for kind, weigh in _GATES.items():
        score = weigh(facts)
        if score.points > points:
            best, points = f"{kind}: {score.says()}, {facts.words} words", score.points
    return best


def _login(facts: Facts) -> Score:
    """Weigh a form that takes an account. Docs about logging in explain, and have no such form."""
    score, evidence = Score(), facts.evidence
    is_login_path = bool(_LOGIN_PATH.search(facts.parts.path))
    is_form = evidence.password_fields > 0 or (evidence.form_count > 0 and 0 < len(evidence.fields) <= 3)
    is_sent_to_login = facts.was_moved and is_login_path and not _LOGIN_PATH.search(facts.asked_url)
    is_tiny = evidence.body_words < _FEW_WORDS
    if not (is_form or is_sent_to_login or is_tiny):
        return score
    demands = facts.ways_said(says.LOGIN_DEMAND)
    beside = facts.words_beside(says.LOGIN, says.LOGIN_DEMAND)
    is_bare_demand = demands > 0 and is_tiny and beside <= facts.words / 2
    if not (is_form or is_sent_to_login or is_bare_demand):
        return score
    if is_sent_to_login:
        score.add(3, f"a redirect to {facts.parts.path}")
    elif is_login_path:
        score.add(1, f"the path {facts.parts.path}")
    if evidence.password_fields:
        score.add(2, "a password field")
    if facts.is_headline(says.LOGIN) or facts.is_headline(says.LOGIN_DEMAND):
        score.add(2, "a headline that asks to log in")
    if demands:
        score.add(min(demands, 2), "a text that asks to log in")
    if is_bare_demand:
        score.add(3, f"{evidence.body_words} words on the whole page")
    if _RETURN_QUERY.search(facts.parts.query):
        score.add(1)
    score.add(_against(facts, beside))
    return score


def _consent(facts: Facts) -> Score:
    """Weigh a page that is nothing but a question for consent; a banner beside content is none."""
    score, evidence = Score(), facts.evidence
    answers = sum(says.ACCEPT.found_in(label) for label in evidence.buttons)
    place = f"{facts.parts.netloc}{facts.parts.path}"
    is_sent_to_consent = facts.was_moved and bool(_CONSENT_PLACE.search(place))
    if not (answers or is_sent_to_consent):
        return score
    if is_sent_to_consent:
        score.add(3, f"a redirect to {place}")
    if answers:
        score.add(2 if answers > 1 else 1, f"{answers} buttons that give or refuse consent")
    if facts.is_in_titles(says.CONSENT):
        score.add(2, "a headline about consent")
    if facts.says(says.CONSENT):
        score.add(1, "a text about consent")
    if facts.says(says.PARTNERS):
        score.add(2, "a count of advertising partners")
    if platform := CONSENT_PLATFORM.search(facts.sources):
        score.add(1, str(platform.lastgroup).replace("_", " "))
    if evidence.overlay_text and facts.beside_overlay < _FEW_WORDS:
        score.add(1, "an overlay and nothing beside it")
    # A banner stands beside a page that speaks of other things, whatever the banner says.
    beside = facts.words_beside(says.CONSENT, says.ACCEPT, says.PARTNERS, says.SUBSCRIBE)
    if beside > 12 and beside > 0.4 * facts.words:
        score.add(-4)
    if facts.is_headline(says.POLICY):
        score.add(-2)
    score.add(_against(facts, beside))
    return score


def _age(facts: Facts) -> Score:
    score, evidence = Score(), facts.evidence
    birth = sum(bool(_BIRTH_FIELD.search(field)) for field in evidence.fields)
    mark = _AGE_MARK.search(facts.sources)
    is_form = birth or mark or 1 < len(evidence.buttons) <= 4
    if not (is_form or (evidence.body_words < _FEW_WORDS and facts.says(ADDRESS))):
        return score
    ways_told = facts.ways_said(says.AGE)
    if facts.is_in_titles(says.AGE):
        score.add(2, "a headline about age")
    if ways_told:
        score.add(min(ways_told, 2), "a text that asks for the age")
    if birth:
        score.add(2, "fields for a date of birth")
    if mark:
        score.add(2, f"its mark {mark.group()!r}")
    if 1 < len(evidence.buttons) <= 4:
        score.add(1, f"{len(evidence.buttons)} buttons")
    # A shop's age question lies over its page; the page itself is then there to be read.
    if facts.beside_overlay > _FEW_WORDS and not ways_told:
        score.add(-4)
    score.add(_against(facts, facts.words_beside(says.AGE)))
    return score


def _pay(facts: Facts) -> Score:
    """Weigh a teaser with an offer below it."""
    score, evidence = Score(), facts.evidence
    mark = _PAY_MARK.search("\n".join(evidence.marks))
    is_headlined = any(says.SUBSCRIBE.found_in(heading, facts.languages) for heading in evidence.headings)
    if not (evidence.paywalled or mark or is_headlined):
        return score
    if evidence.paywalled:
        score.add(3, "isAccessibleForFree is false")
    if mark:
        score.add(2, f"its mark {mark.group()!r}")
    offer = f"{facts.text} {evidence.overlay_text} {' '.join(evidence.headings)}"
    if ways := ways_said(says.SUBSCRIBE, offer, facts.languages):
        score.add(min(ways, 2), "a text that offers a subscription")
    if is_headlined:
        score.add(1, "a headline that offers a subscription")
    if facts.extraction.markdown.rstrip().endswith(("…", "...")):
        score.add(1, "a text that breaks off")
    if facts.words < 80:
        score.add(1)
    # Teasers run to some 200 words. What is all there is content, whatever it costs.
    if facts.words >= 250:
        score.add(-3)
    if facts.has_structure:
        score.add(-3)
    return score


def _country(facts: Facts) -> Score:
    score = Score()
    if facts.is_in_titles(says.GEO):
        score.add(3, "a headline about the reader's country")
    elif facts.words > 150:
        return score
    if ways := facts.ways_said(says.GEO):
        score.add(2 if ways == 1 else 3, "a text about the reader's country")
    if facts.words < _FEW_WORDS:
        score.add(1)
    score.add(_against(facts, facts.words_beside(says.GEO)))
    return score


def _permission(facts: Facts) -> Score:
    """Weigh a refusal that comes with a status of success and shows no sign of a bot check."""
    score = Score()
    if not facts.is_headline(DENIED) or not facts.says(ADDRESS):
        return score
    score.add(3, "a headline that denies access")
    if facts.ways_said(DENIED) > 1:
        score.add(1)
    if facts.words < _FEW_WORDS:
        score.add(1)
    score.add(_against(facts, facts.words_beside(DENIED)))
    return score


def _against(facts: Facts, words_beside: int) -> int:
    """Return the points against any gate: how much the page has to say beside it."""
    points = -3 if facts.has_structure else 0
    # A login page with its help texts has up to about 120 words, a consent page up to 250.
    if facts.words >= 300:
        return points - 6
    if facts.words >= 150 or words_beside >= 60:
        return points - 3
    return points


_GATES: dict[str, Callable[[Facts], Score]] = {
    "login": _login,
    "consent": _consent,
    "age": _age,
    "pay wall": _pay,
    "country": _country,
    "access denied": _permission,
}
