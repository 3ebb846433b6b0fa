"""`scrapy genspider -t docs`: a site spider that works as it is; Scrapy's own templates go on working."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mdcrawl.spiders
from mdcrawl.arguments import parse_arguments
from mdcrawl.spiders.docs import DocsSpider

ROOT = Path(__file__).resolve().parents[2]
SITE = "docs.example.com"


@pytest.fixture
def project(tmp_path):
    """A copy of the project, so that no spider is left in this one."""
    shutil.copytree(ROOT / "mdcrawl", tmp_path / "mdcrawl", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("scrapy.cfg", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def scrapy_in(project, *arguments):
    command = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)


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


def test_generated_spider_crawls_as_it_is(project, mock_site):
    mock_site.add_page("/docs/", "/docs/a")
    mock_site.add_page("/docs/a")
    assert scrapy_in(project, "genspider", "-t", "docs", "mine", mock_site.url("/docs/")).returncode == 0
    done = scrapy_in(project, "crawl", "mine", "-s", "DOWNLOAD_DELAY=0.01", "-s", "MDCRAWL_OUTPUT=out")
    assert done.returncode == 0, done.stderr
    assert (project / "out" / "markdown").is_dir()
    assert {"/docs/", "/docs/a"} <= set(mock_site.paths)


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


# --- Every spider of the project ----------------------------------------------------------------

SPIDERS = [
    spider
    for module in pkgutil.iter_modules(mdcrawl.spiders.__path__)
    for spider in vars(importlib.import_module(f"mdcrawl.spiders.{module.name}")).values()
    if isinstance(spider, type) and issubclass(spider, DocsSpider) and spider.__module__.endswith(f".{module.name}")
]


@pytest.mark.parametrize("spider", SPIDERS, ids=lambda spider: spider.name)
def test_spider_is_declared_well(spider):
    """Its file, class and name agree, and what it declares is what a crawl takes."""
    module = spider.__module__.rpartition(".")[2]
    assert spider.name.replace("-", "_").replace(".", "_").lstrip("_") in {module, module.removeprefix("a")}
    assert spider.__name__ == "".join(part.capitalize() for part in module.split("_")) + "Spider"
    assert spider.__doc__
    parse_arguments({"start": "https://example.com/", **spider.arguments_by_default})
    assert isinstance(spider.drop, tuple)
    assert spider.min_words is None or spider.min_words > 0
