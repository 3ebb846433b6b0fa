"""A site whose pages are all written by their scripts, each with something that is hard to get."""

from __future__ import annotations

import random
import time
from base64 import b64encode

from tests.conftest import Answer, MockSite

HTML = {"Content-Type": "text/html; charset=utf-8"}


def prose(topic: str, paragraphs: int = 8) -> str:
    """Return some hundred words that no other topic has."""
    return "".join(
        f"<p>Part {number} of {topic} holds the spring, and the spring holds part {number + 1} in its place.</p>"
        for number in range(1, paragraphs + 1)
    )


def unique(name: str, words: int = 60) -> str:
    """Return a paragraph of words that no other name has, so that many pages are no trap."""
    chance = random.Random(name)
    return f"<p>{' '.join(''.join(chance.choices('abdeiklmnorstu', k=7)) for _ in range(words))}.</p>"


def shell(script: str, head: str = "") -> Answer:
    """Return a page that shows nothing until its script has run, and whose source holds no word of it."""
    run = f"new Function(atob('{b64encode(script.encode()).decode()}'))()"
    return Answer(
        200,
        HTML,
        f"<!doctype html><html lang=en><head><title>Shell</title>{head}</head><body><div id=root>Loading...</div>"
        f"<noscript>You need to enable JavaScript to run this app.</noscript><script>{run}</script></body></html>",
    )


def fill(html: str, delay_ms: int = 100) -> str:
    """Return a script that fills the shell."""
    return f"setTimeout(() => {{document.getElementById('root').innerHTML = `{html}`}}, {delay_ms});"


def main(topic: str, more: str = "") -> str:
    """Return the content that a script puts into the shell."""
    return f"<main><h1>{topic}</h1>{prose(topic)}{more}</main>"


def filled(topic: str, *links: str, before: str = "", more: str = "", after: str = "", delay_ms: int = 100) -> Answer:
    """Return a shell that its script fills with a page about a topic; other scripts run before and after."""
    items = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return shell(before + fill(main(topic, more + items), delay_ms) + after)


GROWS = """
let part = 0;
const timer = setInterval(() => {
  const root = document.getElementById("root");
  root.innerHTML = (part ? root.innerHTML : "") + `<section>PROSE<p>Ring ${++part} is on.</p></section>`;
  if (part === 6) clearInterval(timer);
}, 300);
"""
POLLS = (
    "setInterval(() => fetch('/app/poll?' + Date.now()), 200); fetch('/app/stream'); new Image().src = '/app/a.png';"
)
DOWNLOADS = "const a = document.createElement('a'); a.href = '/app/file.zip'; a.download = 'x'; a.click();"
PRIES = """
for (const url of ["http://127.0.0.1:PORT/", "http://localhost:PORT/", "http://2130706433:PORT/", "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/", "http://0x7f.1:PORT/", "http://127.1:PORT/hop", "ws://127.0.0.1:PORT/socket",
    "http://169.254.169.254/latest/meta-data/", "/app/hop"])
  try { url[0] === "w" ? new WebSocket(url) : fetch(url, {mode: "no-cors"}).catch(() => 0); } catch (e) {}
"""
SHADOW = """
customElements.define("x-page", class extends HTMLElement { constructor() { super();
  this.attachShadow({mode: "open"}).innerHTML = `<style>p {color: red}</style>MAIN`; } });
document.getElementById("root").innerHTML =
  "<x-page><p slot=end>The slotted words come last of all in this page.</p></x-page>";
"""
SCROLLS = """
let part = 0;
addEventListener("scroll", () => {
  const list = document.querySelector("main");
  if (!list || part === 3) return;
  const more = document.createElement("div");
  more.style.height = "1500px";
  more.innerHTML = `<p>Batch ${++part} came by scrolling down to it.</p>`;
  list.append(more);
});
"""
FOLDED = (
    "<details><summary>Sum</summary><p>Words in the details.</p></details>"
    "<button aria-expanded=false id=fold>Fold</button><div id=fold-text></div>"
    "<button id=more>Read more</button><div id=more-text></div>"
    "<a href=/app/late aria-expanded=false id=link>not pressed</a>"
    "<nav><button aria-expanded=false id=menu>Menu</button><div id=menu-text></div></nav>"
)
OPENS = """
const TEXTS = {fold: "Words in the fold.", more: "The rest of the words.", menu: "Words of the menu."};
addEventListener("click", ({target}) => {
  if (!(target.id in TEXTS)) return;
  target.setAttribute("aria-expanded", "true");
  document.getElementById(target.id + "-text").innerHTML = `<p>${TEXTS[target.id]}</p>`;
});
"""
TABBED = (
    "<div><div role=tablist><button role=tab aria-selected=true>pip</button>"
    "<button role=tab aria-selected=false>conda</button></div>"
    "<div role=tabpanel><pre><code>pip install spring</code></pre></div></div>"
)
TABS = """
addEventListener("click", ({target}) => {
  if (target.getAttribute("role") !== "tab") return;
  for (const tab of document.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", tab === target);
  document.querySelector("[role=tabpanel]").innerHTML = `<pre><code>${target.textContent} install spring</code></pre>`;
});
"""
ARTICLE = " ".join(f"The drum number {number} turns the shaft by one notch and then it rests." for number in range(20))
CARRIES_ITS_TEXT = (
    '<!doctype html><html><head><title>Data</title><script type="application/ld+json">'
    f'{{"@type": "TechArticle", "headline": "Data", "articleBody": "{ARTICLE}"}}</script></head>'
    "<body><div id=root></div><script src=/app/none.js></script></body></html>"
)


def slow(_: object) -> Answer:
    """Answer when nobody waits any more."""
    time.sleep(20)
    return Answer(200, {}, "at last")


def add_app(site: MockSite, other: MockSite) -> None:
    """Let a site have the app below /app/; `other` must never be asked for anything."""
    port = other.base.rpartition(":")[2]
    frames = f"<iframe src=/app/framed></iframe><iframe src={other.url('/frame')}></iframe>"
    script = "<script defer src=/app/script.js></script>"
    linked = {
        "/app/late": filled("late content", delay_ms=1500),
        "/app/growing": shell(GROWS.replace("PROSE", prose("growth", 3))),
        "/app/busy": filled("a busy page", before=POLLS),
        "/app/stays-empty": shell("/* waits for ever */"),
        "/app/dialogs": filled("dialogs", before="alert('a'); confirm('b'); prompt('c');"),
        "/app/clings": filled("clinging", before="onbeforeunload = () => 'stay';"),
        "/app/popup": filled("windows", before="open('/app/opened'); print();"),
        "/app/download": filled("downloads", before=DOWNLOADS),
        "/app/leaves": shell(f"location.href = '{other.url('/landing')}'"),
        "/app/moves": shell("location.replace('/app/moved')"),
        "/app/to-secret": shell("location.replace('/app/secret')"),
        "/app/routes-itself": filled("routing", before="history.replaceState(null, '', '/elsewhere');"),
        "/app/private": filled("prying", before=PRIES.replace("PORT", port)),
        "/app/shadow": shell(SHADOW.replace("MAIN", main("In the shadow", "<slot name=end></slot>"))),
        "/app/frame": filled("framing", more=frames),
        "/app/scroll": filled("scrolling", more="<div style=height:4000px></div>", after=SCROLLS),
        "/app/opens": filled("opening", more=FOLDED, after=OPENS),
        "/app/tabs": filled("tabs", more=TABBED, after=TABS),
        "/app/routed": filled("routes", more="<div data-route=/app/by-route>A card that leads on</div>"),
        "/app/json-ld": Answer(200, HTML, CARRIES_ITS_TEXT),
        "/app/plain": site.page("/app/plain"),
        "/app/shared-1": shell("", script),
        "/app/shared-2": shell("const two = 2", script),
    }
    site.routes |= linked
    site.routes |= {
        "/app/": filled("the start", *linked),
        "/app/moved": filled("moved pages"),
        "/app/by-route": filled("a page behind a card"),
        "/app/framed": Answer(200, HTML, "<p>Words in the frame, and <a href='below/it'>a link in it</a>.</p>"),
        "/app/script.js": Answer(200, {"Content-Type": "text/javascript"}, fill(main("shared scripts"))),
        "/app/file.zip": Answer(200, {"Content-Type": "application/zip"}, b"PK\x03\x04" + bytes(100)),
        "/app/stream": slow,
    }
    site.redirect("/app/hop", other.url("/behind-a-redirect"))
    site.robots("User-agent: *", "Disallow: /app/secret")
