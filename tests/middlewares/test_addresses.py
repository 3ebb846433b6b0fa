"""Addresses: what a request gets for a verdict, and whole crawls in which nothing private is asked."""

from __future__ import annotations

import json
import socket
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.exceptions import CannotResolveHostError
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager

from mdcrawl import settings
from mdcrawl.guard.gate import AddressGuard
from mdcrawl.items import Verdict
from mdcrawl.middlewares import addresses
from mdcrawl.middlewares.addresses import AddressesMiddleware, host_port
from mdcrawl.outcomes import RequestVerdict
from mdcrawl.spiders.docs import DocsSpider
from tests.guard.spellings import HOSTS, answer


def make(monkeypatch, start="http://public.example/docs/", environment=None, **given):
    """Return the middleware of a crawl that looks names up in a table."""
    for name in ("http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (environment or {}).items():
        monkeypatch.setenv(name, value)
    guard = AddressGuard(answer)
    monkeypatch.setattr(addresses, "installed_guard", lambda: guard)
    counted = []
    crawler = SimpleNamespace(
        settings=Settings(settings.defaults() | given),
        signals=SignalManager(),
        spider=DocsSpider(start=start),
        stats=SimpleNamespace(counted=counted, inc_value=counted.append),
    )
    middleware = AddressesMiddleware.from_crawler(crawler)
    middleware.spider_opened()
    return middleware


def said_of(caplog):
    return [record.getMessage() for record in caplog.records if record.name == addresses.__name__]


async def verdict_on(middleware, url):
    with pytest.raises(RequestVerdict) as raised:
        await middleware.process_request(Request(url))
    return raised.value.verdict, raised.value.reason


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
async def test_every_spelling_is_blocked(monkeypatch, host):
    verdict, reason = await verdict_on(make(monkeypatch), f"http://{host}/x")
    assert verdict is Verdict.BLOCKED_ADDRESS
    assert reason


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        pytest.param("http://inside.example/", "inside.example resolves to a private address 10.0.0.7", id="name"),
        pytest.param("http://169.254.169.254/", "link-local address 169.254.169.254", id="literal"),
        pytest.param("file:///etc/hostname", "scheme file", id="file"),
        pytest.param("ftp://public.example/", "scheme ftp", id="ftp"),
        pytest.param("http://me:hush@public.example/", "credentials in the URL", id="credentials"),
    ],
)
async def test_reason(monkeypatch, url, reason):
    middleware = make(monkeypatch)
    assert await verdict_on(middleware, url) == (Verdict.BLOCKED_ADDRESS, reason)
    assert middleware._crawler.stats.counted == ["mdcrawl/addresses/blocked"]


@pytest.mark.parametrize("url", ["http://public.example/x", "https://93.184.216.34/", "http://[2606:2800:220:1::1]/"])
async def test_public_passes_and_is_left_as_it_is(monkeypatch, url):
    request = Request(url)
    assert await make(monkeypatch).process_request(request) is None
    assert request.meta == {}


async def test_name_that_does_not_resolve_is_trouble_that_may_pass(monkeypatch):
    with pytest.raises(CannotResolveHostError):
        await make(monkeypatch).process_request(Request("http://nowhere.example/"))


class TestStart:
    """The operator named the start URL."""

    async def test_its_own_host_and_port_pass_and_it_is_said_once(self, monkeypatch, caplog):
        caplog.set_level("INFO")
        middleware = make(monkeypatch, "http://127.0.0.1:8000/docs/")
        for _ in range(3):
            await middleware.process_request(Request("http://127.0.0.1:8000/robots.txt"))
        (said,) = said_of(caplog)
        assert said == (
            "127.0.0.1:8000 is a loopback address 127.0.0.1; it is asked because it is a start URL "
            "(MDCRAWL_TRUST_START=False forbids it)"
        )

    @pytest.mark.parametrize("url", ["http://127.0.0.1:8001/", "http://localhost:8000/", "http://127.0.0.2:8000/"])
    async def test_no_other_passes(self, monkeypatch, url):
        middleware = make(monkeypatch, "http://127.0.0.1:8000/docs/")
        assert (await verdict_on(middleware, url))[0] is Verdict.BLOCKED_ADDRESS

    async def test_it_is_blocked_where_strangers_name_it(self, monkeypatch):
        middleware = make(monkeypatch, "http://127.0.0.1:8000/docs/", MDCRAWL_TRUST_START="False")
        assert await verdict_on(middleware, "http://127.0.0.1:8000/docs/") == (
            Verdict.BLOCKED_ADDRESS,
            "loopback address 127.0.0.1",
        )

    async def test_a_list_can_exempt_it_all_the_same(self, monkeypatch, caplog):
        caplog.set_level("INFO")
        middleware = make(
            monkeypatch,
            "http://127.0.0.1:8000/",
            MDCRAWL_TRUST_START="False",
            MDCRAWL_ALLOW_ADDRESSES="127.0.0.1:8000,[::1]:80",
        )
        await middleware.process_request(Request("http://127.0.0.1:8000/docs/"))
        await middleware.process_request(Request("http://[::1]/docs/"))
        assert said_of(caplog) == []


class TestProxy:
    """Through a forward proxy the names are resolved elsewhere."""

    @pytest.mark.parametrize(
        "environment", [{"http_proxy": "http://127.0.0.1:3128"}, {}], ids=["environment", "setting"]
    )
    async def test_unknown_names_pass_and_private_ones_do_not(self, monkeypatch, environment):
        given = {} if environment else {"MDCRAWL_PROXY": "http://127.0.0.1:3128"}
        middleware = make(monkeypatch, environment=environment, **given)
        await middleware.process_request(Request("http://nowhere.example/"))
        for url in ("http://10.0.0.7/", "http://localhost/", "http://db.internal/", "http://2130706433/"):
            assert (await verdict_on(middleware, url))[0] is Verdict.BLOCKED_ADDRESS

    async def test_the_proxy_itself_may_be_private(self, monkeypatch):
        middleware = make(monkeypatch, MDCRAWL_PROXY="http://inside.example:3128")
        assert await middleware.guard.resolve("inside.example", 3128) == ("10.0.0.7",)
        assert await middleware.guard.resolve("inside.example", 0) == ("10.0.0.7",)

    async def test_setting_is_put_on_each_request_with_its_site_s_session(self, monkeypatch):
        middleware = make(monkeypatch, MDCRAWL_PROXY="http://me-{session}:hush@proxy.example:3128")
        requests = [Request(f"http://{host}/{path}") for host in ("a.example", "b.example") for path in (1, 2)]
        for request in requests:
            await middleware.process_request(request)
        first, again, other, _ = (request.meta["proxy"] for request in requests)
        assert first == again != other
        assert "hush" not in "".join(map(repr, requests))

    async def test_a_hop_to_another_site_changes_the_session(self, monkeypatch):
        middleware = make(monkeypatch, MDCRAWL_PROXY="http://me-{session}:hush@proxy.example:3128")
        request = Request("http://a.example/")
        await middleware.process_request(request)
        hop = request.replace(url="http://b.example/")
        await middleware.process_request(hop)
        assert hop.meta["proxy"] != request.meta["proxy"]

    async def test_start_may_be_private_behind_it(self, monkeypatch):
        middleware = make(monkeypatch, "http://localhost:8000/", MDCRAWL_PROXY="http://proxy.example:3128")
        await middleware.process_request(Request("http://localhost:8000/"))
        assert (await verdict_on(middleware, "http://localhost:8001/"))[0] is Verdict.BLOCKED_ADDRESS


@pytest.mark.parametrize(
    ("url", "pair"),
    [
        ("http://A.Example/x", ("a.example", 80)),
        ("https://a.example", ("a.example", 443)),
        ("http://[::1]:8000/", ("::1", 8000)),
    ],
)
def test_host_and_port(url, pair):
    assert host_port(url) == pair


# --- Whole crawls -------------------------------------------------------------------------------

LOCAL = [host for name, host in HOSTS.items() if "127" in host or "::1" in host or name.startswith(("decimal", "zero"))]


def test_nothing_is_asked_of_a_private_address(crawl, mock_sites, tmp_path):
    """By link and by redirect, in spellings that would all lead to the machine of the test."""
    site, inner = mock_sites(), mock_sites()
    inner_port = inner.base.rpartition(":")[2]
    spelled = [f"http://{host}:{inner_port}/" for host in LOCAL if host.isascii()] + [f"http://localhost:{inner_port}/"]
    hops = [f"/docs/hop-{number}" for number in range(len(spelled))]
    site.add_page("/docs/", *spelled, *hops, "/docs/chain")
    for hop, target in zip(hops, spelled, strict=True):
        site.redirect(hop, target)
    site.redirect("/docs/chain", "/docs/chain-2")
    site.redirect("/docs/chain-2", spelled[0])
    result = crawl(site.url("/docs/"), tmp_path, scope="any")
    assert inner.asked == []
    verdicts = {row["url"]: row["verdict"] for row in result.pages}
    assert verdicts.pop(site.url("/docs/")) == "ok"
    assert set(verdicts.values()) == {"blocked_address"}
    assert {site.url(hop) for hop in [*hops, "/docs/chain"]} <= set(verdicts)
    assert result.is_clean


def ipv6():
    with socket.socket(socket.AF_INET6) as opened:
        try:
            opened.bind(("::1", 0))
        except OSError:
            return False
        return True


REBINDING = """
import socket
real, turns = socket.getaddrinfo, {}
def getaddrinfo(host, port, *args, **kwargs):
    name = host.decode() if isinstance(host, bytes) else host
    if name in ANSWERS:
        turn = turns[name] = turns.get(name, -1) + 1
        name = ANSWERS[name][min(turn, len(ANSWERS[name]) - 1)]
    return real(name, port, *args, **kwargs)
socket.getaddrinfo = getaddrinfo
"""


def names(folder, **answers):
    """Let the processes that get this folder resolve names as told, a turn each time."""
    spelled = {name.replace("_", "."): turns for name, turns in answers.items()}
    (folder / "sitecustomize.py").write_text(f"ANSWERS = {json.dumps(spelled)}\n{REBINDING}", encoding="utf-8")
    return folder


def test_connection_goes_to_the_address_that_was_checked(crawl, mock_sites, tmp_path):
    """The name is exempt and leads to the site at first, then to nobody: whoever looks it up again is lost."""
    site = mock_sites()
    port = site.base.rpartition(":")[2]
    site.add_page("/docs/", "/docs/a", "/docs/b")
    site.add_page("/docs/a")
    site.add_page("/docs/b")
    modules = names(tmp_path, rebind_example=["127.0.0.1", "127.0.0.99"])
    result = crawl(f"http://rebind.example:{port}/docs/", tmp_path / "out", modules=modules)
    assert result.verdicts == {"/docs/": "ok", "/docs/a": "ok", "/docs/b": "ok"}
    assert "is a loopback address 127.0.0.1; it is asked because it is a start URL" in result.stderr


def test_name_that_leads_inside_is_blocked(crawl, mock_sites, tmp_path):
    site, inner = mock_sites(), mock_sites()
    inside = f"http://inside.example:{inner.base.rpartition(':')[2]}/secret"
    site.add_page("/docs/", inside)
    result = crawl(
        site.url("/docs/"), tmp_path / "out", modules=names(tmp_path, inside_example=["127.0.0.1"]), scope="any"
    )
    assert result.row("/secret")["verdict"] == "blocked_address"
    assert result.row("/secret")["reason"] == "inside.example resolves to a loopback address 127.0.0.1"
    assert inner.asked == []


@pytest.mark.skipif(not ipv6(), reason="this machine has no IPv6")
def test_site_on_ipv6(crawl, tmp_path):
    from http.server import ThreadingHTTPServer
    from threading import Thread

    from tests.conftest import MockSite

    class Server(ThreadingHTTPServer):
        address_family = socket.AF_INET6

    site = MockSite()
    site.add_page("/docs/", "/docs/a")
    site.add_page("/docs/a")
    server = Server(("::1", 0), site._handler())
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        result = crawl(f"http://[::1]:{server.server_port}/docs/", tmp_path)
    finally:
        server.shutdown()
        server.server_close()
        site._server.server_close()
    assert result.verdicts == {"/docs/": "ok", "/docs/a": "ok"}
