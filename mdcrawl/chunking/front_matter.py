"""Front matter: the metadata that many Markdown files start with."""

from __future__ import annotations

import re
from typing import NamedTuple

_YAML = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
# A line of YAML or TOML: key, comment, list item, continuation, or closing bracket. Prose between
# two rules must not match.
_METADATA_LINE = re.compile(r"""[ \t]|[#\-\[\]{}]|["']?[\w.$@ -]{1,100}["']?[ \t]*(?::(?:[ \t]|$)|=)|$""")
_TITLE = re.compile(
    r"""^["']?title["']?[ \t]*[:=][ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\n#>|"'][^\n]{0,500}?))[ \t]*$""", re.MULTILINE
)


class FrontMatter(NamedTuple):
    """The title that front matter states ("" for none) and the Markdown after it."""

    title: str
    body: str


def split_front_matter(markdown: str) -> FrontMatter:
    r"""Return the front matter's title and the text without it; YAML between --- and TOML between +++.

    >>> split_front_matter("---\ntitle: Hinges\n---\nOil them.")
    FrontMatter(title='Hinges', body='Oil them.')
    """
    text = markdown.removeprefix("\ufeff")
    match = _YAML.match(text) or _TOML.match(text)
    if not match or not all(map(_METADATA_LINE.match, match[1].split("\n"))):
        return FrontMatter("", text)
    title = _TITLE.search(match[1])
    return FrontMatter(next(filter(None, title.groups()), "") if title else "", text[match.end() :])
