"""What the tests over whole crawls share: the real command in a process of its own, and sites on loopback."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings

from fixtures.serve import Site
from tests.servers import PostgreSQL, Redis

ROOT = Path(__file__).resolve().parents[1]
CONTACT = "https://example.com/bot"
# How many examples the properties of chunking try: many in CI, few at the desk. No deadline: the first example
# loads the vocabulary, and CI machines are shared.
for profile, examples in (("ci", 1000), ("desk", 60)):
    settings.register_profile(
        profile, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )

ABOUT_THE_SITE = re.compile(r"/(robots|llms|llms-full)\.txt$|/sitemap[^/]*\.xml$|/\.well-known/|/no-such-page-")
# Our own machine: nobody to be polite to. Tests of politeness set their own.
DELAY_S = 0.01


def path_of(url: str) -> str:
    """Return what a server sees of a URL: its path, with its query if it has one."""
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


@dataclass(frozen=True)
class Ended:
    """A command of Scrapy's that has ended."""

    status: int
    stdout: str
    stderr: str

    @property
    def complaints(self) -> list[str]:
        """What mdcrawl itself had to say to the user, line by line."""
        return [line for line in self.stderr.splitlines() if line.startswith("mdcrawl:")]

    @property
    def is_clean(self) -> bool:
        """Whether nothing was raised where nobody caught it, and nothing outdated was called."""
        return not any(word in self.stdout + self.stderr for word in ("Traceback", "DeprecationWarning", "] ERROR"))


@dataclass(frozen=True)
class Crawl(Ended):
    """A crawl that has ended, and what it left in its folder."""

    folder: Path

    @cached_property
    def pages(self) -> list[dict[str, Any]]:
        """The rows of pages.jsonl."""
        return self._rows("pages.jsonl")

    @cached_property
    def chunks(self) -> list[dict[str, Any]]:
        """The rows of chunks.jsonl."""
        return self._rows("chunks.jsonl")

    @cached_property
    def changes(self) -> list[dict[str, Any]]:
        """The rows of changes.jsonl."""
        return self._rows("changes.jsonl")

    @cached_property
    def documents(self) -> dict[str, str]:
        """The text of each Markdown file by its path in the folder."""
        files = (self.folder / "markdown").rglob("*.md")
        return {str(path.relative_to(self.folder)): path.read_text(encoding="utf-8") for path in files}

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The content of summary.json."""
        return json.loads((self.folder / "summary.json").read_bytes())

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict on each path; of one site, since paths of several may be the same."""
        return {path_of(row["url"]): row["verdict"] for row in self.pages}

    def row(self, path: str) -> dict[str, Any]:
        """Return the one row of a path."""
        (row,) = [row for row in self.pages if path_of(row["url"]) == path]
        return row

    def _rows(self, name: str) -> list[dict[str, Any]]:
        lines = (self.folder / name).read_text(encoding="utf-8").split("\n")
        assert lines.pop() == ""
        return [json.loads(line) for line in lines]


def run_scrapy(*arguments: str, modules: Path | None = None, timeout_s: float = 120) -> Ended:
    """Run `scrapy ARGUMENTS…` in the project's folder, as from a shell; `modules` holds more for Python to find."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}
    if modules is not None:
        environment["PYTHONPATH"] = str(modules)
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", "scrapy", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # Python then says where it hangs
        stdout, stderr = process.communicate()
        pytest.fail(f"scrapy {' '.join(arguments)}: no end after {timeout_s:.0f} s\n{stderr}")
    return Ended(process.returncode, stdout, stderr)


def run_crawl(
    start: str, folder: Path, *, settings: Mapping[str, object] = {}, modules: Path | None = None, **arguments: object
) -> Crawl:
    """Run `scrapy crawl docs` from `start` into `folder`; settings go before those of the tests."""
    ours = {"DOWNLOAD_DELAY": DELAY_S, "MDCRAWL_CONTACT": CONTACT, "MDCRAWL_WORKERS": 1, "MDCRAWL_OUTPUT": folder}
    given = {**ours, **settings}
    options = [f"-a{name}={value}" for name, value in {"start": start, **arguments}.items()]
    options += [f"-s{name}={value}" for name, value in given.items()]
    ended = run_scrapy("crawl", "docs", *options, modules=modules)
    return Crawl(ended.status, ended.stdout, ended.stderr, folder)


def on_terminal(command: list[str], *, interrupt_at: bytes = b"", term: str = "xterm-256color") -> tuple[int, str]:
    """Run a command on a terminal of its own; return its status and what it wrote, control sequences left out.

    It gets a Ctrl-C when it has written `interrupt_at`.
    """
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": term, "COLUMNS": "120"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    written = b""
    try:
        while data := os.read(ours, 65_536):
            written += data
            if interrupt_at and interrupt_at in written:
                process.send_signal(signal.SIGINT)
                interrupt_at = b""
    except OSError:  # Linux's word for the end of a terminal
        pass
    os.close(ours)
    # A cursor that the view hides is there again; a terminal that cannot draw has no view.
    hidden = written.count(b"\x1b[?25l")
    assert hidden == written.count(b"\x1b[?25h")
    assert (hidden > 0) == (term != "dumb")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written.decode("utf-8", "replace"))
    return process.wait(timeout=60), text.replace("\r", "")


# --- Sites that answer as a test wants ----------------------------------------------------------


class Asked(NamedTuple):
    """A request as a mock site saw it; header names in lower case, `at_s` on the monotonic clock."""

    path: str
    headers: dict[str, str]
    at_s: float


class Answer(NamedTuple):
    """What a mock site sends back; a Content-Length of its own promises more or less than there is."""

    status: int = 200
    headers: Mapping[str, str] = {}
    body: str | bytes = ""


Route = Answer | Callable[[Asked], Answer]


class MockSite:
    """A site on 127.0.0.1 that answers each path as the test says, and any other with 404.

    `routes` maps a path with its query to an Answer or to a function that makes it from the request;
    one that raises ConnectionError hangs up without a word.
    """

    def __init__(self) -> None:
        self.routes: dict[str, Route] = {}
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # clients that hang up are no news
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.base = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def url(self, path: str) -> str:
        """Return the absolute URL of a path."""
        return self.base + path

    @property
    def paths(self) -> list[str]:
        """The paths of all requests so far, in order."""
        return [asked.path for asked in self.asked]

    @property
    def page_paths(self) -> list[str]:
        """The paths of all requests but those for what tells a crawler about the site."""
        return [path for path in self.paths if not ABOUT_THE_SITE.search(path)]

    def add_page(self, path: str, *links: str, headers: Mapping[str, str] = {}) -> None:
        """Let a path answer with a sound page of its own, which links to `links`."""
        self.routes[path] = self.page(path, *links, headers=headers)

    def redirect(self, path: str, to: str, status: int = 302, **headers: str) -> None:
        """Let a path answer with a redirect."""
        self.routes[path] = Answer(status, {"Location": to, **headers})

    def robots(self, *lines: str, status: int = 200) -> None:
        """Let the site have a robots.txt."""
        self.routes["/robots.txt"] = Answer(status, {"Content-Type": "text/plain"}, "\n".join(lines))

    def page(self, path: str, *links: str, headers: Mapping[str, str] = {}) -> Answer:
        """Return a sound page of some 130 words that no other path and no other site has."""
        steps = "".join(
            f"<p>Step {number} of {self.url(path)} turns valve {number} by a quarter, then waits for the gauge.</p>"
            for number in range(1, 9)
        )
        items = "".join(f'<li><a href="{link}">To {link}</a></li>' for link in links)
        body = (
            f'<!doctype html><html lang="en"><head><title>Valves of {path}</title></head><body><main>'
            f"<h1>Valves of {path}</h1>{steps}<ul>{items}</ul></main></body></html>"
        )
        return Answer(200, {"Content-Type": "text/html; charset=utf-8", **headers}, body)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.path, headers, time.monotonic())
                site.asked.append(asked)
                route = site.routes.get(self.path, Answer(404, {"Content-Type": "text/plain"}, "no such page"))
                try:
                    answer = route(asked) if callable(route) else route
                except ConnectionError:
                    self.close_connection = True
                    return
                body = answer.body.encode() if isinstance(answer.body, str) else answer.body
                self.send_response(answer.status)
                for name, value in {"Content-Length": str(len(body)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = "Content-Length" in answer.headers

            def log_message(self, *_: object) -> None:
                """Stay quiet."""

        return Handler


@pytest.fixture(scope="session")
def scrapy() -> Callable[..., Ended]:
    """Run `scrapy ARGUMENTS…` in a process of its own."""
    return run_scrapy


@pytest.fixture(scope="session")
def crawl() -> Callable[..., Crawl]:
    """Run `scrapy crawl docs` in a process of its own: `crawl(start, folder, settings={…}, max_pages=3)`."""
    return run_crawl


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve the bundled site."""
    with Site() as served:
        yield served


@pytest.fixture(scope="module")
def mock_sites() -> Iterator[Callable[[], MockSite]]:
    """Open as many mock sites as a module of tests wants: `mock_sites()` is one more."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(MockSite())


@pytest.fixture
def mock_site() -> Iterator[MockSite]:
    """Open one mock site for one test."""
    with MockSite() as opened:
        yield opened


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Run a PostgreSQL for all tests that want one; `postgresql.url()` is a new schema."""
    with PostgreSQL() as server:
        yield server


@pytest.fixture
def redis() -> Iterator[Redis]:
    """Run a Redis for one test."""
    with Redis() as server:
        yield server
