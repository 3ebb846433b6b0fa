"""Whether a site's own Markdown of a page is as whole as what its HTML gives, and which sites have proved it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mdcrawl.items import Inventory


@dataclass(frozen=True, slots=True)
class NativeOptions:
    """When Markdown is trusted.

    `min_word_share`: words that the Markdown must have of those in the HTML's main content; the rest
    is what extraction leaves of a page's frame, and generated parts. A site has proved itself after
    `proof_pages` good pages in a row; then the HTML of every `sample_every`-th page is looked at. It
    is given up after `max_failures` failures, if they are more than a third of its pages.
    """

    min_word_share: float = 0.9
    proof_pages: int = 6
    sample_every: int = 16
    max_failures: int = 3


def native_fault(native: Inventory, html: Inventory, unresolved: int = 0, options: NativeOptions | None = None) -> str:
    """Return why the Markdown of a page is not to be taken, "" if it is at least as good as the HTML. Raises nothing.

    `native` counts the cleaned Markdown, `html` the Markdown that came out of the HTML, `unresolved`
    the components whose content only the HTML has.

    >>> native_fault(Inventory(words=300), Inventory(words=310, code_blocks=5))
    '0 code blocks, the HTML has 5'
    """
    share = (options or NativeOptions()).min_word_share
    if native.code_blocks < html.code_blocks:
        return f"{native.code_blocks} code blocks, the HTML has {html.code_blocks}"
    if native.tables < html.tables:
        return f"{native.tables} tables, the HTML has {html.tables}"
    if native.words < share * html.words:
        return f"{native.words} words, the HTML has {html.words}"
    if unresolved and native.words < html.words:
        return f"{unresolved} unresolved components, {native.words} words, the HTML has {html.words}"
    # The title is often in the front matter only.
    if native.headings < html.headings - 1:
        return f"{native.headings} headings, the HTML has {html.headings}"
    return ""


@dataclass(slots=True)
class _Site:
    pages: int = 0
    failures: int = 0
    in_a_row: int = 0
    since_look: int = 0


@dataclass(slots=True)
class NativeTrust:
    """What each site's Markdown has proved so far in this run; plain data inside (it pickles).

    For each page of a site that serves Markdown: ask `needs_html`, and `learn` what the comparison
    gave if there was one. `is_given_up` says that a site is not to be asked for Markdown again.
    """

    options: NativeOptions = NativeOptions()
    _sites: dict[str, _Site] = field(default_factory=dict)

    def is_given_up(self, site: str) -> bool:
        """Return whether a site's Markdown failed too often."""
        known = self._sites.get(site, _Site())
        return known.failures >= self.options.max_failures and known.failures * 3 > known.pages

    def needs_html(self, site: str, *, machine_converted: bool = False) -> bool:
        """Return whether the HTML of the next page is to be fetched too; counts the page if it is not.

        Markdown that a server made on the way out of HTML proves nothing about the next page.
        """
        known = self._sites.setdefault(site, _Site())
        if machine_converted or known.in_a_row < self.options.proof_pages:
            return True
        known.since_look += 1
        return known.since_look >= self.options.sample_every

    def learn(self, site: str, *, is_good: bool) -> None:
        """Take in how one page's Markdown compared with its HTML."""
        known = self._sites.setdefault(site, _Site())
        known.pages += 1
        known.since_look = 0
        known.in_a_row = known.in_a_row + 1 if is_good else 0
        known.failures += not is_good
