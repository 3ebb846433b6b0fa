"""Files are complete or absent, whatever happens while they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdcrawl.export.files import replacing


def tree(folder):
    """Return every file below a folder with its text, hidden ones included."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def write_tree(folder, text):
    folder.mkdir()
    (folder / "a.md").write_text(text)
    (folder / "b").mkdir()
    (folder / "b" / "c.md").write_text(text)


def test_new_file(tmp_path):
    with replacing(tmp_path / "x") as temporary:
        temporary.write_text("new")
        assert not (tmp_path / "x").exists()
        assert temporary.parent == tmp_path  # another file system could not be renamed from
    assert tree(tmp_path) == {"x": "new"}


def test_file_in_place_of_a_file(tmp_path):
    (tmp_path / "x").write_text("old")
    with replacing(tmp_path / "x") as temporary:
        temporary.write_text("new")
        assert (tmp_path / "x").read_text() == "old"
    assert tree(tmp_path) == {"x": "new"}


def test_folder_in_place_of_a_folder(tmp_path):
    write_tree(tmp_path / "x", "old")
    (tmp_path / "x" / "gone.md").write_text("old")
    with replacing(tmp_path / "x") as temporary:
        write_tree(temporary, "new")
        assert (tmp_path / "x" / "gone.md").exists()
    assert tree(tmp_path) == {"x/a.md": "new", "x/b/c.md": "new"}


def test_new_folder(tmp_path):
    with replacing(tmp_path / "x") as temporary:
        write_tree(temporary, "new")
    assert tree(tmp_path) == {"x/a.md": "new", "x/b/c.md": "new"}


def fail_to_replace(path, write, error):
    """Write to the temporary path, then fail."""
    with replacing(path) as temporary:
        write(temporary, "half")
        raise error


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stop"])
def test_failure_keeps_the_old_file_and_leaves_nothing_behind(tmp_path, error):
    (tmp_path / "x").write_text("old")
    with pytest.raises(type(error)):
        fail_to_replace(tmp_path / "x", Path.write_text, error)
    assert tree(tmp_path) == {"x": "old"}


def test_failure_keeps_the_old_folder_and_leaves_nothing_behind(tmp_path):
    write_tree(tmp_path / "x", "old")
    with pytest.raises(OSError, match="full"):
        fail_to_replace(tmp_path / "x", write_tree, OSError("full"))
    assert tree(tmp_path) == {"x/a.md": "old", "x/b/c.md": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_failure_before_anything_is_written_leaves_nothing_behind(tmp_path):
    with pytest.raises(RuntimeError), replacing(tmp_path / "x"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_rename_that_fails_keeps_what_was_there(tmp_path, kind):
    """Nothing was written, so there is nothing to rename; the old must not go for it."""
    path = tmp_path / "x"
    if kind == "file":
        path.write_text("old")
    else:
        write_tree(path, "old")
    before = tree(tmp_path)
    with pytest.raises(FileNotFoundError), replacing(path):
        pass
    assert tree(tmp_path) == before
