"""Each seam swapped by a setting in a crawl of the bundled site: by what docs/ shows, and by what is built in."""

from __future__ import annotations

import json
import re

import pyarrow.parquet as pq
import pytest

from fixtures.serve import Site
from tests.conftest import ROOT

DOCS = ROOT / "docs"
GUIDES = sorted(DOCS.glob("write-your-own-*.md"))
CODE = re.compile(r'^```python\n("""(\w+)\.py: .+?)^```', re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """The modules that the guides show, each in a file of its name."""
    folder = tmp_path_factory.mktemp("modules")
    for guide in GUIDES:
        source, name = CODE.search(guide.read_text(encoding="utf-8")).groups()
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def plain(crawl, tmp_path_factory):
    """A crawl with nothing at any seam."""
    with Site() as site:
        return crawl(site.url("/docs/"), tmp_path_factory.mktemp("plain") / "out", render="never")


@pytest.fixture(scope="module")
def own(crawl, modules, tmp_path_factory):
    """A crawl with the guides' example at every seam."""
    settings = {
        "MDCRAWL_SELECTOR": "allcode.AllCode",
        "MDCRAWL_RENDERER": "keyed.render",
        "MDCRAWL_CHUNK_STRATEGY": "bylevel.ByLevel",
        "MDCRAWL_TOKENIZER": "wordpieces.WordPieces",
        "MDCRAWL_FILTER": "digest.Digest",
        "MDCRAWL_VIEWS": "fit_markdown",
        "MDCRAWL_VERDICT_RULES": "rules.outdated,rules.short_reference",
        "MDCRAWL_SEAM_OPTIONS": json.dumps(
            {"selector": {"least": 2}, "tokenizer": {"letters": 4}, "filter": {"words": 20}}
        ),
    }
    with Site() as site:
        return crawl(
            site.url("/docs/"),
            tmp_path_factory.mktemp("own") / "out",
            render="never",
            settings=settings,
            modules=modules,
            md_probe="off",
        )


@pytest.fixture(scope="module")
def built_in(crawl, tmp_path_factory):
    """A crawl with the second implementation that comes with each seam."""
    settings = {
        "MDCRAWL_SELECTOR": "mdcrawl.extraction.selectors.CssSelector",
        "MDCRAWL_RENDERER": "html-to-markdown",
        "MDCRAWL_CHUNK_STRATEGY": "windows",
        "MDCRAWL_TOKENIZER": "characters",
        "MDCRAWL_CHUNK_TOKENS": 900,
        "MDCRAWL_VIEWS": "markdown,fit_markdown,fit_html,citations,text",
        "MDCRAWL_SEAM_OPTIONS": json.dumps({"selector": {"css": "main"}}),
    }
    with Site() as site:
        return crawl(
            site.url("/docs/"), tmp_path_factory.mktemp("built") / "out", render="never", settings=settings,
            md_probe="off",
        )  # fmt: skip


def test_every_guide_shows_an_example():
    assert len(GUIDES) >= 5
    overview = (DOCS / "seams.md").read_text(encoding="utf-8")
    for guide in GUIDES:
        assert CODE.search(guide.read_text(encoding="utf-8")), guide.name
        assert f"({guide.name})" in overview


def test_crawl_with_own_parts_ends_well(own):
    assert own.status == 0
    assert own.is_clean
    assert own.complaints == []
    assert own.summary["settings"]["MDCRAWL_RENDERER"] == "keyed.render"


def test_own_selector(own, plain):
    chosen = [row for row in own.pages if row["extractor"] == "selector"]
    assert chosen
    assert [row for row in plain.pages if row["extractor"] == "selector"] == []
    for row in chosen:
        assert row["receipt"]["kept"]["code_blocks"] >= 2


def test_own_renderer(own, plain):
    def terms(documents):
        return [text for text in documents.values() if re.search(r"^\*\*.+\*\*$", text, re.MULTILINE)]

    assert terms(plain.documents)
    assert len(terms(own.documents)) < len(terms(plain.documents))
    assert any(re.search(r"^[\w` ]+:$", text, re.MULTILINE) for text in own.documents.values())


def test_own_chunker(own, plain):
    deepest = max(len(chunk["heading_path"]) for chunk in plain.chunks)
    assert deepest > 2
    assert {len(chunk["heading_path"]) for chunk in own.chunks} == {1, 2}
    for chunk in own.chunks:
        own_text = chunk["text"].partition("\n\n")[2]
        assert own_text.startswith("## ") == (len(chunk["heading_path"]) == 2)
    assert any("\n### " in chunk["text"] for chunk in own.chunks)


def test_own_filter(own):
    fit = {row["url"]: row["fit_markdown"] for row in own.pages if row["verdict"] == "ok"}
    assert all(fit.values())
    assert sum(map(len, fit.values())) < sum(map(len, own.documents.values())) / 2


def test_own_tokenizer(own):
    for chunk in own.chunks:
        pieces = re.finditer(r"\w+|[^\w\s]", chunk["text"])
        assert chunk["tokens"] == sum(-(-len(piece.group()) // 4) for piece in pieces)


def test_own_rule(own, plain):
    paths = [path for path in plain.verdicts if "/reference/" in path and path in own.verdicts]
    judged = [own.row(path) for path in paths if own.row(path)["reason"].endswith("words of reference")]
    assert judged
    assert all(row["verdict"] == "ok" for row in judged)
    assert [row for row in plain.pages if row["reason"].endswith("words of reference")] == []


def test_views_are_columns_of_both_files(built_in, plain):
    columns = ["markdown", "fit_markdown", "fit_html", "citations", "references", "text"]
    assert list(built_in.pages[0])[-6:] == columns
    assert not set(columns) & set(plain.pages[0])
    table = pq.read_table(built_in.folder / "pages.parquet")
    assert table.schema.names[-6:] == columns
    for name in columns:
        assert table.column(name).to_pylist() == [row[name] for row in built_in.pages]
    for row in built_in.pages:
        stored = row["verdict"] == "ok"
        assert all(bool(row[name]) == stored for name in ("markdown", "fit_markdown", "fit_html", "citations", "text"))
    assert any(row["references"] for row in built_in.pages)


def test_export_keeps_the_views(built_in, scrapy):
    assert scrapy("export", str(built_in.folder), "-s", "MDCRAWL_CHUNK_TOKENS=500").status == 0
    rows = [json.loads(line) for line in (built_in.folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["text"] for row in rows] == [row["text"] for row in built_in.pages]


def test_crawl_with_built_in_alternatives(built_in, plain):
    assert built_in.status == 0
    assert built_in.is_clean
    assert {chunk["tokens"] for chunk in built_in.chunks} == {len(chunk["text"]) for chunk in built_in.chunks}
    assert max(chunk["tokens"] for chunk in built_in.chunks) <= 900
    assert {row["extractor"] for row in built_in.pages if row["verdict"] == "ok" and row["source"] == "html"} <= {
        "selector", "container", "main", "article", "body", "pruned", "id",
    }  # fmt: skip
    stored = {path for path, verdict in plain.verdicts.items() if verdict == "ok"}
    assert {path for path, verdict in built_in.verdicts.items() if verdict == "ok"} == stored


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({"MDCRAWL_RENDERER": "no.such.renderer"}, "cannot load no.such.renderer", id="no such path"),
        pytest.param({"MDCRAWL_TOKENIZER": "os.getcwd"}, "os.getcwd cannot be called with (text)", id="misfit"),
    ],
)
def test_mistake_ends_the_start_with_one_line(crawl, mock_site, tmp_path, settings, said):
    ended = crawl(mock_site.url("/"), tmp_path / "out", settings=settings)
    assert ended.status == 1
    (line,) = ended.complaints
    assert said in line
    assert "Traceback" not in ended.stderr
    assert mock_site.asked == []
