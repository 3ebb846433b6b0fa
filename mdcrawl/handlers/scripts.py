"""The programs that run in a rendered page: to see it grow, to open it up, to write it down.

They reach into open shadow roots and frames of the same origin. Each is a function expression.
"""

from __future__ import annotations

# Before any script of the page: nothing opens, prints, downloads, or talks past the proxy.
QUIET = """(() => {
const press = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () { if (!this.hasAttribute("download")) press.call(this); };
addEventListener("click", (event) => {
  const isDownload = (node) => node.tagName === "A" && node.hasAttribute("download");
  if (event.composedPath().some(isDownload)) event.preventDefault();
}, true);
for (const name of ["open", "print"]) window[name] = () => null;
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete window[name];
})();"""

_SHARED = r"""
const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
const frameBody = (node) => {
  try { return node.contentDocument && node.contentDocument.body; } catch (e) { return null; }
};
// What stands below a node as a reader sees it: a shadow root instead of the children, what a slot was given.
const below = (node) => {
  if (node.tagName === "IFRAME") { const body = frameBody(node); return body ? [...body.childNodes] : []; }
  if (node.shadowRoot) return [...node.shadowRoot.childNodes];
  if (node.tagName === "SLOT") {
    const given = node.assignedNodes({flatten: true});
    if (given.length) return given;
  }
  return [...node.childNodes];
};
const textOf = (root) => {
  const pieces = [], stack = [root];
  for (let visits = 0; stack.length && visits < 200000; visits++) {
    const node = stack.pop();
    if (node.nodeType === 3) pieces.push(node.data);
    else if (node.nodeType === 1 && !SKIPPED.has(node.tagName)) stack.push(...below(node).reverse());
  }
  return pieces.join(" ");
};
// Roughly as mdcrawl counts: two signs of Han and kana a word, four of Thai and its like.
const countWords = (text) => {
  const signs = (pattern) => (text.match(pattern) || []).length;
  return signs(/[\p{L}\p{N}_][^\s]*/gu) + signs(/[\u3040-\u30ff\u3400-\u9fff]/g) / 2 + signs(/[\u0e00-\u0eff]/g) / 4;
};
// Elements by selector, those in shadow roots and frames included.
const deepAll = (selector, root = document) => {
  const found = [...root.querySelectorAll(selector)];
  for (const each of root.querySelectorAll("*")) {
    if (each.shadowRoot) found.push(...deepAll(selector, each.shadowRoot));
    const body = each.tagName === "IFRAME" ? frameBody(each) : null;
    if (body) found.push(...deepAll(selector, body));
  }
  return found;
};
const mainOf = (selector) => {
  let best = null, most = -1;
  for (const each of deepAll(selector || "main, [role=main], article")) {
    const size = textOf(each).length;
    if (size > most) { best = each; most = size; }
  }
  return best || document.body;
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
"""

# -> {words, size}: words of the main content, and a number that changes whenever the page's text does.
MEASURE = f"""(selector) => {{
{_SHARED}
if (!document.body) return {{words: 0, size: 0}};
const whole = textOf(document.body).replace(/\\s+/g, " ");
const main = mainOf(selector);
return {{words: Math.round(countWords(main === document.body ? whole : textOf(main))), size: whole.length}};
}}"""

# Scroll to the end until nothing more comes, at most `steps` times; -> whether the page grew.
SCROLL = f"""async (steps) => {{
{_SHARED}
const root = document.scrollingElement || document.body;
let before = root.scrollHeight, grew = false, still = 0;
for (let step = 0; step < steps && still < 2; step++) {{
  window.scrollTo(0, root.scrollHeight);
  await sleep(step ? 250 : 120);
  if (root.scrollHeight > before) {{ before = root.scrollHeight; grew = true; still = 0; }}
  else still = grew ? still + 1 : 2;
}}
return grew;
}}"""

# Open what a reader would open inside the main content: details, collapsed parts, "read more", tabs
# whose panels exist only while they are shown. Menus and links are left alone. -> whether anything was opened.
OPEN = rf"""async (selector) => {{
{_SHARED}
const MORE = new RegExp("^(?:"
  + "(?:read|show|view|see|load) (?:more|all|full .*|the rest)|continue reading|expand(?: all)?|"
  + "mehr (?:lesen|anzeigen)|weiterlesen|alle anzeigen|lire (?:la suite|plus)|voir plus|afficher plus|leer más|"
  + "ver más|mostrar más|leia mais|mostrar mais|leggi tutto|mostra altro|lees meer|toon meer|czytaj więcej|"
  + "подробнее|читать далее|показать ещё|もっと見る|続きを読む|展开(?:全部)?|阅读全文|查看更多|더 ?보기"
  + ")[\s.…›»>↓+]*$", "i");
const address = location.href;
let opened = 0;
for (const each of deepAll("details:not([open])")) {{ each.open = true; opened++; }}
const main = mainOf(selector);
const inside = (pattern) => deepAll(pattern, main).filter((each) =>
  !each.closest("nav, form, header, footer, [role=navigation], [role=menu], [role=menubar]") && !each.disabled);
const isLink = (each) => {{
  const link = each.closest("a[href]");
  return link && !/^(#|javascript:|$)/.test(link.getAttribute("href"));
}};
const press = async (each) => {{
  if (location.href !== address) return false;
  each.click(); opened++;
  await sleep(20);
  return location.href === address;
}};
const collapsed = inside("[aria-expanded=false]:not([aria-haspopup]:not([aria-haspopup=false])):not([role=combobox])");
for (const each of collapsed.filter((each) => !isLink(each)).slice(0, 80)) if (!(await press(each))) break;
const more = inside("button, [role=button], a:not([href]), a[href^='#'], a[href^='javascript:'], summary")
  .filter((each) => each.textContent.length < 60 && MORE.test(each.textContent.trim()));
for (const each of more.slice(0, 20)) if (each.isConnected && !(await press(each))) break;
for (const list of inside("[role=tablist]").slice(0, 20)) {{
  const tabs = [...list.querySelectorAll("[role=tab]")].filter((tab) => !isLink(tab)).slice(0, 12);
  const panelOf = (tab) => {{
    const named = tab.getAttribute("aria-controls");
    const panel = named && list.getRootNode().getElementById(named);
    if (panel) return panel;
    return list.parentElement.querySelector("[role=tabpanel]:not([hidden])");
  }};
  const chosen = tabs.find((tab) => tab.getAttribute("aria-selected") === "true") || tabs[0];
  const kept = [];
  for (const tab of tabs) {{
    if (tab === chosen) continue;
    const named = tab.getAttribute("aria-controls");
    const there = named && list.getRootNode().getElementById(named);
    if (there && there.textContent.trim()) continue;
    if (!(await press(tab))) break;
    await sleep(60);
    const panel = panelOf(tab);
    if (panel) kept.push([tab, named, panel.cloneNode(true)]);
  }}
  if (!kept.length || location.href !== address) continue;
  await press(chosen);
  await sleep(60);
  let last = panelOf(chosen);
  for (const [number, [tab, named, panel]] of kept.entries()) {{
    if (!last) break;
    if (!tab.id) tab.id = "mdcrawl-tab-" + opened + "-" + number;
    const empty = named && list.getRootNode().getElementById(named);
    if (empty && empty !== last) empty.remove();
    panel.id = named || tab.id + "-panel";
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
    last.after(panel);
    last = panel;
  }}
}}
return opened > 0;
}}"""

# -> the page as one HTML document: shadow roots and frames in their places, slots filled, client-side routes
# as links, without noscript (scripts did run) and the signs of loading that are hidden by now. Docsify names
# the headings of a page in its query, "?id=": written as what they are, fragments. Longer than `most`: null.
WRITE_DOWN = rf"""(most) => {{
{_SHARED}
const paper = document.implementation.createHTMLDocument("");
const ROUTES = ["routerlink", "ng-reflect-router-link", "data-href", "data-route", "data-to", "to"];
const LOADING = /load|spinner|skeleton|placeholder|progress/i;
const isHiddenSign = (node) => LOADING.test(node.className + " " + node.id) && node.textContent.length < 100
  && getComputedStyle(node).display === "none";
const routeOf = (node) => {{
  for (const name of ROUTES) {{
    const value = node.getAttribute(name);
    if (value && /^(\/(?!\/)|\.{{0,2}}\/|#!?\/|https?:)/.test(value)) return value;
  }}
  return "";
}};
const unquoted = (href) => href.includes("#/")
  ? href.replace(/\?id=[^&]*/, "") : href.replace(/\?id=([^&#]+)[^#]*(?:#.*)?$/, "#$1");
const copy = (node, base) => {{
  if (node.nodeType === 3) return paper.importNode(node, false);
  if (node.nodeType !== 1 || node.tagName === "NOSCRIPT" || node.tagName === "TEMPLATE") return null;
  if (node.getRootNode() instanceof ShadowRoot && (node.tagName === "STYLE" || node.tagName === "LINK")) return null;
  if (node.tagName !== "HTML" && node.tagName !== "BODY" && isHiddenSign(node)) return null;
  const body = node.tagName === "IFRAME" ? frameBody(node) : null;
  let made = paper.importNode(node, false);
  if (node.shadowRoot || body || node.tagName === "SLOT") {{
    made = paper.createElement(node.tagName === "SLOT" ? "span" : "div");
    if (node.tagName !== "SLOT") for (const name of ["id", "class", "role", "lang"])
      if (node.hasAttribute(name)) made.setAttribute(name, node.getAttribute(name));
  }}
  if (base) for (const name of ["href", "src"])
    if (node.hasAttribute(name) && node[name]) made.setAttribute(name, node[name]);
  if (window.$docsify && node.tagName === "A" && node.hasAttribute("href"))
    made.setAttribute("href", unquoted(node.getAttribute("href")));
  let place = made;
  const route = node.hasAttribute("href") || node.closest("a[href]") ? "" : routeOf(node);
  if (route && node.tagName === "A") made.setAttribute("href", route);
  else if (route) {{ place = paper.createElement("a"); place.setAttribute("href", route); made.append(place); }}
  for (const child of below(node)) {{
    const copied = copy(child, base || Boolean(body));
    if (copied) {{
      if (node.tagName === "SLOT" && copied.nodeType === 1 && made.tagName === "SPAN") {{
        const block = paper.createElement("div"); block.append(...made.childNodes); made = place = block;
      }}
      place.append(copied);
    }}
  }}
  return made;
}};
const html = "<!DOCTYPE html>\n" + copy(document.documentElement, false).outerHTML;
return html.length > most ? null : html;
}}"""
