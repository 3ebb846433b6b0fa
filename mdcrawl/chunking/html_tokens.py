"""Counting the tokens of HTML: what the pages of a site share is counted once."""

from __future__ import annotations

import re

from mdcrawl.chunking.tokens import chosen_tokenizer, count_tokens

# Where a ">" follows an ASCII letter or digit a piece of o200k_base ends whatever stands around: of its
# alternatives only the runs of letters and digits can reach the place, ">" continues none of them (behind a
# letter only "'" does), and no alternative looks back. So the counts of the parts add up exactly.
_PARTS = re.compile(r">?[^>]*(?:(?<![A-Za-z0-9])>[^>]*)*")
# What a process remembers, in characters and so many more for each part: 4 MB, of most sites a hundred pages.
_MOST_REMEMBERED = 5_000_000
_COST_OF_PART = 150


class _Counts(dict[str, int]):
    """The tokens of parts that have been seen; all are forgotten where they grow too many."""

    _remembered = 0

    def __missing__(self, part: str) -> int:
        tokens = count_tokens(part)
        self._remembered += len(part) + _COST_OF_PART
        if self._remembered > _MOST_REMEMBERED:
            self.clear()
            self._remembered = len(part) + _COST_OF_PART
        if len(part) < _MOST_REMEMBERED:
            self[part] = tokens
        return tokens


_counts = _Counts()


def count_html_tokens(html: str) -> int:
    """Return what `count_tokens` says of a page's source, sooner where other pages have had most of it.

    >>> count_html_tokens("<b>Oil</b>") == count_tokens("<b>Oil</b>")
    True
    """
    if chosen_tokenizer() is not None:
        return count_tokens(html)
    return sum(map(_counts.__getitem__, _PARTS.findall(html)))
