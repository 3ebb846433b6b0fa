from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.verdicts.words import count_words

TEXTS = {
    "nothing": ("", 0),
    "signs of Markdown": ("---\n\n| --- | --- |\n\n- * > ", 0),
    "plain": ("The pump is off.", 4),
    "hyphen and apostrophe": ("the pump's on-off switch", 4),
    "list, heading, code": ("# Set up\n\n- `run()`\n- 2 A", 5),
    "link is one": ("[manual](https://a.example/x?y=1&z=2)", 1),
    "French": ("Élan vital, déjà vu", 4),
    "Russian": ("Насос не работает.", 3),
    "Arabic": ("المضخة لا تعمل", 3),
    "Hindi": ("पंप बंद है।", 3),
    "Korean has spaces": ("펌프가 꺼져 있다", 3),
    "Chinese by two": ("水泵控制器", 3),
    "Chinese with punctuation": ("水泵，控制器。", 3),
    "Japanese": ("ポンプを止めてください", 6),
    "Thai by four": ("ปั๊มน้ำหยุดทำงาน", 4),
    "mixed": ("Pump 水泵 P2", 3),
    "Latin inside Chinese": ("使用pip安装", 3),
    "emoji": ("🙂 ok 🙂", 1),
}


@pytest.mark.parametrize(("text", "words"), TEXTS.values(), ids=TEXTS)
def test_count_words(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(), st.text())
def test_counts_add_up_over_a_space(one: str, other: str) -> None:
    assert count_words(f"{one} {other}") == count_words(one) + count_words(other)


@given(st.text(alphabet="ab .,\n#*"))
def test_an_accent_elsewhere_changes_nothing(text: str) -> None:
    # ASCII takes a shorter way.
    assert count_words(f"{text} é") == count_words(text) + 1
