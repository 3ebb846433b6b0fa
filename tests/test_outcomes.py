"""What ended a request, told apart: each failure has its verdict and a sentence for the ledger."""

from __future__ import annotations

import pytest
from scrapy import exceptions

from mdcrawl.items import Verdict
from mdcrawl.outcomes import RequestVerdict, outcome_of


@pytest.mark.parametrize(
    ("error", "verdict", "reason"),
    [
        pytest.param(
            exceptions.DownloadConnectionRefusedError("111"), "network_error", "connection refused: 111", id="refused"
        ),
        pytest.param(
            exceptions.CannotResolveHostError("no.example"),
            "network_error",
            "the host name does not resolve: no.example",
            id="no such host",
        ),
        pytest.param(
            exceptions.DownloadTimeoutError("60 s"),
            "network_error",
            "no answer within the time limit: 60 s",
            id="timeout",
        ),
        pytest.param(
            exceptions.DownloadCancelledError("too many"),
            "too_large",
            "more bytes than MDCRAWL_MAX_BYTES: too many",
            id="too large",
        ),
        pytest.param(
            exceptions.ResponseDataLossError(""), "network_error", "the answer broke off", id="nothing to add"
        ),
        pytest.param(
            exceptions.UnsupportedURLSchemeError("ftp"),
            "blocked_address",
            "not an http or https address: ftp",
            id="scheme",
        ),
        pytest.param(
            exceptions.DownloadFailedError("a\n  b"), "network_error", "the connection failed: a b", id="one line"
        ),
        pytest.param(ValueError("odd"), "network_error", "ValueError: odd", id="anything else"),
        pytest.param(ValueError(), "network_error", "ValueError", id="anything else, with nothing to say"),
        pytest.param(KeyboardInterrupt(), "network_error", "KeyboardInterrupt", id="not even an Exception"),
    ],
)
def test_outcome(error, verdict, reason):
    assert outcome_of(error) == (Verdict(verdict), reason)


def test_verdict_of_a_middleware_stands():
    error = RequestVerdict(Verdict.ROBOTS_DENIED, "robots.txt forbids /x", final_url="https://a.example/x")
    assert outcome_of(error) == (Verdict.ROBOTS_DENIED, "robots.txt forbids /x")
    assert error.duplicate_of == ""
    assert error.final_url == "https://a.example/x"


def test_long_detail_is_cut():
    _, reason = outcome_of(exceptions.DownloadFailedError("x" * 10_000))
    assert len(reason) < 300


def test_no_failure_of_scrapys_is_without_its_own_words():
    """A new kind of failure in Scrapy should get words of its own here."""
    failures = {
        kind
        for name, kind in vars(exceptions).items()
        if name.startswith(("Download", "CannotResolve", "ResponseData", "UnsupportedURL")) and isinstance(kind, type)
    }
    assert len(failures) >= 7
    for kind in failures:
        _, reason = outcome_of(kind("detail"))
        assert kind.__name__ not in reason
