"""Where each page's file lies: on no usual file system do two pages meet or a name fail."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdcrawl.export.paths import MarkdownPaths

HOST = "https://docs.example.com"
DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        pytest.param(f"{HOST}/", "markdown/docs.example.com/index.md", id="root"),
        pytest.param(f"{HOST}/guide/", "markdown/docs.example.com/guide/index.md", id="folder"),
        pytest.param(f"{HOST}/guide", "markdown/docs.example.com/guide.md", id="page without suffix"),
        pytest.param(f"{HOST}/guide/intro.html", "markdown/docs.example.com/guide/intro.md", id="html"),
        pytest.param(f"{HOST}/guide/intro.XHTML", "markdown/docs.example.com/guide/intro.md", id="XHTML"),
        pytest.param(f"{HOST}/guide/intro.md", "markdown/docs.example.com/guide/intro.md", id="already Markdown"),
        pytest.param(f"{HOST}/v1.2/", "markdown/docs.example.com/v1.2/index.md", id="dots in a folder"),
        pytest.param(f"{HOST}/release-1.2", "markdown/docs.example.com/release-1.2.md", id="dots in a name"),
        pytest.param(f"{HOST}/gr%C3%B6%C3%9Fe", "markdown/docs.example.com/größe.md", id="escaped letters"),
        pytest.param(f"{HOST}/a%20b", "markdown/docs.example.com/a b.md", id="blank"),
        pytest.param("http://127.0.0.1:8080/docs/", "markdown/127.0.0.1_8080/docs/index.md", id="port"),
    ],
)
def test_path_follows_the_url(url, path):
    assert MarkdownPaths().path_of(url) == path


NASTY = [
    f"{HOST}/a", f"{HOST}/A", f"{HOST}/a.html", f"{HOST}/a.htm", f"{HOST}/a.md", f"{HOST}/a/", f"{HOST}/a/index.html",
    f"{HOST}/a?b=1", f"{HOST}/a?b=2", f"{HOST}/a?B=1", f"{HOST}/a#/b", f"{HOST}/?q=1",
    f"{HOST}/a.md/b", f"{HOST}/a.md/", f"{HOST}/A.MD/c",
    f"{HOST}/a%2Fb", f"{HOST}/a/b", f"{HOST}/a%5Cb", f"{HOST}/..%2F..%2Fetc%2Fpasswd", f"{HOST}/%2e%2e/x",
    f"{HOST}/.../x",
    f"{HOST}/a//b", f"{HOST}//a/b", f"{HOST}/a/./b",
    f"{HOST}/caf%C3%A9", f"{HOST}/cafe%CC%81", f"{HOST}/CAF%C3%89",
    f"{HOST}/con", f"{HOST}/CON.html", f"{HOST}/aux/page", f"{HOST}/nul.txt", f"{HOST}/com1/", f"{HOST}/lpt9.tar.gz",
    f"{HOST}/console", f"{HOST}/auxiliary",
    f"{HOST}/name.", f"{HOST}/name./x", f"{HOST}/name%20/x", f"{HOST}/%20", f"{HOST}/...", f"{HOST}/.hidden",
    f"{HOST}/a%3Ab", f"{HOST}/a*b", f"{HOST}/a%7Cb", f"{HOST}/a%3Fb", f"{HOST}/%3Ca%3E", f"{HOST}/a%22b",
    f"{HOST}/a%00b", f"{HOST}/a%0Ab", f"{HOST}/a%7Fb", f"{HOST}/%FF%FE", f"{HOST}/%ED%A0%80", f"{HOST}/a%E2%80%AEb",
    f"{HOST}/{'x' * 300}", f"{HOST}/{'x' * 301}", f"{HOST}/{'%E5%AF%B8' * 100}", f"{HOST}/{'d/' * 120}end",
    f"{HOST}/{'long-name/' * 40}", f"{HOST}/{'x' * 119}.yy", f"{HOST}/{'x' * 118}%20.%20yyyy",
    "https://other.example/a", "http://127.0.0.1:80/a", "http://[::1]:8080/a", "https://xn--bcher-kva.example/a",
]  # fmt: skip


def key(path: str) -> str:
    """Return what file systems that fold letter case and normalize letters take for the same name."""
    return unicodedata.normalize("NFC", path).lower()


def faults(paths: list[str]) -> list[str]:
    """Return what is wrong with paths that lie in one folder, on any of the usual file systems."""
    found = [f"twice: {path}" for path in paths if [key(other) for other in paths].count(key(path)) > 1]
    files = {key(path) for path in paths}
    for path in paths:
        parts = path.split("/")
        found += [f"below a file: {path}" for end in range(1, len(parts)) if key("/".join(parts[:end])) in files]
        for part in parts:
            if not part or set(part) <= {".", " "}:
                found.append(f"no name: {path!r}")
            elif re.search(r'[\x00-\x1f\x7f<>:"|?*\\]', part):
                found.append(f"forbidden letter: {path!r}")
            elif part.endswith((".", " ")) or part.startswith(" "):
                found.append(f"end that Windows cuts: {path!r}")
            elif DEVICES.fullmatch(part):
                found.append(f"device: {path!r}")
            elif len(part.encode()) > 200:
                found.append(f"long name: {path!r}")
        if len(path.encode()) > 700 or not path.startswith("markdown/") or not path.endswith(".md"):
            found.append(f"odd path: {path!r}")
    return found


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param(["markdown/a.md", "markdown/A.md"], id="letter case"),
        pytest.param(["markdown/é.md", "markdown/e\u0301.md"], id="normal form"),
        pytest.param(["markdown/a.md", "markdown/a.md/b.md"], id="file as a folder"),
        pytest.param(["markdown/../b.md"], id="dots"),
        pytest.param(["markdown//b.md"], id="empty name"),
        pytest.param(["markdown/a:b.md"], id="letter"),
        pytest.param(["markdown/a./b.md"], id="dot at an end"),
        pytest.param(["markdown/aux.md"], id="device"),
        pytest.param([f"markdown/{'x' * 300}.md"], id="long"),
        pytest.param(["/etc/x.md"], id="elsewhere"),
    ],
)
def test_checker_sees_a_planted_fault(paths):
    assert faults(paths) != []


def test_no_file_system_stumbles_over_a_path():
    paths = MarkdownPaths()
    assert faults([paths.path_of(url) for url in sorted(NASTY)]) == []


@given(st.lists(st.text(st.sampled_from("aA.b /%2FéE\u0301:?#ı"), max_size=12), max_size=6, unique=True))
def test_no_two_urls_share_a_file(tails):
    paths = MarkdownPaths()
    assert faults([paths.path_of(f"{HOST}/{tail}") for tail in sorted(tails)]) == []


def test_paths_can_be_written(tmp_path):
    paths = MarkdownPaths()
    for url in sorted(NASTY):
        file = tmp_path / paths.path_of(url)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(url)
    assert sorted(file.read_text() for file in tmp_path.rglob("*.md") if file.is_file()) == sorted(NASTY)


def test_same_urls_in_their_order_have_the_same_paths():
    first, second = MarkdownPaths(), MarkdownPaths()
    assert [first.path_of(url) for url in sorted(NASTY)] == [second.path_of(url) for url in sorted(NASTY)]
