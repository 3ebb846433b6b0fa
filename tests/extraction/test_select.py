from __future__ import annotations

import pytest

from mdcrawl.extraction.extract import extract
from mdcrawl.extraction.options import ExtractionOptions, css_selector

P = "The keeper of the {} wall walks it each morning and notes every stone that the night frost has moved."
ARTICLE = "".join(f"<p>{P.format(side)}</p>" for side in ("north", "south", "east", "west", "inner", "outer"))
CARDS = "".join(f'<div class="card"><a href="/{n}">Another story about wall {n}</a></div>' for n in range(6))


def test_an_article_loses_the_cards_beside_it():
    page = f"<body><div class=wrap><h1>Keepers</h1>{ARTICLE}<div class=grid>{CARDS}</div></div></body>"
    extraction = extract(page)
    assert extraction.extractor == "pruned"
    assert "Another story" not in extraction.markdown
    assert extraction.markdown.count("The keeper of") == 6


def test_a_row_of_buttons_goes_however_many_they_are():
    buttons = " ".join(f'<a class="button" href="/{n}">Get the plan of wall number {n}</a>' for n in range(3))
    extraction = extract(f"<body><main><h1>Keepers</h1>{ARTICLE}<p>{buttons}</p>{ARTICLE}</main></body>")
    assert "Get the plan" not in extraction.markdown


def test_a_long_related_list_goes_and_a_page_that_is_a_list_stays():
    related = "".join(f"<li><a href='/{n}'>Wall {n}</a> {P.format(n)}</li>" for n in range(4))
    page = f"<body><main><h1>Keepers</h1>{ARTICLE}<ul class='related_post'>{related}</ul></main></body>"
    assert extract(page).markdown.count("The keeper of") == 6
    alone = f"<body><main><h1>Keepers</h1><ul class='related_post'>{related}</ul></main></body>"
    assert extract(alone).markdown.count("The keeper of") == 4


def test_a_form_that_asks_for_a_password_stays_where_it_is_the_page():
    page = f"<body><main><h1>Keepers</h1><form>{ARTICLE}<input type=password></form></main></body>"
    assert extract(page).markdown.count("The keeper of") == 6


def test_a_thread_keeps_every_post():
    posts = "".join(
        f'<article class="post"><div class="user-info"><h4>Mason {n}</h4><p>99 posts</p></div>'
        f"<p>{P.format(n)}</p></article>"
        for n in range(5)
    )
    markdown = extract(f"<body><main><h1>Frost</h1>{posts}</main></body>", "https://wall.example/threads/9").markdown
    assert [line for line in markdown.splitlines() if line.startswith("####")] == [f"#### Mason {n}" for n in range(5)]
    assert markdown.count("The keeper of") == 5
    assert "99 posts" not in markdown


def test_comments_below_an_article_go_and_a_thread_of_comments_stays():
    comments = "".join(f"<li class=comment><p>{P.format(n)}</p></li>" for n in range(4))
    article = f"<main><h1>K</h1>{ARTICLE}<ol class='comment-list'>{comments}</ol></main>"
    assert extract(article).markdown.count("The keeper of") == 6
    bare = f"<body><h1>K</h1><ol class='comment-list'>{comments}</ol></body>"
    assert extract(bare).markdown.count("The keeper of") == 4


def test_a_selector_and_drops_of_the_site_decide():
    page = f"<main><h1>K</h1>{ARTICLE}</main><div id=own><p>Own text.</p><p class=x>Not this.</p></div>"
    extraction = extract(page, options=ExtractionOptions(selector=css_selector("#own"), drop=(".x", "p[")))
    assert (extraction.markdown, extraction.extractor) == ("# K\n\nOwn text.", "selector")


def test_the_title_comes_in_from_outside_the_container_and_stands_once():
    page = f"<header><h1>Keepers</h1></header><main><p>{P.format('north')}</p></main>"
    assert extract(page).markdown.startswith("# Keepers\n\nThe keeper")
    bar = f"<title>Frost | Keepers</title><header><h1>Keepers</h1></header><main><p>{P.format('north')}</p></main>"
    assert extract(bar).markdown.startswith("The keeper")
    twice = f"<main><h1>Keepers</h1><div><h1>Keepers</h1>{ARTICLE}</div></main>"
    assert extract(twice).markdown.count("# Keepers") == 1


CONTENT_SOMEWHERE = {
    "in a form": f"<form><div>{ARTICLE}</div></form>",
    "in noscript": f"<div id=app></div><noscript>{ARTICLE}</noscript>",
    "in an aside": f"<aside>{ARTICLE}</aside>",
    "hidden until a script runs": f"<div style='display:none'>{ARTICLE}</div>",
    "in a layout table": f"<table><tr><td><a href=/>Home</a></td><td>{ARTICLE}</td></tr></table>",
    "without any paragraph": ARTICLE.replace("<p>", "<div>").replace("</p>", "</div>"),
    "without any element": P.format("north"),
    "in spans and breaks": ARTICLE.replace("<p>", "<span>").replace("</p>", "</span><br><br>"),
}


@pytest.mark.parametrize("html", CONTENT_SOMEWHERE.values(), ids=CONTENT_SOMEWHERE)
def test_a_page_with_content_never_comes_out_empty(html):
    assert P.format("north") in extract(f"<html><body>{html}</body></html>").markdown
