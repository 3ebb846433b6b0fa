"""What walls, missing pages and notices say, by concept, in the languages most used on the web.

No concept decides anything alone: sound pages talk about all of them. A concept counts when it is
a page's headline, or when the page addresses its reader with it, and then only together with the
page's other facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

# Written without spaces, or with particles fixed to the word: a word may begin anywhere.
_NO_WORD_START = frozenset({"anywhere", "ar", "zh", "ja", "ko", "hi"})
_ALWAYS = ("any", "anywhere", "en")
_SCRIPTS = {
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
}
# A text of some length in a language holds one of these; that a neighbour shares a word costs only time.
_COMMON = {
    "es": frozenset(["el", "los", "las", "que", "para", "una", "por", "con", "esta", "su", "no"]),
    "pt": frozenset(["os", "que", "para", "uma", "não", "com", "você", "esta", "sua", "em", "por"]),
    "fr": frozenset(["le", "les", "des", "vous", "est", "et", "nous", "votre", "pour", "cette", "une"]),
    "it": frozenset(["il", "di", "che", "non", "per", "gli", "una", "sono", "questa", "la"]),
    "de": frozenset(["der", "die", "das", "und", "nicht", "sie", "ist", "wir", "bitte", "ein"]),
    "nl": frozenset(["de", "het", "een", "niet", "van", "uw", "wij", "om", "je", "voor"]),
    "pl": frozenset(["nie", "się", "jest", "na", "do", "w", "z", "i", "dla", "oraz"]),
    "tr": frozenset(["bir", "ve", "bu", "için", "ile", "ya", "da", "size"]),
}
_SHORT_CHARS = 80

_TITLE_PARTS = re.compile(r"\s+[|·•»–—:-]\s+|\s*[|·•»]\s*")
# What a headline may add without saying more.
_FILLER = re.compile(
    r"\b(?:oops|sorry|error|the|this|that|an?|is|please|we|to|you|your|our|page|site|website|leider|désolé|ops)\b|[^\w\s]+"
)


class Concept:
    """One idea in many languages; only those that a text may be in are searched for."""

    def __init__(self, fragments: dict[str, str]) -> None:
        self._fragments = fragments
        self._compiled: dict[str, re.Pattern[str]] = {}

    def patterns(self, languages: Iterable[str]) -> list[re.Pattern[str]]:
        """Return the patterns of some languages."""
        return [self._pattern(language) for language in languages if language in self._fragments]

    def found_in(self, text: str, languages: Iterable[str] | None = None) -> bool:
        """Return whether a text says the concept; `languages` are guessed from the text if not given."""
        plain = text.replace("’", "'")
        return any(pattern.search(plain) for pattern in self.patterns(languages or languages_of(text)))

    def _pattern(self, language: str) -> re.Pattern[str]:
        pattern = self._compiled.get(language)
        if pattern is None:
            fragment = self._fragments[language]
            start = "" if language in _NO_WORD_START else r"(?<!\w)"
            pattern = self._compiled[language] = re.compile(f"{start}(?:{fragment})", re.IGNORECASE)
        return pattern


def concept(**fragments: str) -> Concept:
    """Return a concept from regular expressions by language (ISO 639-1).

    `any` and `anywhere` are searched for in every text. A fragment matches from the start of a
    word, where its language has such a thing (`anywhere`: at any letter), and may end within one,
    so that stems cover inflections.
    """
    return Concept(fragments)


@lru_cache(maxsize=256)
def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages that a text may be in, by its scripts and its commonest words.

    >>> languages_of("Насос не работает"), languages_of("水泵")
    (('any', 'anywhere', 'en', 'ru'), ('any', 'anywhere', 'en', 'zh', 'ja'))
    """
    found = list(_ALWAYS)
    if not text.isascii():
        found += [language for language, script in _SCRIPTS.items() if script.search(text)]
        if "zh" in found and "ja" not in found:
            found.append("ja")
    if len(found) == len(_ALWAYS) or re.search("[a-z]{3}", text):
        words = set(text[:1000].lower().split())
        latin = [language for language, common in _COMMON.items() if not common.isdisjoint(words)]
        found += latin if len(text) > _SHORT_CHARS else _COMMON
    return tuple(found)


def headline_share(idea: Concept, title: str, languages: Iterable[str] | None = None) -> float:
    """Return how much of a title's most telling part the concept makes up, from 0 to 1.

    A title is "what the page says | site" or the other way round; the parts are weighed apart.

    >>> from mdcrawl.verdicts.lexicon.missing import NOT_FOUND
    >>> headline_share(NOT_FOUND, "Page not found | Pumps"), headline_share(NOT_FOUND, "Pumps")
    (1.0, 0.0)
    >>> headline_share(NOT_FOUND, "How to fix 'page not found' errors") < 0.6
    True
    """
    plain = title.replace("’", "'").lower()
    patterns = [pattern for pattern in idea.patterns(languages or languages_of(title)) if pattern.search(plain)]
    if not patterns:
        return 0.0
    return max(_share(patterns, part) for part in [plain, *_TITLE_PARTS.split(plain)])


def _share(patterns: list[re.Pattern[str]], part: str) -> float:
    clean = part.strip(" \t\n.!?…:\u3002\uff01\uff1f")
    rest = clean
    for pattern in patterns:
        rest = pattern.sub(" ", rest)
    told = len(clean.replace(" ", "")) - len(rest.replace(" ", ""))
    untold = len(_FILLER.sub("", rest).replace(" ", ""))
    return told / (told + untold) if told else 0.0


def is_headline(idea: Concept, titles: Iterable[str], languages: Iterable[str] | None = None) -> bool:
    """Return whether one of the titles or headings says the concept and little else."""
    # 0.6: an article about a wall names its subject and something about it.
    return any(headline_share(idea, title, languages) >= 0.6 for title in titles)


def ways_said(idea: Concept, text: str, languages: Iterable[str] | None = None) -> int:
    """Return in how many different words a text says the concept."""
    plain = text.replace("’", "'")
    patterns = idea.patterns(languages or languages_of(text))
    return len({match.group().lower() for pattern in patterns for match in pattern.finditer(plain)})
