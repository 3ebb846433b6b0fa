"""Tokenizers beside o200k_base: the vocabulary of an older family of models, and characters."""

from __future__ import annotations

import tiktoken

from mdcrawl.chunking.tokens import read_vocabulary

# The published checksum of cl100k_base.tiktoken (tiktoken_ext.openai_public states the same one).
CL100K_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
# tiktoken's own pattern for cl100k_base.
_CL100K_PIECES = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|"
    r"\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


class Cl100k:
    """Counts tokens of cl100k_base, the vocabulary of text-embedding-3 and GPT-4.

    >>> Cl100k()("hello world")
    2
    """

    def __init__(self) -> None:
        ranks = read_vocabulary("cl100k_base", CL100K_SHA256)
        self._encoding = tiktoken.Encoding(
            "cl100k_base", pat_str=_CL100K_PIECES, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 100257}
        )

    def __call__(self, text: str) -> int:
        """Return the number of tokens."""
        return len(self._encoding.encode_ordinary(text))


class Characters:
    """Counts characters, some to a token: for limits that a store sets in characters, or where exactness is too dear.

    >>> Characters()("four"), Characters(per_token=4)("seven")
    (4, 2)
    """

    def __init__(self, per_token: int = 1) -> None:
        if per_token < 1:
            raise ValueError(f"per_token: must be at least 1, not {per_token}")
        self._per_token = per_token

    def __call__(self, text: str) -> int:
        """Return the number of tokens, rounded up."""
        return -(-len(text) // self._per_token)
