"""The MDCRAWL_ settings, typed: read once, refused by name before the crawl starts."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar, cast
from urllib.parse import urlsplit

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from mdcrawl import __version__
from mdcrawl.chunking.options import TOKENIZERS, ChunkStrategy
from mdcrawl.errors import SettingError
from mdcrawl.extraction.options import FILTERS, RENDERERS
from mdcrawl.items import ImageMode, LinkMode, View
from mdcrawl.memory import MemoryOptions
from mdcrawl.seam_settings import (
    RULES,
    SEAM_OPTIONS,
    read_component,
    read_components,
    read_options,
    read_path,
    text_of,
)
from mdcrawl.seams import Component

if TYPE_CHECKING:
    from mdcrawl.llm.client import ModelOptions

E = TypeVar("E", bound=StrEnum)

PREFIX = "MDCRAWL_"
EXAMPLE_DB = "postgresql+psycopg://crawler@db.example.com/crawls"
# The environment's name for the key of a language model.
KEY_VARIABLE = "MDCRAWL_LLM_KEY"


class CacheMode(StrEnum):
    """What the store of answers is used for.

    `enabled` asks conditionally and keeps answers; `disabled` has no store; `read_only` takes what
    is kept without asking the site, and asks for the rest; `write_only` asks in full and keeps;
    `bypass` leaves the store alone for this crawl.
    """

    ENABLED = "enabled"
    DISABLED = "disabled"
    READ_ONLY = "read_only"
    WRITE_ONLY = "write_only"
    BYPASS = "bypass"


class Purpose(StrEnum):
    """What the pages are collected for, in the words of the Content-Signal convention."""

    AI_INPUT = "ai-input"
    AI_TRAIN = "ai-train"
    SEARCH = "search"


class VariantMode(StrEnum):
    """Which copies of a page by language and version are taken: the start URL's own, or all."""

    START = "start"
    ALL = "all"


class FileMode(StrEnum):
    """Whether optional files are written."""

    OFF = "off"
    ON = "on"


class SignalMode(StrEnum):
    """What is done about a site's signals on use: obeyed, only recorded, or not even read."""

    OBEY = "obey"
    RECORD = "record"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of settings.py as values; units are in their names there."""

    output: str
    contact: str
    allow_addresses: tuple[str, ...]
    trust_start: bool
    purpose: Purpose
    signals: SignalMode
    proxy: str
    variants: VariantMode
    min_words: int
    render_timeout_s: int
    render_wait_s: int
    render_pages: int
    render_concurrency: int
    chunk_tokens: int
    chunk_strategy: ChunkStrategy | Component
    chunk_breadcrumb: bool
    chunk_merge: bool
    chunk_overlap: int
    chunk_hard_tokens: int
    selector: Component | None
    renderer: Component | None
    filter: Component | None
    tokenizer: Component | None
    verdict_rules: tuple[Component, ...]
    seam_options: str
    llm_url: str
    llm_model: str
    llm_timeout_s: int
    llm_retries: int
    llm_budget_tokens: int
    llm_chunk_tokens: int
    llm_prices: tuple[float, ...]
    llms_files: FileMode
    views: tuple[View, ...]
    links: LinkMode
    images: ImageMode
    cache: CacheMode
    max_delete_ratio: float
    db: str
    frontier: str
    frontier_lease_s: int
    max_bytes: int
    response_timeout_s: int
    silence_timeout_s: int
    max_wait_s: int
    site_failures: int
    page_timeout_s: int
    workers: int
    memory_shrink: float
    memory_recover: float
    memory_stop: float

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read every MDCRAWL_ setting. Raises SettingError naming the one that is unknown or bad."""
        known = {PREFIX + name.upper() for name in cls.__dataclass_fields__}
        for name in settings:
            if str(name).startswith(PREFIX) and name not in known:
                near = difflib.get_close_matches(str(name), known, n=1)
                raise SettingError(f"{name}: unknown setting" + (f"; did you mean {near[0]}?" if near else ""))
        options = read_options(settings)
        configuration = cls(
            output=_text(settings, "OUTPUT"),
            contact=_contact(settings),
            allow_addresses=_addresses(settings, "ALLOW_ADDRESSES"),
            trust_start=_switch(settings, "TRUST_START"),
            purpose=_choice(settings, "PURPOSE", Purpose),
            signals=_choice(settings, "SIGNALS", SignalMode),
            proxy=_proxy(settings, "PROXY"),
            variants=_choice(settings, "VARIANTS", VariantMode),
            min_words=_count(settings, "MIN_WORDS"),
            render_timeout_s=_count(settings, "RENDER_TIMEOUT_S", least=1),
            render_wait_s=_count(settings, "RENDER_WAIT_S"),
            render_pages=_count(settings, "RENDER_PAGES", least=1),
            render_concurrency=_count(settings, "RENDER_CONCURRENCY", least=1),
            chunk_tokens=_count(settings, "CHUNK_TOKENS", least=16),
            chunk_strategy=_chunk_strategy(settings, options.get("chunker", {})),
            chunk_breadcrumb=_switch(settings, "CHUNK_BREADCRUMB"),
            chunk_merge=_switch(settings, "CHUNK_MERGE"),
            chunk_overlap=_count(settings, "CHUNK_OVERLAP"),
            chunk_hard_tokens=_count(settings, "CHUNK_HARD_TOKENS"),
            selector=_component(settings, "SELECTOR", "mdcrawl.extraction.seams.Selector", {}, options),
            renderer=_component(settings, "RENDERER", "mdcrawl.extraction.seams.Renderer", RENDERERS, options),
            filter=_component(settings, "FILTER", "mdcrawl.extraction.seams.ContentFilter", FILTERS, options),
            tokenizer=_component(settings, "TOKENIZER", "mdcrawl.chunking.tokens.Tokenizer", TOKENIZERS, options),
            verdict_rules=read_components(
                f"{PREFIX}VERDICT_RULES",
                settings.get(f"{PREFIX}VERDICT_RULES"),
                "mdcrawl.verdicts.judge.VerdictRule",
                cast("dict[str, dict[str, object]]", options.get(RULES, {})),
            ),
            seam_options=json.dumps(options, sort_keys=True),
            llm_url=_endpoint(settings, "LLM_URL"),
            llm_model=_text(settings, "LLM_MODEL"),
            llm_timeout_s=_count(settings, "LLM_TIMEOUT_S", least=1),
            llm_retries=_count(settings, "LLM_RETRIES"),
            llm_budget_tokens=_count(settings, "LLM_BUDGET_TOKENS"),
            llm_chunk_tokens=_count(settings, "LLM_CHUNK_TOKENS", least=100),
            llm_prices=_prices(settings, "LLM_PRICES"),
            llms_files=_choice(settings, "LLMS_FILES", FileMode),
            views=_views(settings),
            links=_choice(settings, "LINKS", LinkMode),
            images=_choice(settings, "IMAGES", ImageMode),
            cache=_choice(settings, "CACHE", CacheMode),
            max_delete_ratio=_ratio(settings, "MAX_DELETE_RATIO"),
            db=_database(settings, "DB"),
            frontier=_frontier(settings, "FRONTIER"),
            frontier_lease_s=_count(settings, "FRONTIER_LEASE_S", least=3),
            max_bytes=_count(settings, "MAX_BYTES", least=1),
            response_timeout_s=_count(settings, "RESPONSE_TIMEOUT_S", least=1),
            silence_timeout_s=_count(settings, "SILENCE_TIMEOUT_S", least=1),
            max_wait_s=_count(settings, "MAX_WAIT_S"),
            site_failures=_count(settings, "SITE_FAILURES", least=1),
            page_timeout_s=_count(settings, "PAGE_TIMEOUT_S", least=1),
            workers=_count(settings, "WORKERS"),
            memory_shrink=_ratio(settings, "MEMORY_SHRINK"),
            memory_recover=_ratio(settings, "MEMORY_RECOVER"),
            memory_stop=_ratio(settings, "MEMORY_STOP"),
        )
        if configuration.chunk_overlap >= configuration.chunk_tokens:
            raise SettingError("MDCRAWL_CHUNK_OVERLAP: must be below MDCRAWL_CHUNK_TOKENS")
        if 0 < configuration.chunk_hard_tokens < configuration.chunk_tokens:
            raise SettingError("MDCRAWL_CHUNK_HARD_TOKENS: must not be below MDCRAWL_CHUNK_TOKENS; 0 turns it off")
        if not configuration.memory_recover <= configuration.memory_shrink <= configuration.memory_stop:
            raise SettingError("MDCRAWL_MEMORY_SHRINK: must lie between MDCRAWL_MEMORY_RECOVER and MDCRAWL_MEMORY_STOP")
        return configuration

    @property
    def memory(self) -> MemoryOptions:
        """The thresholds of the memory guard."""
        return MemoryOptions(self.memory_shrink, self.memory_recover, self.memory_stop)

    @property
    def user_agent(self) -> str:
        """The honest name of this crawler, with its operator's address where one is set."""
        return f"mdcrawl/{__version__}" + (f" (+{self.contact})" if self.contact else "")

    def model_options(self) -> ModelOptions:
        """Return how a language model is asked; the key comes from the environment."""
        from mdcrawl.llm.client import ModelOptions  # noqa: PLC0415  the client takes a second, few crawls need it

        return ModelOptions(
            self.llm_url,
            self.llm_model,
            os.environ.get(KEY_VARIABLE, ""),
            self.llm_timeout_s,
            self.llm_retries,
            self.llm_budget_tokens,
        )

    def llm_cost(self, prompt_tokens: int, answer_tokens: int) -> float | None:
        """Return what tokens cost by the prices that are set, None if none are."""
        if not self.llm_prices:
            return None
        sent, received = self.llm_prices
        return (prompt_tokens * sent + answer_tokens * received) / 1_000_000

    def output_folder(self, start: str) -> Path:
        """Return the folder to write into: the setting, else `out/<host>` of the first start URL."""
        return Path(self.output) if self.output else Path("out") / folder_name(start)

    def of_site(self, start: str) -> dict[str, str]:
        """Return the settings of the crawl of one site among many: a folder and a database schema of its own."""
        folder = Path(self.output or "out") / folder_name(start)
        settings = {f"{PREFIX}FRONTIER": "", f"{PREFIX}OUTPUT": str(folder)}
        if self.db:
            joint = "&" if "?" in self.db else "?"
            settings[f"{PREFIX}DB"] = f"{self.db}{joint}options=-csearch_path%3D{schema_name(start)}"
        return settings

    @classmethod
    def of_run(cls, settings: BaseSettings, of_run: Mapping[str, object]) -> Self:
        """Read the settings of an earlier run, but for those that the command line sets anew."""
        merged = settings.copy()
        for name, value in of_run.items():
            if name.startswith(PREFIX) and (settings.getpriority(name) or 0) < SETTINGS_PRIORITIES["cmdline"]:
                merged.set(name, value, priority="cmdline")
        return cls.from_settings(merged)

    def shaping_settings(self) -> dict[str, object]:
        """Return the settings that shape the output, for summary.json."""
        names = (
            "min_words",
            "chunk_tokens",
            "chunk_strategy",
            "selector",
            "renderer",
            "filter",
            "tokenizer",
            "views",
            "verdict_rules",
            "seam_options",
            "chunk_breadcrumb",
            "chunk_merge",
            "chunk_overlap",
            "chunk_hard_tokens",
            "llms_files",
            "links",
            "images",
            "max_bytes",
        )
        return {PREFIX + name.upper(): text_of(getattr(self, name)) for name in names}


def folder_name(start: str) -> str:
    """Return the folder of a site's own, from its start URL.

    >>> folder_name("http://localhost:8000/docs/")
    'localhost_8000'
    """
    url = urlsplit(start)
    host = url.hostname or "site"
    return (f"{host}_{url.port}" if url.port else host).replace(":", "_")


def schema_name(start: str) -> str:
    """Return the database schema of a site's own, from its start URL.

    It is the host with underscores; a hash keeps apart what they would make the same, and what is too long.

    >>> schema_name("https://docs.example.com/guide/"), schema_name("https://my-docs.example.com/")
    ('docs_example_com', 'my_docs_example_com_2638fa8b')
    """
    name = folder_name(start)
    plain = re.sub(r"[^a-z0-9]+", "_", name)
    if len(plain) <= 60 and re.fullmatch(r"[a-z0-9.]+", urlsplit(start).hostname or ""):
        return plain
    return f"{plain[:50]}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _text(settings: BaseSettings, name: str) -> str:
    return str(settings.get(PREFIX + name) or "").strip()


def _component(
    settings: BaseSettings, name: str, seam: str, names: Mapping[str, str], options: Mapping[str, dict[str, object]]
) -> Component | None:
    value = read_path(settings.get(PREFIX + name))
    of_seam = options.get(name.lower(), {})
    if not value and of_seam:
        raise SettingError(f"{SEAM_OPTIONS}: options for {name.lower()}, but {PREFIX}{name} names nothing to take them")
    return read_component(PREFIX + name, value, seam, names, of_seam) if value else None


def _endpoint(settings: BaseSettings, name: str) -> str:
    value = _text(settings, name)
    url = urlsplit(value)
    if value and (url.scheme not in {"http", "https"} or not url.hostname or url.username or url.password):
        raise SettingError(f"{PREFIX}{name}: not the URL of an endpoint; give for example http://127.0.0.1:11434/v1")
    return value


def _prices(settings: BaseSettings, name: str) -> tuple[float, ...]:
    value = _text(settings, name)
    if not value:
        return ()
    if not re.fullmatch(r"\d+(?:\.\d+)?\s*,\s*\d+(?:\.\d+)?", value):
        raise SettingError(f"{PREFIX}{name}: not two prices: {value!r}; give for example 0.15,0.60")
    return tuple(float(price) for price in value.split(","))


def _views(settings: BaseSettings) -> tuple[View, ...]:
    given = settings.get(f"{PREFIX}VIEWS") or ""
    names = given.split(",") if isinstance(given, str) else map(str, given)
    asked = {name.strip() for name in names} - {""}
    if unknown := sorted(asked - set(View)):
        raise SettingError(f"{PREFIX}VIEWS: {unknown[0]!r} is none of {', '.join(View)}")
    return tuple(view for view in View if view in asked)


def _chunk_strategy(settings: BaseSettings, options: Mapping[str, object]) -> ChunkStrategy | Component:
    setting = f"{PREFIX}CHUNK_STRATEGY"
    value = read_path(settings.get(setting))
    if "." in value:
        return read_component(setting, value, "mdcrawl.chunking.strategies.Strategy", {}, options)
    if options:
        raise SettingError(f"{SEAM_OPTIONS}: options for chunker, but {setting} names no path of one")
    if value not in set(ChunkStrategy):
        raise SettingError(f"{setting}: {value!r} is none of {', '.join(ChunkStrategy)}, a dotted path")
    return ChunkStrategy(value)


def _contact(settings: BaseSettings) -> str:
    contact = _text(settings, "CONTACT")
    if contact and not re.fullmatch(r"[\x21-\x7e]+", contact):
        raise SettingError(f"MDCRAWL_CONTACT: not a URL or an e-mail address: {contact!r}")
    return contact


def _count(settings: BaseSettings, name: str, *, least: int = 0) -> int:
    value = str(settings.get(PREFIX + name)).strip()
    if not (value.isascii() and value.isdigit()) or int(value) < least:
        raise SettingError(f"{PREFIX}{name}: not a whole number of at least {least}: {value!r}")
    return int(value)


def _addresses(settings: BaseSettings, name: str) -> tuple[str, ...]:
    value = settings.get(PREFIX + name) or ""
    pieces = value.split(",") if isinstance(value, str) else [str(piece) for piece in value]
    given = [piece.strip().lower() for piece in pieces if piece.strip()]
    # Programs that put the setting together from URLs write None for the port that a URL leaves out.
    hosts = [(address, address.removesuffix(":none")) for address in given]
    addresses = tuple(
        each for address, host in hosts for each in ([address] if host == address else [f"{host}:80", f"{host}:443"])
    )
    for address in addresses:
        if not re.fullmatch(r"(?:\[[0-9a-f:.]+\]|[^\s:/@\[\]]+):[0-9]{1,5}", address):
            raise SettingError(f"{PREFIX}{name}: not host:port: {address!r}; give for example 127.0.0.1:8000")
    return addresses


def _switch(settings: BaseSettings, name: str) -> bool:
    value = str(settings.get(PREFIX + name)).strip().lower()
    if value not in {"true", "false", "1", "0"}:
        raise SettingError(f"{PREFIX}{name}: {value!r} is none of True, False")
    return value in {"true", "1"}


def _proxy(settings: BaseSettings, name: str) -> str:
    value = _text(settings, name)
    if value and (urlsplit(value).scheme not in {"http", "https"} or not urlsplit(value).hostname):
        raise SettingError(f"{PREFIX}{name}: not the URL of a proxy; give for example http://proxy.example.com:3128")
    return value


def _database(settings: BaseSettings, name: str) -> str:
    """Return the URL of a database on a server, "" for none. What is said of a bad one must not hold its password."""
    value = _text(settings, name)
    if value and not _is_url_of(value, {"postgresql", "postgresql+psycopg"}):
        raise SettingError(f"{PREFIX}{name}: not the URL of a database; give for example {EXAMPLE_DB}")
    if urlsplit(value).netloc.count("@") > 1:
        raise SettingError(f"{PREFIX}{name}: more than one @; write one that belongs to a name or password as %40")
    return f"postgresql+psycopg://{value.partition('://')[2]}" if value else ""


def _frontier(settings: BaseSettings, name: str) -> str:
    value = _text(settings, name)
    if value and not (_is_url_of(value, {"redis", "rediss"}) and urlsplit(value).path.strip("/").isdigit()):
        raise SettingError(f"{PREFIX}{name}: not the URL of a Redis; give for example redis://redis.example.com/0")
    return value


def _is_url_of(value: str, schemes: Collection[str]) -> bool:
    """Tell whether a text is the URL of a server by one of some schemes, with the name of something on it."""
    try:
        parts = urlsplit(value)
        _ = parts.port  # parsed when it is asked for
    except ValueError:
        return False
    return parts.scheme in schemes and bool(parts.path.strip("/"))


def _ratio(settings: BaseSettings, name: str) -> float:
    value = str(settings.get(PREFIX + name)).strip()
    try:
        ratio = float(value)
    except ValueError:
        ratio = -1.0
    if not 0.0 <= ratio <= 1.0:
        raise SettingError(f"{PREFIX}{name}: not a number from 0 to 1: {value!r}")
    return ratio


def _choice(settings: BaseSettings, name: str, kind: type[E]) -> E:
    value = str(settings.get(PREFIX + name)).strip()
    try:
        return kind(value)
    except ValueError as error:
        choices = ", ".join(kind)
        raise SettingError(f"{PREFIX}{name}: {value!r} is none of {choices}") from error
