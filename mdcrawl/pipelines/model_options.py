"""What of a crawl is work for a language model, told without importing what asks it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdcrawl.configuration import Configuration
from mdcrawl.errors import SettingError
from mdcrawl.filters.model import PATH
from mdcrawl.items import View
from mdcrawl.pipelines.options import Manner, view_options

if TYPE_CHECKING:
    from mdcrawl.fields.definition import FieldDefinition


@dataclass(frozen=True, slots=True)
class ModelWork:
    """The fields that a model is asked for, and whether it filters the fit views that are asked for."""

    fields: tuple[FieldDefinition, ...]
    is_filter: bool
    views: tuple[View, ...]


def model_work(configuration: Configuration, spider: Manner) -> ModelWork | None:
    """Return the work for a model, None if there is none."""
    fields: tuple[FieldDefinition, ...] = ()
    if spider.fields:
        from mdcrawl.fields.definition import parse_fields  # noqa: PLC0415  few crawls want fields

        fields = tuple(field for field in parse_fields(spider.fields) if field.llm)
    options = view_options(configuration, spider)
    is_filter = options is not None and options.filter is not None and options.filter.path == PATH
    if not fields and not is_filter:
        return None
    return ModelWork(fields, is_filter, options.views if options else ())


def check_model(configuration: Configuration, spider: Manner) -> None:
    """Raise SettingError if there is work for a model and no model to ask."""
    work = model_work(configuration, spider)
    if work is None:
        return
    what = f"the field {work.fields[0].name}" if work.fields else "MDCRAWL_FILTER=model"
    for name in ("llm_url", "llm_model"):
        if not getattr(configuration, name):
            raise SettingError(f"MDCRAWL_{name.upper()}: missing; {what} asks a language model")
    for package in ("openai", "json_repair"):
        if importlib.util.find_spec(package) is None:
            raise SettingError(f"MDCRAWL_LLM_URL: pip install -r requirements-extras.txt; {what} needs {package}")
