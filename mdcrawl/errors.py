"""The mistakes a user can make: each message names the culprit and the remedy in one line."""

from __future__ import annotations


class MdcrawlError(Exception):
    """A mistake that its user can mend; commands print it as one line and end with status 1."""


class SpiderArgumentError(MdcrawlError):
    """A spider argument (`-a`) is missing, unknown or has a bad value. Raised before the crawl starts."""


class SettingError(MdcrawlError):
    """A setting (`-s`) has a bad value. Raised before the crawl starts."""


class OutputFolderError(MdcrawlError):
    """The output folder cannot be made, read or written. Raised before the crawl starts, and by `scrapy export`."""


class DiskFullError(OutputFolderError):
    """There is no room in the output folder. Raised before the crawl starts, which then ends with status 3."""
