"""Settings that name what stands at a seam: loaded and tried once, so that a mistake ends the start in one line."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping
from functools import lru_cache

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from mdcrawl.errors import SettingError
from mdcrawl.seams import Component, make, misfit

SEAM_OPTIONS = "MDCRAWL_SEAM_OPTIONS"
# Several rules may stand at this seam, so that options stand below the path of each.
RULES = "verdict_rules"
# Seams whose classes may have options.
WITH_OPTIONS = ("selector", "renderer", "filter", "chunker", "tokenizer", RULES)


def read_options(settings: BaseSettings) -> dict[str, dict[str, object]]:
    """Return the options of each seam. Raises SettingError for what is no JSON object of objects."""
    given = settings.get(SEAM_OPTIONS) or "{}"
    try:
        options = json.loads(given) if isinstance(given, str) else given
    except ValueError as error:
        raise SettingError(f"{SEAM_OPTIONS}: not JSON: {error}") from error
    if not isinstance(options, Mapping) or not all(isinstance(value, Mapping) for value in options.values()):
        raise SettingError(f'{SEAM_OPTIONS}: not an object of objects; give for example {{"tokenizer": {{"a": 1}}}}')
    for seam in options:
        if seam not in WITH_OPTIONS:
            raise SettingError(f"{SEAM_OPTIONS}: {seam!r} is none of {', '.join(WITH_OPTIONS)}")
    for path, of_rule in options.get(RULES, {}).items():
        if not isinstance(of_rule, Mapping):
            raise SettingError(f'{SEAM_OPTIONS}: {RULES}: {path}: not an object; give for example {{"a": 1}}')
    return {seam: dict(of_seam) for seam, of_seam in options.items() if of_seam}


def read_path(value: object) -> str:
    """Return what a setting names: a short name or a dotted path, also that of a function or class itself."""
    if callable(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"
    return str(value or "").strip()


def read_component(
    setting: str, value: str, seam: str, names: Mapping[str, str], options: Mapping[str, object]
) -> Component:
    """Return what a setting names by a short name or a dotted path; `seam` is the path of its Protocol.

    Raises SettingError if it cannot be loaded, made with its options, or called as the seam asks, or
    gives something else for a small page.
    """
    if value not in names and "." not in value:
        short = ", ".join([*names, "a dotted path such as mypackage.module.name"])
        raise SettingError(f"{setting}: {value!r} is none of {short}")
    path = names.get(value, value)
    try:
        component = Component.of(path, **options)
        load_object(path)
        made = make(component)
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise SettingError(f"{setting}: cannot load {path}: {said}{_remedy(error)}") from error
    if why := misfit(made, pkgutil.resolve_name(seam)):
        raise SettingError(f"{setting}: {path} {why}; docs/seams.md says what fits there")
    if value not in names and (fault := _fault(seam, component)):
        raise SettingError(f"{setting}: {path} {' '.join(fault.split())}; docs/seams.md says what fits there")
    return component


@lru_cache(maxsize=64)
def _fault(seam: str, component: Component) -> str:
    from mdcrawl.trials import fault_of  # noqa: PLC0415  half a second, for parts of the user's

    return fault_of(seam.rpartition(".")[2], make(component))


def read_components(
    setting: str, value: object, seam: str, options: Mapping[str, Mapping[str, object]]
) -> tuple[Component, ...]:
    """Return what a setting names by dotted paths, comma-separated or a list; `options` has those of each path.

    Raises SettingError likewise, and for options of what is not named.
    """
    given = value if isinstance(value, list | tuple) else read_path(value).split(",")
    paths = [path for path in map(read_path, given) if path]
    for path in options:
        if path not in paths:
            raise SettingError(f"{SEAM_OPTIONS}: {path!r} is none of the paths in {setting}")
    return tuple(read_component(setting, path, seam, {}, options.get(path, {})) for path in paths)


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
