from __future__ import annotations

import pytest

GONE = {
    "script and style": "<script>var a = 1</script><style>p{}</style>",
    "navigation": '<nav><a href="/a">One</a> <a href="/b">Two</a></nav>',
    "landmark role": '<div role="navigation"><a href="/a">One</a></div>',
    "aside without a kind": "<aside><p>Our other walls</p></aside>",
    "dialog": '<div role="dialog"><h2>Your privacy</h2><p>We and our partners read cookies.</p></div>',
    "breadcrumbs": '<ol class="breadcrumbs"><li><a href="/">Home</a></li></ol>',
    "share buttons": '<div class="post-share-buttons"><a href="#">Share</a></div>',
    "hashed name of a module": '<div class="Pagination_pagination__Ab1c2"><a href="/2">Next</a></div>',
    "camel case name": '<div class="relatedArticles"><a href="/x">Another wall</a></div>',
    "newsletter form": "<form><label>Mail</label><input type=email><button>Join</button></form>",
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
