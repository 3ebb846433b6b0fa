"""Front matter of Markdown files: what it says, and the text without it."""

from __future__ import annotations

import re

# Longer than any front matter seen; what is longer opens with a thematic break.
_MAX_LINES = 200
_MAX_VALUE_CHARS = 2000

_YAML_FIELD = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
_TOML_FIELD = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(.*)$")
_FIELDS = {"---": _YAML_FIELD, "+++": _TOML_FIELD}


def split_front_matter(markdown: str) -> tuple[dict[str, str], str]:
    r"""Return the fields of the front matter, names in lower case, and the Markdown below it. Raises nothing.

    Only fields of one line are read, and folded ones ("description: >") as far as they go on; lists
    and nested fields are dropped with the rest. A page that opens with a thematic break has none.

    >>> split_front_matter("---\ntitle: 'Hinge'\n---\nOil it.")
    ({'title': 'Hinge'}, 'Oil it.')
    """
    lines = markdown.split("\n", _MAX_LINES + 1)
    mark = lines[0].rstrip() if lines else ""
    pattern = _FIELDS.get(mark)
    ends = [number for number, line in enumerate(lines[1 : _MAX_LINES + 1], 1) if line.rstrip() in {mark, "..."}]
    if pattern is None or not ends:
        return {}, markdown
    fields = _fields(lines[1 : ends[0]], pattern)
    # Between two thematic breaks stands text, and not a single field.
    if not fields:
        return {}, markdown
    return fields, "\n".join(lines[ends[0] + 1 :]).lstrip("\n")


def _fields(lines: list[str], pattern: re.Pattern[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    folded = ""
    for line in lines:
        found = pattern.match(line)
        if found:
            name, value = found[1].lower(), (found[2] or "").strip()
            folded = name if value in {">", ">-", "|", "|-", ">+", "|+"} else ""
            fields[name] = "" if folded else _unquoted(value)[:_MAX_VALUE_CHARS]
        elif folded and line[:1] in {" ", "\t"}:
            fields[folded] = f"{fields[folded]} {line.strip()}".strip()[:_MAX_VALUE_CHARS]
    return fields


def _unquoted(value: str) -> str:
    """Return a scalar without its quotes, or without the comment after it."""
    for quote in ('"', "'"):
        if value.startswith(quote):
            end = value.rfind(quote)
            inner = value[1:end] if end else value[1:]
            return inner.replace("''", "'") if quote == "'" else inner.replace('\\"', '"').replace("\\\\", "\\")
    return value.partition(" #")[0].rstrip()
