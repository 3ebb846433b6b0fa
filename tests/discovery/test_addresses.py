"""The address guard: no spelling of an inner address gets through, and public ones do."""

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.addresses import blocked_reason, literal_address, url_fault
from mdcrawl.discovery.urls import canonical_url, split_url

# Spellings of a host that a browser or the C library takes for an address that is not public.
INNER_HOSTS = {
    # loopback
    "127.0.0.1": "loopback",
    "127.0.0.1.": "loopback",
    "127.1": "loopback",
    "127.0.1": "loopback",
    "127.255.255.254": "loopback",
    "2130706433": "loopback",
    "017700000001": "loopback",
    "0x7f000001": "loopback",
    "0x7f.1": "loopback",
    "0X7F.0.0.1": "loopback",
    "0177.1": "loopback",
    "0177.0.0.01": "loopback",
    "127.0x0.0.1": "loopback",
    "0x7f.0x0.0x0.0x1": "loopback",
    "00000177.0.0.1": "loopback",
    "127.65535": "loopback",
    "0x000000007f000001": "loopback",
    "127.0.0.0x1": "loopback",
    "１２７.０.０.１": "loopback",
    "127。0。0。1": "loopback",
    "①②⑦.0.0.1": "loopback",
    "127．0．0．1": "loopback",
    "%31%32%37.0.0.1": "loopback",
    "127.0.0.%31": "loopback",
    "127%2e0%2e0%2e1": "loopback",
    "[::1]": "loopback",
    "[0:0:0:0:0:0:0:1]": "loopback",
    "[0000::0001]": "loopback",
    "[::0.0.0.1]": "loopback",
    "[::ffff:127.0.0.1]": "loopback",
    "[::ffff:7f00:1]": "loopback",
    "[0:0:0:0:0:FFFF:127.0.0.1]": "loopback",
    "[::ffff:0:127.0.0.1]": "loopback",
    "[64:ff9b::127.0.0.1]": "loopback",
    "[64:ff9b::7f00:1]": "loopback",
    # this network, unspecified
    "0.0.0.0": "this network",
    "0": "this network",
    "0x0": "this network",
    "0.1": "this network",
    "00": "this network",
    "[::]": "unspecified",
    "[0::0]": "unspecified",
    "[::ffff:0.0.0.0]": "this network",
    # private
    "10.0.0.7": "private",
    "10.7": "private",
    "167772167": "private",
    "0xa.0.0.7": "private",
    "012.0.0.7": "private",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "192.168.257": "private",
    "3232235777": "private",
    "0xc0a80101": "private",
    "[::ffff:10.0.0.7]": "private",
    "[::ffff:a00:7]": "private",
    "[64:ff9b::10.0.0.7]": "private",
    "[fc00::1]": "private",
    "[fd00:ec2::254]": "private",
    # link-local and metadata services
    "169.254.169.254": "link-local",
    "2852039166": "link-local",
    "0xa9fea9fe": "link-local",
    "0251.0376.0251.0376": "link-local",
    "169.16689662": "link-local",
    "[::ffff:169.254.169.254]": "link-local",
    "[fe80::1]": "link-local",
    "[febf::1]": "link-local",
    "168.63.129.16": "cloud metadata",
    "100.100.100.200": "carrier-grade NAT",
    # the rest of the registries
    "100.64.0.1": "carrier-grade NAT",
    "192.0.0.8": "protocol assignments",
    "192.0.2.1": "documentation",
    "198.51.100.1": "documentation",
    "203.0.113.1": "documentation",
    "198.18.0.1": "benchmarking",
    "224.0.0.1": "multicast",
    "239.255.255.255": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "broadcast",
    "4294967295": "broadcast",
    "192.88.99.1": "6to4 relay",
    "[::8.8.8.8]": "IPv4-compatible",
    "[::127.0.0.1]": "IPv4-compatible",
    "[64:ff9b:1::1]": "local NAT64",
    "[100::1]": "discard-only",
    "[2001::1]": "Teredo",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]": "Teredo",
    "[2001:10::1]": "protocol assignments",
    "[2001:db8::1]": "documentation",
    "[2002:7f00:1::]": "6to4",
    "[2002:808:808::1]": "6to4",
    "[3fff::1]": "documentation",
    "[5f00::1]": "segment routing",
    "[fec0::1]": "site-local",
    "[ff02::1]": "multicast",
    "[4000::1]": "unallocated",
    "[e000::1]": "unallocated",
}


def test_the_table_is_as_long_as_promised():
    assert len(INNER_HOSTS) >= 60


@pytest.mark.parametrize(("host", "kind"), INNER_HOSTS.items(), ids=INNER_HOSTS.keys())
def test_no_spelling_gets_through(host, kind):
    literal = literal_address(host)
    assert literal is not None
    assert blocked_reason(str(literal)) == f"{kind} address {literal}"


@pytest.mark.parametrize("host", INNER_HOSTS)
def test_the_canonical_url_spells_the_same_address(host):
    url = canonical_url(f"http://{host}:8080/x")
    assert literal_address(split_url(url).host) == literal_address(host)


@pytest.mark.parametrize("zoned", ["fe80::1%eth0", "[fe80::1%25eth0]", "fe80::1%1"])
def test_a_zone_hides_nothing(zoned):
    assert blocked_reason(zoned).startswith("link-local address ")


PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "169.253.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2001:4860:4860::8888",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_open(address):
    assert blocked_reason(address) == ""


@pytest.mark.parametrize("text", ["", "localhost", "0177.0.0.1", "1.2.3", "::g"])
def test_what_is_no_address_is_blocked(text):
    assert blocked_reason(text) == f"not an IP address: {text!r}"


NAMES = [
    "example.com",
    "localhost",
    "1.2.3.4.5",
    "256.0.0.1",
    "1.2.3.256",
    "1.2.65536",
    "4294967296",
    "0x100000000",
    "08.0.0.1",
    "1..2",
    "",
    ".",
    "127.0.0.1.example",
    "127.0.0.one",
    "[::1",
    "::g",
    "1.2.3.-4",
    "0x7g.1",
    "9" * 5000,
]


@pytest.mark.parametrize("host", NAMES, ids=[name[:20] or "empty" for name in NAMES])
def test_names_are_no_addresses(host):
    assert literal_address(host) is None


def test_literals_come_back_as_addresses():
    assert literal_address("0x7f.1") == IPv4Address("127.0.0.1")
    assert literal_address("1.2.772") == IPv4Address("1.2.3.4")
    assert literal_address("::ffff:1.2.3.4") == IPv6Address("::ffff:102:304")


FAULTS = {
    "plain": ("https://example.com/a", ""),
    "port": ("http://example.com:8080/a", ""),
    "inner address is for the resolver's guard": ("http://127.0.0.1:8080/", ""),
    "file": ("file:///etc/hostname", "scheme file"),
    "ftp": ("ftp://example.com/a", "scheme ftp"),
    "gopher": ("gopher://example.com:70/", "scheme gopher"),
    "script": ("javascript:alert(1)", "scheme javascript"),
    "data": ("data:text/html,hi", "scheme data"),
    "view-source": ("view-source:http://example.com/", "scheme view-source"),
    "no scheme": ("example.com/a", "no scheme"),
    "name": ("https://me@example.com/", "credentials in the URL"),
    "name and password": ("https://me:pw@example.com/", "credentials in the URL"),
    "empty name": ("https://:pw@example.com/", "credentials in the URL"),
    "backslash before the real host": ("http://good.example\\@127.0.0.1/", ""),
    "host behind a good-looking name": ("http://good.example:80@127.0.0.1/", "credentials in the URL"),
    "port zero": ("http://example.com:0/", "bad port '0'"),
    "big port": ("http://example.com:65536/", "bad port '65536'"),
    "port with letters": ("http://example.com:80a/", "bad port '80a'"),
    "bad address": ("http://1.2.3.4.5/", "bad IPv4 address '1.2.3.4.5'"),
    "bad host": ("http://exa mple.com/", "bad host 'exa mple.com'"),
}


@pytest.mark.parametrize(("url", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_url_fault(url, fault):
    assert url_fault(url) == fault


def test_a_backslash_ends_the_host_as_in_browsers():
    assert split_url("http://good.example\\@127.0.0.1/").host == "good.example"


@given(st.text() | st.lists(st.sampled_from("0x7f1.[]:%fe80 ①۱")).map("".join))
def test_total(text):
    assert isinstance(blocked_reason(text), str)
    assert isinstance(url_fault(f"http://{text}/"), str)
    literal = literal_address(text)
    assert literal is None or literal_address(str(literal)) == literal
