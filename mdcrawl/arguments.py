"""Spider arguments (`-a name=value`): parsed once, typed, or refused by name before the crawl starts."""

from __future__ import annotations

import difflib
import importlib.util
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from enum import StrEnum
from functools import partial
from pathlib import Path

from mdcrawl.discovery.scope import ScopeKind
from mdcrawl.discovery.urls import parse_start_url
from mdcrawl.errors import SpiderArgumentError


class Source(StrEnum):
    """Whether a list of URLs (sitemap, llms.txt) is used, is all that is used, or is left alone."""

    AUTO = "auto"
    ONLY = "only"
    OFF = "off"


class RenderMode(StrEnum):
    """Which pages go through the browser: those that need it, all, none."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class CrawlArguments:
    """What one crawl is asked to do. Limits of 0 mean none."""

    start: tuple[str, ...]
    scope: ScopeKind = ScopeKind.PREFIX
    include: str = ""
    exclude: str = ""
    max_pages: int = 0
    max_depth: int = 0
    sitemap: Source = Source.AUTO
    llms: Source = Source.AUTO
    md_probe: bool = True
    render: RenderMode = RenderMode.AUTO
    hash_routes: bool = False
    incremental: bool = True
    resume: bool = True
    query: str = ""
    fields: str = ""

    @property
    def follows_links(self) -> bool:
        """Whether links lead further: not when a list of URLs is to be all there is."""
        return Source.ONLY not in {self.sitemap, self.llms}


# What Scrapy itself or Scrapyd puts among the arguments of a spider.
IGNORED = frozenset({"_job", "name"})


def parse_arguments(given: Mapping[str, object], fields: Mapping[str, object] = {}) -> CrawlArguments:
    """Return the typed arguments; `fields` are those that the spider declares, unless a file is given.

    Raises SpiderArgumentError naming the argument that is missing, unknown or has a bad value.
    """
    values = {name: str(value) for name, value in given.items() if name not in IGNORED}
    for name in values:
        if name not in _PARSERS:
            raise SpiderArgumentError(_unknown(name))
    if not values.get("start", "").strip():
        raise SpiderArgumentError("start: missing; say where to begin, for example -a start=https://docs.example.com/")
    arguments = CrawlArguments(**{name: _PARSERS[name](name, value) for name, value in values.items()})  # type: ignore[arg-type]  # each parser gives its field's type
    return replace(arguments, fields=_declared(fields)) if fields and not arguments.fields else arguments


def _declared(fields: Mapping[str, object]) -> str:
    _need_pydantic("fields")
    from mdcrawl.fields.definition import FieldsError, parse_fields  # noqa: PLC0415  few crawls want fields

    try:
        parse_fields(fields)
    except FieldsError as error:
        raise SpiderArgumentError(f"fields: {error}") from error
    return json.dumps(fields)


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, _PARSERS, n=1)
    hint = f"did you mean {near[0]}?" if near else "known are " + ", ".join(_PARSERS)
    return f"{name}: unknown argument; {hint}"


def _start(name: str, value: str) -> tuple[str, ...]:
    is_file = "://" not in value and Path(value).is_file()
    pieces = _lines_of(name, Path(value)) if is_file else value.split(",")
    starts = [piece.strip() for piece in pieces if piece.strip()]
    if not starts:
        where = "the file " if is_file else ""
        raise SpiderArgumentError(f"{name}: no URL in {where}{value!r}; give for example https://docs.example.com/")
    try:
        return tuple(dict.fromkeys(parse_start_url(start) for start in starts))
    except ValueError as error:
        raise SpiderArgumentError(f"{name}: {error}; give a whole URL such as https://docs.example.com/") from error


def _lines_of(name: str, path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SpiderArgumentError(f"{name}: the file {path} is not readable UTF-8 text ({error})") from error
    return [line for line in lines if not line.lstrip().startswith("#")]


def _choice(kind: type[StrEnum], name: str, value: str) -> StrEnum:
    try:
        return kind(value)
    except ValueError as error:
        raise SpiderArgumentError(f"{name}: {value!r} is none of {', '.join(kind)}") from error


def _text(_: str, value: str) -> str:
    return " ".join(value.split())


def _need_pydantic(name: str) -> None:
    if importlib.util.find_spec("pydantic") is None:
        raise SpiderArgumentError(f"{name}: pip install -r requirements-extras.txt; the types of fields need pydantic")


def _fields(name: str, value: str) -> str:
    """Return the definitions of fields in a YAML file as JSON."""
    if not value.strip():
        return ""
    _need_pydantic(name)
    import yaml  # noqa: PLC0415  parsel and pydantic come with it, and few crawls want fields

    from mdcrawl.fields.definition import FieldsError, parse_fields  # noqa: PLC0415  likewise

    try:
        given = yaml.safe_load(Path(value).read_text(encoding="utf-8-sig"))
        parse_fields(given)
    except (OSError, UnicodeDecodeError) as error:
        raise SpiderArgumentError(f"{name}: the file {value} is not readable UTF-8 text ({error})") from error
    except yaml.YAMLError as error:
        said = " ".join(str(error).split())
        raise SpiderArgumentError(f"{name}: the file {value} is no YAML ({said})") from error
    except FieldsError as error:
        raise SpiderArgumentError(f"{name}: {error}") from error
    return json.dumps(given)


def _pattern(name: str, value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise SpiderArgumentError(f"{name}: not a regular expression: {value!r} ({error})") from error
    return value


def _count(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit()):
        raise SpiderArgumentError(f"{name}: not a whole number: {value!r}; 0 means no limit")
    return int(value)


def _switch(name: str, value: str, *, on: str = "on") -> bool:
    if value not in {on, "off"}:
        raise SpiderArgumentError(f"{name}: {value!r} is none of {on}, off")
    return value == on


_PARSERS: Mapping[str, Callable[[str, str], object]] = {
    "start": _start,
    "scope": partial(_choice, ScopeKind),
    "include": _pattern,
    "exclude": _pattern,
    "max_pages": _count,
    "max_depth": _count,
    "sitemap": partial(_choice, Source),
    "llms": partial(_choice, Source),
    "md_probe": partial(_switch, on="auto"),
    "render": partial(_choice, RenderMode),
    "hash_routes": _switch,
    "incremental": _switch,
    "resume": _switch,
    "query": _text,
    "fields": _fields,
}

if set(_PARSERS) != {field.name for field in fields_of(CrawlArguments)}:  # a programmer's mistake, seen at import
    raise TypeError("every field of CrawlArguments needs a parser of its own")
