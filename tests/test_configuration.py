"""The MDCRAWL_ settings: typed, with the contract's defaults, bad ones refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

from mdcrawl import __version__, settings
from mdcrawl.addon import MdcrawlAddon
from mdcrawl.configuration import Configuration
from mdcrawl.errors import MdcrawlError, SettingError
from mdcrawl.items import ImageMode, LinkMode


def given(**values: object) -> Settings:
    """Return the project's settings with some of them overridden as `-s` does."""
    made = Settings()
    made.setmodule(settings, priority="project")
    made.setdict(values, priority="cmdline")
    return made


def test_defaults_are_those_of_the_contract():
    configuration = Configuration.from_settings(given())
    assert configuration.output == ""
    assert configuration.contact == ""
    assert configuration.min_words == 80
    assert configuration.chunk_tokens == 300
    assert configuration.chunk_overlap == 0
    assert configuration.chunk_hard_tokens == 0
    assert configuration.links is LinkMode.STRIP
    assert configuration.images is ImageMode.ALT
    assert configuration.cache == "enabled"
    assert configuration.allow_addresses == ()
    assert configuration.trust_start is True
    assert configuration.purpose == "ai-input"
    assert configuration.signals == "obey"
    assert configuration.max_delete_ratio == 0.5
    assert configuration.proxy == ""


def test_every_setting_has_its_field_and_the_other_way_round():
    named = {name.removeprefix("MDCRAWL_").lower() for name in settings.defaults()}
    assert named == set(Configuration.__dataclass_fields__)


@pytest.mark.parametrize(
    ("values", "field", "expected"),
    [
        pytest.param({"MDCRAWL_MIN_WORDS": "40"}, "min_words", 40, id="number as text"),
        pytest.param({"MDCRAWL_MIN_WORDS": 0}, "min_words", 0, id="zero"),
        pytest.param({"MDCRAWL_LINKS": "citations"}, "links", LinkMode.CITATIONS, id="choice"),
        pytest.param({"MDCRAWL_IMAGES": "keep"}, "images", ImageMode.KEEP, id="other choice"),
        pytest.param({"MDCRAWL_CONTACT": " me@example.com "}, "contact", "me@example.com", id="contact, trimmed"),
        pytest.param({"MDCRAWL_OUTPUT": Path("out/x")}, "output", "out/x", id="output as a path"),
        pytest.param({"MDCRAWL_CHUNK_HARD_TOKENS": "300"}, "chunk_hard_tokens", 300, id="hard limit at the soft one"),
        pytest.param({"MDCRAWL_CACHE": "read_only"}, "cache", "read_only", id="cache"),
        pytest.param({"MDCRAWL_TRUST_START": "False"}, "trust_start", False, id="switch as text"),
        pytest.param({"MDCRAWL_TRUST_START": 0}, "trust_start", False, id="switch as a number"),
        pytest.param(
            {"MDCRAWL_ALLOW_ADDRESSES": "Wiki.lan:80, [::1]:8080,"},
            "allow_addresses",
            ("wiki.lan:80", "[::1]:8080"),
            id="addresses",
        ),
        pytest.param({"MDCRAWL_MAX_DELETE_RATIO": "1"}, "max_delete_ratio", 1.0, id="ratio"),
        pytest.param({"MDCRAWL_MAX_DELETE_RATIO": "0"}, "max_delete_ratio", 0.0, id="no deletes at all"),
        pytest.param({"MDCRAWL_PROXY": "http://proxy.lan:3128"}, "proxy", "http://proxy.lan:3128", id="proxy"),
        pytest.param({"MDCRAWL_CHUNK_OVERLAP": "299"}, "chunk_overlap", 299, id="overlap just below"),
        pytest.param(
            {"MDCRAWL_DB": "postgresql://me@db.lan/crawls?options=-csearch_path%3Da"},
            "db",
            "postgresql+psycopg://me@db.lan/crawls?options=-csearch_path%3Da",
            id="database, driver filled in",
        ),
    ],
)
def test_value(values, field, expected):
    assert getattr(Configuration.from_settings(given(**values)), field) == expected


@pytest.mark.parametrize(
    ("values", "culprit", "remedy"),
    [
        pytest.param({"MDCRAWL_MIN_WORDS": "few"}, "MDCRAWL_MIN_WORDS", "whole number of at least 0: 'few'", id="word"),
        pytest.param({"MDCRAWL_MIN_WORDS": "-3"}, "MDCRAWL_MIN_WORDS", "at least 0: '-3'", id="below zero"),
        pytest.param({"MDCRAWL_MIN_WORDS": ""}, "MDCRAWL_MIN_WORDS", "at least 0: ''", id="empty"),
        pytest.param({"MDCRAWL_MIN_WORDS": None}, "MDCRAWL_MIN_WORDS", "at least 0", id="none, from Python"),
        pytest.param({"MDCRAWL_CHUNK_TOKENS": "15"}, "MDCRAWL_CHUNK_TOKENS", "at least 16", id="too small"),
        pytest.param({"MDCRAWL_CHUNK_TOKENS": "3e2"}, "MDCRAWL_CHUNK_TOKENS", "'3e2'", id="exponent"),
        pytest.param({"MDCRAWL_CHUNK_OVERLAP": "300"}, "MDCRAWL_CHUNK_OVERLAP", "MDCRAWL_CHUNK_TOKENS", id="overlap"),
        pytest.param({"MDCRAWL_CHUNK_HARD_TOKENS": "299"}, "MDCRAWL_CHUNK_HARD_TOKENS", "0 turns it off", id="hard"),
        pytest.param({"MDCRAWL_MEMORY_SHRINK": "0.7"}, "MDCRAWL_MEMORY_SHRINK", "must lie between", id="thresholds"),
        pytest.param({"MDCRAWL_LINKS": "drop"}, "MDCRAWL_LINKS", "strip, keep, citations", id="links"),
        pytest.param({"MDCRAWL_IMAGES": "true"}, "MDCRAWL_IMAGES", "alt, keep, strip", id="images"),
        pytest.param({"MDCRAWL_MAX_BYTES": "0"}, "MDCRAWL_MAX_BYTES", "at least 1", id="max bytes"),
        pytest.param({"MDCRAWL_PAGE_TIMEOUT_S": "0"}, "MDCRAWL_PAGE_TIMEOUT_S", "at least 1", id="timeout"),
        pytest.param({"MDCRAWL_CONTACT": "me and you"}, "MDCRAWL_CONTACT", "URL or an e-mail", id="contact of words"),
        pytest.param(
            {"MDCRAWL_CONTACT": "a\r\nX-Evil: 1"}, "MDCRAWL_CONTACT", "URL or an e-mail", id="header injection"
        ),
        pytest.param({"MDCRAWL_CONTACT": "mé@example.com"}, "MDCRAWL_CONTACT", "URL or an e-mail", id="not ASCII"),
        pytest.param({"MDCRAWL_CACHE": "on"}, "MDCRAWL_CACHE", "read_only", id="cache"),
        pytest.param({"MDCRAWL_TRUST_START": "maybe"}, "MDCRAWL_TRUST_START", "True, False", id="switch"),
        pytest.param({"MDCRAWL_ALLOW_ADDRESSES": "wiki.lan"}, "MDCRAWL_ALLOW_ADDRESSES", "host:port", id="no port"),
        pytest.param({"MDCRAWL_ALLOW_ADDRESSES": "http://a:80"}, "MDCRAWL_ALLOW_ADDRESSES", "host:port", id="a URL"),
        pytest.param({"MDCRAWL_MAX_DELETE_RATIO": "1.5"}, "MDCRAWL_MAX_DELETE_RATIO", "1", id="ratio over one"),
        pytest.param({"MDCRAWL_MAX_DELETE_RATIO": "half"}, "MDCRAWL_MAX_DELETE_RATIO", "'half'", id="ratio of words"),
        pytest.param({"MDCRAWL_MAX_DELETE_RATIO": "nan"}, "MDCRAWL_MAX_DELETE_RATIO", "'nan'", id="ratio of nothing"),
        pytest.param({"MDCRAWL_PROXY": "proxy:3128"}, "MDCRAWL_PROXY", "http://proxy.example.com:3128", id="proxy"),
        pytest.param({"MDCRAWL_DB": "mysql://me:sesame@db/a"}, "MDCRAWL_DB", "postgresql+psycopg://", id="database"),
        pytest.param({"MDCRAWL_DB": "postgresql://me:sesame@db"}, "MDCRAWL_DB", "crawls", id="database without a name"),
        pytest.param(
            {"MDCRAWL_DB": "postgresql://me:sesame@db:x/a"}, "MDCRAWL_DB", "crawls", id="bad port of a database"
        ),
        pytest.param(
            {"MDCRAWL_DB": "postgresql://me:se@same@db/a"}, "MDCRAWL_DB: more than one @", "%40", id="@ in a password"
        ),
        pytest.param({"MDCRAWL_FRONTIER_LEASE_S": "2"}, "MDCRAWL_FRONTIER_LEASE_S", "3", id="lease too short"),
        pytest.param({"MDCRAWL_SIGNALS": "yes"}, "MDCRAWL_SIGNALS", "obey, record, ignore", id="signals"),
        pytest.param({"MDCRAWL_PURPOSE": "fun"}, "MDCRAWL_PURPOSE", "ai-input", id="purpose"),
        pytest.param({"MDCRAWL_MIN_WORD": "3"}, "MDCRAWL_MIN_WORD: unknown", "MDCRAWL_MIN_WORDS?", id="near miss"),
        pytest.param({"MDCRAWL_XYZZY": "3"}, "MDCRAWL_XYZZY: unknown", "", id="unknown"),
    ],
)
def test_bad_value_names_the_culprit_and_the_remedy(values, culprit, remedy):
    with pytest.raises(SettingError) as raised:
        Configuration.from_settings(given(**values))
    message = str(raised.value)
    assert message.startswith(culprit)
    assert remedy in message
    assert "\n" not in message
    assert "sesame" not in message
    assert isinstance(raised.value, MdcrawlError)


@pytest.mark.parametrize(
    ("start", "folder"),
    [
        pytest.param("https://docs.example.com/a/b", "out/docs.example.com", id="host"),
        pytest.param("http://127.0.0.1:8080/docs/", "out/127.0.0.1_8080", id="port"),
        pytest.param("https://docs.example.com:443/", "out/docs.example.com_443", id="port named all the same"),
        pytest.param("http://[::1]:8080/", "out/__1_8080", id="IPv6"),
    ],
)
def test_output_folder_follows_the_host(start, folder):
    assert Configuration.from_settings(given()).output_folder(start) == Path(folder)


def test_output_setting_goes_before_the_host():
    configuration = Configuration.from_settings(given(MDCRAWL_OUTPUT="/data/mine"))
    assert configuration.output_folder("https://docs.example.com/") == Path("/data/mine")


def test_shaping_settings_carry_their_full_names():
    shaping = Configuration.from_settings(given(MDCRAWL_MIN_WORDS="7")).shaping_settings()
    assert shaping["MDCRAWL_MIN_WORDS"] == 7
    assert set(shaping) < set(settings.defaults())
    # Who runs it and how fast must not make two equal crawls differ.
    assert not {"MDCRAWL_CONTACT", "MDCRAWL_OUTPUT", "MDCRAWL_WORKERS"} & set(shaping)


def test_addon_turns_settings_into_those_of_scrapy(caplog):
    made = given(MDCRAWL_CONTACT="https://example.com/bot", MDCRAWL_MAX_BYTES="12345")
    MdcrawlAddon().update_settings(made)
    assert made["USER_AGENT"] == f"mdcrawl/{__version__} (+https://example.com/bot)"
    assert made.getint("DOWNLOAD_MAXSIZE") == 12345
    assert caplog.records == []


def test_addon_leaves_what_the_user_set_himself():
    made = given(USER_AGENT="mine/1.0", DOWNLOAD_MAXSIZE=7, MDCRAWL_CONTACT="me@example.com")
    MdcrawlAddon().update_settings(made)
    assert made["USER_AGENT"] == "mine/1.0"
    assert made.getint("DOWNLOAD_MAXSIZE") == 7


def test_without_contact_one_warning_says_how_to_set_it(caplog):
    made = given()
    MdcrawlAddon().update_settings(made)
    assert made["USER_AGENT"] == f"mdcrawl/{__version__}"
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "-s MDCRAWL_CONTACT=" in record.getMessage()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("REMOTE_CONTROL_ENABLED", False, id="no port that runs Python"),
        pytest.param("TELNETCONSOLE_ENABLED", False, id="no telnet"),
        pytest.param("DOWNLOAD_VERIFY_CERTIFICATES", True, id="TLS verified"),
        pytest.param("DOWNLOAD_DELAY", 1.0, id="a second between requests"),
        pytest.param("CONCURRENT_REQUESTS_PER_DOMAIN", 1, id="one request at a time"),
        pytest.param("COOKIES_ENABLED", True, id="Scrapy's own: cookie redirects work"),
    ],
)
def test_safe_and_polite_by_default(name, value):
    assert given()[name] == value


def test_pipelines_stand_in_the_order_of_the_design():
    order = {path.rpartition(".")[2]: number for path, number in settings.ITEM_PIPELINES.items()}
    assert order["ExtractPipeline"] == 100
    assert order["VerifyPipeline"] == 200
    assert order["ChunkPipeline"] == 300
    assert order["StorePipeline"] == max(order.values()) == 400
