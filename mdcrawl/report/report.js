"use strict";
// Everything from a page is put in as text, never as markup.
const [URL_, TITLE, VERDICT, REASON, WORDS, HTML, MARKDOWN, CHUNKS, LOSSES] = Array(9).keys();
const STEP = 100;
const GOOD = new Set(["ok", "unchanged", "duplicate"]);
const LEFT_OUT = new Set(["limit", "noindex", "out_of_scope", "robots_denied", "blocked_address", "unsupported_type"]);
const byId = (id) => document.getElementById(id);
const rows = JSON.parse(byId("rows").textContent);
const origin = byId("table").dataset.origin;
let haystacks = []; // made at the first search
const body = byId("table").tBodies[0];
let found = [];
let shown = 0;

function cell(row, text, name) {
  const made = row.insertCell();
  made.textContent = text;
  if (name) {
    made.className = "n";
    made.dataset.name = name;
  }
  return made;
}

// What all addresses of the site begin with would only be repeated.
function short(text) {
  return origin ? text.replaceAll(`${origin}/`, "/") : text;
}

function figure(row, number, name) {
  return cell(row, number ? number.toLocaleString("en") : "", name);
}

function toneOf(data) {
  if (GOOD.has(data[VERDICT])) return data[LOSSES] ? "warn" : "good";
  return LEFT_OUT.has(data[VERDICT]) ? "rule" : "bad";
}

function draw(data) {
  const row = body.insertRow();
  const page = cell(row, "");
  if (data[TITLE]) {
    const title = document.createElement("span");
    title.className = "title";
    title.textContent = data[TITLE];
    page.append(title);
  }
  const isAddress = /^https?:\/\//i.test(data[URL_]) && data[URL_].length < 500;
  const address = document.createElement(isAddress ? "a" : "span");
  address.textContent = short(data[URL_]);
  if (isAddress) {
    address.href = data[URL_];
    address.rel = "noopener noreferrer";
    address.target = "_blank";
  }
  page.append(address);
  const tag = document.createElement("span");
  tag.className = `tag ${toneOf(data)}`;
  tag.textContent = data[VERDICT];
  cell(row, "").append(tag);
  cell(row, short(data[LOSSES] ? `${data[REASON]}; ${data[LOSSES]}` : data[REASON]));
  figure(row, data[WORDS], "words");
  const tokens = figure(row, data[MARKDOWN], "tokens");
  if (data[HTML]) tokens.textContent = `${data[HTML].toLocaleString("en")} → ${tokens.textContent || 0}`;
  figure(row, data[CHUNKS], "chunks");
}

function showMore() {
  const until = Math.min(shown + STEP, found.length);
  for (; shown < until; shown += 1) draw(rows[found[shown]]);
  byId("more").hidden = shown >= found.length;
  byId("more").textContent = `Show ${Math.min(STEP, found.length - shown)} more`;
  byId("found").textContent = `${found.length.toLocaleString("en")} found, ${shown.toLocaleString("en")} shown`;
}

function search() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = byId("filter").value;
  if (words.length && !haystacks.length) {
    haystacks = rows.map((row) => `${row[URL_]} ${row[TITLE]} ${row[REASON]} ${row[LOSSES]}`.toLowerCase());
  }
  found = [];
  rows.forEach((row, at) => {
    const fits = !wanted || (wanted === "lossy" ? row[LOSSES] && GOOD.has(row[VERDICT]) : row[VERDICT] === wanted);
    if (fits && words.every((word) => haystacks[at].includes(word))) found.push(at);
  });
  body.replaceChildren();
  shown = 0;
  showMore();
}

// A page is only laid out once somebody looks at it.
const whenSeen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    whenSeen.unobserve(target);
    target.srcdoc = target.dataset.page;
    target.removeAttribute("data-page");
  }
}, { rootMargin: "300px" });

byId("search").addEventListener("input", search);
byId("filter").addEventListener("change", search);
byId("more").addEventListener("click", () => {
  const next = shown;
  showMore();
  const link = body.rows[next] && body.rows[next].querySelector("a");
  if (link) link.focus();
});
for (const button of document.querySelectorAll("button.jump")) {
  button.addEventListener("click", () => {
    byId("filter").value = button.dataset.filter;
    byId("search").value = "";
    search();
    byId("pages").scrollIntoView();
    byId("search").focus({ preventScroll: true });
  });
}
for (const frame of document.querySelectorAll("iframe[data-page]")) whenSeen.observe(frame);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    byId("search").focus();
  }
});
search();
