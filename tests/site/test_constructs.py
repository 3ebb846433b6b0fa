"""The bundled site carries every construct that matters to a crawler that makes Markdown."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from lxml import html

WWW = Path(__file__).parents[2] / "fixtures" / "site" / "www"

# What it is, the file, an XPath that must find something there.
CONSTRUCTS = [
    # lists
    ("list in a list in a list", "docs/placing/index.html", "//ul/li/ul/li/ul/li"),
    ("bullets in a numbered list", "docs/howto/alerts.html", "//ol/li/ol/li/ul/li"),
    ("numbered list that starts at 4", "docs/start/index.html", "//ol[@start='4']/li"),
    ("code block in a list item", "docs/start/index.html", "//ol/li//pre/code"),
    ("task list", "docs/start/index.html", "//li[@class='task-list-item']//input[@type='checkbox'][@checked]"),
    ("definition list", "docs/settings/index.html", "//dl[dt][dd]"),
    ("two terms, one definition", "docs/settings/index.html", "//dl/dt/following-sibling::*[1][self::dt]"),
    ("glossary", "docs/reference/glossary.html", "//dl[contains(@class, 'glossary')]/dt[@id]"),
    ("signature of a function", "docs/reference/python-api.html", "//dl[@class='py function']/dt[@id]"),
    # tables
    ("table with alignment", "docs/index.html", "//td[contains(@style, 'text-align: right')]"),
    ("heads over two rows and columns", "docs/settings/index.html", "//thead[tr/th/@rowspan][tr/th/@colspan]"),
    ("cells over rows and columns", "docs/reference/protocol.html", "//tbody[tr/td/@rowspan][tr/td/@colspan]"),
    ("table caption", "docs/reference/protocol.html", "//table/caption"),
    ("list in a cell", "docs/reference/errors.html", "//td/ul/li"),
    ("layout table around a data table", "docs/old/wiring.htm", "//table//td//table[.//th]"),
    # code
    ("language-x on code", "docs/howto/export-csv.html", "//pre[contains(@class, 'language-bash')]/code"),
    (
        "language-x on the wrapper",
        "docs/start/index.html",
        "//div[@class='language-bash highlight']/pre/code[not(@class)]",
    ),
    ("highlight-x on the wrapper", "docs/reference/protocol.html", "//div[contains(@class, 'highlight-c ')]//pre"),
    ("data-lang", "docs/hub/index.html", "//code[@data-lang='json']"),
    ("code without language", "docs/old/wiring.htm", "//pre[not(.//code)]"),
    (
        "line numbers in a table",
        "docs/settings/index.html",
        "//table[@class='highlighttable']//td[@class='linenos']//pre",
    ),
    ("line numbers in another table", "docs/hub/index.html", "//table[@class='lntable']//span[@class='lnt']"),
    ("line numbers as spans", "docs/reference/python-api.html", "//pre/span[@class='linenos']"),
    ("a span for each line", "docs/command-line/index.html", "//code/span[starts-with(@id, '__span-')]/a[@href]"),
    ("a span for each line, with br", "docs/howto/mqtt.html", "//code/span[@class='token-line'][br]"),
    ("copy button in the block", "docs/install/index.html", "//pre//button[@title='Copy to clipboard']"),
    (
        "copy button beside the block",
        "docs/reference/errors.html",
        "//pre/following-sibling::button[contains(@class, 'copybtn')]",
    ),
    ("copy button with a label", "docs/howto/alerts.html", "//button[normalize-space()='Copy']"),
    ("title of a block", "docs/howto/alerts.html", "//div[contains(@class, 'codeBlockTitle')]"),
    ("caption of a block", "docs/reference/python-api.html", "//div[@class='code-block-caption']"),
    ("prompt session", "docs/command-line/index.html", "//div[@class='language-console highlight']"),
    # tabs, notes, folds
    ("tabs by radio buttons", "docs/install/index.html", "//div[contains(@class, 'tabbed-set')][count(input) = 3]"),
    ("tabs with hidden panels", "docs/howto/export-csv.html", "//*[@role='tabpanel'][@hidden]//pre"),
    ("tabs of a third kind", "docs/reference/errors.html", "//label[@class='sd-tab-label']"),
    ("admonition", "docs/placing/index.html", "//div[@class='admonition danger']/p[@class='admonition-title']"),
    ("admonition of a second kind", "docs/howto/mqtt.html", "//div[contains(@class, 'theme-admonition-warning')]"),
    ("admonition of a third kind", "docs/hub/index.html", "//div[@role='alert']/h4"),
    ("version notes", "docs/reference/index.html", "//div[@class='versionchanged']"),
    ("collapsed details", "docs/faq/index.html", "//details[not(@open)]/summary"),
    ("open details", "docs/command-line/index.html", "//details[@open]"),
    ("footnotes", "docs/settings/index.html", "//sup/a[@class='footnote-ref'] | //div[@class='footnote']/ol/li"),
    ("footnotes of a second kind", "docs/reference/formulas.html", "//aside[contains(@class, 'footnote')]"),
    # math
    ("MathML", "docs/reference/formulas.html", "//math[@display='block']/mfrac"),
    ("math for MathJax", "docs/reference/formulas.html", r"//div[contains(@class, 'math')][contains(., '\[W')]"),
    (
        "math as KaTeX draws it",
        "docs/calibrate/index.html",
        "//span[@class='katex-display']//annotation[contains(., 'n^2')]",
    ),
    ("its visible double", "docs/calibrate/index.html", "//span[@class='katex-html'][@aria-hidden='true']"),
    ("math in generic markup", "docs/calibrate/index.html", "//span[@class='arithmatex']"),
    # images
    ("image with alt text", "docs/placing/index.html", "//figure/img[string-length(@alt) > 20]"),
    ("caption of a figure", "docs/placing/index.html", "//figure/figcaption"),
    (
        "lazy image",
        "docs/placing/index.html",
        "//img[starts-with(@src, 'data:')][@data-src]/following-sibling::noscript",
    ),
    # what surrounds a page
    ("anchor sign in a heading", "docs/faq/index.html", "//h2/a[@class='headerlink'][. = '¶']"),
    ("zero-width anchor sign", "docs/release-notes.html", "//h2/a[contains(@class, 'hash-link')][. = '\u200b']"),
    ("hash as anchor sign", "docs/hub/index.html", "//h2/a[. = '#']"),
    ("anchor sign of a term", "docs/reference/glossary.html", "//dt/a[@class='headerlink']"),
    ("breadcrumbs", "docs/settings/index.html", "//nav[@class='md-path']"),
    ("breadcrumbs in the article", "docs/howto/mqtt.html", "//article/nav[@aria-label='Breadcrumbs']"),
    ("sidebar", "docs/start/index.html", "//div[contains(@class, 'md-sidebar--primary')]//li"),
    ("table of contents", "docs/hub/index.html", "//nav[@id='TableOfContents']//li"),
    ("table of contents beside", "docs/howto/alerts.html", "//ul[contains(@class, 'table-of-contents')]/li"),
    ("edit link in the article", "docs/start/index.html", "//article/a[. = 'Edit this page']"),
    ("edit link below", "docs/howto/mqtt.html", "//article/footer//a[. = 'Edit this page']"),
    ("feedback box", "docs/start/index.html", "//form[@class='md-feedback']"),
    ("another feedback box", "docs/howto/mqtt.html", "//div[@class='feedback-widget']"),
    ("date of the last change", "docs/howto/mqtt.html", "//time[@itemprop='dateModified']"),
    ("cookie bar", "docs/index.html", "//div[@class='md-consent']//form"),
    ("newsletter", "docs/howto/mqtt.html", "//form[@class='newsletter-signup']//input[@type='email']"),
    ("announcement", "docs/howto.html", "//div[contains(@class, 'announcement-bar')]"),
    ("links to the next page", "docs/howto/mqtt.html", "//nav[contains(@class, 'pagination-nav')]/a"),
    # hidden texts
    ("moved off the screen", "docs/faq/index.html", "//p[contains(@style, '-9999px')]"),
    ("not displayed", "docs/faq/index.html", "//div[@style='display:none'][normalize-space()]"),
    ("hidden attribute", "docs/faq/index.html", "//div[@hidden][normalize-space()]"),
    ("hidden from readers' tools", "docs/faq/index.html", "//span[@aria-hidden='true'][normalize-space()]"),
    ("zero-width space in a text", "docs/faq/index.html", "//a[contains(., '\u200b')]"),
    # pages
    ("no main element, with base", "docs/old/wiring.htm", "//base[@href][not(//main) and not(//article)]"),
    ("German", "docs/de/start/index.html", "/html[@lang='de']"),
    ("Japanese", "docs/ja/start/index.html", "/html[@lang='ja']"),
    ("JavaScript shell", "docs/status/index.html", "//div[@id='root'][not(node())][//script[@src]][//noscript]"),
    ("consent wall", "docs/downloads/index.html", "//div[@role='dialog'][@aria-modal='true']//form"),
    ("login form", "docs/login/index.html", "//form//input[@type='password']"),
    ("same page, other address", "docs/quickstart/index.html", "//link[@rel='canonical'][@href='/docs/start/']"),
    ("noindex", "docs/drafts/mesh/index.html", "//meta[@name='robots'][@content='noindex']"),
    ("nofollow link", "docs/reference/index.html", "//a[@rel='nofollow'][@href='compare']"),
    ("link into the forbidden folder", "docs/reference/index.html", "//a[starts-with(@href, '../internal/')]"),
    ("link to a PDF", "docs/index.html", "//a[@href='files/quick-card.pdf']"),
    ("link to an image", "docs/placing/index.html", "//a[@href='../img/post.png']"),
    ("link to the 404", "docs/release-notes.html", "//a[@href='/docs/howto/rain-gauge']"),
    ("link to the 410", "docs/index.html", "//a[@href='marlpost-1/']"),
    ("native Markdown", "docs/start/index.html", "//link[@rel='alternate'][@type='text/markdown']"),
    ("link to llms.txt", "docs/start/index.html", "//link[@rel='describedby'][@href='/docs/llms.txt']"),
    ("translations", "docs/start/index.html", "//link[@rel='alternate'][@hreflang='ja']"),
    ("the way into the documentation", "index.html", "//a[@href='/docs/']"),
]

# Likewise for what is no HTML: a regular expression over the text.
TEXTS = [
    ("robots with a forbidden folder", "robots.txt", r"(?m)^Disallow: /docs/internal/$"),
    ("robots names the sitemap", "robots.txt", r"(?m)^Sitemap: \{\{base\}\}/sitemap\.xml$"),
    (
        "sitemap with dates of two kinds",
        "sitemap.xml",
        r"(?s)<lastmod>[\d-]{10}</lastmod>.*<lastmod>[\d-]{10}T[^<]+</lastmod>",
    ),
    ("sitemap with pages outside the folder", "sitemap.xml", r"<loc>\{\{base\}\}/shop/</loc>"),
    ("llms.txt", "docs/llms.txt", r"\A# Marlpost\n\n> .*\n(?s:.*)\n## \w+\n\n- \[.+\]\(\{\{base\}\}/docs/"),
    ("Markdown without a page", "docs/conventions.md", r"\A# .+\n(?s:.*)```python\n"),
    ("the shell's script", "docs/assets/status.js", r"getElementById\(\"root\"\)"),
]


@pytest.mark.parametrize(("file", "xpath"), [pytest.param(file, xpath, id=name) for name, file, xpath in CONSTRUCTS])
def test_construct_is_there(file, xpath):
    assert html.document_fromstring((WWW / file).read_bytes()).xpath(xpath)


@pytest.mark.parametrize(("file", "pattern"), [pytest.param(file, pattern, id=name) for name, file, pattern in TEXTS])
def test_text_is_there(file, pattern):
    assert re.search(pattern, (WWW / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("file", "generator"),
    [
        ("docs/start/index.html", "mkdocs-material"),
        ("docs/reference/protocol.html", "Sphinx"),
        ("docs/howto/alerts.html", "Docusaurus"),
        ("docs/hub/index.html", "Hugo"),
    ],
)
def test_pages_of_four_generators(file, generator):
    page = html.document_fromstring((WWW / file).read_bytes())
    assert generator in page.xpath("string(//meta[@name='generator']/@content)")


def test_duplicate_is_the_same_bytes():
    assert (WWW / "docs/quickstart/index.html").read_bytes() == (WWW / "docs/start/index.html").read_bytes()


def test_old_page_is_in_its_old_charset():
    body = (WWW / "docs/old/wiring.htm").read_bytes()
    assert b"charset=windows-1252" in body
    assert "“drowned”" in body.decode("cp1252")
    with pytest.raises(UnicodeDecodeError):
        body.decode("utf-8")


@pytest.mark.parametrize(("file", "size"), [("docs/img/post.png", (120, 180)), ("docs/img/bed.png", (240, 160))])
def test_images_are_images(file, size):
    body = (WWW / file).read_bytes()
    assert body.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", body[16:24]) == size
    assert len(body) < 2000


def test_pdf_points_to_its_own_table():
    body = (WWW / "docs/files/quick-card.pdf").read_bytes()
    assert body.startswith(b"%PDF-1.4\n")
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n\Z", body)[1])
    assert body[start:].startswith(b"xref\n")
    assert len(body) < 2000
