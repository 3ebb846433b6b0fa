"""Pace: what a site asks for, how long it rests after trouble, when a page and when a site is given up."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.pace import (
    HOPELESS_PAGES,
    Failure,
    Pace,
    PaceOptions,
    Trouble,
    backoff_s,
    retry_after_s,
    trouble_of_status,
)

NOW = datetime(2027, 6, 1, 12, 0, 0, tzinfo=UTC)
SITE = "example.com"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        pytest.param("120", 120.0, id="seconds"),
        pytest.param(" 3 ", 3.0, id="with blanks"),
        pytest.param("0", 0.0, id="at once"),
        pytest.param("Tue, 01 Jun 2027 12:00:30 GMT", 30.0, id="date"),
        pytest.param("Tue, 01 Jun 2027 14:00:30 +0200", 30.0, id="date of another zone"),
        pytest.param("Tue Jun  1 12:01:00 2027", 60.0, id="date as C writes it"),
        pytest.param("Tuesday, 01-Jun-27 12:00:05 GMT", 5.0, id="date of RFC 850"),
        pytest.param("Mon, 31 May 2027 12:00:00 GMT", 0.0, id="date that has passed"),
        pytest.param("9" * 400, 999999999.0, id="more digits than a number has"),
        pytest.param("-5", None, id="negative"),
        pytest.param("1.5", None, id="fraction"),
        pytest.param("soon", None, id="word"),
        pytest.param("", None, id="empty"),
        pytest.param("٣", None, id="digit of another script"),
        pytest.param("Tue, 01 Jun 99999 12:00:00 GMT", None, id="year that is none"),
        pytest.param("Tue, 99 Jun 2027 12:00:00 GMT", None, id="day that is none"),
    ],
)
def test_retry_after(value, seconds):
    assert retry_after_s(value, NOW) == seconds


@given(st.text(max_size=60))
def test_retry_after_takes_whatever_a_server_sends(value):
    seconds = retry_after_s(value, NOW)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    ("status", "trouble"),
    [(200, None), (304, None), (404, None), (403, None), (429, Trouble.SITE), (503, Trouble.SITE)]
    + [(status, Trouble.PAGE) for status in (408, 500, 502, 504, 520, 524)]
    + [(501, None), (505, None), (999, None)],
)
def test_trouble_of_status(status, trouble):
    assert trouble_of_status(status) is trouble


@pytest.mark.parametrize(
    ("failures", "chance", "seconds"),
    [(1, 1.0, 2.0), (2, 1.0, 4.0), (2, 0.5, 2.0), (4, 1.0, 16.0), (5, 1.0, 30.0), (10**6, 1.0, 30.0), (9, 0.0, 1.0)],
)
def test_backoff_doubles_up_to_its_ceiling_and_has_a_floor(failures, chance, seconds):
    assert backoff_s(failures, chance, PaceOptions()) == seconds


def failed(pace, page, *, trouble=Trouble.SITE, now_s=0.0, chance=1.0, retries=0, wait_s=None):
    failure = Failure(page, trouble, "status 503", retries, wait_s)
    return pace.failed(SITE, failure, now_s=now_s, chance=chance)


def test_site_rests_for_as_long_as_it_asks_and_others_do_not():
    pace = Pace(PaceOptions())
    assert failed(pace, "/a", now_s=100.0, chance=0.0, wait_s=20.0) == 20.0
    assert pace.ready_in(SITE, 100.0) == 20.0
    assert pace.ready_in(SITE, 115.0) == 5.0
    assert pace.ready_in(SITE, 120.0) == 0.0
    assert pace.ready_in("example.org", 100.0) == 0.0


@pytest.mark.parametrize(("chance", "seconds"), [(0.0, 20.0), (1.0, 22.0)])
def test_wait_that_a_site_asks_for_is_never_shortened(chance, seconds):
    assert failed(Pace(PaceOptions()), "/a", chance=chance, wait_s=20.0) == pytest.approx(seconds)


def test_waits_grow_with_failures_in_a_row_and_begin_anew_after_an_answer():
    pace = Pace(PaceOptions())
    assert [failed(pace, f"/{number}") for number in range(3)] == [2.0, 4.0, 8.0]
    pace.answered(SITE, 0.1, is_good=True)
    assert failed(pace, "/3") == 2.0


def test_waits_grow_with_the_tries_of_a_page_too():
    pace = Pace(PaceOptions())
    assert [failed(pace, "/a", retries=number) for number in range(2)] == [2.0, 4.0]
    assert [failed(pace, "/b", retries=number) for number in range(2)] == [4.0, 4.0]


def test_trouble_of_one_page_leaves_the_site_alone():
    pace = Pace(PaceOptions(max_failures=2))
    assert [failed(pace, "/a", trouble=Trouble.PAGE, retries=number) for number in range(3)] == [2.0, 4.0, None]
    assert failed(pace, "/b", trouble=Trouble.PAGE) == 2.0
    assert failed(pace, "/c", trouble=Trouble.PAGE) == 2.0
    assert pace.ready_in(SITE, 0.0) == 0.0
    assert pace.given_up(SITE) == ""


@pytest.mark.parametrize(("trouble", "tries"), [(Trouble.SITE, 3), (Trouble.SILENCE, 2), (Trouble.PAGE, 3)])
def test_page_costs_a_bounded_number_of_requests(trouble, tries):
    pace = Pace(PaceOptions())
    retries = 0
    while failed(pace, "/a", trouble=trouble, retries=retries) is not None:
        retries += 1
    assert retries + 1 == tries


def test_after_some_pages_in_a_row_further_ones_are_not_tried_again():
    pace = Pace(PaceOptions())
    waits = [failed(pace, f"/{number}") for number in range(HOPELESS_PAGES + 1)]
    assert [wait is None for wait in waits] == [False] * HOPELESS_PAGES + [True]


def test_site_is_given_up_after_so_many_pages_in_a_row():
    pace = Pace(PaceOptions(max_failures=4))
    for number in range(3):
        for retries in range(3):
            failed(pace, f"/{number}", retries=retries)
    assert pace.given_up(SITE) == ""
    assert failed(pace, "/3") is None
    assert pace.given_up(SITE) == "site given up after 4 failures in a row: status 503"
    # What is still on its way need not wait to hear so.
    assert pace.ready_in(SITE, 0.0) == 0.0


def test_answer_in_between_keeps_a_site_from_being_given_up():
    pace = Pace(PaceOptions(max_failures=3))
    for number in range(20):
        failed(pace, f"/{number}")
        if number % 2:
            pace.answered(SITE, 0.1, is_good=False)
    assert pace.given_up(SITE) == ""


def test_page_whose_wait_is_too_long_is_not_tried_again():
    pace = Pace(PaceOptions(max_wait_s=120))
    assert failed(pace, "/a", wait_s=121.0) is None
    assert pace.ready_in(SITE, 0.0) == PaceOptions().max_backoff_s
    assert pace.given_up(SITE) == ""


def test_site_that_asks_twice_to_stay_away_for_too_long_is_given_up():
    pace = Pace(PaceOptions(max_wait_s=120))
    failed(pace, "/a", wait_s=3600.0)
    failed(pace, "/b", wait_s=3600.0)
    assert pace.given_up(SITE) == ("site given up: it asked twice in a row to stay away for over 120 s: status 503")


@pytest.mark.parametrize("between", ["answer", "patient failure"])
def test_too_long_waits_apart_from_each_other_do_not_add_up(between):
    pace = Pace(PaceOptions())
    failed(pace, "/a", wait_s=3600.0)
    if between == "answer":
        pace.answered(SITE, 0.1, is_good=True)
    else:
        failed(pace, "/b", wait_s=2.0)
    failed(pace, "/c", wait_s=3600.0)
    assert pace.given_up(SITE) == ""


def test_rest_is_what_is_asked_for_within_limits_else_the_backoff():
    pace = Pace(PaceOptions(max_wait_s=120))
    assert pace.rest(SITE, 1, 7.0, now_s=0.0, chance=1.0) == 7.0
    assert pace.rest(SITE, 1, 0.0, now_s=0.0, chance=1.0) == 1.0
    assert pace.rest(SITE, 2, None, now_s=0.0, chance=1.0) == 4.0
    assert pace.ready_in(SITE, 0.0) == 7.0  # a shorter rest does not end a longer one
    assert pace.rest(SITE, 1, 3600.0, now_s=0.0, chance=1.0) == 120.0


@pytest.mark.parametrize(
    ("options", "asked_s", "delay_s", "jitter"),
    [
        pytest.param(PaceOptions(), 0.0, 1.0, 0.5, id="nothing asked for"),
        pytest.param(PaceOptions(), 10.0, 10.0, 0.0, id="more than the least delay"),
        pytest.param(PaceOptions(), 0.8, 1.0, 0.2, id="more than the least draw"),
        pytest.param(PaceOptions(), 0.3, 1.0, 0.5, id="less than the least draw"),
        pytest.param(PaceOptions(min_delay_s=0.0), 0.0, 0.0, 0.0, id="no delay at all"),
        pytest.param(PaceOptions(min_delay_s=0.0), 2.0, 2.0, 0.0, id="only what is asked for"),
    ],
)
def test_delay_never_falls_below_what_robots_asks_for(options, asked_s, delay_s, jitter):
    pace = Pace(options)
    pace.ask_delay(SITE, asked_s)
    pace.ask_delay(SITE, asked_s / 2)  # of another origin
    found_s, found_jitter = pace.delay(SITE)
    assert (found_s, found_jitter) == (delay_s, pytest.approx(jitter))
    assert found_s * (1 - found_jitter) >= asked_s - 1e-9


def test_delay_follows_the_latency_up_at_once_and_down_by_halves_to_its_floor():
    pace = Pace(PaceOptions())
    delays = []
    for latency_s in (0.2, 4.0, 0.2, 0.2, 0.2, 0.2, 500.0):
        pace.answered(SITE, latency_s, is_good=True)
        delays.append(pace.delay(SITE)[0])
    assert delays == pytest.approx([1.0, 4.0, 2.1, 1.15, 1.0, 1.0, 60.0])


def test_quick_error_page_does_not_speed_a_site_up():
    pace = Pace(PaceOptions())
    pace.answered(SITE, 8.0, is_good=True)
    pace.answered(SITE, 0.1, is_good=False)
    assert pace.delay(SITE)[0] == 8.0
    pace.answered(SITE, 9.0, is_good=False)
    assert pace.delay(SITE)[0] == 9.0


def test_latency_is_shared_by_the_requests_that_go_at_once():
    pace = Pace(PaceOptions(concurrency=4))
    pace.answered(SITE, 8.0, is_good=True)
    assert pace.delay(SITE)[0] == 2.0


def test_without_a_delay_the_latency_makes_none():
    pace = Pace(PaceOptions(min_delay_s=0.0))
    pace.answered(SITE, 8.0, is_good=True)
    assert pace.delay(SITE)[0] == 0.0
