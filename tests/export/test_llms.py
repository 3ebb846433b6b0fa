"""llms.txt and llms-full.txt of the corpus: read again by the readers of other sites' files."""

from __future__ import annotations

import pytest

from mdcrawl.discovery.llms_txt import LlmsEntry, read_llms_full, read_llms_txt
from mdcrawl.export.llms import write_llms_full, write_llms_txt

ROOT = "https://example.com"


def document(path, title, markdown, description=""):
    return ("", {"source": ROOT + path, "title": title, "description": description}, markdown)


DOCUMENTS = [
    document("/docs/", "Pump", "# Pump\n\nHow to run it.", "All about\nthe pump."),
    document("/docs/a%20b", "Valve [new]", "# Valves\n\n```md\n# No title\nSource: nowhere\n```"),
    document("/docs/parts/hinge", "", "Oil it."),
]


@pytest.fixture
def llms(tmp_path):
    write_llms_txt(tmp_path / "llms.txt", iter(DOCUMENTS))
    return read_llms_txt((tmp_path / "llms.txt").read_bytes(), f"{ROOT}/llms.txt")


def test_list_has_an_entry_for_each_page_in_its_folder(llms):
    assert llms.title == "example.com"
    assert llms.entries == (
        LlmsEntry(f"{ROOT}/docs/", "Pump", "All about the pump.", "/docs"),
        LlmsEntry(f"{ROOT}/docs/a%20b", "Valve (new)", "", "/docs"),
        LlmsEntry(f"{ROOT}/docs/parts/hinge", f"{ROOT}/docs/parts/hinge", "", "/docs/parts"),
    )


def test_full_text_holds_each_page_once_with_its_source(tmp_path):
    write_llms_full(tmp_path / "llms-full.txt", iter(DOCUMENTS))
    pages = read_llms_full((tmp_path / "llms-full.txt").read_bytes(), f"{ROOT}/llms-full.txt")
    assert [(page.title, page.url) for page in pages][:1] == [("Pump", f"{ROOT}/docs/")]
    assert pages[0].markdown == "How to run it."
    assert pages[-1].markdown == "Oil it."
    assert {page.url for page in pages} >= {front["source"] for _, front, _ in DOCUMENTS}


@pytest.mark.parametrize("write", [write_llms_txt, write_llms_full])
def test_corpus_without_pages_gives_an_empty_file(tmp_path, write):
    write(tmp_path / "out.txt", iter(()))
    assert (tmp_path / "out.txt").read_bytes() == b""
