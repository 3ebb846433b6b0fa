"""Which pages of a site are made alike, and which three of each kind are worth reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

# Folders of a URL that tell its kind; deeper ones mostly tell its subject.
FOLDERS = 2
# Kinds shown, the largest first: three pages of each are what a person reads, and 36 samples stay below 10 MB.
MAX_SHOWN = 12
# Kinds told apart; what comes later joins the kind of its host, so that memory stays bounded.
MAX_KNOWN = 5_000


@dataclass(frozen=True, slots=True)
class StoredPage:
    """What is known of a stored page without reading it; `losses` counts the sentences of its receipt."""

    url: str
    extractor: str
    words: int
    losses: int


@dataclass(slots=True)
class SiteTemplate:
    """Pages of one site with the same shape; `samples` pairs a URL with why it was chosen."""

    name: str
    extractor: str
    pages: int = 0
    lossy: int = 0
    _first: StoredPage | None = field(default=None, repr=False)
    _most_lost: StoredPage | None = field(default=None, repr=False)
    _longest: StoredPage | None = field(default=None, repr=False)
    _shortest: StoredPage | None = field(default=None, repr=False)

    def add(self, page: StoredPage) -> None:
        """Count a page and remember it if it is worth reading."""
        self.pages += 1
        self.lossy += page.losses > 0
        self._first = self._first or page
        if page.losses and (self._most_lost is None or page.losses > self._most_lost.losses):
            self._most_lost = page
        if self._longest is None or page.words > self._longest.words:
            self._longest = page
        if self._shortest is None or page.words < self._shortest.words:
            self._shortest = page

    @property
    def samples(self) -> list[tuple[str, str]]:
        """The pages to read, at most three: where most was lost, else the first; the longest; the shortest."""
        chosen: dict[str, str] = {}
        reasons = ("most was lost here", "the longest", "the shortest", "the first")
        for page, why in zip((self._most_lost, self._longest, self._shortest, self._first), reasons, strict=True):
            if page is not None and len(chosen) < 3:
                chosen.setdefault(page.url, why)
        return list(chosen.items())


def template_name(url: str) -> str:
    """Return the host of a URL with its first folders.

    >>> template_name("https://docs.example.com/guide/setup/linux/apt")
    'docs.example.com/guide/setup/'
    """
    parts = urlsplit(url)
    folders = [folder for folder in parts.path.split("/")[:-1] if folder][:FOLDERS]
    return "/".join([parts.netloc, *folders, ""])


def find_site_templates(pages: Iterable[StoredPage]) -> list[SiteTemplate]:
    """Return the site templates, the largest first.

    Alike are pages of one host, one place (its first folders) and one extractor: what made the
    choice of main content the same. That is coarse, but it costs one pass over the ledger.
    """
    found: dict[tuple[str, str], SiteTemplate] = {}
    for page in pages:
        key = (template_name(page.url), page.extractor)
        if key not in found and len(found) >= MAX_KNOWN:
            key = (f"{urlsplit(page.url).netloc}/…", page.extractor)
        found.setdefault(key, SiteTemplate(*key)).add(page)
    return sorted(found.values(), key=lambda template: (-template.pages, template.name, template.extractor))
