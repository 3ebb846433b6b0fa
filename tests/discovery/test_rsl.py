"""RSL documents: which uses they permit and prohibit, and of which pages."""

from __future__ import annotations

import pytest

from mdcrawl.discovery.rsl import Terms, read_rsl, terms_of

URL = "https://example.com/docs/a?b=c"


def test_terms_of_a_document():
    body = b"""<?xml version="1.0" encoding="UTF-8"?>
    <rsl xmlns="https://rslstandard.org/rsl">
      <content url="/docs/*" server="https://licences.example">
        <license>
          <permits type="usage">search, AI-Index</permits><permits type="user">education</permits>
          <prohibits type="usage">ai-train ai-input</prohibits><payment type="free"/>
        </license>
        <license><permits>search</permits></license>
      </content>
      <content><license><permits type="usage">all</permits></license></content>
      <content url="/"/>
    </rsl>"""
    assert read_rsl(body) == (
        Terms("/docs/*", ("search", "ai-index"), ("ai-train", "ai-input")),
        Terms("/"),
    )


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"<!doctype html><html><body>Not found</body></html>", id="html"),
        pytest.param(b"<urlset><content url='/'/></urlset>", id="other XML"),
        pytest.param(b"\xff\xfe\x00", id="not text"),
        pytest.param(b'{"rsl": 1}', id="json"),
    ],
)
def test_what_is_no_document(body):
    assert read_rsl(body) == ()


def test_entities_are_not_expanded():
    body = (
        b'<!DOCTYPE rsl [<!ENTITY a "search">]><rsl><content url="/"><license><permits type="usage">&a;</permits>'
        b"</license></content></rsl>"
    )
    assert read_rsl(body) == (Terms("/"),)


@pytest.mark.parametrize(
    ("locations", "best"),
    [
        pytest.param(["/", "/docs/"], "/docs/", id="longest"),
        pytest.param(["https://example.com/docs/*", "/"], "https://example.com/docs/*", id="URL"),
        pytest.param(["https://Example.com"], "https://Example.com", id="site"),
        pytest.param(["https://example.org/docs/*", "http://example.com/"], "", id="other sites"),
        pytest.param(["/docs/a$", "*?b=c"], "*?b=c", id="whole path and query"),
        pytest.param(["docs"], "", id="no location"),
        pytest.param([], "", id="nothing said"),
    ],
)
def test_most_specific_location_counts(locations, best):
    assert terms_of(URL, map(Terms, locations)).location == best
