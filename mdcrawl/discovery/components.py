"""Components of MDX, template tags and containers in Markdown: their content stays, in plain Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mdcrawl.discovery.markdown_lines import Line

_CALLOUTS = {
    "note": "Note", "info": "Info", "tip": "Tip", "hint": "Hint", "success": "Success", "check": "Check",
    "warning": "Warning", "caution": "Caution", "danger": "Danger", "important": "Important", "error": "Error",
}  # fmt: skip
# Boxes whose kind is in an attribute: <Callout type="warning">, {% hint style="info" %}.
_BOXES = frozenset({"callout", "admonition", "aside", "alert", "hint"})
# Elements of HTML that only wrap: a <table> or a <p> stays as it is.
_HTML_WRAPPERS = frozenset(
    {"div", "section", "article", "main", "figure", "figcaption", "center", "details", "summary"}
)
_FOR_MACHINES = re.compile(r"(?:llms?|ai|agents?)-?(?:only|instructions?|notes?|context|prompt)", re.IGNORECASE)
_TITLE_NAMES = ("title", "label", "name", "summary", "path", "query", "body", "header", "heading")

# Deeper than any page nests them; the end of a deeper one ends nothing.
_MAX_DEPTH = 24

_TAG_LINE = re.compile(r"\s*<(/?)([A-Za-z][\w.-]*)((?:\s[^<>]*(?:\{<[^<>]*>\}[^<>]*)*)?)>\s*$")
_WHOLE_LINE = re.compile(r"(\s*)(<([A-Z][\w.]*)(?:\s[^<>]*)?>)(.*)(</\3>)\s*$")
_WRAPPER_LINE = re.compile(r"\s*</?(?:div|section|article|figure|figcaption|center|details|summary)\b[^<>]*>.*<.*>\s*$")
_PIECE = re.compile(r"</?(?:div|section|article|figure|figcaption|center|details|summary)\b[^<>]*>")
_PARAGRAPH = re.compile(r"</?p\b[^<>]*>")
_OPEN_TAG_BEGINS = re.compile(r"\s*<[A-Z][\w.]*(?:\s[^<>]*)?$")
_TEMPLATE = re.compile(r"\s*\{%-?\s*(end)?([A-Za-z][\w-]*)\s*(.*?)\s*-?%\}\s*$")
# ":::tip[Title]", "::: tip Title" and the ":::{tip} Title" of MyST; without a name it is an end.
_CONTAINER = re.compile(r"\s*:{3,}[ \t]*(?:\{?([A-Za-z][\w-]*)\}?(?:\[([^\]]*)\]|[ \t]+([^{]*))?(?:\{.*\})?)?[ \t]*$")
# "::: package.module.name" of mkdocstrings: what it stands for is only in the HTML.
_REFERENCE = re.compile(r":::[ \t]+[\w-]+(?:\.[\w-]+)+[ \t]*$")
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{["'`]([^"'`{}]*)["'`]\})""")

_INLINE = re.compile(
    r"(`+)(?:(?!\1).)*\1"  # code: stays
    r"|<a\s[^<>]*?href\s*=\s*[\"']([^\"'<>]*)[\"'][^<>]*>([^<>]*)</a>"
    r"|<img\s([^<>]*)>"
    r"|<(/?)([A-Z][\w.]*)((?:\s[^<>]*)?)>"
)


@dataclass(slots=True)
class _Open:
    """A component whose end has not come: its name, the indentation of what is in it, and what becomes of that."""

    name: str
    indent: int = -1
    is_quote: bool = False
    is_dropped: bool = False


class Components:
    """Takes components out of the lines of one page and counts them in `removed`."""

    def __init__(self, removed: Counter[str]) -> None:
        self._removed = removed
        self._stack: list[_Open] = []
        self._closed: frozenset[str] = frozenset()
        self._after_reference = False

    def unwrap(self, lines: list[Line]) -> list[Line]:
        """Return the lines without components; what stood indented in one moves left. Code is only moved."""
        text = "\n".join(line.text for line in lines if not line.is_code)
        self._closed = frozenset(re.findall(r"</([A-Z][\w.]*)>", text))
        self._stack = []
        out: list[Line] = []
        for line in _one_tag_a_line(_with_whole_tags(lines)):
            out.extend(self._content(line) if line.is_code else self._tag(line))
        return out

    def _tag(self, line: Line) -> Iterator[Line]:
        """Yield what becomes of a line that may be a tag alone."""
        # The options of a reference are indented below it.
        if self._after_reference and line.text.startswith("    "):
            return
        self._after_reference = _REFERENCE.match(line.text) is not None
        tag = _TAG_LINE.match(line.text)
        template = None if tag else _TEMPLATE.match(line.text)
        container = None if tag or template else _CONTAINER.match(line.text)
        if tag and _is_component(tag[2]):
            if tag[1]:
                yield from self._close(tag[2])
            elif tag[3].rstrip().endswith("/"):
                yield from self._alone(tag[2], tag[3])
            else:
                yield from self._open(tag[2], tag[3])
        elif template:
            yield from self._template(template)
        elif self._after_reference:
            yield from self._shown("", "unresolved component")
        elif container:
            if container[1]:
                title = container[2] or container[3] or ""
                yield from self._open(f":{container[1]}", f'title="{title}"' if title.strip() else "")
            else:
                yield from self._close_container()
        else:
            yield from self._content(Line(_INLINE.sub(self._inline, line.text)))

    def _template(self, template: re.Match[str]) -> Iterator[Line]:
        name = template[2].lower()
        if template[1]:
            yield from self._close(f"%{name}")
        elif name in {"include", "embed", "file", "openapi", "swagger", "updates"}:
            url = _attributes(template[3]).get("url", "")
            yield from self._shown(f"[{url}]({url})" if url else "", "component" if url else "unresolved component")
        else:
            yield from self._open(f"%{name}", template[3])

    def _open(self, name: str, written: str) -> Iterator[Line]:
        attributes = _attributes(written)
        bare = name.lstrip("%:").lower()
        kind = bare
        if bare in _BOXES:
            kind = (attributes.get("type") or attributes.get("style") or attributes.get("variant") or "note").lower()
        is_quote = bare in _BOXES or bare in _CALLOUTS
        for_machines = bool(_FOR_MACHINES.fullmatch(bare)) or (
            bare == "visibility" and attributes.get("for", "").lower() in {"agents", "agent", "llms", "ai"}
        )
        title = next((attributes[key] for key in _TITLE_NAMES if attributes.get(key)), "")
        if is_quote:
            title = title or _CALLOUTS.get(kind, kind.capitalize())
        elif bare == "tabitem" and not title:
            title = attributes.get("value", "")
        href = attributes.get("href", "")
        shown = f"[{title}]({href})" if title and href else title
        if len(self._stack) < _MAX_DEPTH:
            self._stack.append(_Open(name, is_quote=is_quote, is_dropped=for_machines))
        yield from self._shown(f"**{shown}**" if shown else "", "part for machines" if for_machines else "component")

    def _alone(self, name: str, written: str) -> Iterator[Line]:
        attributes = _attributes(written)
        title, href = attributes.get("title", ""), attributes.get("href", "")
        if title and href:
            yield from self._shown(f"[{title}]({href})", "component")
        elif name[0].isupper():
            yield from self._shown("", "unresolved component")
        else:
            yield from self._content(Line(f"<{name}{written}>"))

    def _shown(self, text: str, kind: str) -> Iterator[Line]:
        """Yield a line in place of a tag, and count the tag."""
        self._removed[kind] += 1
        prefix = self._prefix()
        if not any(opened.is_dropped for opened in self._stack):
            yield Line(prefix.rstrip())
            if text:
                yield Line(prefix + text)
                yield Line(prefix.rstrip())

    def _close(self, name: str) -> Iterator[Line]:
        names = [opened.name for opened in self._stack]
        if name in names:
            del self._stack[len(names) - 1 - names[::-1].index(name) :]
        yield Line(self._prefix().rstrip())

    def _close_container(self) -> Iterator[Line]:
        names = [opened.name for opened in self._stack if opened.name.startswith(":")]
        yield from self._close(names[-1] if names else "")

    def _content(self, line: Line) -> Iterator[Line]:
        """Yield a line of content, moved to the left as far as what it stands in is indented."""
        if any(opened.is_dropped for opened in self._stack):
            return
        text = line.text
        lead = len(text) - len(text.lstrip(" \t"))
        if self._stack and text.strip():
            inner = self._stack[-1]
            if inner.indent < 0:
                inner.indent = lead
            text = text[min(lead, inner.indent) :]
            if inner.name == "summary":
                text = f"**{text.strip()}**"
        prefix = self._prefix()
        yield Line(prefix + text if text.strip() else (prefix + text).rstrip() if prefix else text, line.is_code)

    def _prefix(self) -> str:
        return "> " * sum(opened.is_quote for opened in self._stack)

    def _inline(self, found: re.Match[str]) -> str:
        """Return what becomes of one element within a line."""
        if found[1]:
            return found[0]
        if found[2] is not None:
            return f"[{found[3]}]({found[2]})" if found[3].strip() else ""
        if found[4] is not None:
            attributes = _attributes(found[4])
            return f"![{attributes.get('alt', '')}]({attributes.get('src', '')})"
        name, rest = found[6], found[7].rstrip()
        # "List<String>" is prose about code: only what is closed somewhere, or closes itself, is a component.
        if not rest.endswith("/") and name not in self._closed:
            return found[0]
        # <Badge text="beta" /> shows its text; what <Snippet file="…" /> shows is only in the HTML.
        text = _attributes(rest).get("text", "") if rest.endswith("/") else ""
        if not found[5]:
            self._removed["unresolved component" if rest.endswith("/") and not text else "component"] += 1
        return text


def _is_component(name: str) -> bool:
    return (
        name[0].isupper()
        or name in _HTML_WRAPPERS
        or _FOR_MACHINES.fullmatch(name) is not None
        or name == "llm-exclude"
    )


def _attributes(written: str) -> dict[str, str]:
    return {name.lower(): first or second or third for name, first, second, third in _ATTRIBUTE.findall(written)}


def _one_tag_a_line(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines, those that begin and end with a tag cut so that each tag has a line of its own."""
    for line in lines:
        whole = None if line.is_code else _WHOLE_LINE.match(line.text)
        if whole and whole[5] not in whole[4]:
            yield from (Line(whole[1] + part.strip()) for part in (whole[2], whole[4], whole[5]))
        elif not line.is_code and _WRAPPER_LINE.match(line.text):
            indent = line.text[: len(line.text) - len(line.text.lstrip())]
            text = _PARAGRAPH.sub("", line.text)
            pieces = (piece.strip() for piece in _PIECE.sub(lambda tag: f"\n{tag[0]}\n", text).split("\n"))
            yield from (Line(indent + piece) for piece in pieces if piece)
        else:
            yield line


def _with_whole_tags(lines: list[Line]) -> Iterator[Line]:
    """Yield the lines, an opening tag that is spread over several of them as one."""
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        if not line.is_code and _OPEN_TAG_BEGINS.match(line.text):
            end = position
            while end < min(len(lines), position + 20) and not lines[end].is_code and lines[end].text.strip():
                end += 1
                if lines[end - 1].text.rstrip().endswith(">"):
                    joined = " ".join(part.text.strip() for part in lines[position - 1 : end])
                    line = Line(" " * (len(line.text) - len(line.text.lstrip())) + joined)
                    position = end
                    break
        yield line
