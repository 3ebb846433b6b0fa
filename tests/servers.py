"""Real servers for tests, each started when first needed: PostgreSQL and Redis from Debian's packages."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self
from uuid import uuid4

PATIENCE_S = 60


def find_program(name: str, *patterns: str) -> str:
    """Return the path of a server's program, the newest version. Raises FileNotFoundError saying what to do."""
    elsewhere = sorted(str(path) for pattern in patterns for path in Path("/").glob(f"{pattern}/{name}"))
    found = shutil.which(name) or next(reversed(elsewhere), None)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed; `make servers` installs it")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server in a folder of its own on a free port of loopback, gone with all it wrote at the end."""

    def __init__(self) -> None:
        # Outside of pytest's folders, which nobody else may enter: PostgreSQL does not run as root.
        self.folder = Path(tempfile.mkdtemp(prefix="mdcrawl-server-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command: Sequence[str], user: str | None = None) -> None:
        """Start a command in the background; what it says goes into a file of the folder."""
        with (self.folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, user=user, cwd=self.folder)

    def wait_until_up(self) -> None:
        """Wait until the server says that it is ready. Raises RuntimeError with what it said if it never does."""
        last, said = time.monotonic() + PATIENCE_S, ""
        while time.monotonic() < last and self._process is not None and self._process.poll() is None:
            said = (self.folder / "server.log").read_text(errors="replace")
            if "eady to accept connections" in said:
                return
            time.sleep(0.02)
        raise RuntimeError(said)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server and wait for it."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=PATIENCE_S)
            self._process = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        raise NotImplementedError


class PostgreSQL(Server):
    """A cluster that trusts everybody on this machine, run by an unprivileged user where the tests run as root.

    Only `is_safe` waits for the disk: a test does not cut the power.
    """

    def __init__(self, *, is_safe: bool = False) -> None:
        super().__init__()
        self._is_safe = is_safe
        self._user = None
        if os.geteuid() == 0:
            self._user = "postgres" if _has_user("postgres") else "nobody"
            shutil.chown(self.folder, self._user)
        places = "usr/lib/postgresql/*/bin", "usr/local/opt/postgresql*/bin", "opt/homebrew/opt/postgresql*/bin"
        initdb, self._program = (find_program(name, *places) for name in ("initdb", "postgres"))
        options = ["--auth=trust", "--username=mdcrawl", "--encoding=UTF8", "--no-sync", "--locale=C.UTF-8"]
        offered = subprocess.run([initdb, "--help"], check=True, capture_output=True, text=True).stdout
        if "--icu-locale" in offered:  # what is to be sorted by bytes is put to the test by a language's rules
            options += ["--locale-provider=icu", "--icu-locale=en-US"]
        command = [initdb, f"--pgdata={self.folder / 'data'}", *options]
        subprocess.run(command, check=True, capture_output=True, user=self._user, cwd=self.folder)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": self.folder}
        settings |= {"fsync": "on" if self._is_safe else "off", "shared_buffers": "32MB"}
        options = [f"-c{name}={value}" for name, value in settings.items()]
        self.run([self._program, f"-D{self.folder / 'data'}", *options], self._user)
        self.wait_until_up()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server without waiting for its clients."""
        super().stop(how)

    def url(self, schema: str = "") -> str:
        """Return the URL of a schema that nobody else uses."""
        schema = schema or f"crawl_{uuid4().hex}"
        return f"postgresql+psycopg://mdcrawl@127.0.0.1:{self.port}/postgres?options=-csearch_path%3D{schema}"


class Redis(Server):
    """A Redis that writes every command to its append-only file, so that a restart finds all again."""

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = {"port": self.port, "bind": "127.0.0.1", "dir": self.folder, "save": "", "appendonly": "yes"}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self.run([find_program("redis-server"), *words])
        self.wait_until_up()

    def url(self, number: int = 0) -> str:
        """Return the URL of one of its databases."""
        return f"redis://127.0.0.1:{self.port}/{number}"


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
