"""Spider arguments: what they come to, and which line a bad one ends with."""

from __future__ import annotations

import pytest

from mdcrawl.arguments import CrawlArguments, parse_arguments
from mdcrawl.discovery.scope import ScopeKind
from mdcrawl.errors import MdcrawlError, SpiderArgumentError

START = "https://docs.example.com/"


def test_defaults_are_those_of_the_contract():
    arguments = parse_arguments({"start": START})
    assert arguments == CrawlArguments(start=(START,))
    assert arguments.scope is ScopeKind.PREFIX
    assert (arguments.include, arguments.exclude) == ("", "")
    assert (arguments.max_pages, arguments.max_depth) == (0, 0)
    assert (arguments.sitemap, arguments.llms) == ("auto", "auto")
    assert arguments.md_probe is True
    assert arguments.render == "auto"
    assert arguments.hash_routes is False
    assert arguments.incremental is True
    assert arguments.resume is True


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        pytest.param({"start": " https://Docs.Example.com "}, "start", (START,), id="start is made canonical"),
        pytest.param({"start": f"{START}a, {START}b,"}, "start", (f"{START}a", f"{START}b"), id="several starts"),
        pytest.param({"start": f"{START},{START}#top"}, "start", (START,), id="the same start twice"),
        pytest.param({"scope": "host"}, "scope", ScopeKind.HOST, id="scope"),
        pytest.param({"include": "/v[0-9]+/"}, "include", "/v[0-9]+/", id="include"),
        pytest.param({"exclude": ""}, "exclude", "", id="empty pattern"),
        pytest.param({"max_pages": "12"}, "max_pages", 12, id="max_pages as text"),
        pytest.param({"max_pages": 12}, "max_pages", 12, id="max_pages as a number, from Python"),
        pytest.param({"max_depth": "0"}, "max_depth", 0, id="no limit"),
        pytest.param({"resume": "off"}, "resume", False, id="switch"),
        pytest.param({"hash_routes": "on"}, "hash_routes", True, id="switch that is off by default"),
        pytest.param({"md_probe": "off"}, "md_probe", False, id="probe off"),
        pytest.param({"md_probe": "auto"}, "md_probe", True, id="probe auto"),
        pytest.param({"sitemap": "only"}, "sitemap", "only", id="sitemap"),
        pytest.param({"llms": "off"}, "llms", "off", id="llms"),
        pytest.param({"render": "never"}, "render", "never", id="render"),
        pytest.param({"_job": "26/12/01", "name": "docs"}, "max_pages", 0, id="what Scrapyd and Scrapy add"),
    ],
)
def test_value(given, name, value):
    assert getattr(parse_arguments({"start": START, **given}), name) == value


@pytest.mark.parametrize(
    ("given", "culprit", "remedy"),
    [
        pytest.param({}, "start: missing", "-a start=https://docs.example.com/", id="no start"),
        pytest.param({"start": "  "}, "start: missing", "-a start=", id="blank start"),
        pytest.param({"start": "htp:/x"}, "start: not a URL: 'htp:/x'", "use http or https", id="scheme"),
        pytest.param({"start": "/etc/hostname/"}, "start: not a URL", "give a whole URL", id="a path that is no file"),
        pytest.param({"start": "docs example"}, "start: not a URL", "give a whole URL", id="no URL at all"),
        pytest.param({"start": "https://"}, "start: not a URL", "give a whole URL", id="no host"),
        pytest.param({"start": "https://a.example:99999/"}, "start: not a URL", "give a whole URL", id="port"),
        pytest.param({"start": f"{START},ftp://b.example/"}, "ftp://b.example/", "http or https", id="one bad of two"),
        pytest.param({"start": ","}, "start:", "https://docs.example.com/", id="only a comma"),
        pytest.param(
            {"start": START, "scope": "subdomain"}, "scope: 'subdomain'", "prefix, host, domain, any", id="scope"
        ),
        pytest.param({"start": START, "scope": ""}, "scope: ''", "prefix, host, domain, any", id="empty scope"),
        pytest.param(
            {"start": START, "include": "("}, "include: not a regular expression: '('", "position 0", id="include"
        ),
        pytest.param(
            {"start": START, "exclude": "*"}, "exclude: not a regular expression: '*'", "position 0", id="exclude"
        ),
        pytest.param(
            {"start": START, "max_pages": "many"},
            "max_pages: not a whole number: 'many'",
            "0 means no limit",
            id="word",
        ),
        pytest.param(
            {"start": START, "max_pages": "-1"}, "max_pages: not a whole number: '-1'", "0 means", id="below zero"
        ),
        pytest.param(
            {"start": START, "max_depth": "1.5"}, "max_depth: not a whole number: '1.5'", "0 means", id="fraction"
        ),
        pytest.param(
            {"start": START, "max_depth": ""}, "max_depth: not a whole number: ''", "0 means", id="empty count"
        ),
        pytest.param({"start": START, "max_pages": "٣"}, "max_pages: not a whole number", "0 means", id="other digits"),
        pytest.param({"start": START, "resume": "yes"}, "resume: 'yes'", "on, off", id="switch"),
        pytest.param({"start": START, "md_probe": "on"}, "md_probe: 'on'", "auto, off", id="probe"),
        pytest.param({"start": START, "sitemap": "on"}, "sitemap: 'on'", "auto, only, off", id="sitemap"),
        pytest.param({"start": START, "llms": "ONLY"}, "llms: 'ONLY'", "auto, only, off", id="llms"),
        pytest.param({"start": START, "render": "js"}, "render: 'js'", "auto, always, never", id="render"),
        pytest.param({"start": START, "max_page": "5"}, "max_page: unknown argument", "max_pages?", id="near miss"),
        pytest.param(
            {"start": START, "colour": "red"}, "colour: unknown argument", "known are start, scope", id="unknown"
        ),
        pytest.param({"strat": START}, "strat: unknown argument", "start?", id="start misspelt"),
    ],
)
def test_bad_value_names_the_culprit_and_the_remedy(given, culprit, remedy):
    with pytest.raises(SpiderArgumentError) as raised:
        parse_arguments(given)
    message = str(raised.value)
    assert culprit in message
    assert remedy in message
    assert "\n" not in message
    assert isinstance(raised.value, MdcrawlError)


def test_start_may_be_a_file(tmp_path):
    file = tmp_path / "starts.txt"
    file.write_text(f"# the guide\n{START}guide/\n\n  {START}api/  \n", encoding="utf-8")
    assert parse_arguments({"start": str(file)}).start == (f"{START}guide/", f"{START}api/")


@pytest.mark.parametrize(
    ("content", "culprit"),
    [
        pytest.param(b"# nothing yet\n\n", "no URL in", id="only comments"),
        pytest.param(b"", "no URL in", id="empty"),
        pytest.param(b"https://a.example/\nnonsense\n", "nonsense", id="a bad line"),
        pytest.param(b"\xff\xfe\x00\x01\x89PNG", "is not readable UTF-8 text", id="not text"),
    ],
)
def test_bad_file_of_starts(tmp_path, content, culprit):
    file = tmp_path / "starts.txt"
    file.write_bytes(content)
    with pytest.raises(SpiderArgumentError, match=culprit):
        parse_arguments({"start": str(file)})


def test_file_of_starts_may_begin_with_a_byte_order_mark(tmp_path):
    file = tmp_path / "starts.txt"
    file.write_bytes(b"\xef\xbb\xbf" + f"{START}guide/\r\n".encode())
    assert parse_arguments({"start": str(file)}).start == (f"{START}guide/",)
