"""Names of code languages: what page markup calls them, and the name that a fence carries."""

from __future__ import annotations

import re

_ALIASES = {
    "js": "javascript", "mjs": "javascript", "cjs": "javascript", "node": "javascript", "ecmascript": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript",
    "py": "python", "py3": "python", "python3": "python", "ipython": "python", "ipython3": "python",
    "pycon": "python", "pycon3": "python", "doctest": "python", "python-repl": "python",
    "sh": "bash", "shell": "bash", "zsh": "bash", "ksh": "bash", "shell-script": "bash", "shellscript": "bash",
    "bash-session": "console", "shellsession": "console", "shell-session": "console", "sh-session": "console",
    "session": "console", "terminal": "console",
    "yml": "yaml", "md": "markdown", "mdown": "markdown", "htm": "html", "xhtml": "html", "html5": "html",
    "rb": "ruby", "rs": "rust", "golang": "go", "cs": "csharp", "c#": "csharp", "f#": "fsharp", "fs": "fsharp",
    "c++": "cpp", "cxx": "cpp", "cc": "cpp", "hpp": "cpp", "h": "c", "objc": "objectivec", "objective-c": "objectivec",
    "kt": "kotlin", "kts": "kotlin", "ps1": "powershell", "posh": "powershell", "pwsh": "powershell",
    "bat": "batch", "cmd": "batch", "dos": "batch", "docker": "dockerfile", "make": "makefile", "mf": "makefile",
    "tex": "latex", "pl": "perl", "hs": "haskell", "ex": "elixir", "exs": "elixir", "erl": "erlang", "jl": "julia",
    "vb": "vbnet", "vb.net": "vbnet", "tf": "hcl", "terraform": "hcl", "gql": "graphql", "proto": "protobuf",
    "protocol-buffers": "protobuf", "rst": "rst", "restructuredtext": "rst", "patch": "diff", "postgres": "sql",
    "postgresql": "sql", "pgsql": "sql", "mysql": "sql", "sqlite": "sql", "plpgsql": "sql", "conf": "ini", "cfg": "ini",
    "jsonc": "json", "json5": "json", "vuejs": "vue", "html+erb": "erb", "html+jinja": "jinja", "jinja2": "jinja",
    "html+django": "django", "coffee": "coffeescript", "styl": "stylus", "el": "elisp", "emacs-lisp": "elisp",
    "common-lisp": "lisp", "wasm": "wat", "asm": "assembly", "nasm": "assembly", "sol": "solidity",
}  # fmt: skip
_OTHERS = """
    ada apache apacheconf awk astro c clojure cmake css csv cypher d dart delphi dotenv elm fish fortran gdscript
    gherkin glsl gradle graphviz groovy haml handlebars hbs http jsx java jsonl kusto less liquid lua matlab mdx
    mermaid meson mustache nginx nim nix nushell ocaml octave pascal php plantuml prisma prolog properties puppet qml
    r racket razor rego riscv robotframework sass scala scheme scss smalltalk sparql stylus svelte swift systemd tcl
    textproto thrift tsx toml twig typst v vala verilog vhdl vim viml wgsl wolfram xml xquery xsl xslt zig svg tsv
    abap apex cobol crystal hack haxe objectivec reasonml sas stata
"""
# Every name that a visible label or a bare class may mean as a language; a superset of the aliases.
KNOWN = frozenset(_ALIASES) | frozenset(_ALIASES.values()) | frozenset(_OTHERS.split())
# Words that stand where a language would and name none.
_NONE_NAMES = """
    default none text plain plaintext plain-text txt nohighlight no-highlight notranslate wrapper raw unknown
    undefined ansi other auto nocode code pre source block file output literal-block guess generic language lang
    highlight ln line
"""
_NONE = frozenset(_NONE_NAMES.split())
_NAME = re.compile(r"[a-z0-9][\w+#.-]{0,29}$")


def language_name(written: str) -> str:
    """Return the fence name of a language as a page writes it, or "" when it names none.

    >>> language_name("JS"), language_name("yml"), language_name("text"), language_name("mylang")
    ('javascript', 'yaml', '', 'mylang')
    """
    name = written.strip().lower().lstrip(".")
    if not _NAME.match(name) or name in _NONE or name.isdigit():
        return ""
    return _ALIASES.get(name, name)


def known_language(written: str) -> str:
    """Return the fence name of a word only where it is a language that is known; else ""."""
    name = written.strip().lower()
    return language_name(name) if name in KNOWN else ""
