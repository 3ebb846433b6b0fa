from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.extraction.decode import decode

TEXT = "<p>Die Mauer prüft man jährlich, sagt der Wärter am Flüsschen.</p>"
RUSSIAN = "<p>Смотритель каждое утро обходит стену и записывает сдвинутые камни.</p>"
JAPANESE = "<p>毎朝、番人は石垣を歩いて、動いた石を書き留めます。春に直すためです。</p>"

CASES = {
    "UTF-8 declared": (TEXT.encode(), "utf-8", "utf-8", TEXT),
    "UTF-8 whatever the header says": (TEXT.encode(), "iso-8859-1", "utf-8", TEXT),
    "byte order mark": (b"\xef\xbb\xbf" + TEXT.encode(), "", "utf-8", TEXT),
    "UTF-16 with its mark": ("\ufeff".encode("utf-16-le") + TEXT.encode("utf-16-le"), "", "utf-16-le", TEXT),
    "UTF-16 without": (TEXT.encode("utf-16-le"), "", "utf-16-le", TEXT),
    "header": (RUSSIAN.encode("cp1251"), "windows-1251", "cp1251", RUSSIAN),
    "Latin-1 is read as its superset": ("<p>a – b</p>".encode("cp1252"), "iso-8859-1", "cp1252", "<p>a – b</p>"),
    "meta far down": (b"<meta charset=koi8-r>".rjust(30000) + RUSSIAN.encode("koi8-r"), "", "koi8-r", None),
    "detected": (JAPANESE.encode("shift_jis"), "", "cp932", JAPANESE),
    "short Western text is no exotic code page": ("na’ve café".encode("cp1252"), "", None, "na’ve café"),
    "a wrong declaration that does not fit": (JAPANESE.encode("euc-jp"), "no-such-charset", "euc_jp", JAPANESE),
    "empty": (b"", "", "utf-8", ""),
}


@pytest.mark.parametrize(("body", "declared", "charset", "text"), CASES.values(), ids=CASES)
def test_decode(body, declared, charset, text):
    decoded = decode(body, declared)
    assert text is None or decoded.text == text
    assert charset is None or decoded.charset == charset


def test_guessed_only_where_nothing_declared_it():
    assert not decode(TEXT.encode()).guessed
    assert not decode(RUSSIAN.encode("cp1251"), "cp1251").guessed
    assert decode(RUSSIAN.encode("cp1251")).guessed


def test_one_broken_byte_does_not_change_the_charset():
    assert decode(TEXT.encode().replace(b"sagt", b"s\xffgt"), "utf-8").text == TEXT.replace("sagt", "s\ufffdgt")


@given(st.binary(max_size=300), st.sampled_from(["", "utf-8", "utf-7", "hex", "\x00", "gbk", "x" * 400]))
def test_total(body, declared):
    assert isinstance(decode(body, declared).text, str)
