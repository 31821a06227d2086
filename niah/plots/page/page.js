"use strict";
(() => {
// Elements are made here and nowhere else. Text is always set as text: nothing from the data is ever parsed.
const byId = (id) => document.getElementById(id);
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
const spanOf = (kind, ...children) => el("span", { class: kind }, ...children);
const paragraph = (kind, ...children) => el("p", { class: kind }, ...children);
const numberCell = (text) => el("td", { class: "number" }, text);

// The page's data: one index, read at once, and blocks of long texts, each unpacked when it is first looked at.
let index = null;
const columns = {};
const blockStarts = [];
const unpackedBlocks = new Map();
function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
async function inflate(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new TextDecoder().decode(await new Response(stream).arrayBuffer());
}
async function loadIndex() {
  index = JSON.parse(await inflate(byId("index").textContent));
  Object.assign(columns, index.columns);
  for (const node of document.querySelectorAll("script.block")) blockStarts.push(Number(node.dataset.start));
}
// Everything of one trial: {trial, view, key}: what became of it, its sample, and what is asked and judged by.
async function detailsOf(trial) {
  const place = blockStarts.findLastIndex((start) => start <= trial);
  if (!unpackedBlocks.has(place)) unpackedBlocks.set(place, inflate(document.querySelectorAll("script.block")[place].textContent).then(JSON.parse));
  const block = await unpackedBlocks.get(place);
  const details = block.trials[trial - block.start];
  const view = block.samples[details.sample];
  return { trial: details, view, key: block.keys[view.key] };
}

// How values are written.
const nameOf = (dimension, trial) => index.names[dimension][columns[dimension][trial]];
const wordsOf = (dimension, place) => (index.labels[dimension] || index.names[dimension])[place];
const strategyLabel = (place) => index.labels.strategy[place];
const lengthLabel = (place) => index.labels.length[place];
const depthLabel = (place) => (index.names.depth[place] === null ? "–" : `${+index.names.depth[place].toFixed(4)}\u00a0%`);
const hasDepth = () => index.names.depth.some((depth) => depth !== null);
const scoreLabel = (score) => (score ? String(Math.round(score * 10) / 10) : "–");
const meanLabel = (mean) => (mean === 10 ? "10" : (Math.round(mean * 10 + 1e-9) / 10).toFixed(1));
const shareLabel = (share) => `${Math.round(100 * share)} %`;
const outcomeLabel = (place) => index.labels.outcome[place];
const errorLabel = (code) => (code ? index.labels.error[code - 1] : "");
const causeLabel = (code) => (code ? index.names.cause[code - 1] : "");
const byName = new Intl.Collator("en", { numeric: true }).compare; // @2 before @10
const counted = (number) => number.toLocaleString("en");
const plural = (number, word) => `${counted(number)} ${word}${number === 1 ? "" : "s"}`;
const twoDigits = (value) => value.toLocaleString("en", { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });
const costLabel = (cost) => (cost === null ? "unknown" : cost === 0 ? "0" : `${cost < 0.1 ? twoDigits(cost) : cost.toFixed(2)} USD`);
const secondsLabel = (seconds) => (seconds === null ? "unknown" : `${+seconds.toPrecision(3)} s`);

// The colour of a score from 1 to 10, and ink that stands out on it (relative luminance, WCAG 2.2).
const colourOf = (mean) => index.palette[Math.round(Math.min(1, Math.max(0, (mean - 1) / 9)) * (index.palette.length - 1))];
// The colour of a share that is looked for: mostly of faults, so that it is no score's.
const SOUGHT_ENDS = ["#fdf0e2", "#8c2d04"];
const soughtColour = (share) => "#" + [1, 3, 5].map((at) => {
  const [from, to] = SOUGHT_ENDS.map((end) => parseInt(end.slice(at, at + 2), 16));
  return Math.round(from + share * (to - from)).toString(16).padStart(2, "0");
}).join("");
function paint(node, colour) {
  node.style.background = colour || "";
  node.style.color = "";
  if (!colour) return;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  node.style.color = (luminance + 0.05) / 0.0637 > 1.05 / (luminance + 0.05) ? "#1f2328" : "#ffffff";
}

// What the reader of the page has chosen. It lives in the address, and only there; going back is going back.
const FACETS = [
  ["run", "Run"], ["reader", "Model"], ["strategy", "Strategy"], ["set", "Needle set"], ["kind", "Kind", 1], ["source", "Source", 1],
  ["document", "Document", 1], ["outcome", "Outcome"], ["error", "Error type", 1], ["cause", "Cause", 1],
].map(([key, title, shift = 0]) => ({ key, title, shift }));
const SOUGHT = ["outcome", "error", "cause"]; // looked for among the trials that the other facets leave
const CELL = ["run", "reader", "strategy", "length", "depth"];
let state = null;
const alikeOf = (trial) => index.alike[columns.set[trial]];
const cellOf = (trial) => ({ ...Object.fromEntries(CELL.map((key) => [key, columns[key][trial]])), alike: alikeOf(trial) });
const sameCell = (one, other) => [...CELL, "alike"].every((key) => one[key] === other[key]);

function readState() {
  const said = new URLSearchParams(location.hash.slice(1));
  const chosen = {};
  for (const { key } of FACETS) chosen[key] = new Set(said.getAll(key).map((name) => index.names[key].indexOf(name)).filter((place) => place >= 0));
  const names = said.getAll("cell");
  const places = CELL.map((key, at) => index.names[key].findIndex((name) => String(name) === names[at]));
  const alike = Math.max(0, index.names.alike.indexOf(names[CELL.length]));
  const cell = places.every((place) => place >= 0) ? { ...Object.fromEntries(CELL.map((key, at) => [key, places[at]])), alike } : null;
  const id = said.get("trial");
  const trial = index.ids.findIndex((known, at) => known === id && (!cell || sameCell(cell, cellOf(at))));
  return { chosen, query: said.get("q") || "", cell: cell || (trial >= 0 ? cellOf(trial) : null), trial };
}
// A step that Back undoes; with `quietly`, none.
function go(change, quietly = false) {
  const wanted = { ...state, ...change };
  const said = new URLSearchParams();
  for (const { key } of FACETS) for (const place of wanted.chosen[key]) said.append(key, index.names[key][place]);
  if (wanted.query) said.set("q", wanted.query);
  if (wanted.cell) for (const key of [...CELL, "alike"]) said.append("cell", index.names[key][wanted.cell[key]]);
  if (wanted.trial >= 0) said.set("trial", index.ids[wanted.trial]);
  const address = "#" + said.toString();
  if (address === (location.hash || "#")) return;
  if (quietly) location.replace(address);
  else location.hash = address;
}
const noneChosen = () => Object.fromEntries(FACETS.map(({ key }) => [key, new Set()]));
const isFiltered = () => Boolean(state.query) || FACETS.some(({ key }) => state.chosen[key].size);
const isSeeking = () => SOUGHT.some((key) => state.chosen[key].size);
const soughtWords = () => SOUGHT.filter((key) => state.chosen[key].size).map((key) => [...state.chosen[key]].map((place) => wordsOf(key, place)).join(" or ")).join(", ");

// Per trial whether its score counts, and whether it is what the filters look for.
let population = null;
let matching = null;
let options = null;
function applyFilters() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const holds = ["run", "reader", "strategy", "set", "case"].map((key) =>
      [columns[key], index.names[key].map((name, place) => `${name} ${wordsOf(key, place)}`.toLowerCase().includes(word))]);
    holds.push([columns.case, index.questions.map((asked) => asked.toLowerCase().includes(word))]);
    return (trial) => holds.some(([column, has]) => has[column[trial]]) || index.ids[trial].startsWith(word);
  });
  population = new Uint8Array(index.ids.length);
  matching = new Uint8Array(index.ids.length);
  options = Object.fromEntries(FACETS.map(({ key }) => [key, new Uint32Array(index.names[key].length + 1)]));
  const chosen = FACETS.filter(({ key }) => state.chosen[key].size);
  for (let trial = 0; trial < index.ids.length; trial++) {
    if (!words.every((holds) => holds(trial))) continue;
    const failed = chosen.filter(({ key, shift }) => !state.chosen[key].has(columns[key][trial] - shift));
    population[trial] = failed.every(({ key }) => SOUGHT.includes(key)) ? 1 : 0;
    matching[trial] = failed.length ? 0 : 1;
    if (failed.length === 0) for (const { key } of FACETS) options[key][columns[key][trial]] += 1;
    else if (failed.length === 1) options[failed[0].key][columns[failed[0].key][trial]] += 1;
  }
}

// The filter bar.
const facetNodes = new Map();
function buildFacets() {
  for (const { key, title, shift } of FACETS) {
    const seen = new Set(columns[key]);
    const present = index.names[key].map((_, place) => place).filter((place) => seen.has(place + shift));
    if (present.length < 2) continue;
    if (key === "set") present.sort((a, b) => byName(wordsOf(key, a), wordsOf(key, b)));
    const boxes = new Map();
    const toggle = (place) => {
      const chosen = { ...state.chosen, [key]: new Set(state.chosen[key]) };
      if (!chosen[key].delete(place)) chosen[key].add(place);
      go({ chosen });
    };
    const menu = el("div", { class: "menu", role: "group", "aria-label": title }, present.map((place) => {
      const box = el("input", { type: "checkbox", onchange: () => toggle(place) });
      const number = spanOf("quiet");
      boxes.set(place, { box, number });
      return el("label", {}, box, spanOf("name", wordsOf(key, place)), number);
    }));
    const says = spanOf("says");
    const node = el("details", { class: "facet" }, el("summary", {}, spanOf("quiet", `${index.titles[key] || title} `), says), menu);
    facetNodes.set(key, { node, says, boxes, shift });
    byId("facets").append(node);
  }
  byId("query").addEventListener("input", () => go({ query: byId("query").value.trim() }, true));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => go({ chosen: noneChosen(), query: "" }));
  document.addEventListener("click", (event) => {
    for (const { node } of facetNodes.values()) if (!node.contains(event.target)) node.open = false;
  });
}
function updateFacets() {
  for (const [key, { says, boxes, shift }] of facetNodes) {
    const chosen = [...state.chosen[key]];
    says.textContent = chosen.length === 1 ? wordsOf(key, chosen[0]) : chosen.length ? `${chosen.length} chosen` : "all";
    for (const [place, { box, number }] of boxes) {
      box.checked = state.chosen[key].has(place);
      number.textContent = counted(options[key][place + shift]);
    }
  }
  if (byId("query").value.trim() !== state.query) byId("query").value = state.query;
  byId("clear").hidden = !isFiltered();
  const left = matching.reduce((sum, each) => sum + each, 0);
  byId("count").textContent = `${left === index.ids.length ? "" : `${counted(left)} of `}${plural(index.ids.length, "trial")}`;
}

// Heatmaps: one for each run, model, strategy and group of needle sets that are asked alike; filled anew when
// the filters change. Those of full context and of the best retrieval are on the first screen.
const panels = [];
const panelKey = ({ run, reader, strategy, alike }) => [run, reader, strategy, alike].join("/");
const SHORT = { refused: "ref.", truncated: "trunc.", overflow: "over", reader_error: "err.", preparation_error: "prep.", judge_error: "judge", not_run: "not run" };
function buildHeatmaps() {
  const found = new Map();
  for (let trial = 0; trial < index.ids.length; trial++) {
    const place = cellOf(trial);
    const key = panelKey(place);
    if (!found.has(key)) found.set(key, { ...place, lengths: new Set(), depths: new Set(), trials: [] });
    found.get(key).lengths.add(place.length);
    found.get(key).depths.add(place.depth);
    found.get(key).trials.push(trial);
  }
  for (const panel of [...found.values()].sort((a, b) => a.run - b.run || a.reader - b.reader || a.alike - b.alike || a.strategy - b.strategy)) {
    panels.push(panel);
    const first = [...document.querySelectorAll(".reader")].find((node) => node.dataset.run === index.names.run[panel.run]
      && node.dataset.reader === index.names.reader[panel.reader]
      && (index.labels.strategy[panel.strategy] === "full context" || node.dataset.best === index.names.strategy[panel.strategy]));
    buildPanel(panel, Boolean(first));
    const home = first ? first.querySelector(".lead-panels") : byId("panels");
    home.append(panel.node);
    if (!first) byId("heatmaps").hidden = false;
  }
}
function buildPanel(panel, underModel) {
  const sorted = (places) => [...places].sort((a, b) => a - b);
  const [lengths, depths] = [sorted(panel.lengths), sorted(panel.depths)];
  panel.cells = new Map();
  const head = el("tr", {}, hasDepth() ? el("th", { scope: "col" }, spanOf("sr", "depth")) : null, lengths.map((length, at) => el("th", { scope: "col" }, spanOf(at % Math.ceil(lengths.length / 10) ? "sr" : "", lengthLabel(length)))));
  const rows = depths.map((depth) => el("tr", {}, hasDepth() ? el("th", { scope: "row" }, depthLabel(depth)) : null, lengths.map((length) => {
    const cell = { run: panel.run, reader: panel.reader, strategy: panel.strategy, length, depth, alike: panel.alike };
    const node = el("td", { class: "cell", tabindex: panel.cells.size ? -1 : 0, role: "button" }, el("b"), el("i"));
    node.cell = cell;
    panel.cells.set(`${length}/${depth}`, { node, trials: [] });
    return node;
  })));
  for (const trial of panel.trials) panel.cells.get(`${columns.length[trial]}/${columns.depth[trial]}`).trials.push(trial);
  const who = [index.names.reader.length > 1 && !underModel ? index.names.reader[panel.reader] : "", strategyLabel(panel.strategy),
    index.names.alike.length > 1 ? index.names.alike[panel.alike] : ""].filter(Boolean).join(" · ");
  panel.says = spanOf("quiet");
  panel.node = el("figure", { class: `panel${lengths.length > 7 ? " narrow" : ""}${lengths.length > 12 ? " dense" : ""}` }, el("figcaption", {}, el("h4", {}, who), panel.says),
    el("table", { class: "grid", "aria-label": `${who}: mean score by depth (rows) and context length (columns)` }, el("thead", {}, head), el("tbody", {}, rows)));
}
const isChosen = (key, place) => !state.chosen[key].size || state.chosen[key].has(place);
function updateHeatmaps() {
  const seeking = isSeeking();
  const notes = new Set();
  for (const panel of panels) {
    panel.node.hidden = !["run", "reader", "strategy"].every((key) => isChosen(key, panel[key]));
    if (panel.node.hidden) continue;
    let [sum, n, right, matched, trials] = [0, 0, 0, 0, 0];
    for (const { node, trials: own } of panel.cells.values()) {
      const counts = fillCell(node, own.filter((trial) => population[trial]), seeking);
      notes.add(counts.note);
      [sum, n, right, matched, trials] = [sum + counts.sum, n + counts.n, right + counts.right, matched + counts.matched, trials + counts.trials];
    }
    panel.says.textContent = !trials ? "no trial" : seeking ? `${counted(matched)} of ${plural(trials, "trial")}: ${soughtWords()}` : n ? `mean ${meanLabel(sum / n)} · ${counted(right)} of ${counted(n)} right` : "no score";
  }
  const ramp = el("span", { class: "ramp" });
  ramp.style.background = `linear-gradient(to right, ${(seeking ? SOUGHT_ENDS : index.palette).join(",")})`;
  byId("legend").replaceChildren(seeking ? `Share of trials (${soughtWords()}): 0 %` : "Mean score: 1", ramp, seeking ? "100 %." : "10.", ...[...notes].sort(), " A cell opens its trials.");
}
function fillCell(node, trials, seeking) {
  const scored = trials.filter((trial) => columns.score[trial]);
  const counts = {
    sum: scored.reduce((sum, trial) => sum + columns.score[trial], 0), n: scored.length, trials: trials.length,
    right: scored.filter((trial) => columns.score[trial] === 10).length, matched: trials.filter((trial) => matching[trial]).length,
  };
  const value = seeking ? (trials.length ? counts.matched / trials.length : null) : scored.length ? counts.sum / scored.length : null;
  const outcomes = trials.map((trial) => nameOf("outcome", trial)).filter((name) => name !== "scored");
  const most = outcomes.sort((a, b) => outcomes.filter((o) => o === b).length - outcomes.filter((o) => o === a).length)[0];
  const text = value === null ? SHORT[most] || "" : seeking ? shareLabel(value) : meanLabel(value);
  const small = seeking ? String(counts.matched) : value !== null && scored.length < trials.length ? `${scored.length}/${trials.length}` : "";
  counts.note = !trials.length ? " Hatched: no trial." : value === null ? " Hatched: no score, and why." : small ? ` A small number says how many trials ${seeking ? "these are" : "were scored, where not all were"}.` : "";
  node.firstChild.textContent = text;
  node.lastChild.textContent = small;
  node.classList.toggle("missing", value === null);
  paint(node, value === null ? "" : seeking ? soughtColour(value) : colourOf(value));
  const where = `${lengthLabel(node.cell.length)} tokens${hasDepth() ? `, depth ${depthLabel(node.cell.depth)}` : ""}`;
  node.title = `${where}: ${value === null ? `no score: ${text || "no trial"}` : seeking ? `${counts.matched} of ${trials.length} match` : `mean ${meanLabel(value)}, ${counts.right} of ${scored.length} right`}`;
  node.setAttribute("aria-label", node.title);
  return counts;
}
const cellNode = (wanted) => panels.find((panel) => panelKey(panel) === panelKey(wanted))?.cells.get(`${wanted.length}/${wanted.depth}`)?.node;
function keyOnCell(event) {
  const node = event.target;
  if (!node.cell) return;
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.key === "Enter" || event.key === " ") go({ cell: node.cell, trial: -1 });
  else if (!move) return;
  event.preventDefault();
  const row = node.closest("tbody").rows[node.parentNode.sectionRowIndex + (move ? move[1] : 0)];
  const next = row && row.cells[node.cellIndex + (move ? move[0] : 0)];
  if (next && next.cell) next.focus();
}

// Where an answer names elements: an aid to the eye. Names and aliases, whole words, any case; the longest wins.
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const flexible = (name) => name.trim().split(/[\s\-_‐-―]+/).filter(Boolean).map(escaped).join("[\\s\\-_‐-―]*");
function markSpans(text, verdict, key) {
  const known = (list, name) => (list.find((element) => element.name === name) || { names: [name] }).names;
  const wanted = verdict.found.map((name) => ({ kind: "found", name, names: known(key.right, name) }));
  for (const said of verdict.wrong) {
    const bare = said.replace(/ \([^()]*\)$/, ""); // "17685 (willow gate)": a right value for the wrong key
    wanted.push({ kind: "wrong", name: said, names: [said, ...known(key.wrong, said), bare, ...known(key.right, bare)] });
  }
  const spans = [];
  for (const { kind, name, names } of wanted) {
    const patterns = [...new Set(names.map(flexible))].filter(Boolean);
    if (!patterns.length) continue;
    const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})(?:e?s)?(?![\\p{L}\\p{N}])`, "giu");
    for (const match of text.matchAll(any)) spans.push({ start: match.index, end: match.index + match[0].length, kind, name });
  }
  spans.sort((a, b) => a.start - b.start || b.end - a.end || (a.kind === "wrong" ? -1 : 1));
  let end = 0;
  return spans.filter((span) => (span.start >= end ? ((end = span.end), true) : false));
}
function markedText(text, spans) {
  let at = 0;
  const nodes = spans.flatMap(({ start, end, kind, name }) => {
    const before = text.slice(at, start);
    at = end;
    return [before, el("mark", { class: kind, title: `${kind}: ${name}` }, text.slice(start, end))];
  });
  return [...nodes, text.slice(at)];
}
// Parts of a context: plain text, needles, distractors, gaps.
const partNodes = (parts) => parts.map(([kind, text, id]) => {
  if (kind === "gap") return spanOf("gap", ` … ${counted(text)} characters … `);
  return kind === "plain" ? text : el("mark", { class: kind, title: `${kind} ${id}` }, spanOf("sr", `${kind}: `), text);
});

// One trial, in full.
const labelled = (title, ...nodes) => el("section", { class: "part" }, el("h4", {}, title), ...nodes);
const SIGNS = { found: "✓", missing: "○", wrong: "✗" }; // in words and signs, not in colour alone
function trialNode(trial, { trial: details, view, key }) {
  const verdict = details.verdicts[0] || null;
  const cause = causeLabel(columns.cause[trial]);
  return el("article", { class: "trial", "data-trial": index.ids[trial] },
    trialHead(trial),
    details.reason ? paragraph("reason", details.reason) : null,
    cause ? labelled("Cause", el("p", { class: "cause" }, el("strong", {}, cause), spanOf("quiet", `: ${index.meanings[cause]}`))) : null,
    twinsNode(trial),
    labelled("Question", el("p", { class: "said", dir: "auto" }, key.question), key.options.length
      ? el("ol", { class: "options", dir: "auto" }, key.options.map((text, at) => el("li", {}, text, at === key.option ? spanOf("quiet", " ✓ right") : null))) : null),
    answerNode(details, verdict, key),
    verdict ? chips(verdict) : null,
    key.references.length ? el("details", { class: "reference" }, el("summary", {}, "Reference answer"), key.references.map((text) => el("p", { class: "said", dir: "auto" }, text))) : null,
    details.verdicts.length ? labelled("Judges", verdictTable(details.verdicts), details.verdicts.filter((each) => each.unsure).map(({ judge, unsure }) =>
      paragraph("quiet", `${judge} is unsure: ${unsure.reason} (${scoreLabel(unsure.lowest)} to ${scoreLabel(unsure.highest)}).`))) : null,
    view.needles.length || view.distractors.length ? positions(details, view, verdict) : null,
    view.missing ? paragraph("quiet", `The context's source is missing: ${view.missing}`) : passages(details, view),
    details.search.length ? searchNode(details, view) : null,
    details.turns.length ? labelled("Asked beforehand", turnsTable(details.turns)) : null,
    labelled("Numbers", factsList(numbersOf(trial, details))));
}
function badgeOf(trial) {
  const score = columns.score[trial];
  const badge = spanOf("badge", score ? scoreLabel(score) : outcomeLabel(columns.outcome[trial]));
  if (score) paint(badge, colourOf(score));
  return badge;
}
function trialHead(trial) {
  const what = columns.score[trial] ? errorLabel(columns.error[trial]) || "scored" : outcomeLabel(columns.outcome[trial]);
  const seed = columns.seed[trial] < 0 ? "" : ` · seed ${columns.seed[trial]}`;
  return el("header", { class: "head" }, badgeOf(trial), el("div", {}, el("strong", {}, what),
    spanOf("quiet", ` ${nameOf("set", trial)}${seed} · repeat ${columns.repeat[trial]}`),
    el("div", { class: "quiet ids" }, nameOf("case", trial), el("br"), `trial ${index.ids[trial]}`)));
}
// The same case, asked in the same way but for the strategy.
function twinsNode(trial) {
  const twins = [];
  for (let other = 0; other < index.ids.length; other++) {
    if (["run", "reader", "case", "repeat", "set"].every((key) => columns[key][other] === columns[key][trial])) twins.push(other);
  }
  if (twins.length < 2) return null;
  twins.sort((a, b) => columns.strategy[a] - columns.strategy[b]);
  return labelled("Same case, by strategy", el("ul", { class: "twins" }, twins.map((other) => el("li", {}, el("button", {
    type: "button", "aria-current": other === trial ? "true" : null, onclick: () => go({ cell: cellOf(other), trial: other }),
  }, spanOf("name", strategyLabel(columns.strategy[other])), badgeOf(other))))));
}
function answerNode(details, verdict, key) {
  if (!details.length) return labelled("Answer", paragraph("quiet", "none"));
  const cut = `The first ${counted(details.answer.length)} of ${counted(details.length)} characters; niah export gives all.`;
  return labelled("Answer", el("pre", { class: "answer", dir: "auto", tabindex: 0 }, markedText(details.answer, verdict ? markSpans(details.answer, verdict, key) : [])),
    details.length > details.answer.length ? paragraph("quiet", cut) : null);
}
const factsList = (rows) => el("dl", { class: "facts" }, rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
function chips(verdict) {
  const all = Object.keys(SIGNS).flatMap((kind) => verdict[kind].map((name) => el("li", { class: kind }, `${SIGNS[kind]} ${kind} `, name)));
  if (verdict.self_doubt) all.push(el("li", { class: "doubt" }, "? self-doubt"));
  return all.length ? el("ul", { class: "chips", "aria-label": "Elements" }, all) : null;
}
const smallTable = (heads, rows) => el("div", { class: "scroll" }, el("table", { class: "small" },
  el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows)));
const verdictTable = (verdicts) => smallTable(["judge", "score", ...Object.keys(SIGNS), "reason"], verdicts.map((verdict) => el("tr", {},
  el("th", { scope: "row" }, verdict.judge, spanOf("quiet", ` v${verdict.version}`)), numberCell(scoreLabel(verdict.score)),
  Object.keys(SIGNS).map((kind) => numberCell(String(verdict[kind].length))), el("td", { dir: "auto" }, verdict.reason))));

const turnsTable = (turns) => smallTable(["for", "step", "model", "calls", "tokens", "cost", "of no use"], turns.map(([whose, step, model, ...numbers]) => el("tr", {},
  el("th", { scope: "row" }, whose), el("td", {}, step), el("td", {}, model), numberCell(counted(numbers[0])), numberCell(counted(numbers[1])),
  numberCell(costLabel(numbers[2])), numberCell(String(numbers[3])))));

// The context as a strip: needles, distractors, and below them what was retrieved.
const textSize = (view) => view.chars || Math.max(4 * view.tokens, ...[...view.needles, ...view.distractors].map(({ at }) => at[1]));
const percent = (at, view) => (100 * at) / textSize(view);
const percentOf = ({ at, token }, view) => (view.chars ? percent(at[0], view) : (100 * token) / view.tokens);
function needleState(needle, verdict) {
  if (!verdict || !needle.elements.length) return "plain";
  return needle.elements.every((name) => verdict.found.includes(name)) ? "found" : "lost";
}
function positions(details, view, verdict) {
  const place = (kind, title, left, [start, end]) => {
    const node = el("span", { class: kind, title });
    node.style.left = `${left}%`;
    node.style.width = `${percent(end - start, view)}%`;
    return node;
  };
  const strip = el("div", { class: "strip", role: "img", "aria-label": "Context from start to end; the table below says the same" },
    (details.chunks || []).map(([rank, at]) => place("chunk", `retrieved, rank ${rank}`, percent(view.chunks[at][0], view), view.chunks[at])),
    view.distractors.map((one) => place("distractor", `distractor ${one.id}`, percentOf(one, view), one.at)),
    view.needles.map((one) => place(`needle ${needleState(one, verdict)}`, `needle ${one.id}`, percentOf(one, view), one.at)));
  const ranked = Boolean(details.needle_ranks) && details.needle_ranks.length === view.needles.length;
  const sign = (name) => {
    const kind = ["found", "missing"].find((one) => verdict && verdict[one].includes(name));
    return kind ? `${name} ${SIGNS[kind]} ${kind}` : name;
  };
  const row = (kind, one, says, rank) => el("tr", {}, el("th", { scope: "row" }, `${kind} ${one.id}`), numberCell(`${percentOf(one, view).toFixed(1)} %`),
    numberCell(counted(one.token)), el("td", {}, says), ranked ? numberCell(rank) : null);
  const needles = view.needles.map((one, at) => row("needle", one, one.elements.map(sign).join(", "), ranked && (details.needle_ranks[at] === null ? "not whole" : String(details.needle_ranks[at]))));
  const distractors = view.distractors.map((one) => row("distractor", one, one.hardness, ""));
  return labelled("Needles in the context", el("div", { class: "ends" }, spanOf("", "start"), spanOf("", `${counted(view.tokens)} tokens`), spanOf("", "question")), strip,
    smallTable(["", "at", "token", "elements", ...(ranked ? ["rank"] : [])], [...needles, ...distractors]));
}
function passages(details, view) {
  if (!details.chunks || !details.chunks.length) {
    return labelled(view.needles.length ? "Around the needles" : "Beginning of the context",
      details.retrieved ? paragraph("quiet", "Which chunks were retrieved is not in the run file.") : null, el("p", { class: "passage", dir: "auto" }, partNodes(view.around)));
  }
  const left = details.retrieved - details.chunks.length;
  return labelled("Retrieved, best first", el("ol", { class: "chunks" }, details.chunks.map(([rank, at]) => chunkNode(at, view, `rank ${rank} · `))), left > 0 ? paragraph("quiet", `${plural(left, "further chunk")} of ${counted(details.retrieved)}, not shown`) : null);
}
const chunkNode = (place, view, title) => {
  const [start, end, parts] = view.chunks[place];
  const holds = parts.some(([kind]) => kind === "needle");
  return el("li", { class: holds ? "holds" : "" }, paragraph("quiet", `${title}${percent(start, view).toFixed(1)} % to ${percent(end, view).toFixed(1)} %${holds ? " · holds a needle" : ""}`),
    el("p", { class: "passage", dir: "auto" }, partNodes(parts)));
};
// What a model that searched asked for, turn by turn, and what it was shown.
function searchNode(details, view) {
  const useNode = ([asked, problem, matches, shown, places]) => [el("pre", { class: "answer", dir: "auto" }, asked),
    paragraph("quiet", problem || [matches === null ? "" : plural(matches, "matching sentence"), `${plural(shown, "passage")} shown`].filter(Boolean).join(" · ")),
    places.length ? el("ol", { class: "chunks" }, places.map((place) => chunkNode(place, view, ""))) : null];
  return labelled("Search", details.search.map(([turn, step, uses]) => el("div", { class: "turn" }, paragraph("quiet", `${turn}. ${step}`), uses.flatMap(useNode))));
}
function numbersOf(trial, details) {
  const tokens = (count) => (count === null ? "unknown" : `${counted(count)} tokens`);
  return [
    ["prompt", tokens(details.prompt_tokens) + (details.cached_tokens === null ? "" : `, ${counted(details.cached_tokens)} cached`)],
    ["answer", tokens(details.completion_tokens) + (details.thinking_tokens ? `, ${counted(details.thinking_tokens)} of them thoughts` : "")],
    ["context", tokens(details.context_tokens)],
    ["cost", costLabel(details.cost) + (details.reused_from ? `, not paid: of an earlier run (${details.reused_from})` : details.from_cache ? ", not paid: asked once" : "")],
    ["latency", secondsLabel(details.latency_s)], ["outcome", outcomeLabel(columns.outcome[trial])],
    ...(details.retrieval_completeness === null ? [] : [["completeness", shareLabel(details.retrieval_completeness)]]), ...(details.noise_ratio === null ? [] : [["noise ratio", shareLabel(details.noise_ratio)]]),
  ];
}

// The drawer: the trials of the open cell, one of them in full.
let shown = null;
function trialsOf(cell) {
  const all = [];
  for (let trial = 0; trial < index.ids.length; trial++) if (sameCell(cell, cellOf(trial))) all.push(trial);
  const left = all.filter((trial) => matching[trial]);
  return { all, left: left.length ? left : all, matched: left.length };
}
async function updateDrawer() {
  const drawer = byId("drawer");
  drawer.hidden = !state.cell;
  document.body.classList.toggle("with-drawer", Boolean(state.cell));
  for (const node of document.querySelectorAll(".cell.open")) node.classList.remove("open");
  if (!state.cell) return byId("drawer-inside").replaceChildren();
  cellNode(state.cell)?.classList.add("open");
  const { all, left, matched } = trialsOf(state.cell);
  const trial = state.trial >= 0 ? state.trial : left[0] ?? -1;
  const { strategy, length, depth, reader } = state.cell;
  byId("drawer-title").textContent = [strategyLabel(strategy), lengthLabel(length), ...(index.names.depth[depth] === null ? [] : [depthLabel(depth)])].join(" · ");
  const wanted = (shown = { trial });
  const details = trial >= 0 ? await detailsOf(trial) : null;
  if (shown !== wanted) return undefined; // something else was opened meanwhile
  const says = matched < all.length ? `${matched || "none"} of ${plural(all.length, "trial")} match the filters` : plural(all.length, "trial");
  const list = el("ol", { class: "list" }, left.map((one) => el("li", {}, trialButton(one, one === trial))));
  byId("drawer-inside").replaceChildren(el("p", { class: "quiet", role: "status" }, `${index.names.reader[reader]} · ${says}`), left.length > 1 ? list : "",
    el("div", {}, details ? [stepper(left, trial), trialNode(trial, details)] : paragraph("quiet", "No trial was planned for this cell.")));
  byId("drawer-inside").scrollTop = 0;
  drawer.dataset.trial = trial >= 0 ? index.ids[trial] : "";
  return undefined;
}
function trialButton(trial, current) {
  const what = columns.score[trial] ? errorLabel(columns.error[trial]) : "";
  const seed = columns.seed[trial] < 0 ? nameOf("case", trial) : `s${columns.seed[trial]}`;
  const which = `${seed}${columns.repeat[trial] ? ` r${columns.repeat[trial]}` : ""}`;
  return el("button", { type: "button", "aria-current": current ? "true" : null, onclick: () => go({ trial }) },
    badgeOf(trial), spanOf("name", nameOf("set", trial)), spanOf("quiet", [which, what].filter(Boolean).join(" · ")));
}
function stepper(left, trial) {
  if (left.length < 2) return "";
  const at = left.indexOf(trial);
  const step = (by, says, key) => el("button", { type: "button", "aria-keyshortcuts": key, disabled: left[at + by] === undefined, onclick: () => stepTrial(by) }, says);
  return el("div", { class: "stepper" }, step(-1, "‹ Previous", "k"), spanOf("quiet", at >= 0 ? `${at + 1} of ${left.length}` : ""), step(1, "Next ›", "j"));
}
function stepTrial(by) {
  if (!state.cell) return;
  const { left } = trialsOf(state.cell);
  const next = left[left.indexOf(state.trial >= 0 ? state.trial : left[0]) + by];
  if (next !== undefined) go({ trial: next }, true);
}
function closeDrawer() {
  const node = state.cell && cellNode(state.cell);
  go({ cell: null, trial: -1 });
  if (node) node.focus({ preventScroll: true });
}

// All trials that the filters leave, the worst first, those without a score before the right ones; what fails by
// design (no context, only the right text) last.
const trialOrder = { by: 0, down: false, rows: 25 };
const badness = (trial) => index.by_design[columns.strategy[trial]] * 200 + (columns.score[trial] || 9.99);
const TRIAL_COLUMNS = [
  ["score", badness, (trial) => badgeOf(trial), true],
  ["error type", (trial) => columns.error[trial], (trial) => errorLabel(columns.error[trial])],
  ["cause", (trial) => columns.cause[trial], (trial) => causeLabel(columns.cause[trial])],
  ["model", (trial) => columns.reader[trial], (trial) => nameOf("reader", trial)],
  ["strategy", (trial) => columns.strategy[trial], (trial) => strategyLabel(columns.strategy[trial])],
  ["question", (trial) => columns.case[trial], (trial) => index.questions[columns.case[trial]] || "–"],
  ["needle set", (trial) => nameOf("set", trial), (trial) => nameOf("set", trial)],
  ["length", (trial) => columns.length[trial], (trial) => lengthLabel(columns.length[trial]), true],
  ["depth", (trial) => columns.depth[trial], (trial) => depthLabel(columns.depth[trial]), true],
];
function updateTrials() {
  const left = [];
  for (let trial = 0; trial < matching.length; trial++) if (matching[trial]) left.push(trial);
  const [, value] = TRIAL_COLUMNS[trialOrder.by];
  const sign = trialOrder.down ? -1 : 1;
  left.sort((a, b) => sign * (typeof value(a) === "string" ? byName(value(a), value(b)) : value(a) - value(b)));
  const head = el("tr", {}, TRIAL_COLUMNS.map(([title, , , number], place) => el("th", { scope: "col", class: number ? "number" : null }, el("button", {
    type: "button",
    onclick: () => {
      trialOrder.down = trialOrder.by === place && !trialOrder.down;
      trialOrder.by = place;
      updateTrials();
    },
  }, title + (trialOrder.by === place ? (trialOrder.down ? " ↓" : " ↑") : "")))));
  const open = (trial) => () => go({ cell: cellOf(trial), trial });
  const rows = left.slice(0, trialOrder.rows).map((trial) => el("tr", { class: "opens", onclick: open(trial) },
    TRIAL_COLUMNS.map(([title, , says, number], place) => el("td", { class: number ? "number" : null, "data-head": title },
      place ? says(trial) : el("button", { type: "button", class: "plain", "aria-label": `Open trial ${index.ids[trial]}` }, says(trial))))));
  byId("trial-rows").replaceChildren(el("thead", {}, head), el("tbody", {}, rows));
  byId("trials-more").hidden = left.length <= trialOrder.rows;
  byId("trials-more").textContent = `Show more of ${counted(left.length)}`;
}

// Tables are sorted by their columns' names; a number is a cell that is nothing else.
function sortTable(event) {
  const head = event.target.closest(".sortable th");
  if (!head) return;
  const body = head.closest("table").tBodies[0];
  const down = (head.ariaSort = head.ariaSort === "ascending" ? "descending" : "ascending") === "descending";
  const text = (row) => row.cells[head.cellIndex].textContent;
  const number = (row) => Number(text(row).replace(/,|\s?%$/g, "").replace("−", "-").trim() || "none");
  const order = (a, b) => (Number.isNaN(number(a)) || Number.isNaN(number(b)) ? byName(text(a), text(b)) : number(a) - number(b));
  body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * order(a, b)));
}
// Figures are unpacked one after the other, in quiet moments: a click comes first.
async function showFigures() {
  for (const node of document.querySelectorAll(".drawn")) {
    const svg = await inflate(node.querySelector("script").textContent);
    node.querySelector("img").src = `data:image/svg+xml;base64,${btoa(unescape(encodeURIComponent(svg)))}`;
    node.querySelector(".enlarge").addEventListener("click", ({ currentTarget }) =>
      currentTarget.setAttribute("aria-pressed", String(node.classList.toggle("large"))));
  }
}

// Keys, the theme, printing.
const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  byId("theme").setAttribute("aria-pressed", String(isDark()));
  try { if (theme) localStorage.setItem("niah-theme", theme); } catch { /* it holds until the page is closed */ }
}
function buildKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const typing = event.target.matches("input:not([type=checkbox])");
    const act = { Escape: () => (typing ? event.target.blur() : state.cell && closeDrawer()), "/": () => byId("query").select(), j: () => stepTrial(1), k: () => stepTrial(-1) }[event.key];
    if (!act || (typing && event.key !== "Escape")) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("click", (event) => {
    const node = event.target.closest(".cell");
    if (node) go({ cell: node.cell, trial: -1 });
  });
  document.addEventListener("keydown", keyOnCell);
  byId("drawer-close").addEventListener("click", closeDrawer);
  byId("trials-more").addEventListener("click", () => {
    trialOrder.rows += 100;
    updateTrials();
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details:not(.facet)").forEach((node) => { node.open = true; }));
}
function follow() {
  const before = state;
  const filters = ({ chosen, query }) => JSON.stringify([query, FACETS.map(({ key }) => [...chosen[key]].sort())]);
  state = readState();
  if (!before || filters(before) !== filters(state)) {
    applyFilters();
    updateFacets();
    updateHeatmaps();
    updateTrials();
  }
  return updateDrawer();
}
async function start() {
  let kept = null;
  try { kept = localStorage.getItem("niah-theme"); } catch { /* pages from disk may not keep anything */ }
  setTheme(kept);
  byId("theme").addEventListener("click", () => setTheme(isDark() ? "light" : "dark"));
  document.addEventListener("click", sortTable);
  if (!byId("index")) return void showFigures();
  await loadIndex();
  buildFacets();
  buildHeatmaps();
  const details = { depth: hasDepth(), cause: index.names.cause.length, question: index.questions.length, model: index.names.reader.length > 1 };
  TRIAL_COLUMNS.find(([title]) => title === "needle set")[0] = index.titles.set.toLowerCase();
  TRIAL_COLUMNS.splice(0, Infinity, ...TRIAL_COLUMNS.filter(([title]) => details[title] === undefined || details[title]));
  buildKeys();
  addEventListener("hashchange", follow);
  const opened = follow();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
  await opened;
  await showFigures();
  document.documentElement.dataset.complete = "";
}
start().catch((error) => {
  byId("alarm").textContent = error.message;
  byId("alarm").hidden = false;
  throw error;
});
})();
