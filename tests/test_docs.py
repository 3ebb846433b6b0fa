"""The documents agree with the code and with each other: verdicts, files, modules, links."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mdcrawl.configuration import KEY_VARIABLE, PREFIX
from mdcrawl.items import Verdict
from mdcrawl.settings import defaults

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "fixtures" / "site" / "README.md"])
LINK = re.compile(r"(?<!\\)!?\[[^\]\n]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


def name_of(path):
    return str(path.relative_to(ROOT))


def anchors_of(document):
    """Return what forges make of the headings: lower case, no punctuation, a hyphen for each space."""
    headings = re.findall(r"^#{1,6} (.+)$", CODE.sub("", document.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(document):
    found = []
    for target in LINK.findall(CODE.sub("", document.read_text(encoding="utf-8"))):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        other = (document.parent / path).resolve() if path else document
        if not other.exists() or (anchor and anchor not in anchors_of(other)):
            found.append(target)
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document):
    assert broken_links(document) == []


def test_checker_of_links_sees_what_is_broken(tmp_path):
    (tmp_path / "other.md").write_text("# One thing: `x`\n", encoding="utf-8")
    document = tmp_path / "a.md"
    document.write_text(
        "# A\n[a](#a) [b](other.md#one-thing-) [c](https://x.org) `[d](no.md)` [e](no.md) [f](other.md#no) [g](#no)\n",
        encoding="utf-8",
    )
    assert broken_links(document) == ["no.md", "other.md#no", "#no"]


def test_every_document_is_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        document = waiting.pop()
        if document in reached or document.suffix != ".md":
            continue
        reached.add(document)
        targets = LINK.findall(CODE.sub("", document.read_text(encoding="utf-8")))
        waiting += [
            (document.parent / t.partition("#")[0]).resolve() for t in targets if not t.startswith(("#", "http"))
        ]
    assert {name_of(path) for path in (ROOT / "docs").glob("*.md")} <= {name_of(path) for path in reached}


def test_every_verdict_has_one_entry():
    text = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
    entries = re.findall(r"^### (\w+)\n\n- When: .+?^- Do: .+?$", text, re.MULTILINE | re.DOTALL)
    assert sorted(entries) == sorted(Verdict)
    assert text.count("\n### ") == len(Verdict)


def test_modules_of_the_log_are_there():
    text = (ROOT / "docs" / "reading-a-log.md").read_text(encoding="utf-8")
    modules = set(re.findall(r"\[(mdcrawl[\w.]+)\]", text))
    assert len(modules) > 5
    for module in modules:
        source = (ROOT / module.replace(".", "/")).with_suffix(".py")
        assert "logger." in source.read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_settings_that_are_named_exist(document):
    named = set(re.findall(rf"\b{PREFIX}[A-Z_]+[A-Z]\b", document.read_text(encoding="utf-8")))
    # The key of a language model is a variable of the environment.
    assert named <= {*defaults(), KEY_VARIABLE}


def test_where_to_look_names_files_that_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Where to look\n")[2].partition("\n## ")[0]
    named = re.findall(r"`((?:mdcrawl|docs|tests|fixtures|bench)/[^`]*)`", table)
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_drawing_is_well_formed_and_says_what_it_shows():
    root = ET.parse(ROOT / "docs" / "architecture.svg").getroot()
    assert root.get("aria-label")
    drawn = " ".join("".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for room in ("discovery", "extraction", "verdicts", "chunking", "crawldb"):
        assert room in drawn
        assert (ROOT / "mdcrawl" / room).is_dir()
