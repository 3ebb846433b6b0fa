"""Serve built documentation sites on loopback, a port each: `python bench/docsites.py FOLDER` (FOLDER/NAME/html).

Prints the base URLs and serves until its standard input ends. Sites that scripts draw are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import mimetypes
import sys
from functools import cache
from pathlib import Path

from serving import Answer, serve


class FolderSite:
    """The files below a folder; `/x` is x.html or x/index.html as on any host of static sites."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    @cache  # noqa: B019  one site lives as long as the process
    def find(self, path: str) -> Answer | None:
        """Return the file of a path, None if there is none."""
        file = (self._folder / path.lstrip("/")).resolve()
        if not file.is_relative_to(self._folder):
            return None
        for candidate in (file, file / "index.html", file.with_name(file.name + ".html")):
            if candidate.is_file():
                kind = mimetypes.guess_type(candidate.name)[0] or "application/octet-stream"
                return Answer(candidate.read_bytes(), f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        return None


def folders(root: Path) -> list[Path]:
    """Return the folders of the sites that serve their text as HTML."""
    listed = json.loads((root / "sites.json").read_bytes())["sites"]
    return [root / site["site"] / "html" for site in listed if not site.get("client_rendered")]


def main() -> int:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    asyncio.run(serve([FolderSite(folder).find for folder in folders(parser.parse_args().folder)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
