"""Rich text as data, turned into HTML: the node trees that content systems and renderers keep."""

from __future__ import annotations

from html import escape

_MAX_DEPTH = 40

# Names of nodes in Portable Text, Contentful, ProseMirror, Slate, mdast, hast, Editor.js, Lexical.
_TAGS = {
    **dict.fromkeys(("paragraph", "block", "p", "normal"), "p"),
    **dict.fromkeys(("blockquote", "quote"), "blockquote"),
    **dict.fromkeys(("unordered-list", "bulletlist", "bulleted-list", "bulleted_list", "ul"), "ul"),
    **dict.fromkeys(("ordered-list", "orderedlist", "numbered-list", "numbered_list", "ol"), "ol"),
    **dict.fromkeys(("list-item", "listitem", "list_item", "li"), "li"),
    **dict.fromkeys(("table",), "table"),
    **dict.fromkeys(("table-row", "tablerow", "tr"), "tr"),
    **dict.fromkeys(("table-cell", "tablecell", "td"), "td"),
    **dict.fromkeys(("table-header-cell", "tableheader", "th"), "th"),
    **dict.fromkeys(("hardbreak", "hard_break", "break", "linebreak", "br"), "br"),
    **dict.fromkeys(("strong", "bold", "b"), "strong"),
    **dict.fromkeys(("emphasis", "italic", "em", "i"), "em"),
    **dict.fromkeys(("inlinecode", "code_inline"), "code"),
    **dict.fromkeys(("heading", "header"), "h2"),
    **{f"h{level}": f"h{level}" for level in range(1, 7)},
    **{f"heading-{level}": f"h{level}" for level in range(1, 7)},
    **{f"heading{level}": f"h{level}" for level in range(1, 7)},
    **{f"heading_{level}": f"h{level}" for level in range(1, 7)},
}
_CODE = frozenset({"code", "codeblock", "code-block", "code_block", "codesnippet", "pre"})
_GROUPS = frozenset(
    {"root", "doc", "document", "minimark", "div", "section", "article", "main", "fragment", "element", "text", "span"}
)
_NAMES = ("_type", "nodeType", "tagName", "tag", "type", "object", "name")
_CHILDREN = ("children", "content", "nodes", "blocks", "value", "items", "data", "root")
# What makes a node a sure one: at least one of these below a list of nodes.
_BLOCKS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote"})


def is_rich_text(value: object) -> bool:
    """Return whether a value is a list or tree of nodes, some of which are blocks of text."""
    nodes = value if isinstance(value, list) else _list_below(value)
    blocks = sum(_tag(node) in _BLOCKS for node in nodes[:60])
    return blocks > 1 and 2 * blocks >= min(len(nodes), 60)


def to_html(node: object, depth: int = 0) -> str:
    """Return a node and what is below it as HTML; what it does not know becomes its children's text."""
    if isinstance(node, str):
        return escape(node, quote=False) if depth else f"<p>{escape(node, quote=False)}</p>"
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(node, list):
        return _list_to_html(node, depth)
    if not isinstance(node, dict):
        return ""
    kind = _kind(node)
    if kind in _CODE and (text := _text(node) or _text_below(node)):
        return _code_block(node, text)
    inner = _inner(node, depth)
    tag = _tag(node)
    if tag == "br":
        return "<br>"
    if tag:
        return f"<{tag}>{inner}</{tag}>" if inner else ""
    return inner


def _list_to_html(nodes: list[object], depth: int) -> str:
    if _is_tuple_node(nodes):
        tag, props, children = _tuple_parts(nodes)
        return to_html({"tag": tag, "props": props, "children": children}, depth)
    parts: list[str] = []
    open_list = ""
    for node in nodes:
        # Portable Text marks items instead of nesting them.
        item = str(node.get("listItem", "")) if isinstance(node, dict) else ""
        wanted = {"bullet": "ul", "number": "ol"}.get(item, "")
        if wanted != open_list:
            parts.append((f"</{open_list}>" if open_list else "") + (f"<{wanted}>" if wanted else ""))
            open_list = wanted
        html = to_html(node, depth + 1)
        parts.append(f"<li>{_inner(node, depth)}</li>" if wanted and isinstance(node, dict) else html)
    return "".join(parts) + (f"</{open_list}>" if open_list else "")


def _inner(node: dict[str, object], depth: int) -> str:
    """Return the HTML of what a node holds, with its marks."""
    for key in _CHILDREN:
        below = node.get(key)
        if isinstance(below, list | dict):
            if isinstance(below, dict) and isinstance(below.get("text"), str):
                return str(below["text"])  # Editor.js keeps inline HTML here
            return _listed(below, depth) if key == "items" else to_html(below, depth + 1)
        if isinstance(below, str) and key == "children":
            return escape(below, quote=False)
    text = escape(_text(node), quote=False)
    for mark in _marks(node):
        text = f"<{mark}>{text}</{mark}>"
    return text


def _listed(items: object, depth: int) -> str:
    return "".join(f"<li>{to_html(item, depth + 1)}</li>" for item in items) if isinstance(items, list) else ""


def _marks(node: dict[str, object]) -> list[str]:
    marks = node.get("marks")
    names = [
        str(mark.get("type", "")) if isinstance(mark, dict) else str(mark)
        for mark in (marks if isinstance(marks, list) else [])
    ]
    names += [name for name in ("bold", "italic", "code") if node.get(name) is True]
    known = {"bold": "strong", "strong": "strong", "italic": "em", "em": "em", "code": "code"}
    return [known[name] for name in names if name in known]


def _code_block(node: dict[str, object], text: str) -> str:
    attributes = node.get("attrs")
    places = (node, attributes if isinstance(attributes, dict) else {})
    language = next((str(place[key]) for place in places for key in ("language", "lang") if place.get(key)), "")
    name = f' class="language-{escape(language)}"' if language.isascii() and language.isalnum() else ""
    return f"<pre><code{name}>{escape(text, quote=False)}</code></pre>"


def _kind(node: dict[str, object]) -> str:
    """Return the name of a node, lower case; a name that only groups gives way to a closer one."""
    names = [str(node[name]).lower() for name in _NAMES if isinstance(node.get(name), str)]
    return next((name for name in names if name not in _GROUPS), names[0] if names else "")


def _tag(node: object) -> str:
    if isinstance(node, list) and _is_tuple_node(node):
        return _TAGS.get(str(_tuple_parts(node)[0]).lower(), "")
    if not isinstance(node, dict):
        return ""
    kind = _kind(node)
    style = node.get("style")
    if kind == "block" and isinstance(style, str):
        return _TAGS.get(style.lower(), "p")
    if kind in ("heading", "header"):
        return f"h{_level(node)}"
    if kind == "list":
        data = node.get("data")
        is_ordered = node.get("ordered") is True or (isinstance(data, dict) and data.get("style") == "ordered")
        return "ol" if is_ordered else "ul"
    return _TAGS.get(kind, "")


def _level(node: dict[str, object]) -> int:
    places = (node, node.get("attrs"), node.get("data"), node.get("props"))
    for place in places:
        for key in ("level", "depth"):
            level = place.get(key) if isinstance(place, dict) else None
            if isinstance(level, int) and 1 <= level <= 6:
                return level
    return 2


def _text(node: dict[str, object]) -> str:
    for key in ("text", "value", "code"):
        value = node.get(key)
        if isinstance(value, str):
            return value
    data = node.get("data")
    return _text(data) if isinstance(data, dict) else ""


def _text_below(node: dict[str, object]) -> str:
    """Return the text of a node's own children, for code that is kept as a list of text nodes."""
    children = next((node[key] for key in ("content", "children") if isinstance(node.get(key), list)), [])
    assert isinstance(children, list)
    return "".join(_text(child) for child in children if isinstance(child, dict))


def _is_tuple_node(node: list[object]) -> bool:
    """Return whether a list is an element: ["$", "p", key, {…}] of React's stream, ["p", {…}, …] of minimark."""
    if len(node) >= 4 and node[0] == "$" and isinstance(node[1], str):
        return True
    return len(node) >= 2 and isinstance(node[0], str) and node[0].isalnum() and isinstance(node[1], dict)


def _tuple_parts(node: list[object]) -> tuple[object, object, object]:
    if node[0] == "$":
        props = node[3] if isinstance(node[3], dict) else {}
        return node[1], props, props.get("children", [])
    return node[0], node[1], node[2:]


def _list_below(value: object) -> list[object]:
    if isinstance(value, dict):
        for key in _CHILDREN:
            below = value.get(key)
            if isinstance(below, list):
                return below
    return []
