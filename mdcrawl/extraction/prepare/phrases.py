"""Remove what set phrases give away: lines that no author wrote, and sections that lead away from the page."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml.html import HtmlElement

from mdcrawl.extraction.prepare.chrome import link_density
from mdcrawl.extraction.tree import BLOCK_TAGS, HEADINGS, ancestors, elements, is_attached, remove, short_text, text_of


def _any_of(phrases: str, ending: str = "") -> re.Pattern[str]:
    """Return a pattern of whole texts, from one expression a line."""
    lines = [line.strip() for line in phrases.strip().splitlines()]
    return re.compile(f"^(?:{'|'.join(lines)}){ending}$", re.IGNORECASE)


# Texts of buttons, notices and toggles. Only whole texts match: a sentence that has one in it stays.
_LINES = _any_of(
    r"""
    \W?\s*(?:edit|improve|view|show) (?:this |the )?(?:page|article|file|doc|document|source).{0,25}
    suggest (?:an )?edits? (?:to|on) this page.{0,25}
    report an issue (?:with|on) this page.{0,25}
    edit on (?:github|gitlab|bitbucket)
    view (?:page )?source
    show source
    copy(?: (?:page|link|code|markdown|to clipboard|as markdown))?
    copied!?
    open in (?:chatgpt|claude|github|stackblitz|codesandbox|colab)
    view as markdown
    (?:skip|jump) to (?:the )?(?:main )?(?:content|navigation|search)
    back to (?:the )?top(?: ↑)?
    return to top
    ↑ back to top
    scroll to top
    was this (?:page |article |answer |content )?helpful\??
    did this (?:page|article) help\??
    this page was helpful
    thanks for your feedback!?
    share(?: this)?(?: (?:page|post|article|story))?:?
    tweet
    pin it
    print(?: this page)?
    (?:advertisement|sponsored|anzeige|publicité|publicidad|werbung)
    subscribe(?: now)?
    sign up(?: now)?
    log ?in
    sign in
    read more\.?\.?\.?
    continue reading →?
    accept(?: all)?(?: cookies)?
    reject all
    toggle (?:navigation|menu|word wrap)
    expand all
    collapse all
    table of contents
    on this page
    in this article
    leave a (?:comment|reply)
    add to (?:cart|bag|basket|wish ?list|favou?rites)
    buy (?:it )?now
    (?:search|browse) forums?
    register
    login
    log in(?: or (?:register|sign up).{0,40})?
    you must (?:be logged|log) in .{0,60}
    click to expand\.*
    report (?:post|abuse|this)
    reply(?: to this)?
    like
    quote
    permalink
    order reprints
    print article
    text size
    jump to latest
    sort by.{0,30}
    your browser does not support (?:the )?\S+ (?:tag|element)?.{0,20}
    skip (?:to )?(?:product )?(?:list|listing|navigation|ad|video)\w*
    (?:©|copyright ©|copyright \d{4}|\(c\) \d{4}).{0,180}
    \W*(?:image|photo|picture|foto|imagen|bild|crédit)s?(?: (?:credits?|by|courtesy|photos?|copyright))?\s*[:©].{1,60}
    (?:showing|displaying) .{0,12}\d+ (?:of|to) .{1,30}
    (?:load|show|view|see|browse) (?:more|all)(?: .{1,20})?
    open in app|filters?(?: \(\d+\))?|clear all
    (?:follow|like|find|join) us on .{1,80}|s[ií]guenos en .{1,120}|suivez-nous .{1,80}|folg(?:e|t|en sie) uns .{1,80}
    all rights reserved\.?
    sent from my .{1,50}
    sign in to .{1,60}
    [\d.,k]+ (?:likes?|views|replies|comments|shares|reactions)
    last (?:updated|modified|reviewed|edited)\b.{0,40}
    loading\.{0,3}…?
    """
)
# Heads of sections that lead away from the page, in the languages that name them with set phrases.
_WHICH = (
    "related|similar|recommended|recommendations?|suggested|trending|popular|recent|latest|featured|sponsored|more"
    "|other|top|further"
)
_THINGS = (
    "posts?|articles?|stories|news|reads?|products?|items?|threads?|topics?|videos?|searches|content|pages?|resources"
    "|links|questions?|blogs?|from .{1,40}|in .{1,40}|like this|to explore|to discover|for you|episodes?"
)
_TEASERS = _any_of(
    r"""
    you (?:may|might|could)(?: also)? (?:like|enjoy|be interested in)
    .{0,20}(?:customers|people|visitors) (?:who|also) .{0,60}(?:bought|viewed|liked)
    __WHICH__[\s-]+__THINGS__(?: (?:for you|posts|articles))?
    more (?:on|from|about|in|to) .{1,40}
    explore (?:more|related)\b.{0,40}
    keep reading
    read next
    up next
    what to read next
    also (?:on|in) .{1,40}
    most (?:read|popular|viewed|shared)
    don[’']?t miss
    hot network questions
    who(?: is|[’']s) online
    recently viewed(?: items| products)?
    complete the look
    frequently bought together
    shop (?:the look|similar)
    you recently viewed
    inspired by .{1,40}
    compare (?:with )?similar(?: items)?
    consider (?:these|a similar) .{1,30}
    share(?: this)?(?: .{1,20})?
    follow us(?: on .{1,30})?
    about the authors?
    leave a (?:reply|comment)
    join the (?:discussion|conversation)
    sign up .{0,60}
    subscribe\b.{0,60}
    get (?:our|the) newsletter.{0,40}
    newsletters?
    stay (?:connected|informed|up to date|in touch)
    articles? (?:liés|similaires|connexes|recommandés|les plus lus)
    à lire (?:aussi|également)
    sur le même (?:sujet|thème)
    mehr (?:zum thema.{0,20}|dazu|aus .{1,30}|artikel|news)
    (?:ähnliche|verwandte|weitere|meistgelesene) (?:artikel|beiträge|themen|produkte|meldungen|nachrichten)
    das könnte (?:sie|dich|ihnen) auch .{1,30}
    auch interessant
    (?:artículos|noticias|entradas|productos) relacionad[oa]s
    te puede interesar
    también te puede interesar
    lo más (?:leído|visto)
    más noticias
    (?:artigos|notícias|posts|produtos) relacionad[oa]s
    leia (?:também|mais)
    veja também
    mais lidas
    articoli correlati
    leggi anche
    potrebbe interessarti.{0,20}
    (?:podobne|powiązane|polecane|najnowsze) (?:artykuły|wpisy|produkty|posty)
    zobacz (?:także|też|również)
    czytaj (?:także|też|więcej)
    читайте также
    похожие .{1,30}
    по теме
    相关(?:文章|阅读|推荐|新闻)
    猜你喜欢
    热门(?:推荐|文章|新闻)
    関連(?:記事|ニュース)
    おすすめ(?:記事)?
    관련 ?기사
    """.replace("__WHICH__", f"(?:{_WHICH})").replace("__THINGS__", f"(?:{_THINGS})"),
    r"\s*[:!…»>]*",
)
MOST_OF_LINE = 200
MOST_OF_HEAD = 70
_LINE_TAGS = frozenset(("a", "p", "div", "span", "li", "small", "strong", "em", "b", "label", "figcaption"))


def remove_lines(body: HtmlElement) -> None:
    """Remove short lines that every site has and no author wrote ("Edit this page", "Copy", "Back to top")."""
    holds_more: set[HtmlElement | None] = set()  # what is around a longer text is longer
    for element in reversed(elements(body)):
        if element in holds_more:
            holds_more.add(element.getparent())
            continue
        if element.tag not in _LINE_TAGS or len(element) > 4:
            continue
        text = short_text(element, MOST_OF_LINE)
        if text is None:
            holds_more.add(element.getparent())
        elif _is_line(text) and _stands_alone(element, text):
            remove(element)


@lru_cache(maxsize=8192)
def _is_line(text: str) -> bool:
    return _LINES.match(text) is not None


@lru_cache(maxsize=8192)
def _is_teaser(text: str) -> bool:
    # A sentence is no head: "More to come."
    return not text.endswith((".", "?", "。")) and _TEASERS.match(text) is not None


def _stands_alone(element: HtmlElement, text: str) -> bool:
    """Return whether the text is all that its block shows; a word in a sentence or in a list of words stays."""
    if next(element.iter("pre", "code"), None) is not None:
        return False
    if any(a.tag in {"pre", "code", "td", "th", "dt", "kbd", *HEADINGS} for a in ancestors(element, 4)):
        return False
    if element.tag in {"p", "div", "figcaption"}:
        return True
    if element.tag == "li":
        return " " in text and next(element.iter("a"), None) is not None and _is_among_its_like(element)
    block = next(
        (a for a in element.iterancestors() if a.tag not in {"span", "a", "strong", "b", "em", "small", "label"}), None
    )
    if block is None or (block.tag == "li" and not (" " in text and _is_among_its_like(block))):
        return False
    return text_of(block) == text or _is_between_blocks(element)


def _is_among_its_like(item: HtmlElement) -> bool:
    """Return whether at least half of a list reads as furniture; one such item in a list is the author's."""
    beside = [*item.itersiblings("li"), *item.itersiblings("li", preceding=True)]
    texts = [text for text in map(text_of, beside) if text]
    return 2 * sum(len(text) <= MOST_OF_LINE and _is_line(text) for text in texts) >= len(texts)


def _is_between_blocks(element: HtmlElement) -> bool:
    """Return whether an inline element has a line of its own: no text and nothing inline beside it."""
    parent, before, after = element.getparent(), element.getprevious(), element.getnext()
    text_before = (before.tail if before is not None else parent.text if parent is not None else "") or ""
    beside = f"{text_before}{element.tail or ''}".strip()
    return not beside and all(other is None or other.tag in BLOCK_TAGS for other in (before, after))


def remove_teasers(body: HtmlElement) -> None:
    """Remove sections under heads such as "Related posts", where what they hold is mostly links or cards."""
    total: int | None = None  # of the page before the first section goes
    for heading in elements(body, *HEADINGS, "p", "div", "span", "strong"):
        text = short_text(heading, MOST_OF_HEAD) if len(heading) <= 3 else None
        if text is None or len(text) < 4 or not _is_teaser(text) or not is_attached(heading, body):
            continue
        if total is None:
            total = len(text_of(body))
        section = section_of(heading, text)
        size = len(text_of(section))
        if size < 0.3 * total or total < 400:
            _remove_teaser(section, heading)


def section_of(heading: HtmlElement, text: str) -> HtmlElement:
    """Return the box that a teaser's head opens: the widest ancestor in which nothing stands before it."""
    section = heading
    for ancestor in ancestors(heading, 5):
        if ancestor.tag in {"body", "main", "article", "html"} or not text_of(ancestor).startswith(text):
            break
        section = ancestor
        if len(text_of(ancestor)) > 3 * len(text):
            break
    return section


def _remove_teaser(section: HtmlElement, heading: HtmlElement) -> None:
    size = len(text_of(section))
    if size > len(text_of(heading)) + 20:
        if _leads_away(section):
            remove(section)
        return
    # A list right under a heading of the text is the author's own ("Related topics" of a manual).
    following = [f for f in section.itersiblings() if isinstance(f.tag, str)][:1]
    if following and following[0].tag in {"div", "section", "nav"} and _leads_away(following[0]):
        remove(following[0])
        remove(section)
    elif not following:
        remove(section)  # a head over nothing


def _leads_away(element: HtmlElement) -> bool:
    """Tell a list of links or of linked cards from text that has links in it."""
    links = list(element.iter("a"))
    if link_density(element) > 0.5 or not text_of(element):
        return True
    longest = max((len(text_of(p)) for p in element.iter("p")), default=0)
    return (
        len(links) >= 3
        and longest < 250
        and next(element.iter("pre"), None) is None
        and len(text_of(element)) / len(links) < 200
    )
