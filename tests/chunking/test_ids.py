from __future__ import annotations

import hashlib

from mdcrawl.chunking.ids import chunk_id, content_hash


def test_id_depends_on_every_field_and_on_nothing_else():
    base = ("https://a.example/", ("A", "B"), 0, 0, "text")
    others = [
        ("https://b.example/", ("A", "B"), 0, 0, "text"),
        ("https://a.example/", ("A",), 0, 0, "text"),
        ("https://a.example/", ("A", "B"), 1, 0, "text"),
        ("https://a.example/", ("A", "B"), 0, 1, "text"),
        ("https://a.example/", ("A", "B"), 0, 0, "texts"),
    ]
    assert chunk_id(*base) == chunk_id(*base)
    assert len({chunk_id(*fields) for fields in [base, *others]}) == 6
    assert len(chunk_id(*base)) == 32


def test_fields_do_not_run_into_each_other():
    assert chunk_id("u", ("a", "b"), 0, 0, "") != chunk_id("u", ("ab",), 0, 0, "")
    assert chunk_id("u", ("a",), 0, 0, "") != chunk_id("ua", (), 0, 0, "")


def test_content_hash():
    assert content_hash("é") == hashlib.sha256("é".encode()).hexdigest()
