"""Translations that pages and sitemaps have named (hreflang), and those of them that this run leaves out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, select, update

from mdcrawl.crawldb.frontier import first_sound
from mdcrawl.crawldb.ledger import STORED
from mdcrawl.crawldb.schema import translations, urls
from mdcrawl.crawldb.upsert import upsert
from mdcrawl.discovery.hreflang import Translation, base_language
from mdcrawl.items import Verdict

_FORGET = delete(translations).where(translations.c.named_by == bindparam("by"))
_NAMED = (
    select(translations.c.original, translations.c.language, translations.c.original_language)
    .where(translations.c.url == bindparam("of_url"))
    .order_by(translations.c.original)
)


def forget_named(connection: Connection, named_by: str) -> None:
    """Forget what a page or a sitemap named before."""
    connection.execute(_FORGET, {"by": named_by})


def add_named(connection: Connection, named_by: str, named: Sequence[Translation]) -> None:
    """Write what a page or a sitemap names; both pages of a pair may have named it already."""
    if named:
        rows = [each._asdict() | {"named_by": named_by} for each in named]
        connection.execute(upsert(connection.dialect.name, translations).on_conflict_do_nothing(), rows)


def translation_of(connection: Connection, url: str, home: Collection[str]) -> tuple[str, str]:
    """Return the page in a language of `home` that a URL is a translation of, and the URL's language.

    Both are "" if it is none, or if the other page is not known or known to be bad.
    """
    rows = connection.execute(_NAMED, {"of_url": url}).all()
    rows = [row for row in rows if row.language not in home and row.original_language in home]
    original = first_sound(connection, [row.original for row in rows])
    return original, next((row.language for row in rows if row.original == original), "")


def settle_translations(connection: Connection, home: Collection[str], starts: Collection[str]) -> None:
    """Make duplicates of translations that came before the page that names them, if that is stored.

    So what is kept does not depend on who came first. A page that says itself that it is in a language
    of `home` is none, whatever others say: faulty sites name all their pages as translations.
    """
    original = urls.alias("original")
    rows = connection.execute(
        select(urls.c.lang, translations)
        .join(translations, translations.c.url == urls.c.url)
        .join(original, and_(original.c.url == translations.c.original, original.c.verdict.in_(STORED)))
        .where(urls.c.verdict.in_(STORED), urls.c.url.not_in(starts), _leads_home(home))
        .order_by(urls.c.url, translations.c.original.desc())
    ).all()
    for row in rows:
        if row.named_by == row.url or base_language(row.lang or "") not in home:
            reason = reason_of(row.language, row.original)
            values = {"verdict": Verdict.DUPLICATE, "duplicate_of": row.original, "reason": reason}
            connection.execute(update(urls).where(urls.c.url == row.url).values(values))


def reason_of(language: str, original: str) -> str:
    """Return why a page is left out."""
    return f"a copy of {original}: language {language}, by hreflang"


def _leads_home(home: Collection[str]) -> ColumnElement[bool]:
    return and_(translations.c.language.not_in(home), translations.c.original_language.in_(home))
