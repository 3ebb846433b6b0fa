"""Links as numbered marks with a list of references, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Letters before the numbers of marks, at most; a page whose text defies all of them has links that cannot go back.
MAX_PREFIX = 3
_MARK = re.compile(r"(?<=\])\[(r{0,3}\d+)\]")
_DEFINITIONS = re.compile(r"(?:\n\n|\A)((?:\[r{0,3}\d+\]: \S+(?:\n|\Z))+)\Z")
_DEFINITION = re.compile(r"\[(r{0,3}\d+)\]: (\S+)")


@dataclass(frozen=True, slots=True)
class Cited:
    """Markdown with a mark behind each link's text, and each mark with its URL, in order."""

    markdown: str = field(repr=False)
    references: tuple[tuple[str, str], ...] = ()

    def with_references(self) -> str:
        """Return one text, the references as link definitions at its end (CommonMark 0.31, section 4.7)."""
        if not self.references:
            return self.markdown
        return self.markdown + "\n\n" + "\n".join(f"[{mark}]: {url}" for mark, url in self.references)


def restore_links(cited: Cited) -> str:
    """Return the Markdown with inline links again.

    >>> restore_links(Cited("See [the wall][1].", (("1", "https://wall.example/"),)))
    'See [the wall](https://wall.example/).'
    """
    urls = dict(cited.references)

    def inline(match: re.Match[str]) -> str:
        url = urls.get(match[1])
        return match[0] if url is None else f"({url})"

    return _MARK.sub(inline, cited.markdown)


def split_references(markdown: str) -> Cited:
    """Return Markdown that ends in link definitions as its body and its references."""
    found = _DEFINITIONS.search(markdown)
    if found is None:
        return Cited(markdown)
    references = tuple((match[1], match[2]) for match in _DEFINITION.finditer(found[1]))
    return Cited(markdown[: found.start()], references)
