"""Copies of the project, in which tests may write spiders."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def copy_project(folder):
    """Copy what a project of Scrapy needs into a folder."""
    shutil.copytree(ROOT / "mdcrawl", folder / "mdcrawl", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("scrapy.cfg", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def scrapy_in(project, *arguments):
    """Run `scrapy ARGUMENTS…` in a project."""
    command = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)
