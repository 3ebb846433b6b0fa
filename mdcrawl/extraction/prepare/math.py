"""Mathematics as TeX: `$…$` in the line, `$$…$$` on its own, from KaTeX, MathJax, MathML and plain TeX."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from mdcrawl.extraction.prepare.mathml import to_tex
from mdcrawl.extraction.tree import ancestors, elements, has_class, is_attached, make, remove, replace, with_class

_DELIMITED = re.compile(
    r"^\s*(?:\\\((?P<inline>.*)\\\)|\\\[(?P<display>.*)\\\]|\$\$(?P<dollars>.*)\$\$|\$(?P<dollar>[^$]*)\$)\s*$",
    re.DOTALL,
)
_TEX_CLASSES = ("math", "arithmatex", "mathjax", "tex", "latex", "katex", "mathjax_display")
_MATHJAX_OUTPUT = (
    "mathjax",
    "mathjax_display",
    "mathjax_preview",
    "mathjax_svg",
    "mathjax_svg_display",
    "mathjax_chtml",
)


def write_math(body: HtmlElement) -> None:
    """Put TeX in the place of every formula."""
    for script in elements(body, "script"):
        _write_script(script)
    for preview in with_class(body, "mathjax_preview"):
        remove(preview)
    for math in elements(body, "math"):
        if is_attached(math, body):
            _write_mathml(math)
    for element in with_class(body, *_TEX_CLASSES):
        if element.tag in {"span", "div", "mjx-container"} and is_attached(element, body):
            _write_tex(element)


def _write_script(script: HtmlElement) -> None:
    """Write what MathJax 2 keeps in a script behind its output."""
    kind = (script.get("type") or "").lower()
    if not kind.startswith("math/tex"):
        return
    for before in list(script.itersiblings(preceding=True))[:2]:
        if has_class(before, *_MATHJAX_OUTPUT):
            remove(before)
    replace(script, _formula(script.text or "", display="mode=display" in kind))


def _write_tex(element: HtmlElement) -> None:
    """Write TeX that stands in the page between its own delimiters, or bare in an element of Pandoc's classes."""
    text = "".join(element.itertext())
    match = _DELIMITED.match(text)
    if match:
        source = next(group for group in match.groups() if group is not None)
        display = match.group("display") is not None or match.group("dollars") is not None
        replace(element, _formula(source, display=display))
    elif has_class(element, "math") and has_class(element, "inline", "display") and len(element) == 0:
        replace(element, _formula(text, display=has_class(element, "display")))


def _write_mathml(math: HtmlElement) -> None:
    annotation = next((a for a in math.iter("annotation") if "tex" in (a.get("encoding") or "").lower()), None)
    source = (annotation.text or "") if annotation is not None else math.get("alttext") or to_tex(math)
    match = _DELIMITED.match(source)
    if match:
        source = next(group for group in match.groups() if group is not None)
    display = math.get("display") == "block"
    whole = math
    for ancestor in ancestors(math, 6):  # what the renderer drew beside the MathML goes with it
        if (
            has_class(ancestor, "katex", "katex-display", "mathjax", "mathjax_display", "mwe-math-element")
            or ancestor.tag == "mjx-container"
        ):
            whole = ancestor
            display = (
                display
                or has_class(ancestor, "katex-display", "mathjax_display", "mwe-math-element-block")
                or ancestor.get("display") == "true"
            )
    replace(whole, _formula(source, display=display))


def _formula(source: str, *, display: bool) -> HtmlElement:
    source = re.sub(r"\s+", " ", source).strip()
    source = re.sub(r"^\{\\(?:displaystyle|textstyle)\s*(.*)\}$", r"\1", source)
    if not source:
        return make("span")
    formula = make("p" if display else "span")
    raw = make("span", f"$${source}$$" if display else f"${source}$", data_md="raw")
    formula.append(raw)
    return formula
