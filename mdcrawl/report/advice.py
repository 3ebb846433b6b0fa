"""What a verdict asks of the person who reads the report."""

from __future__ import annotations

from mdcrawl.items import Verdict

# Verdicts that leave nothing to do: the page is there, or its like is.
GOOD = (Verdict.OK, Verdict.UNCHANGED)
FINE = (*GOOD, Verdict.DUPLICATE)
# Verdicts that are a decision, of the site or of whoever crawls, and no mishap.
LEFT_OUT = (
    Verdict.LIMIT,
    Verdict.NOINDEX,
    Verdict.OUT_OF_SCOPE,
    Verdict.ROBOTS_DENIED,
    Verdict.BLOCKED_ADDRESS,
    Verdict.UNSUPPORTED_TYPE,
)

# What is between backticks is typed or opened.
ADVICE: dict[Verdict, str] = {
    Verdict.OK: "Stored. Read three pages of each site template below before you index them.",
    Verdict.UNCHANGED: "Kept from the last crawl. Nothing to do.",
    Verdict.DUPLICATE: "The same content is stored under another URL. Nothing to do.",
    Verdict.THIN: (
        "Too few words. Look at some: if they are real pages, lower `MDCRAWL_MIN_WORDS`; if scripts draw them, install "
        "a Chromium or use `render=always`; if they are landing pages, leave them out."
    ),
    Verdict.REFUSED: (
        "The server said no. Set `MDCRAWL_CONTACT`, raise `DOWNLOAD_DELAY`, crawl again later, or ask the site's owner."
    ),
    Verdict.CHALLENGE: "A bot check, which is never fought. Ask the site's owner to let your crawler in.",
    Verdict.GATED: "A login, consent, age or pay wall. Only the site's owner can give you these pages.",
    Verdict.SOFT_404: "The page says that it does not exist. Mend the link to it, or leave it out by `exclude=`.",
    Verdict.HTTP_ERROR: "The server answered with an error. Follow the parent in `pages.jsonl` to mend dead links.",
    Verdict.GONE: "It was stored before and is gone now. Its chunks are in `changes.jsonl` as deletes.",
    Verdict.NETWORK_ERROR: "No answer. Check the host by hand and run the same command again later.",
    Verdict.RENDER_FAILED: "The browser could not draw it. Is a Chromium there? Else raise `MDCRAWL_RENDER_TIMEOUT_S`.",
    Verdict.REDIRECT_LOOP: "Redirects in a circle, or too many. The site has to mend this.",
    Verdict.OUT_OF_SCOPE: "A redirect leads outside the scope. Widen `scope=` if you want what is there.",
    Verdict.ROBOTS_DENIED: "robots.txt forbids it. Ask the site's owner.",
    Verdict.ROBOTS_UNREACHABLE: "robots.txt could not be had, so the site counts as closed. Crawl again later.",
    Verdict.BLOCKED_ADDRESS: "A private address or an odd URL. If it is yours, name it in `MDCRAWL_ALLOW_ADDRESSES`.",
    Verdict.NOINDEX: "The site asks not to index it for this use. `MDCRAWL_PURPOSE` says which use is meant.",
    Verdict.UNSUPPORTED_TYPE: "No page (PDF, image, archive). Convert those you need with another tool.",
    Verdict.TOO_LARGE: "Over `MDCRAWL_MAX_BYTES`. Raise it if these are real pages.",
    Verdict.BAD_CONTENT: "It could not be decoded or converted. The reason says what broke.",
    Verdict.LIMIT: "Known, not fetched; the reason says why. Raise the limit it names, or run the command again.",
}
