"""What sites say about use: who a directive is for, which of two wins, and what it forbids."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.robots_rules import parse_robots
from mdcrawl.discovery.signals import (
    Rights,
    TdmRule,
    forbids,
    noindex_reason,
    path_matches,
    read_rights,
    read_tdmrep,
)

URL = "https://example.com/docs/a?b=1"

DIRECTIVES = {
    "none said": ("", ()),
    "one": ("noindex", ("noindex",)),
    "several": ("NoIndex, nofollow", ("nofollow", "noindex")),
    "blanks between": ("noindex nofollow", ("nofollow", "noindex")),
    "for another bot": ("googlebot: noindex", ()),
    "for another bot, all of it": ("googlebot: noindex, nofollow", ()),
    "for us": ("mdcrawl: noindex, nofollow", ("nofollow", "noindex")),
    "for us in upper case": ("MDCRAWL : NOINDEX", ("noindex",)),
    "for a longer name": ("mdcrawl-images: noindex", ()),
    "two bots in one line": ("googlebot: nofollow, mdcrawl: noindex", ("noindex",)),
    "everybody first": ("noai, googlebot: noindex", ("noai",)),
    "two lines": ("googlebot: nofollow\nnoindex", ("noindex",)),
    "value with colon": ("max-snippet: 20, noindex", ("max-snippet:20", "noindex")),
    "date": ("unavailable_after: 25 Jun 2027 15:00:00 GMT, noindex", ("noindex",)),
    "date with comma": (
        "noindex, unavailable_after: Friday, 25-Jun-27 15:00:00 GMT, nofollow",
        ("nofollow", "noindex"),
    ),
}


@pytest.mark.parametrize(("value", "directives"), DIRECTIVES.values(), ids=DIRECTIVES.keys())
def test_x_robots_tag(value, directives):
    assert read_rights(URL, {"X-ROBOTS-TAG": value}).directives == directives


def test_meta_and_header_add_up():
    rights = read_rights(URL, {"x-robots-tag": "noai"}, meta_robots=("NOINDEX,FOLLOW", "noarchive"))
    assert rights.directives == ("follow", "noai", "noarchive", "noindex")
    assert rights.follows_links


@pytest.mark.parametrize(("directive", "follows"), [("nofollow", False), ("none", False), ("noindex", True)])
def test_following(directive, follows):
    assert read_rights(URL, {}, meta_robots=(directive,)).follows_links is follows


DATES = {
    "RFC 822": "25 Jun 2027 15:00:00 GMT",
    "RFC 850": "Friday, 25-Jun-27 15:00:00 GMT",
    "zone": "25 Jun 2027 17:00:00 +0200",
    "ISO 8601": "2027-06-25T15:00:00Z",
    "ISO 8601 with zone": "2027-06-25T17:00:00+02:00",
}


@pytest.mark.parametrize("date", DATES.values(), ids=DATES.keys())
def test_a_page_that_expires(date):
    rights = read_rights(URL, {"x-robots-tag": f"unavailable_after: {date}"})
    assert rights.expires == "2027-06-25T15:00:00+00:00"
    assert noindex_reason(rights) == ""
    assert noindex_reason(rights, datetime(2027, 6, 25, 14, tzinfo=UTC)) == ""
    assert noindex_reason(rights, datetime(2027, 6, 26, tzinfo=UTC)) == "unavailable after 2027-06-25T15:00:00+00:00"


@pytest.mark.parametrize("date", ["soon", "", "99 Foo 2027", "9999-12-31T23:59:59-23:00"])
def test_a_date_that_cannot_be_read_says_nothing(date):
    assert read_rights(URL, {"x-robots-tag": f"unavailable_after: {date}"}).expires == ""


@pytest.mark.parametrize(
    ("directives", "reason"),
    [(("noindex",), "robots directive noindex"), (("none",), "robots directive none"), (("noai", "nosnippet"), "")],
)
def test_noindex(directives, reason):
    assert noindex_reason(Rights(directives=directives)) == reason


FORBIDDEN = {
    "silence": (Rights(), "ai-input", ""),
    "signal against it": (Rights(signals=(("ai-input", False),)), "ai-input", "Content-Signal: ai-input=no"),
    "signal for it": (Rights(signals=(("ai-input", True),)), "ai-input", ""),
    "signal against another use": (Rights(signals=(("ai-train", False),)), "ai-input", ""),
    "signal against training": (Rights(signals=(("ai-train", False),)), "ai-train", "Content-Signal: ai-train=no"),
    "signal against search": (Rights(signals=(("search", False),)), "search", "Content-Signal: search=no"),
    "usage against training": (Rights(usage=(("train-ai", False),)), "ai-train", "Content-Usage: train-ai=n"),
    "usage has no word for input": (Rights(usage=(("train-ai", False),)), "ai-input", ""),
    "noai": (Rights(directives=("noai",)), "ai-input", "robots directive noai"),
    "noai and search": (Rights(directives=("noai",)), "search", ""),
    "noimageai": (Rights(directives=("noimageai",)), "ai-input", ""),
    "TDM": (Rights(tdm_reservation="1"), "ai-input", "tdm-reservation: 1"),
    "TDM with policy": (
        Rights(tdm_reservation="1", tdm_policy="https://example.com/p"),
        "ai-train",
        "tdm-reservation: 1 (policy https://example.com/p)",
    ),
    "TDM not reserved": (Rights(tdm_reservation="0"), "ai-input", ""),
    "TDM and search": (Rights(tdm_reservation="1"), "search", ""),
}


@pytest.mark.parametrize(("rights", "purpose", "reason"), FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_forbids(rights, purpose, reason):
    assert forbids(rights, purpose) == reason


def rights_by_robots(lines: str, headers: dict[str, str] | None = None) -> Rights:
    return read_rights(URL, headers or {}, robots=parse_robots(f"User-agent: *\n{lines}\nAllow: /\n".encode(), 200))


def test_signals_of_robots_txt_and_header_add_up():
    rights = rights_by_robots("Content-Signal: search=yes, AI-Train=NO", {"Content-Signal": "ai-input=no, search=yes"})
    assert rights.signals == (("ai-input", False), ("ai-train", False), ("search", True))


def test_no_wins_over_yes():
    rights = rights_by_robots("Content-Signal: ai-input=no", {"Content-Signal": "ai-input=yes"})
    assert rights.signals == (("ai-input", False),)


def test_labels_with_other_values_are_left_alone():
    assert rights_by_robots("Content-Signal: search=yes,ai-train=no,use=reference").signals == (
        ("ai-train", False),
        ("search", True),
    )


def test_the_longest_path_of_content_usage_wins():
    lines = "Content-Usage: train-ai=n\nContent-Usage: /docs/ train-ai=y\nContent-Usage: /blog/ search=n"
    assert rights_by_robots(lines).usage == (("train-ai", True),)


def test_equal_paths_of_content_usage_combine_and_no_wins():
    lines = "Content-Usage: /docs/ train-ai=y\nContent-Usage: /docs/ train-ai=n, search=y"
    assert rights_by_robots(lines).usage == (("search", True), ("train-ai", False))


def test_usage_header_of_structured_fields():
    assert read_rights(URL, {"Content-Usage": "train-ai=?0, search=?1"}).usage == (
        ("search", True),
        ("train-ai", False),
    )


def test_tdm_nearest_to_the_page_wins():
    rules = (TdmRule("/*", "1"),)
    by_file = read_rights(URL, {}, tdm_rules=rules)
    by_header = read_rights(URL, {"TDM-Reservation": "0"}, tdm_rules=rules)
    by_meta = read_rights(
        URL, {"TDM-Reservation": "0"}, metas={"TDM-Reservation": "1", "tdm-policy": "/p"}, tdm_rules=rules
    )
    assert (by_file.tdm_reservation, by_header.tdm_reservation) == ("1", "0")
    assert (by_meta.tdm_reservation, by_meta.tdm_policy) == ("1", "/p")


def test_tdmrep_file():
    docs = b'{"location": "/docs/", "tdm-reservation": 1, "tdm-policy": "/p.json"}'
    body = b'[%s, {"location": "/*", "tdm-reservation": 0}, 7]' % docs
    rules = read_tdmrep(body)
    assert rules == (TdmRule("/docs/", "1", "/p.json"), TdmRule("/*", "0"))
    assert read_rights(URL, {}, tdm_rules=rules).tdm_policy == "/p.json"
    assert read_rights("https://example.com/blog", {}, tdm_rules=rules).tdm_reservation == "0"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"{}",
        b"[1]",
        b'[{"location": 1}]',
        b'[{"location": "/", "tdm-reservation": "yes"}]',
        b"[" * 100_000,
        b"\xff",
    ],
    ids=["empty", "html", "object", "number", "bad location", "bad value", "nested", "not text"],
)
def test_what_is_no_tdmrep_file(body):
    assert read_tdmrep(body) == ()


def test_licenses():
    robots = parse_robots(b"License: https://example.com/rsl.xml\nUser-agent: *\nAllow: /\n", 200)
    link = (
        '<https://example.com/l.xml>; rel="license"; type="application/rsl+xml", <https://cc.example/by>; rel="license"'
    )
    metas = {"license": "https://example.com/l.xml https://example.com/m.xml"}
    rights = read_rights(URL, {"Link": link}, metas=metas, robots=robots)
    assert rights.licenses == tuple(f"https://example.com/{name}.xml" for name in ("rsl", "l", "m"))


def test_as_dict_says_what_was_said():
    rights = read_rights(URL, {"X-Robots-Tag": "noai", "Content-Signal": "ai-input=no", "TDM-Reservation": "1"})
    assert rights.as_dict() == {"robots": "noai", "content_signal": "ai-input=no", "tdm_reservation": "1"}
    assert Rights().as_dict() == {}


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/", "/x", True),
        ("/a", "/b", False),
        ("/a$", "/a", True),
        ("/a$", "/ab", False),
        ("/*/x", "/a/b/x/y", True),
        ("/*/x$", "/a/b/x/y", False),
        ("/a*b*c$", "/a1b2b3c", True),
        ("/a*b*c$", "/a1c", False),
        ("*", "/anything", True),
        ("/a*a$", "/a", False),
        ("", "/", True),
    ],
)
def test_path_matches(pattern, path, matches):
    assert path_matches(pattern, path) is matches


WORDS = st.sampled_from(
    [
        "noindex",
        "mdcrawl",
        "googlebot",
        ":",
        ",",
        " ",
        "\n",
        "unavailable_after",
        "25 Jun 2027",
        "=",
        "no",
        "/",
        "*",
        "<a>",
    ]
)
VALUES = st.text() | st.lists(WORDS).map("".join)


@given(
    st.text(),
    st.dictionaries(
        st.sampled_from(["x-robots-tag", "content-signal", "content-usage", "tdm-reservation", "link"]), VALUES
    ),
    VALUES,
)
def test_reading_is_total(url, headers, meta):
    rights = read_rights(url, headers, meta_robots=(meta,))
    assert all(isinstance(value, str) for value in rights.as_dict().values())
    assert isinstance(noindex_reason(rights, datetime(2027, 1, 1, tzinfo=UTC)), str)


VALUE = st.none() | st.integers(-1, 2) | st.sampled_from(["0", "1", "/", "*", ""]) | st.lists(st.none(), max_size=1)
ENTRY = st.dictionaries(st.sampled_from(["location", "tdm-reservation", "tdm-policy"]), VALUE)


@given(st.binary() | (VALUE | ENTRY | st.lists(VALUE | ENTRY)).map(lambda value: json.dumps(value).encode()))
def test_reading_tdmrep_is_total(body):
    assert isinstance(read_tdmrep(body), tuple)
