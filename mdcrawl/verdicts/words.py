"""Count words, also of scripts that are written without spaces."""

from __future__ import annotations

import re

# Han and kana; Hangul is written with spaces. Two characters a word: Chinese words average 1.6
# characters, Japanese ones a little over two.
_HAN_KANA = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
_HAN_KANA_PER_WORD = 2
# Thai, Lao, Tibetan, Myanmar, Khmer: about four signs a word, vowel and tone marks included.
_UNSPACED = "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"
_UNSPACED_PER_WORD = 4

_PLAIN_WORD = re.compile(r"\w\S*")
_ANY_UNSPACED = re.compile(rf"[{_HAN_KANA}{_UNSPACED}]")
_RUNS = re.compile(rf"([{_HAN_KANA}]+)|([{_UNSPACED}]+)|[^\W{_HAN_KANA}{_UNSPACED}][^\s{_HAN_KANA}{_UNSPACED}]*")


def count_words(text: str) -> int:
    r"""Return the number of words: tokens between spaces that hold a letter or a digit.

    Runs of scripts without spaces count by their length. Markdown's own signs count nothing.

    >>> count_words("# The pump\n\n- is *on*"), count_words("水泵控制器"), count_words("---")
    (4, 3, 0)
    """
    if text.isascii() or not _ANY_UNSPACED.search(text):
        return len(_PLAIN_WORD.findall(text))
    words = 0
    for match in _RUNS.finditer(text):
        kind = match.lastindex
        if kind is None:
            words += 1
        else:
            size = match.end() - match.start()
            words += -(-size // (_HAN_KANA_PER_WORD if kind == 1 else _UNSPACED_PER_WORD))
    return words
