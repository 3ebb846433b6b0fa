"""What can go wrong with a browser, as exceptions that a middleware turns into verdicts."""

from __future__ import annotations


class RenderError(Exception):
    """A page could not be rendered; holds the reason as a phrase."""


class NoBrowserError(Exception):
    """There is no browser on this machine; holds what to do about it."""
