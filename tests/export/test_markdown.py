"""Markdown files: front matter that any YAML reader takes, then the page as it is."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.export.markdown import to_document, write_markdown_tree

# Without U+0085, which YAML 1.1 folds like any line end: white space, if an odd one.
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\x85"))


def test_document():
    text = to_document({"title": "Oil: the hinge", "description": "", "tokens": 12, "published": None}, "\n# Oil\n\n")
    assert text == "---\ntitle: 'Oil: the hinge'\ntokens: 12\n---\n\n# Oil\n"


def test_fields_keep_their_order_and_zero_is_a_value():
    text = to_document({"title": "B", "alpha": "a", "tokens": 0}, "x")
    assert text.splitlines()[1:4] == ["title: B", "alpha: a", "tokens: 0"]


TITLES = [
    "yes", "null", "1.0", "2026-03-04", "# no", "- a", "a: b", "'", '"', "{{ x }}", "---", "...", "a\nb", "寸法 🙂",
    "%x", "@x", "a\x85b", "🙂\x85", "`x`", "\u2028", "\ufeff", "\x1b[0m", " a ", "x" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_any_title_comes_back(title):
    assert read(to_document({"title": title}, "x"))[0] == {"title": title}


def test_any_letter_stands_in_the_front_matter_as_it_is():
    assert to_document({"title": "寸法 🙂"}, "x") == "---\ntitle: 寸法 🙂\n---\n\nx\n"


@given(TEXT.filter(bool), TEXT)
def test_any_text_comes_back(title, markdown):
    fields, body = read(to_document({"title": title}, markdown))
    assert fields == {"title": title}
    assert body == f"\n{markdown.strip()}\n"


def read(text):
    """Return front matter and the rest as a reader of such files does."""
    assert text.startswith("---\n")
    end = text.index("\n---\n", 3)
    return yaml.safe_load(text[4 : end + 1]), text[end + 5 :]


def test_tree_is_replaced_as_a_whole(tmp_path):
    write_markdown_tree(tmp_path, [("markdown/a.example/x.md", {"title": "X"}, "x"), ("markdown/y.md", {}, "y")])
    write_markdown_tree(tmp_path, iter([("markdown/a.example/z/w.md", {"title": "W"}, "w\r\nv")]))
    files = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert list(files) == ["markdown/a.example/z/w.md"]
    assert files["markdown/a.example/z/w.md"].startswith(b"---\ntitle: W\n---\n\nw")


def test_no_documents_are_an_empty_folder(tmp_path):
    write_markdown_tree(tmp_path, [])
    assert list(tmp_path.iterdir()) == [tmp_path / "markdown"]


def test_failure_keeps_the_old_tree(tmp_path):
    write_markdown_tree(tmp_path, [("markdown/x.md", {}, "old")])

    def documents():
        yield "markdown/y.md", {}, "new"
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        write_markdown_tree(tmp_path, documents())
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["x.md"]
