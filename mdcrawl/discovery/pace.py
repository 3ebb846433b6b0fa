"""How fast a site may be asked, and when it is left alone: delays, waits after trouble, giving up."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import TypedDict

# Seconds between two requests that a site's slow answers may lead to; as long as AutoThrottle's own limit.
MAX_LATENCY_DELAY_S = 60.0
# After trouble with more pages in a row than this, a page is not tried again: it is the site that is
# broken, and each further page finds that out with one request.
HOPELESS_PAGES = 3


class Trouble(Enum):
    """What went wrong with a request, as far as the next one is concerned.

    `SITE` is trouble of the whole site (it asks to slow down, or does not answer): all its pages wait.
    `SILENCE` is the same at a higher price, a whole time limit. `PAGE` is a fault on one page (500, an
    answer that broke off): that page waits, the others go on.
    """

    SITE = "site"
    SILENCE = "silence"
    PAGE = "page"


# The site asks to slow down: RFC 6585 section 4, RFC 9110 section 15.6.4.
_SITE_STATUSES = frozenset({429, 503})
# Mostly gone at the next try: a time-out on the server's side, a gateway without an answer; 52x are a
# proxy's words for the same.
_PAGE_STATUSES = frozenset({408, 500, 502, 504, *range(520, 525)})


def trouble_of_status(status: int) -> Trouble | None:
    """Return the trouble that a status tells of, None for an answer to go on with."""
    if status in _SITE_STATUSES:
        return Trouble.SITE
    return Trouble.PAGE if status in _PAGE_STATUSES else None


@dataclass(frozen=True, slots=True)
class PaceOptions:
    """How patient the crawl is. Times are in seconds.

    `min_delay_s` lies between two requests to a site, varied by `jitter` (a share of it). `max_wait_s`
    is the longest wait that a site may ask for. `retries` are the further tries that a page gets,
    `max_failures` the pages of a site that may fail in a row before it is given up.
    """

    min_delay_s: float = 1.0
    jitter: float = 0.5
    concurrency: int = 1
    base_wait_s: float = 1.0
    max_backoff_s: float = 30.0
    max_wait_s: float = 120.0
    retries: int = 2
    max_failures: int = 10


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that failed: which page, how, for the how-manieth time, and what the site asked for.

    `wait_s` is the site's Retry-After, None without one; `reason` is for people ("status 503").
    """

    page: str
    trouble: Trouble
    reason: str
    retries: int = 0
    wait_s: float | None = None


class PaceState(TypedDict):
    """What is known of a site's pace, as JSON carries it from one worker to another; `pages` failed in a row."""

    delay_s: float
    asked_delay_s: float
    pages: list[str]
    impatient: int
    given_up: str
    trouble: str


@dataclass(slots=True)
class _Site:
    delay_s: float
    asked_delay_s: float = 0.0
    parked_until: float = 0.0
    pages: set[str] = field(default_factory=set)
    impatient: int = 0
    given_up: str = ""
    trouble: str = ""


def retry_after_s(value: str, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, None if it says nothing. Raises nothing.

    By RFC 9110 section 10.2.3 a number of seconds or a date. A date that has passed asks for nothing
    more; a negative number and a word are no answer.

    >>> retry_after_s("120", datetime(2027, 6, 1, tzinfo=UTC))
    120.0
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    # What begins with a sign or holds no letter is no date: "-5" and "1.5" parse as one.
    if not any(character.isalpha() for character in value):
        return None
    try:
        date = parsedate_to_datetime(value)
        date = date.replace(tzinfo=UTC) if date.tzinfo is None else date
        return max((date - now) / timedelta(seconds=1), 0.0)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def backoff_s(failures: int, chance: float, options: PaceOptions) -> float:
    """Return the wait after so many tries of a page or pages in a row: exponential with full jitter, and a floor.

    `chance` is a random number from 0 to 1. The floor keeps a lucky draw from being no wait at all.
    """
    ceiling = min(options.base_wait_s * 2.0 ** min(failures, 30), options.max_backoff_s)
    return max(options.base_wait_s, chance * ceiling)


class Pace:
    """The pace of every site of a crawl. Knows no clock: `now_s` is on any that only goes forward."""

    def __init__(self, options: PaceOptions) -> None:
        self._options = options
        self._sites: dict[str, _Site] = {}

    def ready_in(self, site: str, now_s: float) -> float:
        """Return in how many seconds a site may be asked again after trouble; 0.0 without any."""
        known = self._sites.get(site)
        return max(known.parked_until - now_s, 0.0) if known is not None and not known.given_up else 0.0

    def given_up(self, site: str) -> str:
        """Return why a site is asked no more, "" if it is."""
        known = self._sites.get(site)
        return known.given_up if known is not None else ""

    def parked(self, now_s: float) -> list[tuple[str, float, str]]:
        """Return the sites that are left alone now, sorted: for how many seconds, 0.0 for good, and why."""
        return [
            (site, 0.0 if known.given_up else known.parked_until - now_s, known.given_up or known.trouble or "resting")
            for site, known in sorted(self._sites.items())
            if known.given_up or known.parked_until > now_s
        ]

    def delay(self, site: str) -> tuple[float, float]:
        """Return the seconds between two requests to a site, and the share by which they vary.

        What the site's robots.txt asks for is the least, however the rest varies.
        """
        known = self._site(site)
        delay_s = max(known.delay_s, known.asked_delay_s)
        if not delay_s:
            return 0.0, 0.0
        return delay_s, min(self._options.jitter, 1.0 - known.asked_delay_s / delay_s)

    def ask_delay(self, site: str, delay_s: float) -> None:
        """Note what a robots.txt of the site asks for; of several the longest counts."""
        known = self._site(site)
        known.asked_delay_s = max(known.asked_delay_s, delay_s)

    def rest(self, site: str, tries: int, asked_s: float | None, *, now_s: float, chance: float) -> float:
        """Let a site rest after so many tries that told nothing; return the seconds.

        `asked_s` is its Retry-After, None without one.
        """
        wait_s = backoff_s(tries, chance, self._options)
        if asked_s is not None:
            wait_s = min(max(asked_s, self._options.base_wait_s), self._options.max_wait_s)
        self._park(site, wait_s, now_s)
        return wait_s

    def _park(self, site: str, wait_s: float, now_s: float) -> None:
        known = self._site(site)
        known.parked_until = max(known.parked_until, now_s + wait_s)

    def answered(self, site: str, latency_s: float, *, is_good: bool) -> None:
        """Note an answer without trouble, and how long it took to begin.

        A site that takes its time gets more of it: the delay follows the latency up at once and down
        by halves, never below its floor. A quick error page says nothing about the site's load.
        """
        known = self._site(site)
        known.impatient = 0
        known.pages.clear()
        if not self._options.min_delay_s:
            return  # whoever sets no delay at all asks a site of their own, as fast as it answers
        target_s = latency_s / max(self._options.concurrency, 1)
        delay_s = max(target_s, (known.delay_s + target_s) / 2)
        delay_s = min(max(delay_s, self._options.min_delay_s), max(MAX_LATENCY_DELAY_S, self._options.min_delay_s))
        if is_good or delay_s > known.delay_s:
            known.delay_s = delay_s

    def failed(self, site: str, failure: Failure, *, now_s: float, chance: float) -> float | None:
        """Take note of a failure; return the seconds to wait before the page is tried again, None if it is not.

        Afterwards `given_up` tells whether the site is. `chance` is a random number from 0 to 1.
        """
        options, known = self._options, self._site(site)
        if failure.trouble is Trouble.PAGE:
            return backoff_s(failure.retries + 1, chance, options) if failure.retries < options.retries else None
        known.pages.add(failure.page)
        known.trouble = failure.reason
        wait_s = self._wait_s(known, failure, chance)
        self._park(site, wait_s, now_s)
        known.given_up = self._why_give_up(known, failure.reason)
        retries = min(options.retries, 1) if failure.trouble is Trouble.SILENCE else options.retries
        if known.given_up or known.impatient or len(known.pages) > HOPELESS_PAGES or failure.retries >= retries:
            return None
        return wait_s

    def _why_give_up(self, known: _Site, reason: str) -> str:
        options = self._options
        if known.impatient > 1:
            return f"site given up: it asked twice in a row to stay away for over {options.max_wait_s:g} s: {reason}"
        if len(known.pages) >= options.max_failures:
            return f"site given up after {len(known.pages)} failures in a row: {reason}"
        return ""

    def _wait_s(self, known: _Site, failure: Failure, chance: float) -> float:
        options = self._options
        if failure.wait_s is not None and failure.wait_s > options.max_wait_s:
            # Longer than this crawl waits. Whether it is the page or the site that wants to be left
            # alone, the next page tells.
            known.impatient += 1
            return options.max_backoff_s
        known.impatient = 0
        if failure.wait_s is None:
            return backoff_s(max(len(known.pages), failure.retries + 1), chance, options)
        # A little more, so that not all who were sent away come back in the same second.
        return max(failure.wait_s, options.base_wait_s) * (1 + chance / 10)

    def state(self, site: str) -> PaceState:
        """Return what other workers of the same crawl are to know of a site, but for how long it rests."""
        known = self._site(site)
        return {
            "delay_s": known.delay_s,
            "asked_delay_s": known.asked_delay_s,
            "pages": sorted(known.pages),
            "impatient": known.impatient,
            "given_up": known.given_up,
            "trouble": known.trouble,
        }

    def adopt(self, site: str, state: PaceState, rest_s: float, now_s: float) -> None:
        """Take in what another worker knows of a site, as `state` gave it, and for how long it rests."""
        known = self._site(site)
        known.delay_s = state["delay_s"]
        known.asked_delay_s = max(known.asked_delay_s, state["asked_delay_s"])
        known.pages = set(state["pages"])
        known.impatient = state["impatient"]
        known.given_up = known.given_up or state["given_up"]
        known.trouble = state["trouble"]
        known.parked_until = max(known.parked_until, now_s + rest_s)

    def _site(self, site: str) -> _Site:
        return self._sites.setdefault(site, _Site(self._options.min_delay_s))
