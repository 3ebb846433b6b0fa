"""What is decided about the browser without one."""

from __future__ import annotations

import pytest

from mdcrawl.rendering import MemoryOptions, RenderMemory, SiteMemory, Way, is_blocked, is_same_document

PAGE = "https://docs.example.com/guide/"


@pytest.mark.parametrize(
    ("memory", "way"),
    [
        pytest.param(SiteMemory(), Way.ASK, id="nothing known"),
        pytest.param(SiteMemory(rendered=2, gained=2), Way.ASK, id="two shells"),
        pytest.param(SiteMemory(rendered=3, gained=3), Way.STRAIGHT, id="three shells, all gained"),
        pytest.param(SiteMemory(rendered=9, gained=9), Way.STRAIGHT, id="many shells"),
        pytest.param(SiteMemory(rendered=9, gained=9, plain=1), Way.ASK, id="one page was fine as it came"),
        pytest.param(SiteMemory(rendered=9, gained=8), Way.ASK, id="one gained nothing"),
        pytest.param(SiteMemory(rendered=4), Way.ASK, id="four gained nothing"),
        pytest.param(SiteMemory(rendered=5), Way.NEVER, id="five gained nothing"),
        pytest.param(SiteMemory(rendered=5, gained=1), Way.ASK, id="one of five gained"),
        pytest.param(SiteMemory(failed=9), Way.ASK, id="failures teach nothing"),
    ],
)
def test_way_of_the_next_page(memory, way):
    assert memory.way(MemoryOptions()) is way


def test_sites_are_remembered_apart():
    memory = RenderMemory(MemoryOptions(straight_after=1, never_after=1))
    memory.of("a.example").rendered = 1
    memory.of("b.example").rendered = memory.of("b.example").gained = 1
    memory.of("c.example").plain = True
    assert [memory.way(f"{name}.example") for name in "abcd"] == [Way.NEVER, Way.STRAIGHT, Way.ASK, Way.ASK]
    assert memory.facts() == {
        "a.example": {"rendered": 1, "gained": 0, "failed": 0, "way": "never"},
        "b.example": {"rendered": 1, "gained": 1, "failed": 0, "way": "straight"},
    }


@pytest.mark.parametrize(
    ("kind", "url", "blocked"),
    [
        pytest.param("image", "https://docs.example.com/a.png", True, id="image"),
        pytest.param("font", "https://docs.example.com/a.woff2", True, id="font"),
        pytest.param("media", "https://docs.example.com/a.mp4", True, id="film"),
        pytest.param("ping", "https://docs.example.com/ping", True, id="beacon"),
        pytest.param("script", "https://cdn.example.net/a.js", False, id="script from elsewhere"),
        pytest.param("stylesheet", "https://docs.example.com/a.css", False, id="style sheet"),
        pytest.param("fetch", "https://api.example.net/a", False, id="data from elsewhere"),
        pytest.param("xhr", "https://docs.example.com/a.json", False, id="data"),
        pytest.param("document", "https://docs.example.com/frame", False, id="frame of the same origin"),
        pytest.param("document", "https://DOCS.example.com/frame", False, id="the same origin in capitals"),
        pytest.param("document", "https://ads.example.net/frame", True, id="frame from elsewhere"),
        pytest.param("document", "http://docs.example.com/frame", True, id="frame of another scheme"),
    ],
)
def test_requests_that_are_not_let_out(kind, url, blocked):
    assert is_blocked(kind, url, PAGE) is blocked


@pytest.mark.parametrize(
    ("url", "same"),
    [(PAGE, True), (f"{PAGE}#top", True), (f"{PAGE}?a", False), ("https://docs.example.com/guide", False)],
)
def test_same_document(url, same):
    assert is_same_document(url, PAGE) is same
