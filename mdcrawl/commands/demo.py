"""`scrapy demo`: crawl the bundled site on loopback and show what comes out."""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import orjson
from scrapy.commands import ScrapyCommand

from mdcrawl.export.summary import describe
from mdcrawl.extensions.terminal import can_draw

OUTPUT = Path("out/demo")
# Beside the package in a checkout; an installed egg has no demo.
SERVER = Path(__file__).resolve().parents[2] / "fixtures" / "serve.py"


class Command(ScrapyCommand):
    """Serve fixtures/site and crawl it as a user would."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return the arguments in short."""
        return "[options]"

    def short_desc(self) -> str:
        """Return the line for the list of commands."""
        return "Crawl the bundled example site and show what comes out"

    def long_desc(self) -> str:
        """Return what --help says, with an example."""
        return "Serve the bundled site on loopback and crawl it into out/demo. No network. Example: scrapy demo"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the crawl in a process of its own, exactly as from a shell."""
        if not SERVER.is_file():
            sys.stderr.write("mdcrawl: the demo site is not here; run scrapy demo in a checkout of mdcrawl\n")
            self.exitcode = 1
            return
        with _server().Site() as site:
            command = [
                "scrapy", "crawl", "docs", "-a", f"start={site.url('/docs/')}",
                "-s", f"MDCRAWL_OUTPUT={OUTPUT}",
                "-s", "MDCRAWL_CONTACT=https://example.com/bot",
                "-s", "DOWNLOAD_DELAY=0.02",  # our own machine: nobody to be polite to
            ]  # fmt: skip
            sys.stdout.write(" ".join(command) + "\n\n")
            sys.stdout.flush()
            # A port of its own each time: what an earlier demo left belongs to another address.
            shutil.rmtree(OUTPUT, ignore_errors=True)
            self.exitcode = subprocess.run([sys.executable, "-m", *command, "-L", "WARNING"], check=False).returncode  # noqa: S603  our own command
        # On a terminal the crawl itself has said it.
        if self.exitcode == 0 and not can_draw():
            sys.stdout.write(describe(orjson.loads((OUTPUT / "summary.json").read_bytes()), OUTPUT) + "\n")


def _server() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mdcrawl_fixture_server", SERVER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
