"""llms.txt as the two versions say and as generators write it, llms-full.txt as vendors cut it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.discovery.llms_txt import (
    FullPage,
    LlmsEntry,
    LlmsTxt,
    declared_llms,
    llms_candidates,
    read_llms_full,
    read_llms_txt,
)

URL = "https://example.com/docs/llms.txt"


@pytest.mark.parametrize(
    ("start", "candidates"),
    [
        ("https://example.com/", ["/llms.txt", "/.well-known/llms.txt"]),
        ("https://example.com/docs/", ["/docs/llms.txt", "/llms.txt", "/.well-known/llms.txt"]),
        (
            "https://example.com/docs/en/intro.html?x=1",
            ["/docs/en/llms.txt", "/docs/llms.txt", "/llms.txt", "/.well-known/llms.txt"],
        ),
        ("https://example.com/docs", ["/docs/llms.txt", "/llms.txt", "/.well-known/llms.txt"]),
        (
            "https://example.com/a/b/c/d/e/",
            ["/a/b/c/d/e/llms.txt", "/a/b/c/d/llms.txt", "/a/b/c/llms.txt", "/llms.txt", "/.well-known/llms.txt"],
        ),
    ],
)
def test_candidates(start, candidates):
    assert llms_candidates(start) == tuple(f"https://example.com{path}" for path in candidates)


@pytest.mark.parametrize(
    ("headers", "paths"),
    [
        ({"LINK": '</docs/llms.txt>; rel="describedby"'}, ["/docs/llms.txt"]),
        ({"Link": '</llms.txt>; rel="llms-txt", </llms-full.txt>; rel="llms-full-txt"'}, ["/llms.txt"]),
        ({"X-Llms-Txt": "/llms.txt"}, ["/llms.txt"]),
        ({"Link": '<llms.txt>; rel="describedby"', "X-Llms-Txt": "/docs/llms.txt"}, ["/docs/llms.txt"]),
        ({"Link": '</schema.json>; rel="describedby"'}, []),
        ({}, []),
    ],
)
def test_declared(headers, paths):
    assert declared_llms(headers, "https://example.com/docs/a") == tuple(f"https://example.com{path}" for path in paths)


def test_a_whole_file():
    body = (
        "\ufeff# Door manual #\r\n\r\n> All about doors.\r\n> In short.\r\n\r\nStart at [home](/).\r\n\r\n"
        "## Guide\r\n\r\n- [Hinge](hinge.md): how to oil it\r\n* [Lock](/docs/lock.md) - for the night\r\n"
        "  - [Key [spare]](/docs/key_(2).md)\r\n\r\n### Deeper\r\n\r\n1. [Frame](https://other.example/frame)\r\n\r\n"
        "## Optional\r\n\r\n- [Paint](paint.md)\r\n"
    )
    assert read_llms_txt(body.encode(), URL) == LlmsTxt(
        title="Door manual",
        summary="All about doors. In short.",
        entries=(
            LlmsEntry("https://example.com/docs/hinge.md", "Hinge", "how to oil it", "Guide"),
            LlmsEntry("https://example.com/docs/lock.md", "Lock", "for the night", "Guide"),
            LlmsEntry("https://example.com/docs/key_(2).md", "Key [spare]", "", "Guide"),
            LlmsEntry("https://other.example/frame", "Frame", "", "Deeper"),
            LlmsEntry("https://example.com/docs/paint.md", "Paint", "", "Optional", is_optional=True),
        ),
    )


ITEMS = {
    "plain": ("- [A](/a)", ["/a"]),
    "notes with a link": ("- [A](/a): see [B](/b)", ["/a"]),
    "title in the link": ('- [A](/a "the a")', ["/a"]),
    "angle brackets": ("- [A](</a>)", ["/a"]),
    "bare URL": ("- https://example.com/a: notes", ["/a"]),
    "automatic link": ("- <https://example.com/a>", ["/a"]),
    "bold name": ("- **[A](/a)**", ["/a"]),
    "twice": ("- [A](/a)\n- [B](/a)", ["/a"]),
    "broken": ("- broken [link](\n- [A](/a)", ["/a"]),
    "place on the page": ("- [A](#a)", []),
    "mail": ("- [A](mailto:a@example.com)", []),
    "no link": ("- just text", []),
    "prose": ("See [A](/a).", []),
    "in a fence": ("```\n- [A](/a)\n```\n- [B](/b)", ["/b"]),
    "in a long fence": ("````\n```\n- [A](/a)\n````\n- [B](/b)", ["/b"]),
}


@pytest.mark.parametrize(("lines", "paths"), ITEMS.values(), ids=ITEMS.keys())
def test_items(lines, paths):
    read = read_llms_txt(f"# T\n\n{lines}\n".encode(), URL)
    assert [entry.url for entry in read.entries] == [f"https://example.com{path}" for path in paths]


def test_a_title_is_enough():
    assert read_llms_txt(b"# Door manual", URL) == LlmsTxt(title="Door manual")


def test_a_list_without_title_is_taken():
    assert len(read_llms_txt(b"- [A](/a)\n", URL).entries) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n\n",
        b"nothing of the kind",
        b"<!DOCTYPE html><html><body><div id=root></div># T\n- [A](/a)</body></html>",
        b"\n <html>\n# T\n",
        b"<div>\n# T\n</div>",
        b'{"a": 1}',
        b"\x89PNG\r\n\x1a\n\x00\x00# T",
        b"<?xml version='1.0'?><urlset/>",
    ],
    ids=["empty", "blank", "prose", "app shell", "html after blanks", "fragment", "json", "picture", "sitemap"],
)
def test_what_is_no_llms_txt(body):
    assert read_llms_txt(body, URL) is None


@pytest.mark.parametrize(
    ("line", "is_complete"),
    [
        ("Some entries were omitted to stay within the limit.", False),
        ("> This list is truncated.", False),
        ("... and 312 more pages", False),
        ("- [A](/a): what to do with truncated files", True),
        ("All pages are here.", True),
    ],
)
def test_gaps_are_known(line, is_complete):
    assert read_llms_txt(f"# T\n\n- [B](/b)\n\n{line}\n".encode(), URL).is_complete is is_complete


def test_full_with_source_lines():
    hinge = b"# Hinge\nSource: https://example.com/docs/hinge\n\nOil it.\n\n## More\n\ntext\n\n"
    body = hinge + b"# Lock\n\nURL: /docs/lock\n\nTurn it.\n"
    assert read_llms_full(body, "https://example.com/llms-full.txt") == (
        FullPage("Hinge", "https://example.com/docs/hinge", "Oil it.\n\n## More\n\ntext"),
        FullPage("Lock", "https://example.com/docs/lock", "Turn it."),
    )


def test_full_with_front_matter():
    hinge = b"---\ntitle: 'Hinge'\nurl: /docs/hinge.md\n---\n\n# Hinge\n\nOil.\n\n---\n\nmore\n\n"
    body = hinge + b"---\nurl: /docs/lock.md\n---\nTurn.\n"
    assert read_llms_full(body, "https://example.com/llms-full.txt") == (
        FullPage("Hinge", "https://example.com/docs/hinge.md", "# Hinge\n\nOil.\n\n---\n\nmore"),
        FullPage("", "https://example.com/docs/lock.md", "Turn."),
    )


@pytest.mark.parametrize(
    "body", [b"", b"# One text\n\nwithout sources\n", b"<html># T\nSource: /a</html>", b"\x00\x01\x02"]
)
def test_full_that_is_not_cut_into_pages(body):
    assert read_llms_full(body, "https://example.com/llms-full.txt") == ()


def test_big_files_end_in_time():
    began = time.process_time()
    for body in (
        b"- [a](/b)\n" * 100_000,
        b"- " + b"[" * 3_000_000,
        b"# a\nSource: /x\n" * 10_000,
        b"- [a]" * 300_000,
    ):
        read_llms_txt(body, URL)
        read_llms_full(body, URL)
    assert time.process_time() - began < 8


PARTS = st.sampled_from(
    [
        "# ",
        "## Optional",
        "- ",
        "[a]",
        "(/b)",
        "[",
        "(",
        ")",
        "\n",
        "---\n",
        "Source: /a\n",
        "```",
        "<",
        "https://[",
        ": ",
    ]
)


@given(st.binary() | st.lists(PARTS | st.text(max_size=4)).map(lambda parts: "".join(parts).encode("utf-8", "replace")))
def test_total(body):
    read = read_llms_txt(body, URL)
    assert read is None or all(entry.url.startswith("http") for entry in read.entries)
    assert isinstance(read_llms_full(body, URL), tuple)
