"""Which addresses and URLs a crawler must not touch: everything that is not the public web."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from mdcrawl.discovery.hosts import literal_address
from mdcrawl.discovery.urls import split_url

__all__ = ["blocked_reason", "literal_address", "url_fault"]

# IANA's registries of special-purpose addresses, and 168.63.129.16: the one metadata service that sits
# in public space (Azure). The standard library's own tables differ from release to release.
_BLOCKED = tuple(
    (ip_network(network), reason)
    for network, reason in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "cloud metadata"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::/96", "IPv4-compatible"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard-only"),
        ("2001::/32", "Teredo"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
# Addresses that stand for an IPv4 address in their last 32 bits: what counts is where they lead.
_EMBEDDING = (
    IPv6Network("::ffff:0:0/96"),  # mapped
    IPv6Network("::ffff:0:0:0/96"),  # translated (SIIT)
    IPv6Network("64:ff9b::/96"),  # NAT64
)


def blocked_reason(address: str) -> str:
    """Return why no connection may be made to an IP address, "" if one may. Raises nothing.

    `address` is what a resolver returns, a zone ("%eth0") included. Anything that is no address is
    blocked too.

    >>> blocked_reason("10.0.0.7"), blocked_reason("::ffff:127.0.0.1"), blocked_reason("1.1.1.1")
    ('private address 10.0.0.7', 'loopback address ::ffff:127.0.0.1', '')
    """
    try:
        parsed = ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return f"not an IP address: {address!r}"
    kind = _kind(_led_to(parsed))
    return f"{kind} address {address}" if kind else ""


def _led_to(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if any(address in network for network in _EMBEDDING):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _kind(address: IPv4Address | IPv6Address) -> str:
    for network, reason in _BLOCKED:
        if address in network:
            return reason
    # IPv6 addresses outside 2000::/3 are not given out to anybody yet.
    return "" if address.version == 4 or int(address) >> 125 == 1 else "unallocated"


def url_fault(url: str) -> str:
    """Return why a URL may not be asked for, wherever its host leads; "" if nothing is wrong. Raises nothing.

    Faults: no URL at all, another scheme than http and https, credentials, a bad host or port.

    >>> url_fault("https://me:secret@example.com/"), url_fault("file:///etc/hostname")
    ('credentials in the URL', 'scheme file')
    """
    try:
        parts = split_url(url)
    except ValueError as error:
        return str(error)
    if parts.credentials:
        return "credentials in the URL"
    return "bad port '0'" if parts.port == "0" else ""
