"""robots.txt by RFC 9309: statuses, groups, encodings, bounds, and what else its lines say."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.robots_rules import MAX_BYTES, parse_robots

CLOSE_ALL = b"User-agent: *\nDisallow: /\n"
PAGE = "https://example.com/docs/a"


@pytest.mark.parametrize(
    ("status", "allowed", "closed"),
    [
        (200, False, ""),
        (206, False, ""),
        (301, True, ""),
        (401, True, ""),
        (403, True, ""),
        (404, True, ""),
        (410, True, ""),
        (429, False, "robots.txt: status 429"),
        (500, False, "robots.txt: status 500"),
        (503, False, "robots.txt: status 503"),
        (0, False, "robots.txt: status 0"),
        (None, False, "robots.txt: no answer"),
    ],
)
def test_status_decides_before_the_body(status, allowed, closed):
    rules = parse_robots(CLOSE_ALL, status)
    assert rules.allows(PAGE) is allowed
    assert rules.closed == closed


def test_an_error_page_that_reads_as_rules_opens_nothing():
    assert not parse_robots(b"User-agent: *\nAllow: /\n", 503).allows(PAGE)


def allowed(text: str, *paths: str) -> list[bool]:
    rules = parse_robots(text.encode(), 200)
    return [rules.allows(f"https://example.com{path}") for path in paths]


GROUPS = {
    "own group beats the star": ("User-agent: *\nDisallow: /\n\nUser-agent: mdcrawl\nDisallow: /x", True),
    "star when none is ours": ("User-agent: other\nAllow: /\n\nUser-agent: *\nDisallow: /", False),
    "no group for us": ("User-agent: other\nDisallow: /", True),
    "case of the token": ("User-agent: MDCrawl\nDisallow: /", False),
    "version after the token": ("User-agent: mdcrawl/0.1\nDisallow: /", False),
    "star after the token": ("User-agent: mdcrawl*\nDisallow: /", False),
    "words after the token": ("User-agent: mdcrawl (docs)\nDisallow: /", False),
    "longer token": ("User-agent: mdcrawl-images\nDisallow: /", True),
    "shorter token": ("User-agent: md\nDisallow: /", True),
    "part of the token": ("User-agent: crawl\nDisallow: /", True),
    "token with digit": ("User-agent: mdcrawl2\nDisallow: /", True),
    "names share rules": ("User-agent: other\nUser-agent: mdcrawl\nDisallow: /", False),
    "blank line between names": ("User-agent: other\n\nUser-agent: mdcrawl\n\nDisallow: /", False),
    "sitemap between names": ("User-agent: mdcrawl\nSitemap: /s.xml\nUser-agent: other\nDisallow: /", False),
    "unknown record between names": ("User-agent: mdcrawl\nFoo: bar\nUser-agent: other\nDisallow: /", False),
    "crawl-delay ends the names": ("User-agent: mdcrawl\nCrawl-delay: 1\n\nUser-agent: other\nDisallow: /", True),
    "empty disallow ends the names": ("User-agent: mdcrawl\nDisallow:\n\nUser-agent: other\nDisallow: /", True),
    "sitemap inside a group": ("User-agent: mdcrawl\nDisallow: /x\nSitemap: /s.xml\nDisallow: /docs", False),
    "rules before any name": ("Disallow: /\nUser-agent: *\nAllow: /", True),
    "empty name": ("User-agent:\nDisallow: /", True),
    "empty own group opens": ("User-agent: *\nDisallow: /\n\nUser-agent: mdcrawl\n", True),
    "blanks around the colon": (" USER-AGENT :  *  \n DISALLOW  :  /docs  ", False),
    "comment at the end": ("User-agent: * # all\nDisallow: /docs # closed", False),
    "comment only": ("# User-agent: *\n# Disallow: /", True),
    "no colon": ("User-agent *\nDisallow /docs", False),
    "misspelt": ("User-agent: *\nDissallow: /docs", False),
    "useragent": ("useragent: *\ndisallow: /docs", False),
    "empty file": ("", True),
    "HTML": ("<!DOCTYPE html><html><body>User-agent: *\nDisallow: /</body></html>", True),
    "HTML after blanks": ("\n\n <html>\nUser-agent: *\nDisallow: /\n</html>", True),
}


@pytest.mark.parametrize(("text", "is_open"), GROUPS.values(), ids=GROUPS.keys())
def test_groups(text, is_open):
    assert allowed(text, "/docs/a") == [is_open]


def test_groups_of_one_token_merge():
    first, second = "User-agent: mdcrawl\nDisallow: /one\n", "User-agent: a\nUser-agent: mdcrawl\nDisallow: /two\n"
    text = f"{first}\nUser-agent: x\nDisallow: /\n\n{second}"
    assert allowed(text, "/one", "/two", "/three") == [False, False, True]


RULES = {
    "longest match": ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
    "longest match, other order": ("Allow: /a/b\nDisallow: /a", "/a/c", False),
    "allow wins a tie": ("Disallow: /a\nAllow: /a", "/a", True),
    "star": ("Disallow: /*.php", "/x/y.php?z", False),
    "end": ("Disallow: /*.php$", "/x/y.php?z", True),
    "end matches": ("Disallow: /*.php$", "/x/y.php", False),
    "escaped rule": ("Disallow: /%7Ejoe/", "/~joe/a", False),
    "escaped path": ("Disallow: /~joe/", "/%7ejoe/a", False),
    "beyond ASCII": ("Disallow: /für", "/f%C3%BCr/a", False),
    "escaped slash is none": ("Disallow: /a/b", "/a%2Fb", True),
    "query": ("Disallow: /*?sort=", "/list?sort=up", False),
    "case counts": ("Disallow: /Docs", "/docs", True),
    "robots.txt itself": ("Disallow: /", "/robots.txt", True),
    "Unicode line separator does not split": ("Disallow: /x\u2028Disallow: /docs", "/docs", True),
}


@pytest.mark.parametrize(("rules", "path", "is_open"), RULES.values(), ids=RULES.keys())
def test_rules(rules, path, is_open):
    assert allowed(f"User-agent: *\n{rules}", path) == [is_open]


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + CLOSE_ALL,
        CLOSE_ALL.replace(b"\n", b"\r"),
        CLOSE_ALL.replace(b"\n", b"\r\n"),
        CLOSE_ALL.decode().encode("utf-16"),
        CLOSE_ALL.decode().encode("utf-16-be"),
        CLOSE_ALL.decode().encode("utf-16-le"),
        b"# caf\xe9\n" + CLOSE_ALL,
        b"\xef\xbb\xbf\xef\xbb\xbf" + CLOSE_ALL,
    ],
    ids=["BOM", "CR", "CRLF", "UTF-16", "UTF-16 big", "UTF-16 little", "latin-1 comment", "two BOMs"],
)
def test_encodings(body):
    assert not parse_robots(body, 200).allows(PAGE)


def test_what_comes_after_the_limit_is_ignored_from_the_last_whole_line():
    head = b"User-agent: *\nDisallow: /early\n"
    # The limit falls inside the last rule, whose cut beginning would close everything.
    filler = b"#" * (MAX_BYTES - len(head) - len(b"\nDisallow: /"))
    body = head + filler + b"\nDisallow: /late-rule\nDisallow: /docs\n" + b"x" * MAX_BYTES
    rules = parse_robots(body, 200)
    assert [rules.allows(f"https://example.com{path}") for path in ("/early", "/other", "/docs")] == [False, True, True]


def test_a_huge_file_is_read_in_bounded_time():
    body = b"User-agent: *\n" + b"Disallow: /*a*b*c*d*e*f$\n" * 400_000
    began = time.process_time()
    assert parse_robots(body, 200).allows("https://example.com/" + "abcde" * 400)
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("lines", "asked_s", "delay_s"),
    [
        ("", 0.0, 0.0),
        ("Crawl-delay: 2.5", 2.5, 2.5),
        ("Crawl-delay: 86400", 86400.0, 60.0),
        ("Crawl-delay: -1", 0.0, 0.0),
        ("Crawl-delay: nan", 0.0, 0.0),
        ("Crawl-delay: soon", 0.0, 0.0),
        ("Request-rate: 1/5", 5.0, 5.0),
        ("Request-rate: 30/1m", 2.0, 2.0),
        ("Request-rate: 1/5\nCrawl-delay: 7", 7.0, 7.0),
        ("Request-rate: 0/0", 0.0, 0.0),
    ],
)
def test_delay(lines, asked_s, delay_s):
    rules = parse_robots(f"User-agent: *\n{lines}\n".encode(), 200)
    assert (rules.asked_delay_s, rules.delay_s) == (asked_s, delay_s)


def test_delay_of_another_group_is_not_ours():
    text = b"User-agent: *\nCrawl-delay: 9\n\nUser-agent: mdcrawl\nDisallow: /x\n"
    assert parse_robots(text, 200).delay_s == 0.0


def test_the_cap_of_the_delay_can_be_set():
    assert parse_robots(b"User-agent: *\nCrawl-delay: 90", 200, max_delay_s=5).delay_s == 5


def test_sitemaps_count_wherever_they_stand():
    text = b"Sitemap: https://example.com/a.xml\nUser-agent: x\nsitemap : /b.xml # old\nDisallow: /\nSITEMAP https://example.com/c.xml\nSitemap:\n"
    assert parse_robots(text, 200).sitemaps == ("https://example.com/a.xml", "/b.xml", "https://example.com/c.xml")


def test_signals_of_the_matching_group_only():
    text = (
        b"License: https://example.com/rsl.xml\n"
        b"User-agent: other\nContent-Signal: ai-input=yes\n\n"
        b"User-agent: *\nContent-Signal: search=yes, AI-Train=no\nContent-Usage: /docs train-ai=n\nAllow: /\n"
    )
    rules = parse_robots(text, 200)
    assert rules.signals == (("content-signal", "search=yes, AI-Train=no"), ("content-usage", "/docs train-ai=n"))
    assert rules.licenses == ("https://example.com/rsl.xml",)


def test_equal_files_give_equal_rules():
    assert parse_robots(CLOSE_ALL, 200) == parse_robots(CLOSE_ALL, 200)


LINES = st.sampled_from(
    [
        "User-agent: *",
        "User-agent: mdcrawl",
        "Disallow: /",
        "Allow: /a*$",
        "Crawl-delay: 1e400",
        "Request-rate: 1/0",
        "Sitemap: x",
        "Content-Signal: ai-input=no",
        "Visit-time: 0-1",
        "Disallow: %",
        "Allow: http://[",
        "\x85",
        "\u2028",
        ":",
        "#",
    ]
)


@given(
    st.binary() | st.lists(LINES | st.text(max_size=8)).map(lambda lines: "\n".join(lines).encode("utf-8", "replace")),
    st.text(),
)
def test_parsing_and_asking_are_total(body, path):
    rules = parse_robots(body, 200)
    assert isinstance(rules.allows(f"https://example.com/{path}"), bool)
    assert isinstance(rules.allows(path), bool)
    assert 0 <= rules.delay_s <= 60
