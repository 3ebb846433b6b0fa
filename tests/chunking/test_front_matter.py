from __future__ import annotations

import pytest

from mdcrawl.chunking.front_matter import split_front_matter


@pytest.mark.parametrize(
    ("markdown", "title", "body"),
    [
        ("---\ntitle: Doors\n# note\ntags: [a, b]\n---\nText.", "Doors", "Text."),
        ('---\ntitle: "Doors: open"\nlist:\n  - a\n- b\n...\nText.', "Doors: open", "Text."),
        ('+++\ntitle = "Doors"\n+++\nText.', "Doors", "Text."),
        ("---\nsubtitle: No\n---\n", "", ""),
        ("\ufeff---\ntitle: Doors\n---", "Doors", ""),
        ("---\n\nA sentence between rules.\n\n---\n", "", "---\n\nA sentence between rules.\n\n---\n"),
        ("---\ntitle: open", "", "---\ntitle: open"),
        ("Text.\n\n---\ntitle: x\n---\n", "", "Text.\n\n---\ntitle: x\n---\n"),
    ],
    ids=["YAML", "quoted, dots", "TOML", "no title", "byte order mark", "two rules", "not closed", "not at the start"],
)
def test_split_front_matter(markdown, title, body):
    assert split_front_matter(markdown) == (title, body)
