"""What the dates of pages and servers come to in the rows of the output."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.export.rows import _iso_date, parse_time


@pytest.mark.parametrize(
    ("text", "time"),
    [
        pytest.param("2026-03-04", datetime(2026, 3, 4, tzinfo=UTC), id="date"),
        pytest.param("2026-03-04T05:06:07+00:00", datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC), id="time in UTC"),
        pytest.param("2026-03-04T05:06:07Z", datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC), id="Z"),
        pytest.param("2026-03-04T05:06:07+02:00", datetime(2026, 3, 4, 3, 6, 7, tzinfo=UTC), id="other zone"),
        pytest.param("2026-03-04T05:06:07", datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC), id="no zone"),
        pytest.param("", None, id="empty"),
        pytest.param(None, None, id="none"),
        pytest.param("last Tuesday", None, id="words"),
        pytest.param("2026-02-30", None, id="no such day"),
        pytest.param("0001-01-01T00:00:00+14:00", None, id="before the first year in UTC"),
        pytest.param("9999-12-31T23:59:59-14:00", None, id="after the last year in UTC"),
    ],
)
def test_parse_time(text, time):
    assert parse_time(text) == time


@given(st.text(max_size=40))
def test_parse_time_raises_nothing(text):
    assert parse_time(text) is None or parse_time(text).tzinfo is UTC


@pytest.mark.parametrize(
    ("header", "iso"),
    [
        pytest.param("Tue, 03 Nov 2026 08:30:00 GMT", "2026-11-03T08:30:00+00:00", id="as it should be"),
        pytest.param("Tue, 03 Nov 2026 08:30:00 +0200", "2026-11-03T06:30:00+00:00", id="other zone"),
        pytest.param("Tuesday, 03-Nov-26 08:30:00 GMT", "2026-11-03T08:30:00+00:00", id="RFC 850"),
        pytest.param("Tue Nov  3 08:30:00 2026", "2026-11-03T08:30:00+00:00", id="asctime"),
        pytest.param("", None, id="empty"),
        pytest.param("0", None, id="zero"),
        pytest.param("yesterday", None, id="words"),
        pytest.param("Tue, 33 Nov 2026 08:30:00 GMT", None, id="no such day"),
        pytest.param("Tue, 03 Nov 2026 08:30:00 +9999", None, id="no such zone"),
        pytest.param("Fri, 31 Dec 9999 23:59:59 -1400", None, id="after the last year in UTC"),
        pytest.param("Tue, 03 Nov 99999999999999999999 08:30:00 GMT", None, id="no such year"),
        pytest.param("Tue, 03 Nov 2026 08:99999999999999999999:00 GMT", None, id="no such minute"),
    ],
)
def test_date_of_a_header(header, iso):
    assert _iso_date(header) == iso
