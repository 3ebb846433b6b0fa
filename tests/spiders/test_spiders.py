"""Every spider that the loader finds is declared well and crawls: the general one, a generated one, the README's."""

from __future__ import annotations

import json
import re
from typing import ClassVar

import pytest
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader

from mdcrawl.arguments import parse_arguments
from mdcrawl.configuration import Configuration
from mdcrawl.errors import SettingError, SpiderArgumentError
from mdcrawl.extraction.extract import ExtractionOptions
from mdcrawl.pipelines.options import extraction_options
from mdcrawl.settings import defaults
from mdcrawl.spiders.docs import DocsSpider
from tests.spiders.projects import ROOT, copy_project, scrapy_in

LOADER = SpiderLoader(Settings({"SPIDER_MODULES": ["mdcrawl.spiders"]}))
ADDED = ("generated", "example_com")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with a spider made by the command and the one that the README shows."""
    project = copy_project(tmp_path_factory.mktemp("project"))
    assert scrapy_in(project, "genspider", "-t", "docs", "generated", "docs.example.com").returncode == 0
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## A spider for your site")[2]
    (source,) = re.findall(r"```python\n(.+?)```", section.partition("\n## ")[0], re.DOTALL)
    (project / "mdcrawl" / "spiders" / "example_com.py").write_text(source, encoding="utf-8")
    return project


def test_loader_finds_them_all(project):
    assert scrapy_in(project, "list").stdout.split() == sorted([*LOADER.list(), *ADDED])


@pytest.mark.parametrize("name", sorted([*LOADER.list(), *ADDED]))
def test_spider_crawls_the_bundled_site(project, site, name):
    given = {"DOWNLOAD_DELAY": 0.01, "MDCRAWL_OUTPUT": f"out/{name}", "MDCRAWL_WORKERS": 1, "LOG_LEVEL": "WARNING"}
    options = [f"-s{setting}={value}" for setting, value in given.items()]
    start = f"-astart={site.url('/docs/')}"
    done = scrapy_in(project, "crawl", name, start, "-amax_pages=4", "-arender=never", *options)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    summary = json.loads((project / "out" / name / "summary.json").read_bytes())
    assert summary["pages"]["verdicts"]["ok"] >= 4
    assert summary["settings"]["spider"] == name


@pytest.mark.parametrize("name", LOADER.list())
def test_spider_is_declared_well(name):
    """Its file, class and name agree, and what it declares is what a crawl takes."""
    spider = LOADER.load(name)
    module = spider.__module__.rpartition(".")[2]
    assert re.sub(r"[-.]", "_", spider.name).lstrip("_") in {module, module.removeprefix("a")}
    assert spider.__name__ == "".join(part.capitalize() for part in module.split("_")) + "Spider"
    assert spider.__doc__
    parse_arguments({"start": "https://example.com/", **spider.arguments_by_default})
    spider.parse_arguments({"start": "https://example.com/"})


def test_what_the_readme_s_spider_declares_has_its_effect(project, mock_site):
    steps = " ".join(f"Step {n} turns the valve by a quarter." for n in range(1, 8))
    page = (
        "<html lang=en><title>Valves</title><body><h1>Shop</h1><article class=doc><h1>Valves</h1>"
        "<p>Made for <b class=release>2.4</b>.</p>"
        f'<p>{steps} See <a href="/docs/b">the other page</a>.</p><div class="promo">Buy now and save a lot.</div>'
        "</article><p>Elsewhere.</p></body></html>"
    )
    mock_site.routes["/docs/"] = mock_site.page("/docs/")._replace(body=page)
    settings = ("-sDOWNLOAD_DELAY=0.01", "-sMDCRAWL_OUTPUT=out/valves")
    done = scrapy_in(project, "crawl", "example_com", f"-astart={mock_site.url('/docs/')}", "-amd_probe=off", *settings)
    assert done.returncode == 0, done.stderr
    (file,) = (project / "out" / "valves" / "markdown").rglob("*.md")
    markdown = file.read_text(encoding="utf-8").rpartition("---\n")[2]
    assert "Step 7 turns the valve" in markdown
    assert f"[the other page]({mock_site.url('/docs/b')})" in markdown
    assert not [word for word in ("Shop", "Buy", "Elsewhere") if word in markdown]
    (row,) = map(json.loads, (project / "out" / "valves" / "fields.jsonl").read_text(encoding="utf-8").splitlines())
    assert (row["url"], row["version"], row["problems"]) == (mock_site.url("/docs/"), "2.4", [])
    settings = json.loads((project / "out" / "valves" / "summary.json").read_bytes())["settings"]
    assert (settings["MDCRAWL_MIN_WORDS"], settings["MDCRAWL_LINKS"]) == (40, "keep")


# --- Declarations -------------------------------------------------------------------------------


class Parent(DocsSpider):
    name = "parent"
    start = "https://example.com/docs/"
    scope = "host"
    max_pages = 9
    min_words = 40
    drop = ".promo"
    custom_settings: ClassVar = {"DOWNLOAD_DELAY": 3.0}


class Child(Parent):
    name = "child"
    render = "never"
    min_words = 20
    links = "keep"


def settings_of(spider, **given):
    settings = Settings(defaults())
    settings.update(given, priority="cmdline")
    spider.update_settings(settings)
    return settings


def test_declared_arguments_are_those_of_the_crawl_unless_others_are_given():
    arguments = Child.parse_arguments({"max_pages": "3"})
    assert arguments.start == ("https://example.com/docs/",)
    assert (arguments.scope, arguments.render, arguments.max_pages) == ("host", "never", 3)
    assert Parent.parse_arguments({}).render == "auto"


def test_declared_settings_go_before_the_project_s_and_after_the_command_line_s():
    settings = settings_of(Child)
    assert (settings["MDCRAWL_MIN_WORDS"], settings["MDCRAWL_LINKS"], settings["DOWNLOAD_DELAY"]) == (20, "keep", 3.0)
    assert settings_of(Parent)["MDCRAWL_MIN_WORDS"] == 40
    assert settings_of(Child, MDCRAWL_MIN_WORDS="5")["MDCRAWL_MIN_WORDS"] == "5"


def test_one_selector_may_stand_without_its_tuple():
    configuration = Configuration.from_settings(settings_of(Child))
    assert extraction_options(configuration, Child) == ExtractionOptions(
        links=configuration.links, images=configuration.images, drop=(".promo",)
    )


def test_start_is_still_scrapy_s_coroutine():
    spider = Child(name="child")
    assert spider.start.__func__ is DocsSpider.start
    assert spider.scope.options.kind == "host"


@pytest.mark.parametrize(
    ("declared", "error"),
    [
        pytest.param(
            {"scope": "everything"}, "scope: 'everything' is none of prefix, host, domain, any", id="argument"
        ),
        pytest.param({"main_content": "article["}, "site: not a CSS selector: 'article\\['", id="main_content"),
        pytest.param({"drop": (".a", "::")}, "site: not a CSS selector: '::'", id="drop"),
    ],
)
def test_declaration_that_is_wrong_is_named(declared, error):
    spider = type("SiteSpider", (DocsSpider,), {"name": "site", "start": "https://example.com/", **declared})
    with pytest.raises(SpiderArgumentError, match=error):
        spider.parse_arguments({})


def test_setting_that_is_wrong_is_named():
    spider = type("SiteSpider", (DocsSpider,), {"name": "site", "start": "https://example.com/", "links": "kepp"})
    with pytest.raises(SettingError, match="MDCRAWL_LINKS: 'kepp' is none of"):
        Configuration.from_settings(settings_of(spider))
