"""The values that travel: a page, what was extracted from it, its chunks, its verdict.

Pure data. Every other room may import this module; it imports none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """How one URL ended. Every URL that a crawl takes up ends in exactly one of these."""

    OK = "ok"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"
    THIN = "thin"
    REFUSED = "refused"
    CHALLENGE = "challenge"
    GATED = "gated"
    SOFT_404 = "soft_404"
    HTTP_ERROR = "http_error"
    GONE = "gone"
    NETWORK_ERROR = "network_error"
    RENDER_FAILED = "render_failed"
    REDIRECT_LOOP = "redirect_loop"
    OUT_OF_SCOPE = "out_of_scope"
    ROBOTS_DENIED = "robots_denied"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    BLOCKED_ADDRESS = "blocked_address"
    NOINDEX = "noindex"
    UNSUPPORTED_TYPE = "unsupported_type"
    TOO_LARGE = "too_large"
    BAD_CONTENT = "bad_content"
    LIMIT = "limit"


class LinkMode(StrEnum):
    """What becomes of inline links in the Markdown."""

    STRIP = "strip"
    KEEP = "keep"
    CITATIONS = "citations"


class ImageMode(StrEnum):
    """What becomes of images in the Markdown."""

    ALT = "alt"
    KEEP = "keep"
    STRIP = "strip"


class View(StrEnum):
    """A form in which a page's main content can be had beside its Markdown."""

    MARKDOWN = "markdown"
    FIT_MARKDOWN = "fit_markdown"
    FIT_HTML = "fit_html"
    CITATIONS = "citations"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Views:
    """The views of a page that were asked for; those that were not are empty.

    `fit_markdown` and `fit_html` hold what the content filter left. `citations` is the Markdown with
    a mark behind each link's text, `references` pairs the marks with their URLs in order. `text` has no
    markup.
    """

    fit_markdown: str = field(default="", repr=False)
    fit_html: str = field(default="", repr=False)
    citations: str = field(default="", repr=False)
    references: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    text: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Fields:
    """What fields of a page hold, None for what it lacks, and a line for each that is missing or fails its type."""

    values: dict[str, object] = field(default_factory=dict, repr=False)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inventory:
    """Counts of the structure of a piece of content."""

    headings: int = 0
    code_blocks: int = 0
    tables: int = 0
    list_items: int = 0
    words: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the main content held and what its Markdown, parsed again, still holds.

    `losses` are plain sentences, one for each loss; empty means that nothing was lost.
    """

    found: Inventory = Inventory()
    kept: Inventory = Inventory()
    losses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A link out of a page: absolute URL as written (not canonical), fragment included."""

    url: str
    text: str = ""
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about the raw page that a verdict may weigh; collected before anything is removed.

    Small on purpose, since it crosses a process boundary with every page: lists are cut to a few
    entries and texts to some hundred characters; mdcrawl.extraction.evidence holds the limits.

    `title` and `headings` (h1 and h2) are as written. `body_words` counts the words of the visible
    body, `main_words` those of the longest main or article element (-1: the page has none), and
    `main_link_words` those of them inside links (counted where there are few words). `body_text` is
    the start of the visible body, kept for pages of few words only. `overlay_text` is the text of a
    dialog or overlay that the page opens with. `actions` holds where forms lead, `buttons` the
    labels of buttons, and of links where a short page has only a few, `fields` the types and names
    of the fields that show. `script_bytes` counts inline and `scripts` lists linked scripts (src as
    written); `inline_scripts` is the start of each inline script, for pages of few words only.
    `marks` holds the class names and ids that tell a page's kind, lower case. `empty_root` names
    the element that scripts would fill ("#root"); "" if there is none or it holds text. `empty_box`
    is the id of any other empty element near the top, which scripts may fill. `schema_types` lists
    the types of the page's structured data, lower case; `paywalled`: it says that reading costs.
    """

    title: str = ""
    headings: tuple[str, ...] = ()
    body_words: int = 0
    main_words: int = -1
    main_link_words: int = 0
    body_text: str = ""
    overlay_text: str = ""
    form_count: int = 0
    actions: tuple[str, ...] = ()
    password_fields: int = 0
    fields: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()
    script_bytes: int = 0
    scripts: tuple[str, ...] = ()
    inline_scripts: str = ""
    iframes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    noscript_text: str = ""
    meta_refresh: str = ""
    schema_types: tuple[str, ...] = ()
    paywalled: bool = False
    empty_root: str = ""
    empty_box: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """One page's main content as Markdown, with its metadata and receipt.

    `anchors` pairs each heading of the Markdown, in order, with the id of its place in the page
    ("" where the page has none). `views` and `fields` are None unless some were asked for. `robots`
    holds the directives of the robots meta elements, lower
    case, `use` name and content of other elements about use (TDMRep, RSL), `markdown_url` where the
    page says its Markdown is, `llms_url` the llms.txt that covers it, `languages` its copies by language
    (hreflang). Dates are ISO 8601 or "".
    """

    title: str = ""
    markdown: str = field(default="", repr=False)
    extractor: str = ""
    receipt: Receipt = Receipt()
    description: str = ""
    lang: str = ""
    canonical_url: str = ""
    published: str = ""
    modified: str = ""
    robots: tuple[str, ...] = ()
    use: tuple[tuple[str, str], ...] = ()
    markdown_url: str = ""
    llms_url: str = ""
    languages: tuple[tuple[str, str], ...] = ()
    charset: str = ""
    charset_guessed: bool = False
    anchors: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = field(default=(), repr=False)
    views: Views | None = field(default=None, repr=False)
    fields: Fields | None = field(default=None, repr=False)
    evidence: Evidence = field(default=Evidence(), repr=False)


# Not frozen: making one costs a fifth of what making a frozen one does, and a page has many.
@dataclass(slots=True)
class Chunk:
    """One piece of a page, cut along its headings.

    `text` is the breadcrumb line, a blank line and the Markdown; `tokens` counts `text` in
    o200k_base; `content_hash` is the sha256 of `text`, in hex. Columns of the whole page (`lang`,
    `fetched_at`, `source`, `extractor`, `rights`) are empty when there was only Markdown to cut.
    """

    id: str
    url: str
    title: str
    heading_path: tuple[str, ...]
    position: int
    part: int
    text: str = field(repr=False)
    tokens: int
    content_hash: str
    anchor_url: str = ""
    section: str = ""
    oversized: bool = False
    has_code: bool = False
    code_languages: tuple[str, ...] = ()
    has_table: bool = False
    prev_id: str = ""
    next_id: str = ""
    lang: str = ""
    fetched_at: str = ""
    source: str = ""
    extractor: str = ""
    rights: str = ""


@dataclass(frozen=True, slots=True)
class PreviousVersion:
    """What the corpus holds of a page from an earlier run; `conversion` names the code and options used."""

    run: int
    content_hash: str
    body_hash: str
    conversion: str
    fetched_at: str
    links: tuple[str, ...] = field(default=(), repr=False)


@dataclass(slots=True)
class Page:
    """One URL on its way through the pipelines; what they learn is written into it.

    `url` is the canonical form of the URL that the page is known under; `asked_url` is
    the one that was asked for, and `hops` are the others on the way to the answer. `note` is what a
    stage before the verdict has to add to its reason. `rights` holds what the site said
    about use, by kind of signal. Bodies never show in logs.
    """

    url: str
    asked_url: str = ""
    hops: tuple[str, ...] = ()
    final_url: str = ""
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    charset: str = ""
    flags: list[str] = field(default_factory=list)
    depth: int = 0
    parent: str = ""
    source: str = "html"
    fetched_at: str = ""
    extraction: Extraction = field(default=Extraction(), repr=False)
    verdict: Verdict | None = None
    reason: str = ""
    note: str = ""
    duplicate_of: str = ""
    html_tokens: int = 0
    markdown_tokens: int = 0
    words: int = 0
    content_hash: str = ""
    body_hash: str = ""
    sketch: frozenset[int] = field(default=frozenset(), repr=False)
    previous: PreviousVersion | None = field(default=None, repr=False)
    rights: dict[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list, repr=False)
    chunks: list[Chunk] = field(default_factory=list, repr=False)
