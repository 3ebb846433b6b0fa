"""Where a redirect may lead: what ends a chain of hops, decided before the next one is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdcrawl.discovery.addresses import url_fault
from mdcrawl.discovery.scope import Scope
from mdcrawl.discovery.urls import canonical_url
from mdcrawl.items import Verdict

# RFC 9110 section 15.4; 300 and 304 name no single other place.
REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_HOPS = 5

# A path whose last folder or name is that of a login, as whole words: not /docs/login-flow/ nor
# /blog/why-sign-in-matters.
_LOGIN_PATH = re.compile(
    r"https?://[^/]+/(?:[^?#]*/)?(?:log[_-]?in|sign[_-]?in|sso|oauth2?|saml2?|cas|openid-connect|wp-login\.php|anmelden|connexion)"
    r"(?:\.[a-z]{2,5}|/[a-z]*)?/?(?:[?#]|$)",
    re.IGNORECASE,
)


def end_of_chain(chain: Sequence[str], target: str, scope: Scope, *, sets_cookie: bool) -> tuple[Verdict, str] | None:
    """Return the verdict that ends a chain of redirects before `target` is asked for, None to go on.

    `chain` holds the URLs asked for so far, `target` is absolute. A page may redirect to itself
    once it has set a cookie; a second time is a loop.
    """
    fault = url_fault(target)
    if fault:
        return Verdict.BLOCKED_ADDRESS, f"redirects to an address that is never asked for: {fault}"
    url = canonical_url(target)
    if scope.leaves(url):
        if _LOGIN_PATH.match(url):
            return Verdict.GATED, f"redirects to a login page: {url}"
        return Verdict.OUT_OF_SCOPE, f"redirects to {url}: {scope.leaves(url)}"
    seen = [canonical_url(hop) for hop in chain].count(url)
    if seen > 1 or (seen == 1 and not sets_cookie):
        return Verdict.REDIRECT_LOOP, f"redirects back to {url}"
    if len(chain) > MAX_HOPS:
        return Verdict.REDIRECT_LOOP, f"more than {MAX_HOPS} redirects"
    return None
