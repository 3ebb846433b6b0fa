"""Presentation MathML to TeX, for pages that give no TeX source."""

from __future__ import annotations

from lxml.html import HtmlElement

_SYMBOLS = {
    "×": "\\times", "÷": "\\div", "±": "\\pm", "·": "\\cdot", "⋅": "\\cdot", "≤": "\\le", "≥": "\\ge", "≠": "\\ne",
    "≈": "\\approx", "∞": "\\infty", "∑": "\\sum", "∏": "\\prod", "∫": "\\int", "∂": "\\partial", "∇": "\\nabla",
    "√": "\\sqrt", "→": "\\to", "⇒": "\\Rightarrow", "∈": "\\in", "∉": "\\notin", "⊂": "\\subset", "∪": "\\cup",
    "∩": "\\cap", "∀": "\\forall", "∃": "\\exists", "α": "\\alpha", "β": "\\beta", "γ": "\\gamma", "δ": "\\delta",
    "ε": "\\epsilon", "θ": "\\theta", "λ": "\\lambda", "μ": "\\mu", "π": "\\pi", "ρ": "\\rho", "σ": "\\sigma",
    "τ": "\\tau", "φ": "\\phi", "ω": "\\omega", "Δ": "\\Delta", "Σ": "\\Sigma", "Ω": "\\Omega", "Φ": "\\Phi",
    "…": "\\dots", "−": "-", "\u2061": "", "\u2062": "", "\u2063": ",", "\u2064": "+",
}  # fmt: skip
_FUNCTIONS = frozenset(["sin", "cos", "tan", "log", "ln", "exp", "lim", "max", "min", "sup", "inf", "det", "gcd"])


# TeX by tag and number of children; a group of one base stands in braces where it must.
_TEMPLATES = {
    ("mfrac", 2): "\\frac{{{0}}}{{{1}}}",
    ("msup", 2): "{base}^{{{1}}}",
    ("mover", 2): "{base}^{{{1}}}",
    ("msub", 2): "{base}_{{{1}}}",
    ("munder", 2): "{base}_{{{1}}}",
    ("msubsup", 3): "{base}_{{{1}}}^{{{2}}}",
    ("munderover", 3): "{base}_{{{1}}}^{{{2}}}",
    ("mroot", 2): "\\sqrt[{1}]{{{0}}}",
}
_JOINED = {
    "msqrt": ("\\sqrt{", "", "}"),
    "mtable": ("\\begin{matrix}", " \\\\ ", "\\end{matrix}"),
    "mtr": ("", " & ", ""),
}
_SILENT = frozenset(("annotation", "annotation-xml", "mphantom"))


def to_tex(element: HtmlElement) -> str:
    """Return the TeX of a MathML element; what it does not know comes out as its content."""
    tag = str(element.tag)
    if tag in _SILENT:
        return ""
    if tag == "mspace":
        return " "
    if tag in {"mi", "mn", "mo", "ms"}:
        return _token(tag, "".join(element.itertext()).strip())
    if tag == "mtext":
        return "\\text{" + "".join(element.itertext()) + "}"
    parts = [to_tex(child) for child in element if isinstance(child.tag, str)]
    template = _TEMPLATES.get((tag, len(parts)))
    if template:
        return template.format(*parts, base=_group(parts[0]))
    if tag == "mfenced":
        return element.get("open", "(") + ", ".join(parts) + element.get("close", ")")
    before, between, after = _JOINED.get(tag, ("", "", ""))
    return before + between.join(parts) + after if parts else (element.text or "").strip()


def _token(tag: str, text: str) -> str:
    if text in _SYMBOLS:
        symbol = _SYMBOLS[text]
        return symbol + " " if symbol.startswith("\\") else symbol
    if tag == "mi" and text in _FUNCTIONS:
        return f"\\{text} "
    if tag == "mi" and len(text) > 1 and text.isalpha():
        return f"\\mathrm{{{text}}}"
    return {"{": "\\{", "}": "\\}", "%": "\\%"}.get(text, text)


def _group(base: str) -> str:
    return base if len(base.strip()) <= 1 or base.strip().startswith("\\") else f"{{{base}}}"
