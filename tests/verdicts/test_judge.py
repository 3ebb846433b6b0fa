from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdcrawl.extraction.extract import extract
from mdcrawl.items import Evidence, Extraction, Inventory, Receipt, Verdict
from mdcrawl.verdicts.judge import VerdictOptions, judge, noindex
from mdcrawl.verdicts.soft_404 import MissingPage
from tests.verdicts.pages import FixturePage, read_pages

PAGES = read_pages()
PROSE = "The pump keeps the last ten readings. A restart clears them all at once. " * 12


def verdict_of(page: FixturePage) -> tuple[Verdict, str]:
    return judge(
        extract(page.html, page.url),
        status=page.status,
        url=page.url,
        headers=page.headers,
        options=VerdictOptions(),
        asked_url=page.asked,
    )


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_page_has_its_verdict_and_names_the_evidence(page: FixturePage) -> None:
    verdict, reason = verdict_of(page)
    assert (verdict, page.reason in reason) == (page.verdict, True), reason


def test_every_verdict_on_a_page_has_fixtures() -> None:
    assert {page.verdict for page in PAGES} == {
        "ok", "thin", "challenge", "gated", "soft_404", "noindex", "refused", "http_error"
    }  # fmt: skip


def simple(markdown: str = PROSE, **more: object) -> Extraction:
    return Extraction(title="Pumps", markdown=markdown, **more)


STATUSES = {
    "200 with words": (200, {}, PROSE, Verdict.OK, "168 words"),
    "200 without": (200, {}, "", Verdict.THIN, "0 words, fewer than 80"),
    "200 with few": (200, {}, "Oil the hinge.", Verdict.THIN, "3 words, fewer than 80"),
    "204": (204, {}, "", Verdict.THIN, "0 words, fewer than 80, status 204"),
    "304 that nobody could ask for": (304, {}, "", Verdict.THIN, "0 words, fewer than 80, status 304"),
    "206 of a part": (
        206,
        {"Content-Range": "bytes 0-900/90000"},
        PROSE,
        Verdict.BAD_CONTENT,
        "status 206, bytes 0-900 of 90000, a part of the page",
    ),
    "206 of the whole": (206, {"content-range": "bytes 0-899/900"}, PROSE, Verdict.OK, "168 words"),
    "206 without a range": (206, {}, PROSE, Verdict.OK, "168 words"),
    "302 that got as far as a verdict": (
        302,
        {},
        PROSE,
        Verdict.HTTP_ERROR,
        "status 302, a redirect that leads nowhere",
    ),
    "401": (401, {}, PROSE, Verdict.REFUSED, "status 401"),
    "402": (402, {}, PROSE, Verdict.HTTP_ERROR, "status 402"),
    "403": (403, {}, "", Verdict.REFUSED, "status 403"),
    "403 behind a guard": (403, {"Server": "AkamaiGHost"}, "", Verdict.REFUSED, "status 403, Akamai guards the site"),
    "407": (407, {}, "", Verdict.REFUSED, "status 407"),
    "429": (429, {}, "", Verdict.REFUSED, "status 429"),
    "451": (451, {}, "", Verdict.REFUSED, "status 451"),
    "404": (404, {}, PROSE, Verdict.HTTP_ERROR, "status 404"),
    "500": (500, {}, PROSE, Verdict.HTTP_ERROR, "status 500"),
    "999": (999, {}, PROSE, Verdict.HTTP_ERROR, "status 999"),
}


@pytest.mark.parametrize(("status", "headers", "markdown", "verdict", "reason"), STATUSES.values(), ids=STATUSES)
def test_status(status: int, headers: dict[str, str], markdown: str, verdict: Verdict, reason: str) -> None:
    found = judge(simple(markdown), status=status, url="https://a.example/p", headers=headers, options=VerdictOptions())
    assert found == (verdict, reason)


CHECK_HEADERS = {
    "Cloudflare": ({"CF-Mitigated": "challenge"}, "Cloudflare challenge: cf-mitigated header"),
    "AWS WAF captcha": ({"x-amzn-waf-action": "captcha"}, "AWS WAF challenge: x-amzn-waf-action header"),
    "Vercel": ({"X-Vercel-Mitigated": "challenge"}, "Vercel challenge: x-vercel-mitigated header"),
    "SiteGround": ({"SG-Captcha": "challenge"}, "SiteGround challenge: sg-captcha header"),
}


@pytest.mark.parametrize("status", [200, 202, 403, 429, 503])
@pytest.mark.parametrize(("headers", "reason"), CHECK_HEADERS.values(), ids=CHECK_HEADERS)
def test_a_header_that_says_challenge_is_one_whatever_the_status(
    headers: dict[str, str], reason: str, status: int
) -> None:
    found = judge(simple(""), status=status, url="https://a.example/", headers=headers, options=VerdictOptions())
    assert found == (Verdict.CHALLENGE, reason)


ROBOTS = {
    "none": ({}, False),
    "all bots": ({"x-robots-tag": "noindex"}, True),
    "in a list, upper case": ({"x-robots-tag": "NOARCHIVE, NoIndex"}, True),
    "none means both": ({"x-robots-tag": "none"}, True),
    "ours by name": ({"x-robots-tag": "mdcrawl: noindex"}, True),
    "ours after another's": ({"x-robots-tag": "otherbot: noarchive, mdcrawl: nofollow, noindex"}, True),
    "another's only": ({"x-robots-tag": "otherbot: noindex, nofollow"}, False),
    "a date is no bot": ({"x-robots-tag": "unavailable_after: 25 Jun 2030 15:00:00 PST, noindex"}, True),
    "index": ({"x-robots-tag": "index, follow, max-snippet: -1"}, False),
}


@pytest.mark.parametrize(("headers", "asked"), ROBOTS.values(), ids=ROBOTS)
def test_x_robots_tag(headers: dict[str, str], asked: bool) -> None:
    assert bool(noindex(simple(), headers)) is asked


def test_noindex_gives_way_to_a_wall_but_not_to_length() -> None:
    page = simple("", robots=("noindex",))
    thin = judge(page, status=200, url="", headers={}, options=VerdictOptions())
    walled = judge(page, status=403, url="", headers={"cf-mitigated": "challenge"}, options=VerdictOptions())
    assert (thin[0], walled[0]) == (Verdict.NOINDEX, Verdict.CHALLENGE)


def test_the_floor_is_an_option() -> None:
    page = simple("one two three four five six seven eight nine ten")
    found = [judge(page, status=200, url="", headers={}, options=VerdictOptions(min_words=n))[0] for n in (10, 11)]
    assert found == [Verdict.OK, Verdict.THIN]


def test_native_markdown_that_says_not_found_is_a_soft_404() -> None:
    markdown = "# Page not found\n\nThe page you are looking for does not exist. [Back home](/)\n"
    found = judge(Extraction(markdown=markdown), status=200, url="", headers={}, options=VerdictOptions())
    assert found[0] is Verdict.SOFT_404


def test_a_page_like_the_answer_for_a_made_up_address_is_a_soft_404() -> None:
    nothing = "Here be pumps of every kind, browse the shelves below or ring the bell at the counter."
    options = VerdictOptions(missing_page=MissingPage(simple(nothing), "https://a.example/lost"))
    found = {
        url: judge(simple(text), status=200, url=url, headers={}, options=options)[0]
        for url, text in {
            "https://a.example/gone": nothing,
            "https://a.example/": nothing,
            "https://a.example/real": PROSE,
        }.items()
    }
    assert found == {
        "https://a.example/gone": Verdict.SOFT_404,
        "https://a.example/": Verdict.THIN,
        "https://a.example/real": Verdict.OK,
    }


TEXT = st.text(max_size=300) | st.sampled_from(
    ["Page not found", "Log in to continue", "Just a moment...", "Accept all cookies", "Access denied", PROSE]
)
TEXTS = st.lists(TEXT, max_size=4).map(tuple)
EVIDENCE = st.builds(
    Evidence,
    title=TEXT,
    headings=TEXTS,
    body_words=st.integers(0, 2000),
    main_words=st.integers(-1, 500),
    main_link_words=st.integers(0, 500),
    body_text=TEXT,
    overlay_text=TEXT,
    buttons=TEXTS,
    fields=TEXTS,
    scripts=TEXTS,
    inline_scripts=TEXT,
    marks=TEXTS,
    empty_root=st.sampled_from(["", "#root"]),
    password_fields=st.integers(0, 2),
    paywalled=st.booleans(),
)
COUNTS = st.builds(Inventory, code_blocks=st.integers(0, 2), tables=st.integers(0, 2))


@settings(max_examples=150, deadline=None)
@given(
    page=st.builds(
        Extraction,
        title=TEXT,
        markdown=TEXT,
        robots=TEXTS,
        evidence=EVIDENCE,
        receipt=st.builds(Receipt, kept=COUNTS),
    ),
    status=st.integers(-1, 1200),
    url=TEXT | st.just("https://[bad/login"),
    headers=st.dictionaries(TEXT | st.sampled_from(["X-Robots-Tag", "Content-Range", "server"]), TEXT, max_size=3),
    min_words=st.integers(0, 200),
)
def test_judge_is_total_and_always_gives_a_reason(
    page: Extraction, status: int, url: str, headers: dict[str, str], min_words: int
) -> None:
    options = VerdictOptions(min_words=min_words)
    verdict, reason = judge(page, status=status, url=url, headers=headers, options=options, asked_url="https://a/b")
    assert isinstance(verdict, Verdict)
    assert reason
    assert "\n" not in reason
