"""One table for each of the small families: hidden, headings, tabs, admonitions, lists, notes, math, images, links."""

from __future__ import annotations

import pytest

from mdcrawl.extraction.extract import extract
from mdcrawl.extraction.options import ExtractionOptions
from mdcrawl.items import ImageMode, LinkMode

POST = "My wall leans to the north since the frost of last week, and I would like to know whether it will fall on me."
CASES = {
    "hidden: attribute and style": (
        "<p hidden>a</p><p style='display: none'>b</p><p aria-hidden='true'>c</p><p class='sr-only'>d</p><p>e</p>",
        "e",
    ),
    "hidden: icon words": ("<p><i class='material-icons'>chevron_right</i>Go on</p>", "Go on"),
    "hidden: characters": ("<p>in&shy;ter\u200bnational \u202ex\u202c</p>", "international x"),
    "hidden: by the name of a style sheet, everywhere": (
        "<p class='d-none'>a</p><p class='d-none d-md-block'>b</p>",
        "b",
    ),
    "hidden: a copy of what stands elsewhere": (
        f"<div class='hidden'><p>{POST}</p></div><p>{POST}</p><div class='hidden'><p>Once: {POST[::-1]}</p></div>",
        f"{POST}\n\nOnce: {POST[::-1]}",
    ),
    "hidden: joiners that shape stay": ("<p>👩\u200d💻 می\u200cخواهم</p>", "👩\u200d💻 می\u200cخواهم"),
    "hidden: a collapsed part stays": (
        "<div class='collapse' style='display:none'><p>Folded away but written by the author.</p></div>",
        "Folded away but written by the author.",
    ),
    "headings: signs of anchors": ("<h2 id=a>Lime<a class='headerlink' href='#a'>¶</a></h2><p>x</p>", "## Lime\n\nx"),
    "headings: edit link in any language": (
        "<h2>Kalk<span class='mw-editsection'>[Bearbeiten]</span></h2><p>x</p>",
        "## Kalk\n\nx",
    ),
    "headings: code stays, emphasis goes": (
        "<h3>The <code>lay()</code> <em>call</em></h3><p>x</p>",
        "### The `lay()` call\n\nx",
    ),
    "headings: a badge follows": (
        "<h2>Mortar <span class='VPBadge'>beta</span></h2><p>x</p>",
        "## Mortar\n\nbeta\n\nx",
    ),
    "tabs: panels under their labels": (
        (
            "<div class='tabs'><ul role='tablist'><li role='tab'>Lime</li><li role='tab'>Clay</li></ul>"
            "<div role='tabpanel'><p>Slow.</p></div><div role='tabpanel' hidden><p>Soft.</p></div></div>"
        ),
        "**Lime**\n\nSlow.\n\n**Clay**\n\nSoft.",
    ),
    "tabs: label and panel in turn": (
        (
            "<div class='sd-tab-set'><input type=radio><label>Lime</label>"
            "<div class='sd-tab-content'><p>Slow.</p></div>"
            "<input type=radio><label>Clay</label><div class='sd-tab-content'><p>Soft.</p></div></div>"
        ),
        "**Lime**\n\nSlow.\n\n**Clay**\n\nSoft.",
    ),
    "definition with code among its words": (
        "<dl><dt>pace</dt><dd>From <code>1m</code> to <b>one</b> day. Less wears.</dd></dl>",
        "**pace**\n\nFrom `1m` to **one** day. Less wears.",
    ),
    "caption with code among its words": (
        (
            "<figure><img src='/a.png' alt='A wall'>"
            "<figcaption>See <code>lay</code> and <i>rest</i>, too.</figcaption></figure>"
        ),
        "![A wall]()\n\nSee `lay` and *rest*, too.",
    ),
    "details": ("<details><summary>Why</summary><p>Frost.</p></details>", "**Why**\n\nFrost."),
    "admonition: title": (
        "<div class='admonition warning'><p class='admonition-title'>Mind</p><p>It falls.</p></div>",
        "> **Mind**\n>\n> It falls.",
    ),
    "admonition: kind as label": ("<aside class='callout tip'><p>Wet it.</p></aside>", "> **Tip**\n>\n> Wet it."),
    "lists: nested, start, tight": (
        "<ol start=3><li>Dig<ul><li>deep</li></ul></li><li>Fill</li></ol>",
        "3. Dig\n   - deep\n4. Fill",
    ),
    "lists: a list between items": ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"),
    "lists: tasks": (
        "<ul><li><input type=checkbox checked disabled> done</li><li><input type=checkbox disabled> open</li></ul>",
        "- [x] done\n- [ ] open",
    ),
    "lists: a check box is no task": ("<ul><li><input type=checkbox>Filter</li></ul>", "- Filter"),
    "lists: neighbours stay apart": ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"),
    "lists: an item that reads as furniture among others": (
        "<p>See:</p><ul><li><a href='/a'>Anchors</a></li><li><a href='/t'>Table of contents</a></li><li>Rope</li></ul>",
        "See:\n\n- Anchors\n- Table of contents\n- Rope",
    ),
    "lists: nothing but furniture": (
        "<p>Oil it.</p><ul><li><a href='/e'>Edit this page</a></li><li><a href='#'>Back to top</a></li></ul>",
        "Oil it.",
    ),
    "lists: definitions": (
        "<dl><dt>Bond</dt><dd>How stones lie.</dd><dt><code>cap</code></dt><dd>The top.</dd></dl>",
        "**Bond**\n\nHow stones lie.\n\n`cap`\n\nThe top.",
    ),
    "notes: footnote": (
        (
            "<p>Old<sup><a href='#fn1' class='footnote-ref'>1</a></sup>.</p><ol><li id=fn1><p>Very. "
            "<a href='#fnref1'>↩</a></p></li></ol>"
        ),
        "Old[^1].\n\n[^1]: Very.",
    ),
    "notes: citation marks of wikis": ("<p>Old<sup class='reference'><a href='#c'>[1]</a></sup>.</p>", "Old."),
    "notes: ruby": ("<p><ruby>石<rp>(</rp><rt>いし</rt><rp>)</rp></ruby></p>", "石(いし)"),
    "math: KaTeX once": (
        (
            "<p>So <span class='katex'><math><semantics><mi>p</mi><annotation encoding='application/x-tex'>p_i"
            "</annotation></semantics></math><span aria-hidden='true'>pi</span></span>.</p>"
        ),
        "So $p_i$.",
    ),
    "math: delimiters": ("<p>So <span class='math'>\\(a*b*c\\)</span>.</p>", "So $a*b*c$."),
    "math: MathML without TeX": (
        "<p><math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math></p>",
        "$\\frac{a}{b^{2}}$",
    ),
    "math: MathJax 2": (
        "<p><span class='MathJax'>E</span><script type='math/tex; mode=display'>E=mc^2</script></p>",
        "$$E=mc^2$$",
    ),
    "inline: powers, keys, struck": (
        "<p>10<sup>6</sup> <kbd>Ctrl</kbd> <del>no</del></p>",
        "10<sup>6</sup> `Ctrl` ~~no~~",
    ),
    "links: hidden address": (
        (
            "<p><a href='/cdn-cgi/l/email-protection' class='__cf_email__' data-cfemail='422302206c2127'>[email"
            "\u00a0protected]</a></p>"
        ),
        "a@b.ce",
    ),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=CASES)
def test_family(convert, html, expected):
    assert convert(html) == expected


LINKS = {
    "relative": ('<p>See <a href="../x">x</a> there.</p>', "See [x](https://wall.example/x) there."),
    "javascript": ('<p>See <a href="javascript:go()">x</a> there.</p>', "See x there."),
    "fragment of the page": ('<p>See <a href="#top">x</a> there.</p>', "See x there."),
    "mail without its subject": (
        '<p>See <a href="mailto:a@b.example?subject=s">x</a> there.</p>',
        "See [x](mailto:a@b.example) there.",
    ),
    "parentheses in pairs": ('<p>See <a href="/a_(b)">x</a> there.</p>', "See [x](https://wall.example/a_(b)) there."),
    "parenthesis alone": ('<p>See <a href="/a)b">x</a> there.</p>', "See [x](https://wall.example/a%29b) there."),
    "brackets in the text": ('<p>See <a href="/a">x[</a> there.</p>', "See [x\\[](https://wall.example/a) there."),
    "around the heading it leads to": (
        (
            '<h2 id="lime"><a href="/kilns?id=lime">Lime</a></h2>'
            '<h2 id="clay"><a href="/kilns?id=lime">Clay</a></h2><p>x</p>'
        ),
        "## Lime\n\n## [Clay](https://wall.example/kilns?id=lime)\n\nx",
    ),
    "around a heading": ('<a href="/a"><h2>Head</h2></a><p>x</p>', "## Head\n\nx"),
}


@pytest.mark.parametrize(("html", "expected"), LINKS.values(), ids=LINKS)
def test_links_kept(convert, html, expected):
    assert convert(html, links=LinkMode.KEEP) == expected


def test_a_link_hidden_over_a_card_becomes_that_of_its_title():
    page = (
        '<div class="rst-content"><h1>Kilns</h1><div class="sd-card"><div class="sd-card-title">Lime</div><p>Slow.</p>'
        '<a class="sd-stretched-link sd-hide-link-text" href="/lime"><span>Burnt lime</span></a></div></div>'
    )
    markdown = extract(page, "https://w.example/", ExtractionOptions(links=LinkMode.KEEP)).markdown
    assert markdown == "# Kilns\n\n[Lime](https://w.example/lime)\n\nSlow."


def test_links_as_citations_share_a_number():

    page = "<main><h1>W</h1><p><a href='/a'>x</a> <a href='/b'>y</a> <a href='/a'>z</a></p></main>"
    markdown = extract(page, "https://w.example/", ExtractionOptions(links=LinkMode.CITATIONS)).markdown
    assert markdown == "# W\n\n[x][1] [y][2] [z][1]\n\n[1]: https://w.example/a\n[2]: https://w.example/b"


IMAGES = {
    "alternative": (ImageMode.ALT, '<p><img src="/w.png" alt="A wall"></p>', "![A wall]()"),
    "kept": (ImageMode.KEEP, '<p><img src="/w.png" alt="A wall"></p>', "![A wall](https://wall.example/w.png)"),
    "stripped": (ImageMode.STRIP, '<p>x<img src="/w.png" alt="A wall"></p>', "x"),
    "lazy": (
        ImageMode.KEEP,
        '<p><img src="data:image/gif;base64,R0" data-src="/w.png" alt="A"></p>',
        "![A](https://wall.example/w.png)",
    ),
    "largest of a set": (
        ImageMode.KEEP,
        '<p><img srcset="/s.png 1x, /l.png 2x" alt="A"></p>',
        "![A](https://wall.example/l.png)",
    ),
    "file name is no alternative": (ImageMode.ALT, '<p>x <img src="/w.png" alt="IMG_1234.jpg"></p>', "x"),
    "pixel": (ImageMode.KEEP, '<p>x<img src="/t.gif" width="1" height="1"></p>', "x"),
    "caption": (ImageMode.STRIP, '<figure><img src="/w.png"><figcaption>The wall.</figcaption></figure>', "The wall."),
}


@pytest.mark.parametrize(("mode", "html", "expected"), IMAGES.values(), ids=IMAGES)
def test_images(convert, mode, html, expected):
    assert convert(html, images=mode) == expected
