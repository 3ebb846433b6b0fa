"""What the browser was good for, site by site."""

from __future__ import annotations

from typing import TypedDict

from sqlalchemy import ColumnElement, Connection, case, func, or_, select

from mdcrawl.crawldb.schema import urls
from mdcrawl.items import Verdict

# Verdicts on pages that turned out to have content.
_GAINED = (Verdict.OK, Verdict.UNCHANGED, Verdict.DUPLICATE)
# How the Shell pipeline says that a site does not pay for the browser any more.
SPARED = "rendering gained nothing"


class SiteRendering(TypedDict):
    """Pages of a site that were rendered, those of them that had content, failures, and shells left unrendered."""

    rendered: int
    gained: int
    failed: int
    spared: int


def rendering_of(connection: Connection) -> dict[str, SiteRendering]:
    """Return the counts of each site that had anything to do with the browser; empty if none had."""
    rendered = urls.c.source == "rendered"
    failed = urls.c.verdict == Verdict.RENDER_FAILED
    spared = urls.c.reason.contains(SPARED)

    def count(condition: ColumnElement[bool]) -> ColumnElement[int]:
        return func.sum(case((condition, 1), else_=0))

    query = (
        select(urls.c.site, *map(count, (rendered, rendered & urls.c.verdict.in_(_GAINED), failed, spared)))
        .where(or_(rendered, failed, spared))
        .group_by(urls.c.site)
        .order_by(urls.c.site)
    )
    return {
        site: SiteRendering(rendered=all_rendered, gained=gained, failed=failures, spared=left)
        for site, all_rendered, gained, failures, left in connection.execute(query)
    }
