"""What a crawl learns about one site's own Markdown."""

from __future__ import annotations

import pytest

from mdcrawl.discovery.markdown_urls import MarkdownPattern, markdown_url
from mdcrawl.native import (
    DECIDED,
    MAX_GUESSES,
    MAX_REFUSED,
    MAX_STRAYS,
    PROVEN,
    SAMPLE,
    Place,
    SiteMarkdown,
    Standing,
)

SITE = "https://example.com/docs"


def page(number):
    return f"{SITE}/{number}"


def judged(verdicts, *, suffix=".md", is_author_s=True):
    """Return a site after comparisons: "=" lost nothing, "-" lost something, "x" was something else."""
    site = SiteMarkdown()
    for number, verdict in enumerate(verdicts):
        place = site.place(page(number), page(number) + suffix)
        if place is None:
            break
        if verdict == "=":
            site.accept(page(number), place, is_author_s=is_author_s)
        elif verdict == "-":
            site.lose(page(number), place, "2 of 3 tables")
        else:
            site.refuse(page(number), place, "everything: it is HTML")
    return site


@pytest.mark.parametrize(
    ("verdicts", "standing"),
    [
        pytest.param("", Standing.UNKNOWN, id="nothing known"),
        pytest.param("=", Standing.TRIED, id="one good page"),
        pytest.param("=" * PROVEN, Standing.PROVEN, id="enough good pages"),
        pytest.param("-" + "=" * PROVEN, Standing.PROVEN, id="one loss among many"),
        pytest.param("-", Standing.TRIED, id="one loss"),
        pytest.param("--", Standing.FAILED, id="two losses"),
        pytest.param("=-=-", Standing.FAILED, id="a loss for each good page"),
        pytest.param("x" * (MAX_REFUSED - 1), Standing.UNKNOWN, id="some refusals"),
        pytest.param("x" * MAX_REFUSED, Standing.FAILED, id="refusals only"),
        pytest.param("=" * PROVEN + "-", Standing.PROVEN, id="proven sites are not compared but for samples"),
    ],
)
def test_standing_follows_from_comparisons(verdicts, standing):
    assert judged(verdicts).standing is standing


@pytest.mark.parametrize(
    ("site", "reason"),
    [
        pytest.param(judged("--"), "the site's Markdown lacks 2 of 3 tables", id="losses"),
        pytest.param(judged("x" * 9), "the site's Markdown lacks everything: it is HTML", id="refusals"),
        pytest.param(
            judged("=" * DECIDED, is_author_s=False),
            "a machine makes the site's Markdown out of its HTML",
            id="machine",
        ),
        pytest.param(
            judged("=" * DECIDED, suffix="-plain"),
            "where the site's Markdown is cannot be told from a page's URL",
            id="no pattern",
        ),
    ],
)
def test_site_that_failed_says_why_and_is_left_alone(site, reason):
    assert (site.standing, site.reason) == (Standing.FAILED, reason)
    assert site.place(page(99), page(99) + ".md") is None
    assert site.direct(page(99)) is None
    assert not site.is_undecided


def test_unnamed_markdown_is_guessed_at_once():
    site = SiteMarkdown()
    # The index of the whole tells nothing of the names of files.
    assert site.place(f"{SITE}/", "", is_start=True) is None
    place = site.place(page(1), "")
    assert place == Place(page(1) + ".md", is_guess=True)
    # As long as nothing has come, a further page must wait.
    assert site.is_undecided
    site.miss(page(1), place)
    assert [site.place(page(number), "") for number in range(2, 30)] == [None] * 28
    assert not site.is_undecided
    # What a page names is looked at all the same.
    assert site.place(page(40), page(40) + ".md") == Place(page(40) + ".md")


def test_site_whose_answers_vary_is_asked_by_negotiation_once():
    site = SiteMarkdown()
    place = site.place(page(1), "", negotiates=True)
    assert place == Place(page(1), is_negotiated=True, is_guess=True)
    site.refuse(page(1), place, "everything: it is HTML")
    assert site.place(page(2), "", negotiates=True) == Place(page(2) + ".md", is_guess=True)


def test_site_that_answers_html_for_files_is_guessed_at_twice():
    site = SiteMarkdown()
    for number in range(MAX_GUESSES):
        assert site.is_undecided
        site.refuse(page(number), site.place(page(number), ""), "everything: it is HTML")
    assert [site.place(page(number), "") for number in range(2, 30)] == [None] * 28
    assert not site.is_undecided
    assert MAX_GUESSES == 2


@pytest.mark.parametrize("html_first", [0, MAX_GUESSES - 1])
def test_markdown_that_is_not_the_page_s_shows_where_markdown_is(html_first):
    site = SiteMarkdown()
    for number in range(html_first):
        site.refuse(page(number), site.place(page(number), ""), "everything: it is HTML")
    site.refuse(page(2), site.place(page(2), ""), "9 of 10 words", is_markdown=True)
    # From here on it is no guess: stubs and pages of HTML are borne as on a site that names its Markdown.
    for number in range(3, 2 + MAX_REFUSED):
        assert site.standing is Standing.UNKNOWN
        place = site.place(page(number), "")
        assert place == Place(page(number) + ".md")
        site.refuse(page(number), place, "everything: it is HTML")
    assert site.standing is Standing.FAILED


@pytest.mark.parametrize(
    ("url", "markdown", "pattern"),
    [
        pytest.param(f"{SITE}/a", f"{SITE}/a.md", MarkdownPattern.SWAPPED, id="swapped"),
        pytest.param(f"{SITE}/a.html", f"{SITE}/a.html.md", MarkdownPattern.APPENDED, id="appended"),
        pytest.param(f"{SITE}/a/", f"{SITE}/a/index.md", MarkdownPattern.INDEX, id="index"),
    ],
)
def test_pattern_is_learned_from_what_pages_name(url, markdown, pattern):
    site = SiteMarkdown()
    site.accept(url, Place(markdown), is_author_s=True)
    assert site.pattern is pattern


def test_loss_teaches_where_markdown_is_too():
    site = SiteMarkdown()
    place = site.place(page(1), "")
    site.lose(page(1), place, "1 of 1 tables")
    assert site.place(page(2), "") == Place(page(2) + ".md")


def test_proven_site_is_asked_for_markdown_but_for_samples():
    site = judged("=" * PROVEN)
    asked = [site.direct(page(number)) for number in range(3 * SAMPLE)]
    assert asked[0] == Place(page(0) + ".md")
    assert [number for number, place in enumerate(asked, 1) if place is None] == [SAMPLE, 2 * SAMPLE, 3 * SAMPLE]
    # One page that came as HTML is compared for the samples that are due, then no other.
    assert site.place(page(7), "") == Place(page(7) + ".md")
    assert site.place(page(8), page(8) + ".md") is None


@pytest.mark.parametrize(
    ("asked", "refusals"),
    [pytest.param(0, MAX_REFUSED, id="at once"), pytest.param(40 * SAMPLE, MAX_REFUSED + 40, id="after many pages")],
)
def test_proven_site_bears_some_pages_without_markdown(asked, refusals):
    site = judged("=" * PROVEN)
    site.asked = asked
    for _ in range(refusals - 1):
        site.refuse(page(1), Place(page(1) + ".md"), "some of its pages")
    assert site.standing is Standing.PROVEN
    site.refuse(page(1), Place(page(1) + ".md"), "some of its pages")
    assert site.standing is Standing.FAILED


@pytest.mark.parametrize(
    ("asked", "final", "url", "settled"),
    [
        pytest.param("/a", "/a", "/b", "/b", id="no redirect, nothing settled"),
        pytest.param("/a", "/a/", "/b", "/b/", id="slash added"),
        pytest.param("/a", "/a/", "/b/", "/b/", id="slash there"),
        pytest.param("/a", "/a/", "/b.html", "/b.html", id="file"),
        pytest.param("/a", "/a/", "/b?c=d", "/b?c=d", id="query"),
        pytest.param("/a/", "/a", "/b/", "/b", id="slash dropped"),
        pytest.param("/a/", "/a", "", "", id="root keeps its slash"),
        pytest.param("/a", "/elsewhere/", "/b", "/b", id="redirect elsewhere"),
    ],
)
def test_urls_are_settled_as_redirects_do(asked, final, url, settled):
    root = "https://example.com"
    site = judged("=" * PROVEN)
    site.see_redirect(root + asked, root + final)
    assert site.settled(root + (url or "/")) == root + (settled or "/")


@pytest.mark.parametrize(
    ("urls", "listed", "expected"),
    [
        pytest.param(["/a", "/b/"], "/c", "/c", id="bare; a folder's index tells nothing"),
        pytest.param(["/a/", "/b/"], "/c", "/c/", id="folders"),
        pytest.param(["/a.html"], "/c", "/c.html", id="files"),
    ],
)
def test_page_of_a_file_ends_as_the_others_do(urls, listed, expected):
    site = SiteMarkdown()
    candidates = [SITE + listed + ending for ending in ("", "/", ".html")]
    for url in (SITE + urls[number % len(urls)] for number in range(PROVEN)):
        assert site.page_like(candidates) == ""
        site.accept(url, Place(markdown_url(url, MarkdownPattern.SWAPPED)), is_author_s=True)
    assert site.page_like(candidates) == SITE + expected
    assert SiteMarkdown.from_text(site.to_text()).page_like(candidates) == SITE + expected


def test_only_a_proven_site_settles_urls():
    site = judged("=")
    site.see_redirect(f"{SITE}/a", f"{SITE}/a/")
    assert site.settled(f"{SITE}/b") == f"{SITE}/b"


def test_missing_files_end_the_search_unless_one_was_there():
    site, other = SiteMarkdown(), SiteMarkdown()
    for number in range(MAX_STRAYS):
        site.see_file(is_there=False)
        other.see_file(is_there=number == 1)
    assert site.names_strays
    assert not other.names_strays


@pytest.mark.parametrize(
    "site",
    [
        pytest.param(judged("=" * PROVEN), id="by pattern"),
        pytest.param(SiteMarkdown(Standing.PROVEN, None, negotiates=True, has_slashes=True), id="negotiated"),
    ],
)
def test_what_is_proven_is_kept(site):
    again = SiteMarkdown.from_text(site.to_text())
    assert (again.standing, again.direct(page(3))) == (Standing.PROVEN, site.direct(page(3)))
    assert again.has_slashes == site.has_slashes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"pattern": "other", "negotiates": false, "has_slashes": null, "ending": ""}',
        '{"pattern": "", "negotiates": false, "has_slashes": null, "ending": ""}',
        '{"pattern": [], "negotiates": 1, "has_slashes": [], "ending": ""}',
    ],
)
def test_what_cannot_be_read_is_nothing_known(text):
    assert SiteMarkdown.from_text(text) == SiteMarkdown()
