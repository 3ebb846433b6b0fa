"""Dates as sites write them, in one form."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_DAY_MONTH_YEAR = re.compile(r"(\d{1,2})-([A-Za-z]{3})-(\d{2,4})")
_YEAR_MONTH = re.compile(r"\d{4}(?:-\d{2})?")


def iso_date(text: str) -> str:
    """Return a date in ISO 8601 and UTC, "" for one that cannot be read. Raises nothing.

    Takes ISO 8601 with the short forms of W3C-DTF ("2027", "2027-06"), RFC 822 and RFC 850.

    >>> iso_date("Fri, 25 Jun 2027 17:00:00 +0200")
    '2027-06-25T15:00:00+00:00'
    """
    text = text.strip().strip("\"'")[:80]
    if not text:
        return ""
    try:
        date = datetime.fromisoformat(text + "-01-01"[len(text) - 4 :] if _YEAR_MONTH.fullmatch(text) else text)
    except ValueError:
        try:
            date = parsedate_to_datetime(_DAY_MONTH_YEAR.sub(r"\1 \2 \3", text))
        except (ValueError, OverflowError, IndexError, TypeError):
            return ""
    try:
        return (date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)).isoformat()
    except OverflowError:
        return ""
