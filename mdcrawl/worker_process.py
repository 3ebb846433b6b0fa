"""What makes a spawned process a worker. It knows nothing of Scrapy, which would be 25 MB more in each."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def prepare_worker() -> None:
    """Leave Ctrl-C to the crawl, and end when the crawl has ended, however it did."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
