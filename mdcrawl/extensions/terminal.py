"""Whether there is a terminal to draw on; asked before anything is imported that could draw."""

from __future__ import annotations

import os
import sys


def can_draw() -> bool:
    """Return whether standard error, which a daemon may have closed, is a terminal that can move its cursor."""
    if sys.stderr is None or not sys.stderr.isatty():
        return False
    return os.environ.get("TERM", "dumb").lower() not in {"dumb", "unknown"}
