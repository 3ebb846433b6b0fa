"""`scrapy genspider -t docs`: a site spider that works as it is; Scrapy's own templates go on working."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from tests.spiders.projects import copy_project, scrapy_in

SITE = "docs.example.com"


@pytest.fixture
def project(tmp_path):
    """A copy of the project, so that no spider is left in this one."""
    return copy_project(tmp_path)


def test_spider_is_written_checked_and_known(project):
    done = scrapy_in(project, "genspider", "-t", "docs", "example-com", SITE)
    assert done.returncode == 0, done.stderr
    path = project / "mdcrawl" / "spiders" / "example_com.py"
    spec = importlib.util.spec_from_file_location("generated", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    spider = module.ExampleComSpider
    assert spider.name == "example-com"
    assert spider.parse_arguments({}).start == (f"https://{SITE}/",)
    assert spider.parse_arguments({"max_pages": "3"}).max_pages == 3
    assert spider.custom_settings == {"MDCRAWL_MIN_WORDS": 80, "MDCRAWL_LINKS": "strip"}
    assert "example-com" in scrapy_in(project, "list").stdout.splitlines()
    for tool in ("ruff check", "ruff format --check"):
        assert (
            subprocess.run([sys.executable, "-m", *tool.split(), str(path)], cwd=project, check=False).returncode == 0
        )
    source = path.read_text(encoding="utf-8")
    body = source.partition("class ")[2].partition("\n")[2].splitlines()
    assert len([line for line in body if line.strip()]) <= 10
    again = scrapy_in(project, "genspider", "-t", "docs", "example-com", SITE)
    assert again.returncode == 1
    assert "--force" in again.stderr
    assert path.read_text(encoding="utf-8") == source


def test_scrapy_s_own_templates(project):
    assert {"docs", "basic", "crawl"} <= set(scrapy_in(project, "genspider", "--list").stdout.split())
    assert scrapy_in(project, "genspider", "plain", "example.com").returncode == 0
    assert "class PlainSpider(scrapy.Spider)" in (project / "mdcrawl/spiders/plain.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "domain", "line"),
    [
        pytest.param('a"b', SITE, "name: only letters, digits, '_', '-' and '.': 'a\"b'", id="name"),
        pytest.param("../a", SITE, "name: only letters, digits, '_', '-' and '.': '../a'", id="name that leads out"),
        pytest.param("mdcrawl", SITE, "name: 'mdcrawl' is the project's own name", id="the project's name"),
        pytest.param("a", "htp:/x", "domain: not a URL: 'htp:/x' (scheme htp; use http or https)", id="domain"),
        pytest.param("a", "https://u:p@x.org/", "domain: credentials in the URL of x.org", id="credentials"),
    ],
)
def test_mistake_is_one_line(scrapy, name, domain, line):
    ended = scrapy("genspider", "-t", "docs", name, domain)
    (complaint,) = ended.complaints
    assert complaint.startswith(f"mdcrawl: {line}")
    assert (ended.status, ended.stdout) == (1, "")
