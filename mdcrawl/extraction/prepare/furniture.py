"""Remove boxes whose class names or id name furniture: sharing, cookies, breadcrumbs, advertising, bylines."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import HEADINGS, ancestors, elements, is_attached, remove, replace, text_of

# Names that are furniture wherever they stand, as a whole name or as its last words. None may be a
# word that sites use for their own text: "copy" is body copy, "signature" a function's, "tags" a topic.
_NAMES = r"""
    header-?link header-anchor hash-link anchor-?link heading-anchor anchorjs-link heading-?link permalink-icon
    copy-?(?:btn|button|code|page|link|markdown) copybtn clipboard edit-(?:this-)?page(?:-link)? edit-link
    edit-on-github edit-?section mw-editsection page-edit edit-meta page-actions page-meta doc-meta
    feedback(?:-\w+)? was-this-helpful helpful(?:ness)? page-rating rating-widget pagination(?:-nav)? pager
    paginator pagenav prev-next next-prev nav-links post-nav(?:igation)? page-nav(?:igation)? previous-next
    bread-?crumbs?(?:-\w+)? toc toc-?(?:container|wrapper|list|side-?bar|nav|drawer|title|tree|content)
    toc-?(?:menu|widget|block|box|mobile|panel|column|desktop|inline) table-of-contents tableofcontents on-this-page
    page-toc in-page-nav skip-?(?:link|links|to-content|to-main|nav|content) noprint no-print print-only
    cookie-?(?:banner|consent|notice|bar|law|popup|policy-banner|message) cookiebanner cookieconsent gdpr(?:-\w+)*
    onetrust(?:-\w+)* consent-(?:banner|modal|popup|box) newsletter(?:-\w+)? subscribe(?:-\w+)? subscription-form
    sign-?up(?:-\w+)? mailing-list mc4wp(?:-\w+)*
    share(?:-?(?:buttons?|bar|links?|icons?|post|this|tools|box|widget))? sharing sharedaddy addtoany(?:-\w+)*
    social(?:-?(?:share|sharing|links?|media|icons?|buttons?|bar|list|nav))? socials ad ads advert adverts
    advertisement advertising adsbygoogle ad-?(?:slot|unit|container|wrapper|banner|box|block|label|placeholder)
    sponsor(?:ed|s|ship)? dfp(?:-\w+)* google-ad\w* side-?bar(?:-\w+)? nav-?bar navigation masthead
    site-?(?:header|footer|nav|navigation) page-?footer global-?(?:header|footer|nav) main-nav top-nav top-?bar
    mega-?menu nav-?menu main-menu drawer post-?(?:footer|tags|share|meta-footer) entry-?(?:footer|utility)
    tags-links cat-links tag-list tagcloud author-(?:box|bio) about-(?:the-)?author
    related(?:-?(?:posts?|articles?|content|links?|items?|stories|news|products|topics|reads|pages))?
    related-?(?:topic|wrapper|section|container|list)
    recommended(?:-\w+)? recommendations? read-?(?:next|more-\w+) you-?may-?(?:also-?)?like
    more-?(?:stories|posts|articles|news) up-next recirc(?:ulation)? outbrain taboola trending
    most-(?:read|popular|viewed) popular-posts latest-(?:posts|news) by-?line(?:-\w+)?
    (?:post|entry|article|story|blog)-?(?:meta|byline|author|date|info)
    (?:post|entry|article|story|blog)-?(?:actions|tools|options|details-meta|categories) posted-on posted-by
    meta-(?:info|data|date|author) dateline publish(?:ed)?-date read(?:ing)?-time
    author-(?:info|name|avatar|card|meta|details|image|link|photo|block|wrap|wrapper|section|container)
    user-?(?:info|card|details|signature|meta|profile|stats|badge)
    user-?(?:badges|title|extras|banner|avatar|name-wrapper|action-time|gravatar\d*)
    message-?(?:user|user-?info|userextras|signature|attribution|action-?bar|footer|cell--user|author-info)
    post-?(?:signature|controls|menu|menu-area|buttons|profile|layout-user|votes|reactions|likes|counts|number)
    postprofile forum-signature like-count reactions?(?:-bar)?
    vote-?(?:count|cell|buttons?|container|arrows?|controls) votecell comments-link
    comment-(?:actions|meta|reply|date|copy-permalink) js-post-menu js-voting-container topic-map topic-meta-data
    topic-footer crawler-linkback-list crawler-post-meta crawler-post-infos suggested-topics
    comment-?(?:form|respond) respond reply-form login-?(?:form|modal|box|prompt) pop-?up modal modal-overlay
    lightbox backdrop toast snackbar back-?to-?top scroll-?(?:to-)?top scroll-up language-(?:switcher|selector)
    lang-switch(?:er)? version-(?:switcher|selector|picker) theme-(?:switch|toggle)(?:er)?
    search-?(?:box|form|bar|results-modal) md-source-file md-content-button last-updated theme-last-updated
    print-link article-tools toolbar jump-?to(?:-nav)? mw-jump-link navbox metadata-noprint catlinks printfooter
    sistersitebox ambox hatnote-nav mw-cite-backlink cite-backlink footnote-back(?:ref|link)
    (?:post|article|entry|content)s?-related article-?footer footer-cta call-to-action(?:-\w+)*
    modal-(?:mount|root|container|wrapper|dialog|content) dismiss-message topic-?overview topic-category
    notices online-list birthday-list
"""
_FURNITURE = re.compile(f"(?:^|-)(?:{'|'.join(_NAMES.split())})$")
# Words that make a name say the opposite, or that something is beside furniture ("has-sidebar").
_NOT = re.compile(r"^(?:has|with|no|without|is|not|show|hide|js|can|enable|use|below|after|before|has\w+)-")
_CANDIDATES_NAMES = """
    a div span ul ol p aside header section small table li details nav footer center font hgroup figure dl
"""
_CANDIDATES = frozenset(_CANDIDATES_NAMES.split())
# A box with more of the page's text than this is the page, whatever its name; a list is seldom that.
MOST_OF_BOX = 0.3
MOST_OF_LIST = 0.5
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HASH = re.compile(r"(?:--?|_+)(?=\w*\d)[A-Za-z0-9]{4,8}$")  # what CSS modules put behind a name
# What a thread writes beside each post about who wrote it.
_AUTHOR = re.compile(r"(?:^|\s)(?:message-?user|message-?cell--user|user-?info|postprofile|author-info|post-author)")


def remove_furniture(body: HtmlElement) -> None:
    """Remove boxes with conventional names, unless they hold a large part of the page, its title or code."""
    total = len(text_of(body))
    for element in elements(body):
        if (
            element.tag in _CANDIDATES
            and is_furniture(element)
            and is_attached(element, body)
            and _may_go(element, total)
        ):
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


@lru_cache(maxsize=20_000)
def _names_furniture(name: str) -> bool:
    plain = _CAMEL.sub("-", _HASH.sub("", name)).lower().strip("-_")
    whole = plain.partition("--")[0].strip("_")  # of "block__element--modifier"
    block, element = whole.partition("__")[0].replace("_", "-"), re.sub(r"_+", "-", whole)
    return bool(block) and not _NOT.match(plain) and bool(_FURNITURE.search(block) or _FURNITURE.search(element))


def _may_go(element: HtmlElement, total: int) -> bool:
    size = len(text_of(element))
    most = MOST_OF_LIST if element.tag in {"ul", "ol"} else MOST_OF_BOX
    if (size > most * total and total > 400) or any(
        a.tag in HEADINGS and len(text_of(a)) == size for a in ancestors(element, 2)
    ):
        return False
    holds_title = any(child.tag in {"h1", "main", "article"} for child in element.iter())
    code = next(element.iter("pre"), None) is not None
    return not holds_title and not (code and size > 200)
