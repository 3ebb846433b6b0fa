"""`scrapy report`: the report again from the crawl database, or one line that says why not."""

from __future__ import annotations

from tests.report.crawls import bad_page, good_page, write_crawl


def test_report_is_written_and_named(scrapy, tmp_path):
    text = "Oil the pin of the hinge twice a year, and once more after a flood. " * 8
    write_crawl(tmp_path, [good_page("/docs/a", text), bad_page("/docs/b", "thin", "3 words, fewer than 80")]).close()
    ended = scrapy("report", str(tmp_path))
    assert (ended.status, ended.stdout) == (0, f"{tmp_path}/report.html\n")
    assert ended.is_clean
    assert '<b class="good">1</b> of 2 URLs are good pages' in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_no_database_is_one_line(scrapy, tmp_path):
    ended = scrapy("report", str(tmp_path))
    assert ended.complaints == [f"mdcrawl: {tmp_path}: there is no crawl.sqlite; give the output folder of a crawl"]
    assert ended.status == 1
    assert list(tmp_path.iterdir()) == []


def test_crawl_and_export_write_the_report(scrapy, crawl, mock_site, tmp_path):
    mock_site.add_page("/docs/")
    ended = crawl(mock_site.url("/docs/"), tmp_path / "out", md_probe="off")
    report = ended.folder / "report.html"
    assert "1</b> of 1 URLs are good pages" in report.read_text(encoding="utf-8")
    assert ended.stderr.count(str(report)) == 1
    report.unlink()
    assert scrapy("export", str(ended.folder)).stdout.splitlines()[-1] == str(report)
    assert report.is_file()
