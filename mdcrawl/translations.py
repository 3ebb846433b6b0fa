"""The translations of a crawl's pages: taken from pages and sitemaps by hreflang, left out unless all are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast

from mdcrawl.configuration import VariantMode
from mdcrawl.crawldb import translations as named_translations
from mdcrawl.crawldb.notes import read_note, write_note
from mdcrawl.discovery.hreflang import Alternate, header_alternates, languages_of, translations
from mdcrawl.discovery.urls import canonical_url
from mdcrawl.items import Page, Verdict

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from mdcrawl.scheduler import FrontierScheduler
    from mdcrawl.spiders.docs import DocsSpider

# What is not the site's own word, a challenge or a page of an error, tells no language.
REAL = frozenset({Verdict.OK, Verdict.UNCHANGED, Verdict.THIN, Verdict.NOINDEX})
# A page and what it names as its copies by language.
Entry = tuple[str, Sequence[Alternate]]


class Translations:
    """Which pages are others in another language than the start pages'.

    What was named and the start pages' languages are kept from one crawl to the next, since a page
    that is unchanged is not read again.
    """

    def __init__(self, spider: DocsSpider) -> None:
        self._spider = spider
        self._home: frozenset[str] | None = None

    def take_page(self, connection: Connection, page: Page) -> None:
        """Take in the translations that a page names, and its languages if it is a start page."""
        named = [*page.extraction.languages, *header_alternates(page.headers.get("link", ""), page.final_url)]
        # Without these, a page that was not read or came as Markdown says nothing of what its HTML says.
        is_read = bool(page.extraction.markdown) and (page.source in {"html", "rendered"} or bool(named))
        if page.verdict not in REAL or not is_read:
            return
        alternates = [Alternate(language, canonical_url(url)) for language, url in named]
        if page.asked_url in self._starts:
            self._learn(connection, page.asked_url, languages_of(page.url, alternates, page.extraction.lang))
        named_translations.forget_named(connection, page.url)
        self.take(connection, page.url, [(page.url, alternates)], page.extraction.lang)

    def open_sitemap(self, connection: Connection, sitemap: str, entries: Iterable[Entry]) -> None:
        """Forget what a sitemap named before, and learn the languages of the start pages from it if they are unknown.

        A sitemap that comes before the start page must name that too, to be of use.
        """
        named_translations.forget_named(connection, sitemap)
        for url, alternates in entries if not self.home(connection) else ():
            if url in self._starts:
                self._learn(connection, url, languages_of(url, alternates))

    def take(self, connection: Connection, named_by: str, entries: Iterable[Entry], declared: str = "") -> None:
        """Take in the translations that pages name, of the language that is declared; URLs are canonical."""
        home, scope = self.home(connection), self._spider.scope
        found = (each for url, alternates in entries for each in translations(url, alternates, declared, home))
        named = [each for each in found if not scope.leaves(each.url) and not scope.leaves(each.original)]
        named_translations.add_named(connection, named_by, named)

    def original_of(self, connection: Connection, url: str) -> tuple[str, str]:
        """Return the page that a URL is a left-out translation of and the URL's language, "" and "" for none."""
        if self._takes_all or url in self._starts:
            return "", ""
        return named_translations.translation_of(connection, url, self.home(connection))

    def settle(self, connection: Connection) -> None:
        """Make duplicates of the translations that were fetched before they were known as such."""
        if not self._takes_all:
            named_translations.settle_translations(connection, self.home(connection), self._starts)

    def refresh(self) -> None:
        """Forget the languages of the start pages, which another worker may have learnt since; they are read again."""
        self._home = None

    def home(self, connection: Connection) -> frozenset[str]:
        """Return the languages of the start pages, as far as they are known."""
        if self._home is None:
            notes = (read_note(connection, _note(start)) for start in self._starts)
            self._home = frozenset(language for note in notes for language in note.split())
        return self._home

    def _learn(self, connection: Connection, start: str, languages: frozenset[str]) -> None:
        self._home = None
        write_note(connection, _note(start), " ".join(sorted(languages)))
        assert self._spider.crawler.engine is not None
        cast("FrontierScheduler", self._spider.crawler.engine.scheduler).tell_others("languages")

    @property
    def _starts(self) -> Sequence[str]:
        return self._spider.arguments.start

    @cached_property
    def _takes_all(self) -> bool:
        return bool(self._spider.crawler.settings.get("MDCRAWL_VARIANTS") == VariantMode.ALL)


def _note(start: str) -> str:
    return f"languages of {start}"
