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
_FUNCTIONS = frozenset("sin cos tan log ln exp lim max min sup inf det gcd".split())


def to_tex(element: HtmlElement) -> str:
    """Return the TeX of a MathML element; what it does not know comes out as its content."""
    tag = element.tag if isinstance(element.tag, str) else ""
    children = [child for child in element if isinstance(child.tag, str)]
    if tag in {"annotation", "annotation-xml", "mspace", "mphantom"}:
        return " " if tag == "mspace" else ""
    if tag in {"mi", "mn", "mo", "ms"}:
        return _token(tag, "".join(element.itertext()).strip())
    if tag == "mtext":
        return "\\text{" + "".join(element.itertext()) + "}"
    parts = [to_tex(child) for child in children]
    if tag == "mfrac" and len(parts) == 2:
        return f"\\frac{{{parts[0]}}}{{{parts[1]}}}"
    if tag in {"msup", "mover"} and len(parts) == 2:
        return f"{_group(parts[0])}^{{{parts[1]}}}"
    if tag in {"msub", "munder"} and len(parts) == 2:
        return f"{_group(parts[0])}_{{{parts[1]}}}"
    if tag in {"msubsup", "munderover"} and len(parts) == 3:
        return f"{_group(parts[0])}_{{{parts[1]}}}^{{{parts[2]}}}"
    if tag == "msqrt":
        return f"\\sqrt{{{''.join(parts)}}}"
    if tag == "mroot" and len(parts) == 2:
        return f"\\sqrt[{parts[1]}]{{{parts[0]}}}"
    if tag == "mfenced":
        return element.get("open", "(") + ", ".join(parts) + element.get("close", ")")
    if tag == "mtable":
        return "\\begin{matrix}" + " \\\\ ".join(parts) + "\\end{matrix}"
    if tag == "mtr":
        return " & ".join(parts)
    if not children:
        return (element.text or "").strip()
    return "".join(parts)


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
