"""One pass over the ledger of a run: verdicts with their kinds of reasons, losses, site templates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from mdcrawl.crawldb.schema import urls
from mdcrawl.export.rows import STREAMED
from mdcrawl.items import Verdict
from mdcrawl.report.advice import ADVICE, FINE, GOOD, LEFT_OUT
from mdcrawl.report.site_templates import SiteTemplate, StoredPage, find_site_templates

# Kinds of reasons shown of a verdict, and told apart.
MAX_REASONS = 4
MAX_KINDS = 200
# What makes two reasons of one kind differ: addresses, then numbers.
_ADDRESS = re.compile(r"https?://\S+")
_NUMBER = re.compile(r"\d+")
# "2 of 9 " before what was lost.
_COUNTED = re.compile(r"^\d+ of \d+ ")
MAX_LOSS = 160


@dataclass(slots=True)
class ReasonCount:
    """A kind of reason by its first example: the sentence, the URL it was said of, and how many are like it."""

    reason: str
    url: str
    count: int = 0


@dataclass(slots=True)
class VerdictCount:
    """How many URLs ended in a verdict, and for what kinds of reasons."""

    verdict: Verdict
    count: int = 0
    _kinds: dict[str, ReasonCount] = field(default_factory=dict, repr=False)

    def add(self, reason: str, url: str) -> None:
        """Count one URL."""
        self.count += 1
        kind = _NUMBER.sub("0", _ADDRESS.sub("", reason))
        if kind in self._kinds or len(self._kinds) < MAX_KINDS:
            self._kinds.setdefault(kind, ReasonCount(reason, url)).count += 1

    @property
    def reasons(self) -> list[ReasonCount]:
        """The most frequent kinds of reasons."""
        return sorted(self._kinds.values(), key=lambda each: -each.count)[:MAX_REASONS]

    @property
    def advice(self) -> str:
        """What to do about it."""
        return ADVICE[self.verdict]


@dataclass(frozen=True, slots=True)
class Survey:
    """What a report says of all pages; verdicts and losses are sorted, the most frequent first."""

    verdicts: list[VerdictCount]
    site_templates: list[SiteTemplate]
    lossy: int
    losses: list[tuple[str, int]]

    @property
    def total(self) -> int:
        """URLs in the ledger."""
        return sum(each.count for each in self.verdicts)

    @property
    def good(self) -> int:
        """Pages that are stored and sound."""
        return sum(each.count for each in self.verdicts if each.verdict in GOOD)

    @property
    def wrong(self) -> list[VerdictCount]:
        """The verdicts that ask for something to be done."""
        return [each for each in self.verdicts if each.verdict not in (*FINE, *LEFT_OUT)]

    @property
    def left_out(self) -> list[VerdictCount]:
        """The verdicts of what was left out on purpose."""
        return [each for each in self.verdicts if each.verdict in LEFT_OUT]

    @property
    def fine(self) -> list[VerdictCount]:
        """The verdicts that leave nothing to do."""
        return [each for each in self.verdicts if each.verdict in FINE]

    @property
    def wrong_count(self) -> int:
        """URLs that went wrong."""
        return sum(each.count for each in self.wrong)

    @property
    def copies(self) -> int:
        """URLs whose content is stored under another."""
        return self.total - self.good - self.wrong_count - self.left_out_count

    @property
    def left_out_count(self) -> int:
        """URLs that were left out on purpose."""
        return sum(each.count for each in self.left_out)


def survey(connection: Connection, not_fetched: str) -> Survey:
    """Return the survey of the run in hand; `not_fetched` is the reason of URLs that are only known."""
    counts: dict[str, VerdictCount] = {}
    losses: Counter[str] = Counter()
    templates = find_site_templates(_stored_pages(connection, not_fetched, counts, losses))
    return Survey(
        verdicts=sorted(counts.values(), key=lambda each: (-each.count, each.verdict)),
        site_templates=templates,
        lossy=sum(template.lossy for template in templates),
        losses=losses.most_common(MAX_REASONS),
    )


def _stored_pages(
    connection: Connection, not_fetched: str, counts: dict[str, VerdictCount], losses: Counter[str]
) -> Iterator[StoredPage]:
    """Yield the pages that are stored, and count all by the way."""
    verdict = func.coalesce(urls.c.verdict, Verdict.LIMIT).label("its_verdict")
    columns = (urls.c.url, verdict, urls.c.reason, urls.c.extractor, urls.c.words, urls.c.receipt)
    query = select(*columns).order_by(urls.c.url)
    for row in connection.execute(query, execution_options=STREAMED):
        count = counts.setdefault(row.its_verdict, VerdictCount(Verdict(row.its_verdict)))
        count.add(row.reason or not_fetched, row.url)
        if row.its_verdict not in GOOD:
            continue
        lost = losses_of(row.receipt)
        kinds = {_COUNTED.sub("", loss)[:MAX_LOSS] for loss in lost}
        losses.update(kind for kind in kinds if kind in losses or len(losses) < MAX_KINDS)
        yield StoredPage(row.url, row.extractor or "", row.words or 0, len(lost))


def losses_of(receipt: object) -> list[str]:
    """Return the sentences of a stored receipt that tell of a loss."""
    losses = receipt.get("losses", []) if isinstance(receipt, dict) else []
    return [str(loss) for loss in losses if not str(loss).startswith("removed:")]
