"""`scrapy convert`: local files to Markdown and chunks; archives are bounded and no name leads out of the folder."""

from __future__ import annotations

import json
import zipfile

import pyarrow.parquet as pq
import pytest

from mdcrawl import local_files as module
from mdcrawl.items import Verdict
from mdcrawl.local_files import InputError, local_files

STEPS = "".join(f"<p>Step {n} turns the valve by a quarter, then waits for the gauge to settle.</p>" for n in range(9))


def page(title):
    return f"<html lang=en><title>{title}</title><main><h1>{title}</h1>{STEPS.replace('valve', title)}</main></html>"


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_folder_and_archive(scrapy, tmp_path):
    manual = tmp_path / "manual"
    (manual / "guide").mkdir(parents=True)
    (manual / "index.html").write_text(page("Start"), encoding="utf-8")
    (manual / "guide" / "a b?.html").write_text(page("Guide"), encoding="utf-8")
    (manual / "guide" / "notes.md").write_text("# Notes\n\n" + "The pump runs for an hour. " * 20, encoding="utf-8")
    (manual / "style.css").write_text("p { color: red }", encoding="utf-8")
    (manual / "card.pdf").write_bytes(b"%PDF-1.7\n\x00\x01")
    with zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        archive.writestr("index.html", page("Old"))
    output = tmp_path / "out"
    ended = scrapy(
        "convert", str(manual), str(tmp_path / "old.zip"), "--output", str(output), "-s", "MDCRAWL_WORKERS=1"
    )
    assert ended.status == 0
    assert ended.stderr == "unsupported_type: manual/card.pdf (pdf, not a page)\n"
    assert [line.strip() for line in ended.stdout.splitlines()[:3]] == ["6 files", "4 ok", "2 unsupported_type"]
    rows = {row["url"]: row for row in lines(output / "pages.jsonl")}
    assert {url: row["verdict"] for url, row in rows.items()} == {
        "manual/card.pdf": "unsupported_type",
        "manual/guide/a%20b%3F.html": "ok",
        "manual/guide/notes.md": "ok",
        "manual/index.html": "ok",
        "manual/style.css": "unsupported_type",
        "old.zip/index.html": "ok",
    }
    files = sorted(str(path.relative_to(output)) for path in output.rglob("*") if path.is_file())
    assert files == [
        "chunks.jsonl",
        "markdown/manual/guide/a b_.md",
        "markdown/manual/guide/notes.md",
        "markdown/manual/index.md",
        "markdown/old.zip/index.md",
        "pages.jsonl",
    ]
    assert rows["manual/index.html"]["markdown_path"] == "markdown/manual/index.md"
    assert {chunk["url"] for chunk in lines(output / "chunks.jsonl")} == {
        url for url, row in rows.items() if row["verdict"] == "ok"
    }


def test_views_and_fields_as_in_a_crawl(scrapy, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_text(page("Pump"), encoding="utf-8")
    (tmp_path / "in" / "b.html").write_text(page("Sluice").replace("<h1>", "<h2>"), encoding="utf-8")
    fields = tmp_path / "fields.yaml"
    fields.write_text("name: {css: h1}\nsteps: {css: p, many: true}\n", encoding="utf-8")
    output = tmp_path / "out"
    ended = scrapy(
        "convert", str(tmp_path / "in"), "--output", str(output), "--fields", str(fields), "--query", "pump",
        "-s", "MDCRAWL_VIEWS=text,citations", "-s", "MDCRAWL_WORKERS=1",
    )  # fmt: skip
    assert ended.status == 0
    assert ended.is_clean
    assert ended.stdout.splitlines()[-2:] == [str(output / "fields.jsonl"), str(output / "fields.parquet")]
    pump, sluice = lines(output / "pages.jsonl")
    assert list(pump)[-4:] == ["citations", "references", "text", "fit_markdown"]
    assert pump["text"].startswith("Pump\n\nStep 0 turns the Pump")
    assert pump["fit_markdown"].startswith("# Pump")
    assert sluice["fit_markdown"] == ""
    assert sluice["reason"].endswith("words; fields: name: missing")
    rows = lines(output / "fields.jsonl")
    assert [(row["url"], row["name"], len(row["steps"])) for row in rows] == [
        ("a.html", "Pump", 9),
        ("b.html", None, 9),
    ]
    assert pq.read_table(output / "fields.parquet").to_pylist() == rows
    assert scrapy("convert", str(tmp_path / "in"), "--output", str(output)).status == 0
    assert [*output.glob("fields.*")] == []


MODULE = """
def rule(facts):
    if "b.html" in facts.url:
        raise LookupError("no such page in our list")

def no_rule(facts):
    return "ok" if "b.html" in facts.url else None
"""


def test_what_a_part_of_the_users_raises_costs_its_page_only(scrapy, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_text(page("Pump"), encoding="utf-8")
    (tmp_path / "in" / "b.html").write_text(page("Sluice"), encoding="utf-8")
    (tmp_path / "ours.py").write_text(MODULE, encoding="utf-8")
    rules = ["-s", "MDCRAWL_WORKERS=1", "-s", "MDCRAWL_VERDICT_RULES=ours.rule"]
    ended = scrapy("convert", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *rules, modules=tmp_path)
    assert ended.status == 0
    assert ended.is_clean
    said = "bad_content: b.html (not converted: LookupError: no such page in our list (ours.py, line 4))\n"
    assert ended.stderr == said
    shown = scrapy("page", str(tmp_path / "in" / "b.html"), *rules, modules=tmp_path)
    assert (shown.status, shown.is_clean) == (2, True)
    assert shown.stderr.startswith("bad_content: not converted: LookupError")
    rules[-1] = "MDCRAWL_VERDICT_RULES=ours.no_rule"
    shown = scrapy("page", str(tmp_path / "in" / "b.html"), *rules, modules=tmp_path)
    assert shown.stderr.startswith("bad_content: not converted: ValueError: 'o' is not a valid Verdict")


def test_bad_fields_are_one_line(scrapy, tmp_path):
    (tmp_path / "a.html").write_text(page("Pump"), encoding="utf-8")
    ended = scrapy("convert", str(tmp_path / "a.html"), "--output", str(tmp_path / "out"), "--fields", "none.yaml")
    assert ended.status == 1
    (complaint,) = ended.complaints
    assert complaint.startswith("mdcrawl: --fields: the file none.yaml is not readable UTF-8 text")
    (tmp_path / "loop.yaml").write_text("a: &a {css: h1, fields: {b: *a}}", encoding="utf-8")
    loop = ["--fields", str(tmp_path / "loop.yaml")]
    ended = scrapy("convert", str(tmp_path / "a.html"), "--output", str(tmp_path / "out"), *loop)
    assert ended.complaints == [f"mdcrawl: --fields: the file {tmp_path}/loop.yaml refers to itself without end"]
    assert not (tmp_path / "out").exists()


HOOK = """
import os, sys

def watch(event, arguments):
    if event in {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}:
        with open(os.environ["ASKED"], "a") as file:
            print(event, arguments[1:], file=file)

sys.addaudithook(watch)
"""


def test_network_is_never_asked(scrapy, tmp_path, monkeypatch):
    """Every Python process, the workers too, notes what it wants of the network."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    asked = tmp_path / "asked.txt"
    monkeypatch.setenv("ASKED", str(asked))
    head = (
        '<base href="http://127.0.0.1:9/"><link rel=stylesheet href=a.css><script src=a.js></script>'
        '<link rel=alternate type=text/markdown href=a.md><meta http-equiv=refresh content="0;url=b.html">'
    )
    html = (
        page("Start").replace("<title>", f"{head}<title>").replace("Step 0", '<img src=a.png><a href="/c">Step</a> 0')
    )
    (tmp_path / "a.html").write_text(html, encoding="utf-8")
    modules, output = tmp_path / "modules", tmp_path / "out"
    arguments = (f"{tmp_path}/a.html", "--output", str(output), "-sMDCRAWL_WORKERS=1", "-sMDCRAWL_LINKS=keep")
    assert scrapy("convert", *arguments, modules=modules).status == 0
    assert "[Step](http://127.0.0.1:9/c) 0" in (output / "markdown" / "a.md").read_text(encoding="utf-8")
    assert not asked.exists()
    scrapy("page", "http://127.0.0.1:9/", "-s", "RETRY_TIMES=0", modules=modules)
    assert "127.0.0.1" in asked.read_text()  # the hook sees what is asked


def test_nothing_good_is_status_2(scrapy, tmp_path):
    (tmp_path / "thin.html").write_text("<main><p>Soon.</p></main>", encoding="utf-8")
    ended = scrapy("convert", str(tmp_path / "thin.html"), "--output", str(tmp_path / "out"))
    assert ended.status == 2
    assert ended.stderr == "thin: thin.html (1 words, fewer than 80)\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(["missing"], "missing: there is no such file or folder", id="no such path"),
        pytest.param(["."], "out: the output folder of a crawl; choose another with --output DIR", id="crawl's folder"),
    ],
)
def test_mistake_is_one_line(scrapy, tmp_path, arguments, line):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "crawl.sqlite").touch()
    ended = scrapy("convert", str(tmp_path / arguments[0]), "--output", str(tmp_path / "out"))
    assert ended.complaints == [f"mdcrawl: {tmp_path}/{line}"]
    assert ended.status == 1
    assert ended.is_clean


def test_output_must_be_given(scrapy):
    ended = scrapy("convert", "fixtures")
    assert ended.status == 2
    assert ended.stderr.splitlines()[-1].endswith("error: give at least one path and --output DIR")


# --- Finding the files --------------------------------------------------------------------------


def found(path, max_bytes=1_000):
    return {file.url: file.verdict or file.body for file in local_files([path], max_bytes)}


def make_archive(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_archive_members_never_lead_out(tmp_path):
    names = {"a.html": "a", "../up.html": "b", "/etc/passwd": "c", "d\\..\\..\\e.html": "d", "f/./g.html": "g"}
    assert found(make_archive(tmp_path / "x.zip", **names)) == {
        "a.html": b"a",
        "up.html": Verdict.BLOCKED_ADDRESS,
        "etc/passwd": Verdict.BLOCKED_ADDRESS,
        "d/e.html": Verdict.BLOCKED_ADDRESS,
        "f/g.html": b"g",
    }


def test_bomb_is_read_no_further_than_the_limit(tmp_path):
    archive = make_archive(tmp_path / "x.zip", **{"bomb.html": "0" * 50_000_000, "fine.html": "fine"})
    assert found(archive) == {"bomb.html": Verdict.TOO_LARGE, "fine.html": b"fine"}


def test_archive_is_bounded_as_a_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_UNPACKED_BYTES", 250)
    archive = make_archive(tmp_path / "x.zip", **{f"{n}.html": "x" * 100 for n in range(5)})
    assert list(found(archive).values()).count(Verdict.LIMIT) == 2


def test_broken_member_costs_itself_only(tmp_path):
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.html", "first content")
        file.writestr("b.html", "second content")
    archive.write_bytes(archive.read_bytes().replace(b"first content", b"fir5t content"))
    assert found(archive) == {"a.html": Verdict.BAD_CONTENT, "b.html": b"second content"}


def test_names_mean_nothing_in_a_url(tmp_path):
    for name in ("a#b.html", "c?d.html", "e%20f.html", "g:h.html", ".hidden.html"):
        (tmp_path / name).write_text(name)
    assert set(found(tmp_path)) == {"a%23b.html", "c%3Fd.html", "e%2520f.html", "g%3Ah.html"}


def test_same_names_stay_apart(tmp_path):
    for folder in ("x", "y"):
        (tmp_path / folder / "docs").mkdir(parents=True)
        (tmp_path / folder / "docs" / "a.html").write_text(folder)
    files = local_files([tmp_path / "x" / "docs", tmp_path / "y" / "docs"], 100)
    assert {file.url: file.body for file in files} == {"docs/a.html": b"x", "docs-2/a.html": b"y"}


def test_missing_path_is_known_before_anything_is_read(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        local_files([tmp_path, tmp_path / "missing"], 100)
