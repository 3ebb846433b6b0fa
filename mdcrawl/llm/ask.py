"""Questions about a page: its fields, and which of its blocks are fit; long pages in parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence

from mdcrawl.chunking.tokens import count_tokens
from mdcrawl.fields.definition import FieldDefinition
from mdcrawl.fields.model import validate
from mdcrawl.items import Fields
from mdcrawl.llm.client import ModelError
from mdcrawl.llm.prompts import Message, ask_blocks, ask_fields, read_object
from mdcrawl.markdown.blocks import split_blocks

Ask = Callable[[Sequence[Message]], Awaitable[str]]


def parts_of(blocks: Sequence[str], max_tokens: int) -> Iterator[list[int]]:
    """Yield the numbers of blocks in runs of at most so many tokens; a block that has more stands alone."""
    run: list[int] = []
    used = 0
    for number, block in enumerate(blocks):
        tokens = count_tokens(block)
        if run and used + tokens > max_tokens:
            yield run
            run, used = [], 0
        run.append(number)
        used += tokens
    if run:
        yield run


async def find_fields(ask: Ask, definitions: Sequence[FieldDefinition], markdown: str, max_tokens: int) -> Fields:
    """Return the fields that a model finds in a page; what it says is typed like all else, or refused.

    Of a page in parts the first part that states a field has it; lists are put together.
    """
    wanted = {field.name: _described(field) for field in definitions}
    blocks = [block.text for block in split_blocks(markdown)]
    merged: dict[str, object] = {}
    failure = ""
    for numbers in parts_of(blocks, max_tokens):
        text = "\n\n".join(_cut(blocks[number], max_tokens) for number in numbers)
        try:
            answer = read_object(await ask(ask_fields(wanted, text)))
        except ModelError as error:
            failure = f"model: {error}"
            break
        if answer is None:
            failure = "model: its answer is no JSON object"
            continue
        _merge(merged, answer, definitions)
        if all(merged.get(field.name) is not None and not field.many for field in definitions):
            break
    found = validate(definitions, merged)
    if not failure:
        return found
    return Fields(found.values, tuple(f"{problem} ({failure})" for problem in found.problems) or (failure,))


def _described(field: FieldDefinition) -> dict[str, str]:
    return {"what": field.llm, "type": f"list of {field.type}" if field.many else str(field.type)}


def _cut(text: str, max_tokens: int) -> str:
    """Return a block, its end cut off if it alone is over the limit: three characters a token are on the safe side."""
    return text if count_tokens(text) <= max_tokens else text[: max_tokens * 3]


def _merge(merged: dict[str, object], answer: dict[str, object], definitions: Sequence[FieldDefinition]) -> None:
    for field in definitions:
        value = answer.get(field.name)
        if value in (None, "", []):
            continue
        if field.many:
            values = merged.setdefault(field.name, [])
            assert isinstance(values, list)
            values += value if isinstance(value, list) else [value]
        else:
            merged.setdefault(field.name, value)


async def fit_markdown(ask: Ask, query: str, markdown: str, max_tokens: int) -> str:
    """Return the blocks of a page that a model keeps. Raises ModelError if it does not say which."""
    blocks = [block.text for block in split_blocks(markdown)]
    kept: list[str] = []
    for numbers in parts_of(blocks, max_tokens):
        answer = read_object(await ask(ask_blocks(query, [_cut(blocks[number], max_tokens) for number in numbers])))
        keep = answer.get("keep") if answer else None
        if not isinstance(keep, list):
            raise ModelError("its answer names no blocks")
        chosen = {number for number in keep if isinstance(number, int)}
        kept += [blocks[number] for at, number in enumerate(numbers) if at in chosen]
    return "\n\n".join(kept)
