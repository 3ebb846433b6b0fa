"""Two nodes of Scrapyd and a list of starts in Redis, by the commands of docs/scale.md."""

from __future__ import annotations

import json
import shlex

import pytest

from tests.conftest import ROOT
from tests.documents import blocks_of
from tests.end_to_end.test_by_site import CONTACT as CONTACT_OF
from tests.end_to_end.test_by_site import folder_of, who_asked
from tests.end_to_end.test_kill import name_of
from tests.end_to_end.test_scrapyd import Scrapyd

BLOCKS = blocks_of(ROOT / "docs" / "scale.md")


def commands_below(heading):
    """Return the commands of each console below a heading."""
    return [
        [shlex.split(command) for command in block.commands]
        for block in BLOCKS
        if (block.heading, block.language) == (heading, "console")
    ]


((PUSH, _),) = commands_below("By site")
(INSTALL, START), (*DEPLOY, SCHEDULE_FIRST, SCHEDULE_SECOND) = commands_below("On Scrapyd")
(TARGETS,) = [block.text for block in BLOCKS if block.language == "ini"]
NODES = ("node1", "node2")
STARTS = ("https://docs.example.com/", "https://example.org/manual/")
PAGES = 6


@pytest.fixture
def nodes(tmp_path):
    """Both nodes at work; the project's folder of the first is where the commands are typed."""
    first, second = (Scrapyd(tmp_path / name) for name in NODES)
    targets = TARGETS
    for name, node in zip(NODES, (first, second), strict=True):
        assert f"url = http://{name}.example.com:6800\n" in targets
        targets = targets.replace(f"{name}.example.com:6800", f"127.0.0.1:{node.port}")
    with (first.project / "scrapy.cfg").open("a", encoding="utf-8") as file:
        file.write(targets)
    first.run(INSTALL)
    assert START == ["scrapyd"]
    with first, second:
        yield first, second


@pytest.fixture
def sites(mock_sites):
    opened = [mock_sites() for _ in range(4)]
    for site in opened:
        site.add_page("/docs/", *(name_of(number) for number in range(1, PAGES)))
        for number in range(1, PAGES):
            site.add_page(name_of(number), "/docs/")
    return opened


def fill_in(command, places):
    """Return a command of the document with what is an example there replaced."""
    for example, real in places.items():
        command = [word.replace(example, real) for word in command]
    return command


def test_each_site_is_crawled_by_one_of_two_nodes(nodes, sites, redis, tmp_path):
    where = {"redis://redis.example.com/0": redis.url(), "/data/out": str(tmp_path / "out")}
    where |= {"-h": "-p", "redis.example.com": str(redis.port)}
    host = nodes[0]
    for pair in (sites[:2], sites[2:]):
        starts = dict(zip(STARTS, (site.url("/docs/") for site in pair), strict=True))
        host.run(fill_in(PUSH, where | starts))
    for command in DEPLOY:
        assert json.loads(host.run(command))["status"] == "ok"
    jobs = []
    for name, command in zip(NODES, (SCHEDULE_FIRST, SCHEDULE_SECOND), strict=True):
        settings = ("DOWNLOAD_DELAY=0.1", f"MDCRAWL_CONTACT={CONTACT_OF.format(name)}")
        ours = [word for each in settings for word in ("--arg", f"setting={each}")] + ["--arg", "md_probe=off"]
        assert command[command.index("-t") + 1] == name
        jobs.append(host.run([*fill_in(command, where), *ours]).split("=> ")[1].strip())
    logs = [node.wait_for(job).log for node, job in zip(nodes, jobs, strict=True)]
    assert not any(word in log for log in logs for word in ("WARNING", "] ERROR", "CRITICAL", "Traceback"))
    asked = [who_asked(site) for site in sites]
    assert {len(names) for names in asked} == {1}, "each site has one worker from its first page to its last"
    assert {name for names in asked for name in names} == set(NODES)
    for site, (name,) in zip(sites, asked, strict=True):
        rows = [json.loads(line) for line in (folder_of(site, tmp_path) / "pages.jsonl").read_text().splitlines()]
        assert [row["verdict"] for row in rows] == ["ok"] * PAGES
        assert len(site.page_paths) == PAGES
        assert str(folder_of(site, tmp_path)) in logs[NODES.index(name)]
