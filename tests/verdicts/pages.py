"""Read the pages of fixtures/verdicts: a comment of "name: value" lines, then the page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures" / "verdicts"


@dataclass(frozen=True, slots=True)
class FixturePage:
    name: str
    html: str
    verdict: str
    reason: str = ""
    status: int = 200
    url: str = "https://pump.example/docs/page"
    asked: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def read_pages() -> list[FixturePage]:
    return [_read(path) for path in sorted(FIXTURES.glob("*.html"))]


def _read(path: Path) -> FixturePage:
    text = path.read_text(encoding="utf-8")
    comment = re.match(r"<!--\n(.*?)\n-->\n", text, re.DOTALL)
    assert comment, f"{path.name}: no comment that says what to expect"
    values: dict[str, str] = {}
    headers: dict[str, str] = {}
    for line in comment.group(1).splitlines():
        name, value = line.split(": ", 1)
        if name == "header":
            header, _, content = value.partition(": ")
            headers[header] = content
        else:
            values[name] = value
    return FixturePage(
        name=path.stem,
        html=text[comment.end() :],
        verdict=values["verdict"],
        reason=values.get("reason", ""),
        status=int(values.get("status", "200")),
        url=values.get("url", FixturePage.__dataclass_fields__["url"].default),
        asked=values.get("asked", ""),
        headers=headers,
    )
