"""The parts of a shared crawl by themselves, on a real Redis."""

from __future__ import annotations

import random

import pytest

from mdcrawl.discovery.pace import PaceOptions
from mdcrawl.discovery.urls import site_of
from mdcrawl.shared.permits import Permits, SharedPace
from mdcrawl.shared.queue import LeaseQueue
from mdcrawl.shared.server import Server
from mdcrawl.spiders.docs import DocsSpider

LEASE_S = 0.6


class Worker:
    """What one worker has of the shared crawl."""

    def __init__(self, url, *, max_pages=0, **options):
        self.server = Server(url, "docs:test")
        self.spider = DocsSpider(start="https://example.com/")
        self.pace = SharedPace(PaceOptions(**{"min_delay_s": 0.0, "jitter": 0.0, "concurrency": 9, **options}))
        self.queue = LeaseQueue(self.server, self.spider, pace=self.pace.options, lease_s=LEASE_S, max_pages=max_pages)
        self.permits = Permits(self.server, self.pace, lease_s=LEASE_S, later=lambda work: work())

    def request(self, url, *, depth=0, priority=0):
        request = self.spider.page_request(url, depth=depth, parent="https://example.com/")
        request.priority = priority
        return request

    def push(self, *urls, **fields):
        self.queue.push_all([self.queue.entry(self.request(url, **fields)) for url in urls])

    def lease(self, *unwanted):
        """Return the URL that is handed out and what to settle it by, or what there is instead."""
        answer = self.queue.lease(str(random.random()), unwanted, 0.5)
        if not hasattr(answer, "text"):
            return answer
        return self.queue.decode(answer.text).url, answer.text

    def lease_url(self, *unwanted):
        answer = self.lease(*unwanted)
        return answer[0] if isinstance(answer, tuple) else ""

    def settle(self, text, *found, stored=0):
        url = self.queue.decode(text).url
        entries = [self.queue.entry(self.request(each)) for each in found]
        self.queue.settle(text, site_of(url), stored=stored, found=entries)


@pytest.fixture
def make_worker(redis):
    """Make as many workers as a test wants; the first makes the queue."""
    workers = []

    def make(**options):
        worker = Worker(redis.url(), **options)
        if not workers:
            worker.queue.open(0)
        workers.append(worker)
        return worker

    yield make
    for worker in workers:
        worker.server.close()


@pytest.fixture
def worker(make_worker):
    return make_worker()
