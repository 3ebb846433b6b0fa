"""One page of Markdown to its chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdcrawl.chunking.breadcrumb import section_name
from mdcrawl.chunking.features import find_features
from mdcrawl.chunking.front_matter import split_front_matter
from mdcrawl.chunking.ids import chunk_id, content_hash
from mdcrawl.chunking.options import DEFAULT_OPTIONS, ChunkOptions, ChunkStrategy
from mdcrawl.chunking.pack import Part, join_blocks
from mdcrawl.chunking.strategies import Cut, Document, strategy_of
from mdcrawl.chunking.tokens import counting_by
from mdcrawl.items import Chunk

__all__ = ["ChunkOptions", "ChunkStrategy", "chunk_markdown"]


class _Page(NamedTuple):
    """What all chunks of a page share."""

    url: str
    title: str
    max_tokens: int


class _Draft(NamedTuple):
    """A chunk before its neighbours are known."""

    id: str
    cut: Cut
    section: str
    part: int
    piece: Part


def chunk_markdown(
    markdown: str,
    *,
    url: str = "",
    title: str = "",
    options: ChunkOptions = DEFAULT_OPTIONS,
    anchors: Sequence[tuple[str, str]] = (),
) -> list[Chunk]:
    """Return the chunks of one page in reading order; a page without text has none.

    `anchors` pairs the page's headings in order, as plain text, with the ids of their places ("" for
    none). Front matter is left out; its title stands in for a missing `title`. Positions and parts
    count from 0. Raises nothing, whatever the text.
    """
    front = split_front_matter(_clean(markdown))
    title = " ".join((_clean(title) or front.title).split())
    document = Document(front.body, title, [(_clean(text), _clean(anchor)) for text, anchor in anchors])
    page = _Page(_clean(url), title, options.max_tokens)
    with counting_by(options.tokenizer):
        drafts = list(_drafts(strategy_of(options)(document, options), page.url))
    ids = ["", *[draft.id for draft in drafts], ""]
    return [_chunk(page, draft, position, ids) for position, draft in enumerate(drafts)]


def _clean(text: str) -> str:
    """Return the text with newlines only, without NUL and without half characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        # Two halves of a character become one, a lone half the sign for a broken character.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _drafts(cuts: Iterable[Cut], url: str) -> Iterator[_Draft]:
    seen: Counter[tuple[str, ...]] = Counter()
    for cut in cuts:
        occurrence = seen[cut.path]
        seen[cut.path] += 1
        section = section_name(cut.path)
        for part, piece in enumerate(cut.parts):
            # Headings of empty sections before this one come and go without changing its id.
            own = join_blocks(piece.blocks[cut.own :]) if cut.own and not part else piece.body
            yield _Draft(chunk_id(url, cut.path, occurrence, part, own), cut, section, part, piece)


def _chunk(page: _Page, draft: _Draft, position: int, ids: Sequence[str]) -> Chunk:
    """Return the finished chunk; `ids` holds all ids of the page between two empty ones."""
    _, cut, section, part, piece = draft
    text = piece.text
    features = find_features(piece.blocks)
    return Chunk(
        id=draft.id,
        url=page.url,
        title=page.title,
        heading_path=cut.path,
        position=position,
        part=part,
        text=text,
        tokens=piece.tokens,
        content_hash=content_hash(text),
        anchor_url=f"{page.url}#{cut.anchor}" if cut.anchor else page.url,
        section=section,
        oversized=piece.tokens > page.max_tokens,
        has_code=features.has_code,
        code_languages=features.code_languages,
        has_table=features.has_table,
        prev_id=ids[position],
        next_id=ids[position + 2],
    )
