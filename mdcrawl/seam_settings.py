"""Settings that name what stands at a seam: loaded and tried once, so that a mistake ends the start in one line."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from mdcrawl.errors import SettingError
from mdcrawl.seams import Component, make, misfit

SEAM_OPTIONS = "MDCRAWL_SEAM_OPTIONS"
# Seams whose classes may have options.
WITH_OPTIONS = ("selector", "renderer", "filter", "chunker", "tokenizer")


def read_options(settings: BaseSettings) -> dict[str, dict[str, object]]:
    """Return the options of each seam. Raises SettingError for what is no JSON object of objects."""
    given = settings.get(SEAM_OPTIONS) or "{}"
    try:
        options = json.loads(given) if isinstance(given, str) else dict(given)
    except ValueError as error:
        raise SettingError(f"{SEAM_OPTIONS}: not JSON: {error}") from error
    if not isinstance(options, dict) or not all(isinstance(value, dict) for value in options.values()):
        raise SettingError(f'{SEAM_OPTIONS}: not an object of objects; give for example {{"tokenizer": {{"a": 1}}}}')
    for seam in options:
        if seam not in WITH_OPTIONS:
            raise SettingError(f"{SEAM_OPTIONS}: {seam!r} is none of {', '.join(WITH_OPTIONS)}")
    return options


def read_component(
    setting: str, value: str, seam: str, names: Mapping[str, str], options: Mapping[str, object]
) -> Component:
    """Return what a setting names by a short name or a dotted path; `seam` is the path of its Protocol.

    Raises SettingError if it cannot be loaded, made with its options, or called as the seam asks.
    """
    if value not in names and "." not in value:
        short = ", ".join([*names, "a dotted path such as mypackage.module.name"])
        raise SettingError(f"{setting}: {value!r} is none of {short}")
    component = Component.of(names.get(value, value), **options)
    try:
        load_object(component.path)
        made = make(component)
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise SettingError(f"{setting}: cannot load {component.path}: {said}{_remedy(error)}") from error
    if why := misfit(made, pkgutil.resolve_name(seam)):
        raise SettingError(f"{setting}: {component.path} {why}; docs/seams.md says what fits there")
    return component


def read_components(setting: str, value: str, seam: str) -> tuple[Component, ...]:
    """Return what a setting names by comma-separated dotted paths. Raises SettingError likewise."""
    paths = [path.strip() for path in value.split(",") if path.strip()]
    return tuple(read_component(setting, path, seam, {}, {}) for path in paths)


def text_of(value: object) -> object:
    """Return the text of a setting that names components, any other value as it is."""
    if isinstance(value, Component):
        return value.path
    if isinstance(value, tuple):
        return ",".join(str(text_of(each)) for each in value)
    return "" if value is None else value


def _remedy(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        return "; pip install -r requirements-extras.txt has it"
    return ""


# Packages that are not installed unless asked for.
EXTRAS = frozenset({"html_to_markdown"})
