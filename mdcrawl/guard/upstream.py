"""Which forward proxy a request goes through, and what may be asked of one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from mdcrawl.discovery.addresses import blocked_reason, literal_address
from mdcrawl.discovery.urls import site_of

# Names that lead into somebody's own network wherever they are resolved: RFC 6761, RFC 6762,
# RFC 8375, ICANN's .internal, and the habit of routers.
_PRIVATE_SUFFIXES = ("localhost", "local", "internal", "home.arpa", "localdomain", "lan")
_DEFAULT_PORTS = {"http": 80, "https": 443}
SESSION = "{session}"


@dataclass(frozen=True, slots=True)
class Upstream:
    """A forward proxy; `credentials` are "user:password" or "", and never in its representation."""

    scheme: str
    host: str
    port: int
    credentials: str = ""

    def __repr__(self) -> str:
        return f"Upstream({self.address})"

    @property
    def address(self) -> str:
        """The proxy without its credentials, as it may be logged."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


class Proxies:
    """The proxy of MDCRAWL_PROXY, else those of the environment (http_proxy, https_proxy, no_proxy).

    Where the setting's user name holds `{session}`, each site gets a word of its own there, by
    which proxy services keep a site's requests on one outgoing address.
    """

    def __init__(self, setting: str = "", environment: Mapping[str, str] | None = None) -> None:
        self._setting = setting
        self._environment = dict(getproxies() if environment is None else environment)
        self._sessions: dict[str, str] = {}

    @property
    def is_set(self) -> bool:
        """Whether the proxy comes from the setting."""
        return bool(self._setting)

    def all(self) -> list[Upstream]:
        """Return every proxy that may be used."""
        urls = [self._setting] if self._setting else [self._environment.get(scheme, "") for scheme in _DEFAULT_PORTS]
        return [upstream for upstream in map(parse_proxy, urls) if upstream is not None]

    def url_for(self, url: str) -> str:
        """Return the URL of the proxy for a request, credentials included; "" for none."""
        parts = urlsplit(url)
        proxy = self._setting or self._environment.get(parts.scheme, "")
        if not proxy or proxy_bypass(parts.hostname or ""):
            return ""
        return proxy.replace(SESSION, self._session(site_of(url))) if SESSION in proxy else proxy

    def _session(self, site: str) -> str:
        return self._sessions.setdefault(site, secrets.token_hex(6))


def parse_proxy(url: str) -> Upstream | None:
    """Return the parts of a proxy's URL (without a scheme: http), None if it is none. Raises nothing."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return None
    credentials = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}" if parts.username else ""
    return Upstream(parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme], credentials)


def private_name(host: str) -> str:
    """Return why a host must not be asked of a proxy, which resolves it where we cannot see; "" if it may.

    >>> private_name("db.internal"), private_name("127.1"), private_name("example.com")
    ('db.internal, a private name', 'loopback address 127.0.0.1', '')
    """
    literal = literal_address(host)
    if literal is not None:
        return blocked_reason(str(literal))
    name = host.rstrip(".").lower()
    is_private = "." not in name or any(name.endswith(f".{suffix}") for suffix in _PRIVATE_SUFFIXES)
    return f"{name}, a private name" if is_private else ""
