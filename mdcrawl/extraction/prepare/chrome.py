"""Remove what is not content: never-content elements, semantic furniture, and conventional class names."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.tree import elements, has_class, is_attached, make, names_of, remove, text_of, unwrap

_NEVER = frozenset(
    "script style template iframe canvas svg object embed applet audio source track map area datalist progress meter "
    "link meta base head frameset frame param colgroup col".split()
)
_CONTROLS = frozenset(("button", "input", "select", "textarea", "option", "optgroup", "label", "output"))


def remove_never(body: HtmlElement) -> None:
    """Remove scripts, styles, frames, drawings; noscript unless the page has little else."""
    for element in elements(body, *_NEVER):
        remove(element)
    noscripts = elements(body, "noscript")
    if noscripts:
        hidden = sum(len(text_of(n)) for n in noscripts)
        if hidden > 0.5 * len(text_of(body)):
            for noscript in noscripts:
                unwrap(noscript)
        else:
            for noscript in noscripts:
                remove(noscript)


def remove_controls(body: HtmlElement) -> None:
    """Remove form controls, and forms that hold little else; a form around the page is unwrapped."""
    for element in elements(body, *_CONTROLS):
        if element.tag == "label":
            unwrap(element)
        elif element.tag == "button" and element.find(".//p") is not None:
            unwrap(element)
        else:
            remove(element)
    for form in elements(body, "form", "fieldset"):
        unwrap(form) if len(text_of(form)) > 200 else remove(form)


# Furniture by class name or id. The words are anchored on both sides, so that "copyright-law" or
# "tocopherol" stay; each must name a thing that no site uses for its own text.
_FURNITURE = re.compile(
    r"[\s_-](?:header-?link|header-anchor|hash-link|anchor-?link|heading-anchor|anchorjs-link|headinglink|"
    r"copy-?(?:btn|button|code|page)?|clipboard|edit-(?:this-)?page|edit-link|edit-on-github|page-edit|editsection|mw-editsection|"
    r"feedback|helpful|rating-widget|pagination|pager|paginator|prev-next|next-prev|nav-links|post-navigation|page-nav|breadcrumbs?|"
    r"toc|table-of-contents|tableofcontents|on-this-page|contents-list|toctree-wrapper-hidden|skip-?(?:link|to-content|nav)?|"
    r"sr-only|visually-?hidden|screen-reader(?:-text)?|cookies?|cookie-?(?:banner|consent|notice|bar|law)|consent|gdpr|onetrust|"
    r"newsletter|subscribe|signup|sign-up|share|sharing|social|social-?(?:share|links|media|icons)|addtoany|sharedaddy|"
    r"advert(?:isement|ising|s)?|ads?|adsbygoogle|ad-(?:slot|unit|container|wrapper)|sponsor(?:ed|s)?|promo|banner-ad|dfp|"
    r"sidebar|side-bar|navbar|nav-bar|navigation|menu|submenu|masthead|site-header|page-header-nav|site-footer|footer|"
    r"related|related-?(?:posts|articles|content|links|items)|recommended|recommendations|read-next|you-may-also-like|more-stories|"
    r"popup|modal|overlay|lightbox|dialog|backtotop|back-to-top|scroll-top|print-only|noprint|no-print)(?=[\s_-])"
)


def remove_furniture(body: HtmlElement) -> None:
    """Remove navigation, footers, asides and boxes with conventional names that hold little of the page."""
    total = max(1, len(text_of(body)))
    for element in elements(body):
        if not is_attached(element, body):
            continue
        tag = element.tag
        role = element.get("role") or ""
        if tag in {"nav", "footer", "dialog"} or role in {"navigation", "contentinfo", "banner", "search", "complementary", "dialog", "alertdialog", "menu", "menubar", "toolbar"}:
            if len(text_of(element)) < 0.4 * total and next(element.iter("h1"), None) is None:
                remove(element)
        elif tag in {"a", "div", "span", "ul", "p", "aside", "header", "section", "ol", "small"} and _FURNITURE.search(names_of(element)):
            size = len(text_of(element))
            if size < min(1500, 0.3 * total) and next(element.iter("pre"), None) is None and next(element.iter("h1"), None) is None:
                remove(element)
