"""A crawl that extracts fields: from a file, typed in both files, what is missing named in the ledger."""

from __future__ import annotations

import datetime as dt
import json
import re
import shutil

import pyarrow.parquet as pq
import pytest

from tests.conftest import ROOT, Answer

GUIDE = ROOT / "docs" / "fields.md"
FEEDS = ("fields.jsonl", "fields.parquet")
PROSE = "".join(
    f"<p>Post {n} stands in bed {n} and sends what it measures every hour of the day.</p>" for n in range(9)
)


def product(name: str, price: str, more: str = "") -> Answer:
    body = (
        f"<html lang=en><title>{name}</title><script type='application/ld+json'>"
        f'{{"@type": "Product", "name": "{name}", "sku": "M-{len(name)}"}}</script>'
        f"<main><h1>{name}</h1><p class=price>{price}</p><p>Out since <time datetime=2024-05-03>May</time></p>"
        f"<table class=specs><tr><th>Depth</th><td>12</td></tr><tr><th>Weight</th><td>340</td></tr></table>"
        f"<p>Questions to {name.lower()}@marl.example.</p>{PROSE}{more}</main></html>"
    )
    return Answer(200, {"Content-Type": "text/html; charset=utf-8"}, body)


@pytest.fixture(scope="module")
def made(crawl, mock_sites, tmp_path_factory):
    site = mock_sites()
    site.routes["/shop/"] = product("Post", "€ 49.50", "<a href=hub>Hub</a> <a href=frost>Frost</a>")
    site.routes["/shop/hub"] = product("Hub", "1.299,00 €")
    site.routes["/shop/frost"] = product("Frost", "on request")
    folder = tmp_path_factory.mktemp("fields")
    # The file that the guide shows.
    (example,) = re.findall(r"^```yaml\n(.+?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[:1]
    (folder / "fields.yaml").write_text(example, encoding="utf-8")
    feeds = {f"{folder.as_uri()}/{name}": {"overwrite": True} for name in FEEDS}
    settings = {"FEEDS": json.dumps(feeds)}
    start = site.url("/shop/")
    return crawl(start, folder / "out", fields=folder / "fields.yaml", render="never", llms="off", settings=settings)


@pytest.mark.parametrize("name", FEEDS)
def test_feed_of_fields_is_their_file(made, name):
    assert (made.folder.parent / name).read_bytes() == (made.folder / name).read_bytes()


def test_rows(made):
    assert made.status == 0
    assert made.is_clean
    rows = [json.loads(line) for line in (made.folder / "fields.jsonl").read_text(encoding="utf-8").splitlines()]
    frost, hub, post = sorted(rows, key=lambda row: row["name"])
    assert (post["price"], hub["price"], frost["price"]) == (49.5, 1299.0, None)
    assert post["sku"] == "M-4"
    assert post["since"] == "2024-05-03"
    assert post["mail"] == "post@marl.example"
    assert post["specs"] == [{"name": "Depth", "value": 12}, {"name": "Weight", "value": 340}]
    assert post["problems"] == []
    assert frost["problems"] == ["price: Input should be a valid number, unable to parse string as a number"]


def test_ledger_names_what_is_wrong(made):
    reasons = {path: made.row(path)["reason"] for path in ("/shop/", "/shop/frost")}
    assert "fields" not in reasons["/shop/"]
    assert reasons["/shop/frost"].endswith(
        "; fields: price: Input should be a valid number, unable to parse string as a number"
    )


def test_parquet_has_the_types(made):
    table = pq.read_table(made.folder / "fields.parquet")
    assert {field.name: str(field.type).partition("<")[0] for field in table.schema} == {
        "url": "string", "name": "string", "price": "double", "sku": "string", "since": "date32[day]",
        "mail": "string", "specs": "list", "problems": "list",
    }  # fmt: skip
    assert set(table.column("since").to_pylist()) == {dt.date(2024, 5, 3)}


def test_export_writes_them_again(made, scrapy):
    before = (made.folder / "fields.jsonl").read_bytes()
    (made.folder / "fields.jsonl").unlink()
    assert scrapy("export", str(made.folder), "-s", "MDCRAWL_CHUNK_TOKENS=200").status == 0
    assert (made.folder / "fields.jsonl").read_bytes() == before


def test_crawl_without_fields_leaves_none_of_the_last(made, crawl, tmp_path):
    shutil.copytree(made.folder, tmp_path / "out")
    again = crawl(made.pages[0]["url"], tmp_path / "out", render="never", llms="off")
    assert again.status == 0
    assert not list((tmp_path / "out").glob("fields.*"))


def test_bad_file_ends_the_start_with_one_line(crawl, mock_site, tmp_path):
    (tmp_path / "fields.yaml").write_text("price: {css: 'p['}", encoding="utf-8")
    ended = crawl(mock_site.url("/"), tmp_path / "out", fields=tmp_path / "fields.yaml")
    assert ended.status == 1
    (line,) = ended.complaints
    assert "fields: price: css: cannot be read: 'p['" in line
    assert mock_site.asked == []
