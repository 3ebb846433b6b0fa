"""The server of the bundled site: routes, conditional requests, keep-alive, a quiet and clean end."""

from __future__ import annotations

import http.client
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing

import pytest

MODIFIED = "Tue, 03 Nov 2026 08:30:00 GMT"


def fetch(site, path, method="GET", **headers):
    """Return status, headers and body of one request on a connection of its own."""
    with closing(http.client.HTTPConnection("127.0.0.1", int(site.base.rpartition(":")[2]), timeout=5)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read()


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        pytest.param("/", 200, None, id="home"),
        pytest.param("/docs/", 200, None, id="folder"),
        pytest.param("/docs", 301, "/docs/", id="folder without its slash"),
        pytest.param("/docs/howto", 200, None, id="page without suffix"),
        pytest.param("/docs/howto/", 404, None, id="folder without an index"),
        pytest.param("/docs/reference/index.html", 200, None, id="index by name"),
        pytest.param("/docs/start/?utm_source=card", 200, None, id="query is no part of the path"),
        pytest.param("/docs/getting-started/", 301, "/docs/start/", id="moved"),
        pytest.param("/docs/forum/", 302, "/forum/", id="leaves the folder"),
        pytest.param("/docs/members/", 302, "/docs/login/?next=%2Fdocs%2Fmembers%2F", id="login"),
        pytest.param("/docs/mirror/", 302, "/docs/mirror/eu/", id="loop, there"),
        pytest.param("/docs/mirror/eu/", 302, "/docs/mirror/", id="loop, back"),
        pytest.param("/docs/members/firmware-keys/", 401, None, id="unauthorized"),
        pytest.param("/docs/community/", 403, None, id="challenge"),
        pytest.param("/docs/howto/rain-gauge", 404, None, id="never written"),
        pytest.param("/docs/marlpost-1/", 410, None, id="gone"),
        pytest.param("/docs/howto/solar-panel", 200, None, id="soft 404"),
        pytest.param("/no/such/page", 404, None, id="unknown"),
        pytest.param("/../routes.toml", 404, None, id="dots"),
        pytest.param("/%2e%2e/routes.toml", 404, None, id="escaped dots"),
        pytest.param("/docs/..%2f..%2froutes.toml", 404, None, id="escaped slashes"),
        pytest.param("/docs/%00", 404, None, id="null byte"),
    ],
)
def test_status(site, path, status, location):
    got, headers, body = fetch(site, path)
    assert (got, headers["Location"]) == (status, location)
    assert int(headers["Content-Length"]) == len(body)
    assert (body == b"") == (location is not None)


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("/docs/", "Content-Type", "text/html; charset=utf-8"),
        ("/docs/old/wiring.htm", "Content-Type", "text/html"),
        ("/docs/start/index.md", "Content-Type", "text/markdown; charset=utf-8"),
        ("/docs/files/quick-card.pdf", "Content-Type", "application/pdf"),
        ("/docs/img/post.png", "Content-Type", "image/png"),
        ("/docs/files/sample.mrl", "Content-Type", "application/octet-stream"),
        ("/docs/drafts/radio-test/", "X-Robots-Tag", "noindex"),
        ("/docs/community/", "CF-Mitigated", "challenge"),
        ("/docs/community/", "Server", "cloudflare"),
        ("/docs/members/firmware-keys/", "WWW-Authenticate", 'Basic realm="Fennmark members"'),
        ("/docs/", "Last-Modified", MODIFIED),
        ("/docs/community/", "ETag", None),
    ],
)
def test_header(site, path, name, value):
    assert fetch(site, path)[1][name] == value


@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml", "/docs/llms.txt"])
def test_own_address_is_filled_in(site, path):
    body = fetch(site, path)[2].decode()
    assert f"{site.base}/" in body
    assert "{{" not in body


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param({}, 200, id="plain"),
        pytest.param({"If_None_Match": "TAG"}, 304, id="same tag"),
        pytest.param({"If_None_Match": "W/TAG"}, 304, id="weak tag"),
        pytest.param({"If_None_Match": '"other", TAG'}, 304, id="one of two tags"),
        pytest.param({"If_None_Match": "*"}, 304, id="any tag"),
        pytest.param({"If_None_Match": '"other"'}, 200, id="other tag"),
        pytest.param({"If_Modified_Since": MODIFIED}, 304, id="same date"),
        pytest.param({"If_Modified_Since": "Tue, 03 Nov 2026 08:29:59 GMT"}, 200, id="earlier date"),
        pytest.param({"If_Modified_Since": "yesterday"}, 200, id="not a date"),
        pytest.param({"If_Modified_Since": "Tue, 03 Nov 2026 08:30:00 -0000"}, 200, id="date without zone"),
        pytest.param({"If_None_Match": '"other"', "If_Modified_Since": MODIFIED}, 200, id="the tag decides"),
    ],
)
def test_conditional_request(site, headers, status):
    tag = fetch(site, "/docs/start/")[1]["ETag"]
    got, answer, body = fetch(
        site, "/docs/start/", **{name: value.replace("TAG", tag) for name, value in headers.items()}
    )
    assert got == status
    assert answer["ETag"] == tag
    assert (body == b"") == (status == 304)


def test_head_has_the_length_and_no_body(site):
    status, headers, body = fetch(site, "/docs/", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) == len(fetch(site, "/docs/")[2])


def test_forms_are_refused_and_noted(site):
    assert fetch(site, "/docs/login/", "POST")[0] == 405
    assert [(seen.method, seen.path, seen.status) for seen in site.requests] == [("POST", "/docs/login/", 405)]


def test_requests_are_remembered_in_order(site):
    for path in ("/docs/", "/robots.txt", "/docs/start/?a=1"):
        fetch(site, path, User_Agent="test")
    assert site.paths == ["/docs/", "/robots.txt", "/docs/start/?a=1"]
    assert {seen.headers["user-agent"] for seen in site.requests} == {"test"}
    site.forget()
    assert site.paths == []


def test_one_connection_serves_many_requests(site):
    with closing(http.client.HTTPConnection("127.0.0.1", int(site.base.rpartition(":")[2]))) as connection:
        for path in ("/docs/", "/docs/forum/", "/nowhere", "/docs/"):
            connection.request("GET", path)
            connection.getresponse().read()
            assert connection.sock is not None, path


def test_many_at_once_lose_nothing(site):
    paths = [f"/docs/?{number}" for number in range(60)]
    threads = [threading.Thread(target=fetch, args=(site, path)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(site.paths) == sorted(paths)


def test_a_copy_may_change_while_it_is_served(serve, tmp_path):
    folder = shutil.copytree(serve.FOLDER, tmp_path / "site")
    with serve.Site(folder) as site:
        before = fetch(site, "/docs/howto/winter")[1]["ETag"]
        (folder / "www/docs/howto/winter.html").write_text("<h1>New</h1>")
        status, headers, body = fetch(site, "/docs/howto/winter", If_None_Match=before)
        assert (status, body) == (200, b"<h1>New</h1>")
        assert headers["ETag"] != before


def test_close_ends_idle_connections_and_frees_the_port(serve):
    threads = threading.active_count()
    site = serve.Site().start()
    port = int(site.base.rpartition(":")[2])
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", "/docs/")
        connection.getresponse().read()
        site.close()
        assert threading.active_count() == threads
        with closing(socket.socket()) as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", port))


def test_close_without_start(serve):
    serve.Site().close()


QUIET_USE = """
import gc, http.client, runpy, socket
Site = runpy.run_path("serve.py")["Site"]
with Site() as site:
    host, port = site.base[7:].split(":")
    rude = socket.create_connection((host, port))
    rude.sendall(b"GET /docs/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
    rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\\1\\0\\0\\0\\0\\0\\0\\0")
    rude.close()
    idle = http.client.HTTPConnection(host, int(port))
    idle.request("GET", "/docs/")
    idle.getresponse().read()
idle.close()
del site, rude, idle
gc.collect()
"""


def test_use_is_quiet_and_leaves_nothing_open(serve):
    command = [sys.executable, "-X", "dev", "-W", "always", "-c", QUIET_USE]
    run = subprocess.run(command, check=False, cwd=serve.FOLDER.parent, capture_output=True, text=True, timeout=30)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_script_prints_its_address_and_stops_on_a_signal(serve, number):
    command = [sys.executable, "-X", "dev", serve.__file__]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        base = process.stdout.readline().strip()
        with closing(http.client.HTTPConnection(base.removeprefix("http://"), timeout=5)) as connection:
            connection.request("GET", "/docs/")
            assert connection.getresponse().status == 200
        process.send_signal(number)
        assert process.communicate(timeout=10) == ("", "")
    assert process.returncode == 0
