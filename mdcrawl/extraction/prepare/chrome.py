"""Remove what is no content, in three layers: never, by meaning of the element, by conventional name."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import HEADINGS, ancestors, elements, is_attached, remove, replace, text_of, unwrap

_NEVER = frozenset(
    "script style template iframe canvas svg object embed applet audio track map area datalist progress meter "
    "link meta base head frameset frame param colgroup col portal".split()
)
_CONTROLS = frozenset(("button", "input", "select", "textarea", "option", "optgroup", "output", "keygen"))
_ROLES = frozenset(
    ("navigation", "contentinfo", "banner", "search", "complementary", "dialog", "alertdialog", "menu", "menubar", "toolbar", "tooltip")
)


def remove_never(body: HtmlElement) -> None:
    """Remove scripts, styles, frames and drawings; noscript unless most of the text stands in it.

    Some forums and lazy pages carry their content in noscript.
    """
    noscripts = elements(body, "noscript")
    for element in elements(body, *_NEVER):
        remove(element)
    inside = sum(len(text_of(noscript)) for noscript in noscripts)
    keep = bool(noscripts) and 2 * inside > len(text_of(body))
    for noscript in noscripts:
        unwrap(noscript) if keep else remove(noscript)
    for noframes in elements(body, "noframes"):
        unwrap(noframes)


def remove_controls(body: HtmlElement) -> None:
    """Remove form controls, and forms of little text; a form around the page is unwrapped."""
    for element in elements(body, *_CONTROLS):
        # Some sites make whole cards or accordion heads buttons
        if element.tag == "button" and (next(element.iter("p", *HEADINGS), None) is not None or _in_heading(element)):
            unwrap(element)
        else:
            remove(element)
    for form in reversed(elements(body, "form")):
        unwrap(form) if len(text_of(form)) > 300 or next(form.iter(*HEADINGS), None) is not None else remove(form)
    for label in elements(body, "label", "fieldset"):
        unwrap(label)


def _in_heading(element: HtmlElement) -> bool:
    return any(ancestor.tag in HEADINGS for ancestor in ancestors(element, 2))


def remove_landmarks(body: HtmlElement) -> None:
    """Remove navigation, footers, side columns and dialogs, unless one holds the page itself."""
    total = len(text_of(body))
    for element in elements(body):
        if not _is_landmark(element) or not is_attached(element, body):
            continue
        if not _is_the_page(element, total):
            remove(element)


def _is_landmark(element: HtmlElement) -> bool:
    tag = element.tag
    if tag in {"nav", "dialog"} or (element.get("role") or "") in _ROLES:
        return True
    if tag in {"footer", "aside"}:
        # The foot of a quotation or a figure names its source; an aside in the text is a remark of the author.
        return not any(a.tag in {"blockquote", "figure"} for a in ancestors(element, 3))
    return tag == "header" and not any(a.tag in {"main", "article", "section"} for a in element.iterancestors())


def _is_the_page(element: HtmlElement, total: int) -> bool:
    if any(child.tag in {"main", "article", "h1"} for child in element.iter() if child is not element) and element.tag != "aside":
        return True
    size = len(text_of(element))
    if element.tag == "dialog" or (element.get("role") or "").endswith("dialog"):
        return False
    return size > 0.4 * total and link_density(element, size) < 0.4


def link_density(element: HtmlElement, size: int = 0) -> float:
    """Return the share of an element's text that stands in links."""
    size = size or len(text_of(element))
    return sum(len(text_of(link)) for link in element.iter("a")) / size if size else 0.0


# Names that are furniture wherever they stand: a whole name, or its last words.
_ALWAYS = re.compile(
    r"(?:^|-)(?:header-?link|header-anchor|hash-link|anchor-?link|heading-anchor|anchorjs-link|heading-?link|permalink-icon|"
    r"copy-?(?:btn|button|code|page|link|markdown)|copybtn|clipboard|"
    r"edit-(?:this-)?page(?:-link)?|edit-link|edit-on-github|edit-?section|mw-editsection|page-edit|edit-meta|page-actions|page-meta|doc-meta|"
    r"feedback(?:-\w+)?|was-this-helpful|helpful(?:ness)?|page-rating|rating-widget|"
    r"pagination(?:-nav)?|pager|paginator|pagenav|prev-next|next-prev|nav-links|post-nav(?:igation)?|page-nav(?:igation)?|previous-next|"
    r"bread-?crumbs?(?:-\w+)?|toc|toc-?(?:container|wrapper|list|side-?bar|nav|drawer|title|tree|content|menu|widget|block|box|mobile|panel|column|desktop|inline)|table-of-contents|tableofcontents|on-this-page|page-toc|in-page-nav|"
    r"skip-?(?:link|links|to-content|to-main|nav|content)|noprint|no-print|print-only|"
    r"cookie-?(?:banner|consent|notice|bar|law|popup|policy-banner|message)|cookiebanner|cookieconsent|gdpr(?:-\w+)*|onetrust(?:-\w+)*|consent-(?:banner|modal|popup|box)|"
    r"newsletter(?:-\w+)?|subscribe(?:-\w+)?|subscription-form|sign-?up(?:-\w+)?|mailing-list|mc4wp(?:-\w+)*|"
    r"share(?:-?(?:buttons?|bar|links?|icons?|post|this|tools|box|widget))?|sharing|sharedaddy|addtoany(?:-\w+)*|social(?:-?(?:share|sharing|links?|media|icons?|buttons?|bar|list|nav))?|socials|"
    r"ad|ads|advert|adverts|advertisement|advertising|adsbygoogle|ad-?(?:slot|unit|container|wrapper|banner|box|block|label|placeholder)|sponsor(?:ed|s|ship)?|dfp(?:-\w+)*|google-ad\w*|"
    r"side-?bar(?:-\w+)?|nav-?bar|navigation|masthead|site-?(?:header|footer|nav|navigation)|page-?footer|global-?(?:header|footer|nav)|main-nav|top-nav|top-?bar|mega-?menu|nav-?menu|main-menu|drawer|"
    r"post-?(?:footer|tags|share|meta-footer)|entry-?(?:footer|utility)|tags-links|cat-links|tag-list|tagcloud|author-(?:box|bio)|about-(?:the-)?author|"
    r"related(?:-?(?:posts?|articles?|content|links?|items?|stories|news|products|topics|reads|pages|topic|wrapper|section|container|list))?|recommended(?:-\w+)?|recommendations?|"
    r"read-?(?:next|more-\w+)|you-?may-?(?:also-?)?like|more-?(?:stories|posts|articles|news)|up-next|recirc(?:ulation)?|outbrain|taboola|trending|most-(?:read|popular|viewed)|popular-posts|latest-(?:posts|news)|"
    r"by-?line(?:-\w+)?|(?:post|entry|article|story|blog)-?(?:meta|byline|author|date|info|actions|tools|options|details-meta|categories)|posted-on|posted-by|meta-(?:info|data|date|author)|dateline|publish(?:ed)?-date|read(?:ing)?-time|author-(?:info|name|avatar|card|meta|details|image|link|photo|block|wrap|wrapper|section|container)|"
    r"user-?(?:info|card|details|signature|meta|profile|stats|badge|badges|title|extras|banner|avatar|name-wrapper|action-time|gravatar\d*)|message-?(?:user|user-?info|userextras|signature|attribution|action-?bar|footer|cell--user|author-info)|"
    r"post-?(?:signature|controls|menu|menu-area|buttons|profile|layout-user|votes|reactions|likes|counts|number)|postprofile|forum-signature|like-count|reactions?(?:-bar)?|vote-?(?:count|cell|buttons?|container|arrows?|controls)|votecell|comments-link|comment-(?:actions|meta|reply|date|copy-permalink)|js-post-menu|js-voting-container|topic-map|topic-meta-data|topic-footer|crawler-linkback-list|crawler-post-meta|crawler-post-infos|suggested-topics|"
    r"comment-?(?:form|respond)|respond|reply-form|login-?(?:form|modal|box|prompt)|"
    r"pop-?up|modal|modal-overlay|lightbox|backdrop|toast|snackbar|back-?to-?top|scroll-?(?:to-)?top|scroll-up|"
    r"language-(?:switcher|selector)|lang-switch(?:er)?|version-(?:switcher|selector|picker)|theme-(?:switch|toggle)(?:er)?|search-?(?:box|form|bar|results-modal)|"
    r"md-source-file|md-content-button|last-updated|theme-last-updated|print-link|article-tools|toolbar|jump-?to(?:-nav)?|mw-jump-link|navbox|metadata-noprint|catlinks|printfooter|sistersitebox|ambox|hatnote-nav"
    r")$"
)
# Words that say the thing may be content after all.
_NOT = re.compile(r"^(?:has|with|no|without|is|not|show|hide|js|can|enable|use|below|after|before|has\w+)-")
_CANDIDATES = frozenset("a div span ul ol p aside header section small table li details nav footer center font hgroup figure dl".split())
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HASH = re.compile(r"(?:--?|_+)(?=\w*\d)[A-Za-z0-9]{4,8}$")  # what CSS modules put behind a name


def remove_furniture(body: HtmlElement) -> None:
    """Remove boxes with conventional names, unless they hold a large part of the page, its title or code."""
    total = len(text_of(body))
    for element in elements(body):
        if element.tag in _CANDIDATES and is_furniture(element) and is_attached(element, body) and _may_go(element, total):
            name = next(element.iter(*HEADINGS), None) if _AUTHOR.search((element.get("class") or "").lower()) else None
            if name is not None and len(text_of(name)) < 60:
                replace(element, name)  # who wrote a post of a thread heads it
            else:
                remove(element)


def is_furniture(element: HtmlElement) -> bool:
    """Return whether an element's class names, or an id that no heading gave it, name furniture."""
    names = (element.get("class") or "").split()
    own = element.get("id")
    # Generators give a section the id of its heading: a section with id "share" is about sharing.
    if own and element.tag != "section" and _letters(own) != _letters(text_of(next(element.iter(*HEADINGS), element))):
        names.append(own)
    return any(_names_furniture(name) for name in names)


def _letters(text: str) -> str:
    return "".join(char for char in text[:200].lower() if char.isalnum())


_AUTHOR = re.compile(r"(?:^|\s)(?:message-?user|message-?cell--user|user-?info|postprofile|author-info|post-author)")
_KNOWN_NAMES: dict[str, bool] = {}


def _names_furniture(name: str) -> bool:
    known = _KNOWN_NAMES.get(name)
    if known is None:
        plain = _CAMEL.sub("-", _HASH.sub("", name)).replace("_", "-").lower().strip("-")
        parts = [part for part in re.split(r"-{2,}", plain) if part]  # block--modifier: the block counts
        known = bool(parts) and not _NOT.match(plain) and bool(_ALWAYS.search(re.sub(r"-{2,}", "-", parts[0])))
        if len(_KNOWN_NAMES) > 20_000:
            _KNOWN_NAMES.clear()
        _KNOWN_NAMES[name] = known
    return known


def _may_go(element: HtmlElement, total: int) -> bool:
    size = len(text_of(element))
    if (size > 0.3 * total and total > 400) or any(a.tag in HEADINGS and len(text_of(a)) == size for a in ancestors(element, 2)):
        return False
    holds_title = any(child.tag in {"h1", "main", "article"} for child in element.iter())
    code = next(element.iter("pre"), None) is not None
    return not holds_title and not (code and size > 200)


# Heads of sections that lead away from the page, in the languages that name them with set phrases.
_TEASER = re.compile(
    r"^(?:(?:you (?:may|might|could)(?: also)? (?:like|enjoy|be interested in)|(?:customers|people|visitors) (?:who|also) .{0,60}(?:bought|viewed|liked)|"
    r"(?:related|similar|recommended|recommendations?|suggested|trending|popular|recent|latest|featured|sponsored|more|other|top|further)[\s-]+"
    r"(?:posts?|articles?|stories|news|reads?|products?|items?|threads?|topics?|videos?|searches|content|pages?|resources|links|questions?|blogs?|from .{1,40}|in .{1,40}|like this|to explore|to discover|for you|episodes?)(?: (?:for you|posts|articles))?|"
    r"more (?:on|from|about|in|to) .{1,40}|explore (?:more|related)\b.{0,40}|keep reading|read next|up next|what to read next|also (?:on|in) .{1,40}|most (?:read|popular|viewed|shared)|don[’']?t miss|hot network questions|who(?: is|[’']s) online|"
    r"recently viewed(?: items| products)?|complete the look|frequently bought together|shop (?:the look|similar)|you recently viewed|inspired by .{1,40}|compare (?:with )?similar(?: items)?|consider (?:these|a similar) .{1,30}|"
    r"share(?: this)?(?: .{1,20})?|follow us(?: on .{1,30})?|about the authors?|leave a (?:reply|comment)|join the (?:discussion|conversation)|sign up .{0,60}|subscribe\b.{0,60}|get (?:our|the) newsletter.{0,40}|newsletters?|stay (?:connected|informed|up to date|in touch)|"
    r"articles? (?:liés|similaires|connexes|recommandés|les plus lus)|à lire (?:aussi|également)|sur le même (?:sujet|thème)|"
    r"mehr (?:zum thema|dazu|aus .{1,30}|artikel|news)|(?:ähnliche|verwandte|weitere|meistgelesene) (?:artikel|beiträge|themen|produkte|meldungen|nachrichten)|das könnte (?:sie|dich|ihnen) auch .{1,30}|auch interessant|"
    r"(?:artículos|noticias|entradas|productos) relacionad[oa]s|te puede interesar|también te puede interesar|lo más (?:leído|visto)|más noticias|"
    r"(?:artigos|notícias|posts|produtos) relacionad[oa]s|leia (?:também|mais)|veja também|mais lidas|articoli correlati|leggi anche|potrebbe interessarti.{0,20}|"
    r"(?:podobne|powiązane|polecane|najnowsze) (?:artykuły|wpisy|produkty|posty)|zobacz (?:także|też|również)|czytaj (?:także|też|więcej)|читайте также|похожие .{1,30}|по теме|相关(?:文章|阅读|推荐|新闻)|猜你喜欢|関連(?:記事|ニュース)|おすすめ(?:記事)?|관련 ?기사))\s*[:!…»>]*$",
    re.IGNORECASE,
)


def remove_teasers(body: HtmlElement) -> None:
    """Remove sections under heads such as "Related posts", where what they hold is mostly links or cards."""
    total = len(text_of(body))
    for heading in elements(body, *HEADINGS, "p", "div", "span", "strong"):
        text = text_of(heading) if len(heading) <= 3 else ""
        if not 4 <= len(text) <= 70 or not _TEASER.match(text) or not is_attached(heading, body):
            continue
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


def _leads_away(element: HtmlElement) -> bool:
    """Tell a list of links or of linked cards from text that has links in it."""
    links = list(element.iter("a"))
    if link_density(element) > 0.5 or not text_of(element):
        return True
    longest = max((len(text_of(p)) for p in element.iter("p")), default=0)
    return len(links) >= 3 and longest < 250 and next(element.iter("pre"), None) is None and len(text_of(element)) / len(links) < 200


_LINES = re.compile(
    r"^(?:(?:✏️|📝|🖉|✎)?\s*(?:edit|improve|suggest (?:an )?edits? (?:to|on)|view|show|report an issue (?:with|on)) (?:this|the)?\s*(?:page|article|file|doc|document|section|source)?(?: source)?(?: (?:on|in) (?:github|gitlab|bitbucket|codeberg))?\.?|"
    r"edit on (?:github|gitlab|bitbucket)|view (?:page )?source|show source|copy(?: (?:page|link|code|markdown|to clipboard|as markdown))?|copied!?|"
    r"open in (?:chatgpt|claude|github|stackblitz|codesandbox|colab)|view as markdown|"
    r"(?:skip|jump) to (?:the )?(?:main )?(?:content|navigation|search)|back to (?:the )?top(?: ↑)?|return to top|↑ back to top|scroll to top|"
    r"was this (?:page |article |answer |content )?helpful\??|did this (?:page|article) help\??|this page was helpful|thanks for your feedback!?|"
    r"share(?: this)?(?: (?:page|post|article|story))?:?|tweet|pin it|print(?: this page)?|(?:advertisement|sponsored|anzeige|publicité|publicidad|werbung)|"
    r"subscribe(?: now)?|sign up(?: now)?|log ?in|sign in|read more\.?\.?\.?|continue reading →?|accept(?: all)?(?: cookies)?|reject all|"
    r"toggle (?:navigation|menu|word wrap)|expand all|collapse all|table of contents|on this page|in this article|leave a (?:comment|reply)|add to (?:cart|bag|basket|wish ?list|favou?rites)|buy (?:it )?now|(?:search|browse) forums?|register|login|log in(?: or (?:register|sign up).{0,40})?|you must (?:be logged|log) in .{0,60}|click to expand\.*|report (?:post|abuse|this)|reply(?: to this)?|like|quote|permalink|order reprints|print article|text size|jump to latest|sort by.{0,30}|"
    r"your browser does not support (?:the )?\S+ (?:tag|element)?.{0,20}|skip (?:to )?(?:product )?(?:list|listing|navigation|ad|video)\w*|(?:©|copyright ©|copyright \d{4}|\(c\) \d{4}).{0,180}|all rights reserved\.?|sent from my .{1,50}|sign in to .{1,60}|[\d.,k]+ (?:likes?|views|replies|comments|shares|reactions)|last (?:updated|modified|reviewed|edited)\b.{0,40}|loading\.{0,3}…?)$",
    re.IGNORECASE,
)
_LINE_TAGS = frozenset("a p div span li small strong em b label figcaption".split())


def remove_lines(body: HtmlElement) -> None:
    """Remove short lines that every site has and no author wrote ("Edit this page", "Copy", "Back to top")."""
    for element in reversed(elements(body)):
        if element.tag not in _LINE_TAGS or len(element) > 4:
            continue
        text = text_of(element)
        if len(text) <= 200 and _LINES.match(text) and _stands_alone(element, text):
            remove(element)


def _stands_alone(element: HtmlElement, text: str) -> bool:
    """Return whether the text is all that its block shows: a word in a sentence, or a label in a list of terms, stays."""
    if next(element.iter("pre", "code"), None) is not None:
        return False
    if any(a.tag in {"pre", "code", "td", "th", "dt", "kbd", *HEADINGS} for a in ancestors(element, 4)):
        return False
    if element.tag in {"p", "div", "li", "figcaption"}:
        return element.tag != "li" or next(element.iter("a"), None) is not None
    block = next((a for a in element.iterancestors() if a.tag not in {"span", "a", "strong", "b", "em", "small", "label"}), None)
    return block is not None and text_of(block) == text
