"""The gate for a site's own Markdown."""

from __future__ import annotations

import pytest

from mdcrawl.items import Extraction
from mdcrawl.verdicts.native import NativeLoss, native_loss

WORDS = " ".join(f"valve{number} opens by half a turn" for number in range(40))
CODE = "```sh\npump --rate 3\n```"
OTHER_CODE = "```sh\npump --stop\n```"
TABLE = "| part | size |\n| --- | --- |\n| hinge | 3 |"
TABS = "**npm**\n\n```sh\nnpm add pump\n```\n\n**pnpm**\n\n```sh\npnpm add pump\n```"


def text(*blocks):
    return "\n\n".join(("# Pump", WORDS, *blocks))


@pytest.mark.parametrize(
    ("html", "native"),
    [
        pytest.param(text(CODE, TABLE), text(CODE, TABLE), id="the same"),
        pytest.param(text(CODE), WORDS + "\n\n" + CODE, id="title only in front matter"),
        pytest.param(
            text(CODE), text("```shell\npump --rate 3  \n\n```"), id="blanks that nobody sees, other language"
        ),
        pytest.param(text(CODE), text(CODE, OTHER_CODE, TABLE), id="more than the page"),
        pytest.param(text(TABS), text("```sh\nnpm add pump\n```"), id="tabs for several tools count once"),
        pytest.param(
            text("[Hinge](https://example.com/very/long/way)"), text("[Hinge](hinge.md)"), id="targets are no words"
        ),
        pytest.param(text(TABLE), text("<table><tr><td>hinge<td>3</table>"), id="table in HTML"),
        pytest.param("", text(CODE), id="shell without text"),
        pytest.param("部品を交換する。" * 20, "部品を交換する。" * 20, id="Japanese"),
    ],
)
def test_nothing_is_lost(html, native):
    assert native_loss(Extraction(markdown=html), Extraction(markdown=native)) is None


@pytest.mark.parametrize(
    ("html", "native", "lacks", "is_other"),
    [
        pytest.param(text(CODE), text("pump --rate 3"), "1 of 1 code blocks", False, id="fence dropped"),
        pytest.param(
            text(CODE, OTHER_CODE), text("```\npump--rate3\n```", "```\npump--stop\n```"),
            "the text of 2 of 2 code blocks", False, id="code mangled",
        ),
        pytest.param(text(TABLE, TABLE), text(TABLE, "hinge 3"), "1 of 2 tables", False, id="table dropped"),
        pytest.param(
            text(*(f"## Part {n}" for n in range(10))), text(*(f"Part {n}" for n in range(10))),
            "10 of 11 headings", False, id="headings dropped",
        ),
        pytest.param(text(), "<Snippet file='x.mdx' />", "0 of 241 words", True, id="unresolved include"),
        pytest.param(
            text(), " ".join(f"nothing{n}" for n in range(200)),
            "0 of 241 words, the others are different ones", True, id="another page",
        ),
        pytest.param(text(), text()[: len(text()) * 3 // 4], "60 of 241 words", False, id="cut off"),
    ],
)  # fmt: skip
def test_loss_is_named(html, native, lacks, is_other):
    assert native_loss(Extraction(markdown=html), Extraction(markdown=native)) == NativeLoss(lacks, is_other)
