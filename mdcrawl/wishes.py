"""What a command is asked for beside Markdown and chunks: a query for the fit views, fields of a YAML file."""

from __future__ import annotations

import argparse

from mdcrawl.arguments import read_fields
from mdcrawl.pipelines.options import asking
from mdcrawl.spiders.docs import DocsSpider


def add_wishes(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command that stand for a crawl's arguments of the same names."""
    parser.add_argument("--query", metavar="TEXT", default="", help="what the fit views are to answer")
    parser.add_argument("--fields", metavar="FILE", default="", help="a YAML file of fields to extract")


def wished(spider: type[DocsSpider], opts: argparse.Namespace) -> type[DocsSpider]:
    """Return a spider's class with what a command is asked for. Raises SpiderArgumentError for a bad file."""
    return asking(spider, " ".join(opts.query.split()), read_fields("--fields", opts.fields))
