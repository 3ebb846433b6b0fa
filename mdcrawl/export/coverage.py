"""Coverage of a run: from where its URLs were known, how many were fetched, why the others were not."""

from __future__ import annotations

import json
from typing import TypedDict

from sqlalchemy import Connection, and_, case, func, or_, select

from mdcrawl.crawldb.notes import INCOMPLETE_SOURCES, read_note
from mdcrawl.crawldb.schema import urls
from mdcrawl.items import Verdict

# Verdicts on URLs that were never asked for. So are duplicates and unchanged pages that were told without:
# the Markdown of a page that is taken, a page that its sitemap dates before its copy.
NOT_ASKED = (Verdict.ROBOTS_DENIED, Verdict.ROBOTS_UNREACHABLE, Verdict.BLOCKED_ADDRESS, Verdict.LIMIT)


class Coverage(TypedDict):
    """URLs by the source that named them first; those that were asked for; the others by verdict.

    `incomplete` says which sources left URLs out, as far as they said so, and why.
    """

    known_from: dict[str, int]
    asked: int
    not_asked: dict[str, int]
    incomplete: dict[str, str]


def coverage_of(connection: Connection) -> Coverage:
    """Return the coverage of the run in hand; `asked` and `not_asked` add up to all that is known."""
    found = connection.execute(select(urls.c.found_in, func.count()).group_by(urls.c.found_in)).all()
    verdict = func.coalesce(urls.c.verdict, Verdict.LIMIT)
    is_told_copy = and_(verdict == Verdict.DUPLICATE, func.coalesce(urls.c.fetched_at, "") == "")
    is_told_unchanged = and_(verdict == Verdict.UNCHANGED, urls.c.status.is_(None))
    why = case((or_(verdict.in_(NOT_ASKED), is_told_copy, is_told_unchanged), verdict), else_="")
    outcomes = {row[0]: row[1] for row in connection.execute(select(why, func.count()).group_by(why)).all()}
    return Coverage(
        known_from={row[0]: row[1] for row in sorted(found)},
        asked=outcomes.pop("", 0),
        not_asked=dict(sorted(outcomes.items())),
        incomplete=json.loads(read_note(connection, INCOMPLETE_SOURCES) or "{}"),
    )
