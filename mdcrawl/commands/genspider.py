"""`scrapy genspider`: Scrapy's own, with the template of a site spider beside its templates."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from scrapy.commands.genspider import Command as GenspiderCommand
from scrapy.commands.genspider import sanitize_module_name, verify_url_scheme
from scrapy.exceptions import UsageError

import mdcrawl
from mdcrawl.discovery.urls import parse_start_url
from mdcrawl.errors import MdcrawlError, SpiderArgumentError

# TEMPLATES_DIR stays Scrapy's, so that its templates go on working.
TEMPLATES = Path(mdcrawl.__file__).parent / "templates" / "spiders"
# What may stand in a file's, a class's and a spider's name at once.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Command(GenspiderCommand):
    """Write a spider from a template; a name or a domain that would make no spider is refused."""

    requires_project = True

    def syntax(self) -> str:
        """Return the arguments in short."""
        return "[options] <name> <domain>"

    def long_desc(self) -> str:
        """Return what --help says, with an example."""
        return (
            "Write a spider from a template; -t docs is a site spider of mdcrawl's, ready to run. "
            "Example: scrapy genspider -t docs example_com docs.example.com"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check name and domain, then let Scrapy write the file; the status is 1 if it did not."""
        if opts.list or opts.dump:
            super().run(args, opts)
            return
        if len(args) != 2:
            raise UsageError
        try:
            path = self._check(*args, force=opts.force)
        except MdcrawlError as error:
            sys.stderr.write(f"mdcrawl: {error}\n")
            self.exitcode = 1
            return
        super().run([args[0], parse_start_url(verify_url_scheme(args[1]))], opts)
        if not path.is_file():
            self.exitcode = 1

    def _check(self, name: str, url: str, *, force: bool) -> Path:
        """Return where the spider will be written. Raises SpiderArgumentError."""
        if not _NAME.fullmatch(name):
            raise SpiderArgumentError(f"name: only letters, digits, '_', '-' and '.': {name!r}")
        try:
            found = parse_start_url(verify_url_scheme(url))
        except ValueError as error:
            raise SpiderArgumentError(f"domain: {error}") from error
        if re.search(r"""["\\$]""", found):
            raise SpiderArgumentError(f"domain: cannot stand in a spider's file: {found!r}")
        assert self.settings is not None
        module = sanitize_module_name(name)
        if module == self.settings["BOT_NAME"]:
            raise SpiderArgumentError(f"name: {name!r} is the project's own name")
        path = Path(mdcrawl.__file__).parent / "spiders" / f"{module}.py"
        if path.exists() and not force:
            raise SpiderArgumentError(f"{path}: is there already; --force writes it anew")
        return path

    def _find_template(self, template: str) -> Path | None:
        ours = TEMPLATES / f"{template.removesuffix('.tmpl')}.tmpl"
        return ours if ours.is_file() else super()._find_template(template)

    def _list_templates(self) -> None:
        super()._list_templates()
        sys.stdout.writelines(f"  {path.stem}\n" for path in sorted(TEMPLATES.glob("*.tmpl")))
