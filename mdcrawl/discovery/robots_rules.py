"""What a site's robots.txt lets the crawler do, by RFC 9309."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

from protego import Protego

PRODUCT_TOKEN = "mdcrawl"  # noqa: S105  a name in robots.txt, not a secret
# RFC 9309 section 2.5: at least 500 KiB must be read; what comes after is ignored.
MAX_BYTES = 512 * 1024
# A delay that would let one page a minute through is the most that is honoured by default.
MAX_DELAY_S = 60.0

_LINE_END = re.compile(r"\r\n|\r|\n")
# Line ends for str.splitlines (and so for Protego), not for RFC 9309.
_OTHER_LINE_ENDS = re.compile("[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_TOKEN = re.compile(r"[\w.-]+")
_AGENT_FIELDS = frozenset({"user-agent", "useragent", "user agent"})
_SITEMAP_FIELDS = frozenset({"sitemap", "sitemaps", "site-map"})
_LICENSE_FIELDS = frozenset({"license"})
_SIGNAL_FIELDS = frozenset({"content-signal", "content-usage"})
# Records that end the list of names above them. Unknown ones do not: RFC 9309 section 2.2.4.
_GROUP_FIELDS = frozenset({
    "allow", "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "noindex",
    "crawl-delay", "crawl delay", "request-rate", "request rate", "visit-time", "visit time",
}) | _SIGNAL_FIELDS  # fmt: skip


@dataclass(slots=True, eq=False)
class _Group:
    """The lines of all groups for one product token."""

    lines: list[str] = field(default_factory=list)
    signals: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin for this crawler.

    `closed` says why nothing may be fetched for now ("" when rules are known): the caller tries again
    later. `delay_s` is what Crawl-delay and Request-rate ask for, `asked_delay_s` before the cap; 0.0
    is no wish. `signals` are the Content-Signal and Content-Usage lines of the matching group, field
    in lower case ("content-signal", "ai-train=no"); `licenses` the License lines and `sitemaps` the
    Sitemap lines of the whole file. All values are as written.
    """

    closed: str = ""
    delay_s: float = 0.0
    asked_delay_s: float = 0.0
    sitemaps: tuple[str, ...] = ()
    signals: tuple[tuple[str, str], ...] = ()
    licenses: tuple[str, ...] = ()
    _rules: Protego | None = field(default=None, repr=False, compare=False)

    def allows(self, url: str) -> bool:
        """Return whether a URL may be fetched. Raises nothing."""
        if self.closed:
            return False
        try:
            return self._rules is None or bool(self._rules.can_fetch(url, PRODUCT_TOKEN))
        except ValueError:
            # Not a URL: whoever asked has refused it before, or will.
            return False


def parse_robots(
    body: bytes, status: int | None, *, token: str = PRODUCT_TOKEN, max_delay_s: float = MAX_DELAY_S
) -> RobotsRules:
    r"""Return the rules in an answer to the request for robots.txt. Raises nothing.

    `status` is that of the last answer after redirects, None for no answer. By RFC 9309 section
    2.3.1, 2xx is read, 4xx leaves everything open and 5xx or silence closes everything; 429 closes too,
    since it asks to wait. A redirect that never ended counts as "unavailable", which is open. The
    body of an error page is never read as rules.

    >>> parse_robots(b"User-agent: *\nDisallow: /a", 200).allows("https://example.com/a/b")
    False
    """
    if status is None:
        return RobotsRules(closed="robots.txt: no answer")
    if status == 429 or not 200 <= status < 500:
        return RobotsRules(closed=f"robots.txt: status {status}")
    if status >= 300:
        return RobotsRules()
    groups, sitemaps, licenses = _read_groups(_decode(body))
    group = groups.get(token.lower()) or groups.get("*") or _Group()
    rules = Protego.parse("\n".join(["User-agent: *", *group.lines]))
    asked = _asked_delay_s(rules)
    return RobotsRules(
        delay_s=min(asked, max_delay_s),
        asked_delay_s=asked,
        sitemaps=tuple(sitemaps),
        signals=tuple(group.signals),
        licenses=tuple(licenses),
        _rules=rules,
    )


def _decode(body: bytes) -> str:
    """Return the text of at most MAX_BYTES, cut at the end of a line; "" for a page of HTML."""
    whole = len(body) <= MAX_BYTES
    body = body[:MAX_BYTES]
    head = body[:400]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = body.decode("utf-16", "replace")
    elif head and head.count(0) * 3 > len(head):
        text = body.decode("utf-16-le" if head[1:2] == b"\0" else "utf-16-be", "replace")
    else:
        text = body.decode("utf-8-sig", "replace")
    if not whole:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
    return "" if text.lstrip()[:20].lower().startswith(("<!doctype", "<html", "<head", "<?xml", "<body")) else text


def _read_groups(text: str) -> tuple[dict[str, _Group], list[str], list[str]]:
    """Return the groups by product token, the sitemaps and the licenses."""
    groups: dict[str, _Group] = {}
    sitemaps: list[str] = []
    licenses: list[str] = []
    current: list[_Group] = []
    naming = False
    for name, value, line in _records(text):
        if name in _AGENT_FIELDS:
            current = current if naming else []
            naming = True
            for token in _tokens(value):
                group = groups.setdefault(token, _Group())
                if group not in current:
                    current.append(group)
        elif name in _SITEMAP_FIELDS:
            sitemaps.append(value)
        elif name in _LICENSE_FIELDS:
            licenses.append(value)
        elif name in _GROUP_FIELDS:
            naming = False
            for group in current:
                if name in _SIGNAL_FIELDS:
                    group.signals.append((name, value))
                else:
                    group.lines.append(line)
    return groups, [url for url in sitemaps if url], [url for url in licenses if url]


def _records(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each record's field in lower case, its value, and its line without comment."""
    for raw in _LINE_END.split(text):
        line = _OTHER_LINE_ENDS.sub(lambda match: quote(match[0]), raw.partition("#")[0].strip().lstrip("\ufeff"))
        name, colon, value = line.partition(":")
        # "Disallow /a" without its colon is common; "Sitemap https://…" has a colon of its own.
        if not colon or value.startswith("//"):
            name, _, value = line.partition(" ")
        yield name.strip().lower(), value.strip(), line


def _tokens(value: str) -> list[str]:
    """Return the product token that a User-agent line names, in lower case; [] if it names none.

    "mdcrawl/1.0" and "mdcrawl*" name mdcrawl; "mdcrawl-images" and "md" are others.
    """
    if value.startswith("*"):
        return ["*"]
    found = _TOKEN.match(value)
    return [found[0].lower()] if found else []


def _asked_delay_s(rules: Protego) -> float:
    """Return the seconds between two requests that Crawl-delay and Request-rate ask for; the longer counts."""
    rate = rules.request_rate(PRODUCT_TOKEN)
    by_rate = rate.seconds / rate.requests if rate else 0.0
    return float(max(rules.crawl_delay(PRODUCT_TOKEN) or 0.0, by_rate))
