"""Dates in one form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.dates import iso_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2027", "2027-01-01T00:00:00+00:00"),
        ("2027-06", "2027-06-01T00:00:00+00:00"),
        (" 2027-06-25\n", "2027-06-25T00:00:00+00:00"),
        ("2027-06-25T15:00Z", "2027-06-25T15:00:00+00:00"),
        ("2027-06-25T15:00:00.123-05:00", "2027-06-25T20:00:00.123000+00:00"),
        ("Fri, 25 Jun 2027 15:00:00 GMT", "2027-06-25T15:00:00+00:00"),
        ("Friday, 25-Jun-27 15:00:00 GMT", "2027-06-25T15:00:00+00:00"),
        ("yesterday", ""),
        ("2027-13", ""),
        ("0001-01-01T00:00:00+10:00", ""),
        ("", ""),
    ],
)
def test_date(text, date):
    assert iso_date(text) == date


@given(st.text() | st.datetimes().map(str))
def test_total(text):
    once = iso_date(text)
    assert iso_date(once) == once
