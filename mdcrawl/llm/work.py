"""What of a page is work for a language model; apart from what asks it, which takes a second to load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdcrawl.items import View

if TYPE_CHECKING:
    from mdcrawl.fields.definition import FieldDefinition


@dataclass(frozen=True, slots=True)
class ModelWork:
    """The fields that a model is asked for, and whether it filters the fit views that are asked for.

    `query` is what the fit views are to answer ("": nothing in particular), `chunk_tokens` how much of
    a page stands in one question.
    """

    fields: tuple[FieldDefinition, ...] = ()
    is_filter: bool = False
    views: tuple[View, ...] = ()
    query: str = ""
    chunk_tokens: int = 6000
