from __future__ import annotations

import pytest

from mdcrawl.extraction.evidence import collect
from mdcrawl.extraction.tree import parse
from mdcrawl.verdicts.shell import needs_browser

APP = '<script type="module" src="/app.js"></script>'
LONG = "<script>" + "render(page);" * 60 + "</script>"
FUSE = "<p>The fuse guards the fan against too much current, and it is slow.</p>"
WORDS = "<p>" + "water flows " * 60 + "</p>"

SHELLS = {
    "empty root": (f'<div id="root"></div>{APP}', 0, "empty #root"),
    "root that loads": (f'<div id="app"><div class="spinner">Loading…</div></div>{APP}', 1, "empty #app"),
    "root in a server-made frame": (f'<nav>{WORDS}</nav><div id="__next"></div>{APP}', 3, "empty #__next"),
    "custom element below the body": (f"<pump-console></pump-console>{APP}", 0, "empty <pump-console>"),
    "own element": (f"<app-root></app-root>{APP}", 0, "empty <app-root>"),
    "inline script only": (f'<div id="root">Loading...</div>{LONG}', 1, "empty #root"),
    "noscript message": (f"<div class=x></div><noscript>Please enable JavaScript.</noscript>{APP}", 0, "noscript"),
    "noscript in Japanese": (
        f"<div class=x></div><noscript>JavaScriptを有効にしてください</noscript>{APP}",
        0,
        "noscript",
    ),
    "loading message": (f"<div>Loading, please wait...</div>{LONG}", 3, "loading message"),
    "loading message in Chinese": (f"<div>加载中</div>{LONG}", 2, "loading message"),
    "empty main": (f"<nav>{WORDS}</nav><main></main>{APP}", 0, "empty main element"),
    "empty main, the menu taken for content": (
        f'<nav>{WORDS}</nav><main><div id="app"></div></main>{APP}',
        120,
        "empty #app",
    ),
    "an empty box of an unknown name": (f'<nav>{WORDS}</nav><div id="pump-pages"></div>{APP}', 4, "empty #pump-pages"),
    "a program without a word": ("<div><script>import('/a.js')</script></div>", 0, "0 words on the whole page"),
    "hardly a word": (f"<div><h1>Console</h1></div>{APP}", 1, "1 words on the whole page"),
}
PLAIN = {
    "no script at all": ("<main><h1>Gasket</h1><p>To be written.</p></main>", 4),
    "small counter": ("<p>Short.</p><script>count()</script>", 1),
    "enough words, scripts too": (f"<main>{WORDS}</main>{APP}", 120),
    "words in the root": (f'<div id="root"><main>{WORDS}</main></div>{APP}', 120),
    "short page, a script for the menu": (
        f"<nav>Home Start Parts Service Shop Contact Imprint Help</nav><main><h1>Fuse</h1>{FUSE}</main>{APP}",
        14,
    ),
    "an empty box beside a page": (f'<main>{FUSE * 3}</main><div id="toasts"></div>{APP}', 42),
    "no script, empty root": ('<div id="root"></div>', 0),
}


@pytest.mark.parametrize(("body", "words", "reason"), SHELLS.values(), ids=SHELLS)
def test_a_shell_needs_a_browser(body: str, words: int, reason: str) -> None:
    assert reason in needs_browser(collect(parse(f"<html><body>{body}</body></html>")), words)


@pytest.mark.parametrize(("body", "words"), PLAIN.values(), ids=PLAIN)
def test_a_page_that_scripts_would_not_fill_needs_none(body: str, words: int) -> None:
    assert needs_browser(collect(parse(f"<html><body>{body}</body></html>")), words) == ""
