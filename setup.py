"""Package mdcrawl as an egg for Scrapyd; a checkout needs no installation."""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).resolve().parent
VERSION = re.search(r'__version__ = "(.+)"', (HERE / "mdcrawl" / "__init__.py").read_text(encoding="utf-8"))[1]

setup(
    name="mdcrawl",
    version=VERSION,
    description="Crawl a website into clean Markdown and heading-aware chunks",
    license="MIT",
    python_requires=">=3.11",
    packages=find_packages(include=["mdcrawl", "mdcrawl.*"]),
    package_data={"mdcrawl": ["**/*.tmpl", "**/*.jinja", "**/*.css", "**/*.js"]},
    entry_points={"scrapy": ["settings = mdcrawl.settings"]},
)
