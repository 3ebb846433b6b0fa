"""Pages that are made alike, and which of them are worth reading."""

from __future__ import annotations

import pytest

from mdcrawl.report import site_templates
from mdcrawl.report.site_templates import StoredPage, find_site_templates, template_name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.com/", "example.com/"),
        ("https://example.com/about.html", "example.com/"),
        ("https://example.com/docs/a/", "example.com/docs/a/"),
        ("https://example.com/docs/a/b/c/d", "example.com/docs/a/"),
        ("https://example.com:8080//docs//x?a=/b/c/", "example.com:8080/docs/"),
        ("guide/intro.html", "/guide/"),
    ],
)
def test_template_name(url, name):
    assert template_name(url) == name


def test_pages_of_one_place_and_extractor_are_one_template():
    pages = [
        StoredPage("https://a.org/docs/x", "container", 10, 0),
        StoredPage("https://a.org/docs/y", "container", 20, 1),
        StoredPage("https://a.org/docs/z", "trafilatura", 30, 0),
        StoredPage("https://b.org/docs/x", "container", 40, 0),
    ]
    found = find_site_templates(pages)
    assert [(each.name, each.extractor, each.pages, each.lossy) for each in found] == [
        ("a.org/docs/", "container", 2, 1),
        ("a.org/docs/", "trafilatura", 1, 0),
        ("b.org/docs/", "container", 1, 0),
    ]


@pytest.mark.parametrize(
    ("pages", "samples"),
    [
        pytest.param([("a", 5, 0)], [("a", "the longest")], id="one page is shown once"),
        pytest.param(
            [("first", 5, 0), ("long", 9, 0), ("short", 1, 0), ("other", 6, 0)],
            [("long", "the longest"), ("short", "the shortest"), ("first", "the first")],
            id="nothing lost",
        ),
        pytest.param(
            [("first", 5, 0), ("long", 9, 0), ("short", 1, 0), ("less", 6, 1), ("more", 6, 3)],
            [("more", "most was lost here"), ("long", "the longest"), ("short", "the shortest")],
            id="losses come first",
        ),
        pytest.param(
            [("worst", 9, 2), ("short", 1, 0), ("other", 3, 0)],
            [("worst", "most was lost here"), ("short", "the shortest")],
            id="a page that is two things is shown once",
        ),
    ],
)
def test_samples(pages, samples):
    (template,) = find_site_templates(StoredPage(url, "container", words, losses) for url, words, losses in pages)
    assert template.samples == samples


def test_number_of_templates_is_bounded(monkeypatch):
    monkeypatch.setattr(site_templates, "MAX_KNOWN", 3)
    found = find_site_templates(StoredPage(f"https://a.org/{n}/x", "container", 1, 0) for n in range(10))
    assert sum(each.pages for each in found) == 10
    assert found[0].name == "a.org/…"
    assert found[0].pages == 7
