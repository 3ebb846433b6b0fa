from __future__ import annotations

import pytest

PROSE = "Tell the masons of your own valley what you have read here, for they may know of walls like these ones."
GONE = {
    "script and style": "<script>var a = 1</script><style>p{}</style>",
    "navigation": '<nav><a href="/a">One</a> <a href="/b">Two</a></nav>',
    "landmark role": '<div role="navigation"><a href="/a">One</a></div>',
    "aside without a kind": "<aside><p>Our other walls</p></aside>",
    "dialog": '<div role="dialog"><h2>Your privacy</h2><p>We and our partners read cookies.</p></div>',
    "breadcrumbs": '<ol class="breadcrumbs"><li><a href="/">Home</a></li></ol>',
    "share buttons": '<div class="post-share-buttons"><a href="#">Share</a></div>',
    "hashed name of a module": '<div class="Pagination_pagination__Ab1c2"><a href="/2">Next</a></div>',
    "element of a block": '<div class="card__share-buttons card__share-buttons--wide"><p>' + PROSE + "</p></div>",
    "call to action": '<div class="footer-cta"><p>' + PROSE + "</p></div>",
    "notices of a forum": '<ul class="notices notices--block"><li>Do not send stones by mail.</li></ul>',
    "who is online": '<div class="stat-block online-list"><h3>Who is online</h3><p>7 masons, 3 hidden</p></div>',
    "camel case name": '<div class="relatedArticles"><a href="/x">Another wall</a></div>',
    "newsletter form": "<form><label>Mail</label><input type=email><button>Join</button></form>",
    "newsletter form of many words": "<form><h2>Wall letter</h2><input type=email><p>We write once a month.</p></form>",
    "label of a field": "<div><label for=by>Sort the stones:</label><select id=by><option>Size</option></select></div>",
    "login form": "<form><h3>Come in</h3><label>Name</label><input type=text><input type=password></form>",
    "credit of a picture": "<figure><figcaption>. Photo: A Keeper</figcaption></figure>",
    "edit line": '<p><a href="/edit">Edit this page on GitHub</a></p>',
    "edit link between blocks": '<a href="/edit" rel="edit">Edit this page</a>\n<p></p>',
    "copyright line": "<p>© 2026 Wall Society. All rights reserved.</p>",
    "helpful": "<p>Was this page helpful?</p>",
    "boxed teaser": '<div><h3>Related posts</h3><ul><li><a href="/a">First long title here</a></li>'
    '<li><a href="/b">Second long title here</a></li></ul></div>',
}
KEPT = {
    "section whose id is its heading": (
        '<section id="share"><h2>Share</h2><p>Give a stone away.</p></section>',
        "## Share\n\nGive a stone away.",
    ),
    "body copy": ('<div class="copy"><p>Lay the long stones across.</p></div>', "Lay the long stones across."),
    "beside furniture": ('<div class="has-sidebar"><p>Lay them across.</p></div>', "Lay them across."),
    "footer of a quotation": (
        "<blockquote><p>Build.</p><footer>A keeper</footer></blockquote>",
        "> Build.\n>\n> A keeper",
    ),
    "modifier that names furniture": (
        '<div class="card__text card__text--share"><p>Lay them across.</p></div>',
        "Lay them across.",
    ),
    "form around text": ("<form><h2>Stones</h2><p>Lay them across.</p><input></form>", "## Stones\n\nLay them across."),
    "a list of words": (
        '<ul><li><a href="/login">Login</a></li><li><a href="/like">Like</a></li></ul>',
        "- Login\n- Like",
    ),
    "the author's own related list": (
        "<h2>Related topics</h2><ul><li><a href='/a'>Arches</a></li></ul>",
        "## Related topics\n\n- Arches",
    ),
    "edit link in a sentence": (
        '<p>Use <a href="/edit">Edit this page</a> to mend it.</p>',
        "Use Edit this page to mend it.",
    ),
    "a sentence that begins like a teaser": ("<p>More to come.</p>", "More to come."),
    "words beside each other": (
        '<div><a href="/print">Print</a> <a href="/keep">Keep</a></div>',
        "Print Keep",
    ),
    "copyright in code": ("<pre>© 2026 keeper</pre>", "```\n© 2026 keeper\n```"),
    "a button that heads a part": ("<h2><button>Winter</button></h2><p>Rest.</p>", "## Winter\n\nRest."),
}


@pytest.mark.parametrize("html", GONE.values(), ids=GONE)
def test_furniture_goes(convert, html):
    assert convert(html) == ""


@pytest.mark.parametrize(("html", "expected"), KEPT.values(), ids=KEPT)
def test_content_with_such_a_name_stays(convert, html, expected):
    assert convert(html) == expected
