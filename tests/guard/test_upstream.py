"""Forward proxies: which one a URL takes, sessions by site, credentials out of sight."""

from __future__ import annotations

import pytest

from mdcrawl.guard.upstream import Proxies, Upstream, parse_proxy, private_name
from tests.guard.spellings import HOSTS

ENVIRONMENT = {
    "http": "http://proxy.example:3128",
    "https": "secure.example:3129",
    "no": "inside.example,.corp.example",
}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "inside.example,.corp.example")


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        pytest.param("http://a.example/", "http://proxy.example:3128", id="http"),
        pytest.param("https://a.example/", "secure.example:3129", id="https"),
        pytest.param("http://inside.example/", "", id="no_proxy"),
        pytest.param("https://wiki.corp.example/x", "", id="no_proxy by suffix"),
    ],
)
def test_environment(url, proxy):
    assert Proxies(environment=ENVIRONMENT).url_for(url) == proxy


def test_setting_goes_before_the_environment():
    proxies = Proxies("http://own.example:1", ENVIRONMENT)
    assert proxies.is_set
    assert proxies.url_for("https://a.example/") == "http://own.example:1"
    assert proxies.url_for("https://inside.example/") == ""
    assert [proxy.address for proxy in proxies.all()] == ["http://own.example:1"]


def test_without_any():
    proxies = Proxies(environment={})
    assert not proxies.is_set
    assert proxies.url_for("https://a.example/") == ""
    assert proxies.all() == []


def test_all_of_the_environment():
    assert [proxy.port for proxy in Proxies(environment=ENVIRONMENT).all()] == [3128, 3129]


def test_a_session_is_one_site_long():
    proxies = Proxies("http://user-{session}:secret@proxy.example:1", {})
    first = proxies.url_for("https://a.example/1")
    assert first == proxies.url_for("http://a.example/2?x")
    assert first != proxies.url_for("https://b.example/1")
    assert "{" not in first
    assert first.endswith(":secret@proxy.example:1")
    assert first != Proxies("http://user-{session}:secret@proxy.example:1", {}).url_for("https://a.example/1")


@pytest.mark.parametrize(
    ("url", "upstream"),
    [
        pytest.param("http://p.example:3128", Upstream("http", "p.example", 3128), id="plain"),
        pytest.param("p.example:3128", Upstream("http", "p.example", 3128), id="without a scheme"),
        pytest.param("https://p.example", Upstream("https", "p.example", 443), id="default port"),
        pytest.param("http://a%40b:c%3Ad@p.example:1", Upstream("http", "p.example", 1, "a@b:c:d"), id="credentials"),
        pytest.param("http://[::1]:3128", Upstream("http", "::1", 3128), id="IPv6"),
        pytest.param("socks5://p.example:1080", None, id="another kind"),
        pytest.param("http://", None, id="no host"),
        pytest.param("http://p.example:x", None, id="no port"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_parse(url, upstream):
    assert parse_proxy(url) == upstream


def test_credentials_do_not_show():
    upstream = parse_proxy("http://me:hush@p.example:1")
    assert "hush" not in repr(upstream)
    assert "hush" not in upstream.address
    assert upstream.address == "http://p.example:1"


@pytest.mark.parametrize("host", [host for host in HOSTS.values() if not host.endswith("example")])
def test_private_hosts_are_not_asked_of_a_proxy(host):
    assert private_name(host)


@pytest.mark.parametrize("host", ["db", "db.internal", "printer.local", "nas.home.arpa", "x.lan", "a.b.localhost"])
def test_private_names_are_not_asked_of_a_proxy(host):
    assert private_name(host)


@pytest.mark.parametrize(
    "host", ["example.com", "local.example", "internal.example.com", "93.184.216.34", "manual.test"]
)
def test_public_hosts_are(host):
    assert private_name(host) == ""
