"""The host of a URL in its one canonical spelling, by the host parser of the WHATWG URL Standard."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import unquote

import idna

# Full stops of other scripts that UTS 46 maps to ".".
_DOTS = str.maketrans({"。": ".", "．": ".", "｡": "."})
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.IGNORECASE)
# WHATWG allows more (such as "!" or "~"), but no such name can be resolved.
_NAME = re.compile(r"(?!.{254})(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}")


def literal_address(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address that `host` spells, or None if it is a name. Raises nothing.

    Takes what browsers and the C library take: brackets, a trailing dot, percent-encoding, full-width
    digits, and IPv4 as decimal, octal, hexadecimal or with fewer than four parts (WHATWG URL
    Standard section 3.5, inet_aton).

    >>> literal_address("0x7f.1"), literal_address("[::1]"), literal_address("example.com")
    (IPv4Address('127.0.0.1'), IPv6Address('::1'), None)
    """
    plain = unicodedata.normalize("NFKC", unquote(host.strip())).translate(_DOTS)
    if ":" in plain or plain.startswith("["):
        return _ipv6(plain)
    parts = plain.removesuffix(".").split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    numbers = [_number(part) for part in parts]
    # Each part but the last is one byte; the last fills all that remain.
    if any(number < 0 for number in numbers) or any(number > 255 for number in numbers[:-1]):
        return None
    if numbers[-1] >= 256 ** (5 - len(numbers)):
        return None
    value = numbers[-1]
    for position, number in enumerate(numbers[:-1]):
        value += number * 256 ** (3 - position)
    return IPv4Address(value)


def _ipv6(text: str) -> IPv6Address | None:
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        return IPv6Address(inner.partition("%")[0])
    except AddressValueError:
        return None


def _number(part: str) -> int:
    """Return the value of one part of an IPv4 address; -1 if it is none."""
    # No address has a longer number; int() refuses thousands of digits.
    if len(part) > 64:
        return -1
    try:
        if part[:2].lower() == "0x":
            return int(part[2:] or "0", 16)
        if len(part) > 1 and part.startswith("0"):
            return int(part, 8)
        return int(part)
    except ValueError:
        return -1


@lru_cache(maxsize=4096)
def canonical_host(host: str) -> str:
    """Return the host in lower case, IDN as punycode, addresses in their short form, no trailing dot.

    Raises ValueError, saying what is wrong, if it is no host.
    """
    if not host:
        raise ValueError("no host")
    if len(host) > 1000:
        raise ValueError(f"host of {len(host)} characters")
    if host.startswith("["):
        return _canonical_ipv6(host)
    name = _ascii_name(unquote(host)).removesuffix(".")
    last = name.rpartition(".")[2]
    if _NUMBER.fullmatch(last):
        address = literal_address(name)
        if address is None:
            raise ValueError(f"bad IPv4 address {host!r}")
        return str(address)
    if not _NAME.fullmatch(name):
        raise ValueError(f"bad host {host!r}")
    return name


def _canonical_ipv6(host: str) -> str:
    address = _ipv6(host) if host.endswith("]") and "%" not in host else None
    if address is None:
        raise ValueError(f"bad IPv6 address {host!r}")
    mapped = address.ipv4_mapped
    if mapped is not None:
        # str() of these differs between Python versions.
        return f"[::ffff:{int(mapped) >> 16:x}:{int(mapped) & 0xFFFF:x}]"
    return f"[{address.compressed}]"


def _ascii_name(name: str) -> str:
    """Return the name by UTS 46, not transitional, labels beyond ASCII as punycode.

    Which code points IDNA 2008 forbids does not count: sites under such names (emoji) exist.
    """
    if name.isascii():
        return name.lower()
    try:
        mapped = idna.uts46_remap(name, std3_rules=False, transitional=False)
    except idna.IDNAError as error:
        raise ValueError(f"bad host {name!r}") from error
    labels = mapped.split(".")
    return ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels)
