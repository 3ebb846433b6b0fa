"""Find a browser on this machine, and the arguments that it needs here."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

# In this order; what Debian, Google's packages and others call it.
NAMES = ("chromium", "google-chrome", "chrome", "chromium-browser", "google-chrome-stable")
MACOS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
HOW_TO_INSTALL = "install one with `playwright install chromium`, or your system's package (apt-get install chromium)"

ARGUMENTS = (
    "--disable-dev-shm-usage",  # containers have 64 MB there, and pages die of it
    "--disable-gpu",
    "--dns-prefetch-disable",  # names are looked up by the proxy, which checks them
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # nothing passes beside the proxy
    "--disable-features=WebRtcHideLocalIpsWithMdns,MediaRouter,OptimizationHints",
)


def find_browser(own: str) -> str | None:
    """Return the executable to launch: "" for Playwright's own at `own`, a path for another, None for none."""
    if Path(own).is_file():
        return ""
    named = (shutil.which(name) for name in NAMES)
    known = (path for path in MACOS if sys.platform == "darwin" and Path(path).is_file())
    return next((path for path in (*named, *known) if path), None)


def needs_no_sandbox() -> bool:
    """Tell whether Chromium refuses to start with its sandbox: it does when root runs it."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
