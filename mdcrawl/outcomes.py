"""What ends a request before there is a page: verdicts raised by middlewares, failures told apart."""

from __future__ import annotations

from scrapy import exceptions
from scrapy.exceptions import DropItem, IgnoreRequest

from mdcrawl.items import Verdict


class RequestVerdict(IgnoreRequest):
    """A middleware's verdict on a request; it reaches the spider's errback and so the ledger.

    `duplicate_of` names the URL that the page will be found under, `final_url` where the answer
    came from last.
    """

    def __init__(self, verdict: Verdict, reason: str, *, duplicate_of: str = "", final_url: str = "") -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason
        self.duplicate_of = duplicate_of
        self.final_url = final_url


class Reissued(DropItem):
    """A page leaves the pipelines because its URL is on its way again, on the same lease."""


# In order: the first that fits says what happened, in words that need no knowledge of Scrapy.
_FAILURES: tuple[tuple[type[Exception], Verdict, str], ...] = (
    (exceptions.DownloadConnectionRefusedError, Verdict.NETWORK_ERROR, "connection refused"),
    (exceptions.CannotResolveHostError, Verdict.NETWORK_ERROR, "the host name does not resolve"),
    (exceptions.DownloadTimeoutError, Verdict.NETWORK_ERROR, "no answer within the time limit"),
    (exceptions.DownloadCancelledError, Verdict.TOO_LARGE, "more bytes than MDCRAWL_MAX_BYTES"),
    (exceptions.ResponseDataLossError, Verdict.NETWORK_ERROR, "the answer broke off"),
    (exceptions.UnsupportedURLSchemeError, Verdict.BLOCKED_ADDRESS, "not an http or https address"),
    (exceptions.DownloadFailedError, Verdict.NETWORK_ERROR, "the connection failed"),
)


def outcome_of(error: BaseException) -> tuple[Verdict, str]:
    """Return the verdict on a request that ended in an error, and the reason for it. Raises nothing."""
    if isinstance(error, RequestVerdict):
        return error.verdict, error.reason
    for kind, verdict, reason in _FAILURES:
        if isinstance(error, kind):
            detail = _detail(error)
            return verdict, f"{reason}: {detail}" if detail else reason
    return Verdict.NETWORK_ERROR, f"{type(error).__name__}: {_detail(error)}".rstrip(": ")


def _detail(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
