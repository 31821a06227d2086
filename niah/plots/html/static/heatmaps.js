// Heatmaps: one per reader, strategy and group of needle sets that are asked alike, made once and filled anew
// whenever the filters change. Sets of other lengths taken together would make one length differ from the next by
// who is asked there.
const panels = new Map();
const groups = [];

// A reader, and its run where it is in several.
function groupTitle(run, reader) {
  const shared = groups.some((group) => group.reader === reader && group.run !== run);
  return shared ? `${index.names.reader[reader]} · ${index.names.run[run]}` : index.names.reader[reader];
}

const hasSets = () => index.names.alike.length > 1;
const setsOf = (alike) => (hasSets() ? index.names.alike[alike] : "");

// What each run, reader and group of needle sets has: strategies, lengths and depths, of the whole run, so that
// panels stand still.
function axesOf() {
  const axes = new Map();
  for (let trial = 0; trial < index.ids.length; trial++) {
    const reader = columns.run[trial] * index.names.reader.length + columns.reader[trial];
    const key = reader * index.names.alike.length + alikeOf(trial);
    if (!axes.has(key)) {
      axes.set(key, {
        run: columns.run[trial], reader: columns.reader[trial], alike: alikeOf(trial),
        strategy: new Set(), length: new Set(), depth: new Set(),
      });
    }
    for (const name of ["strategy", "length", "depth"]) axes.get(key)[name].add(columns[name][trial]);
  }
  const sorted = (places) => [...places].sort((a, b) => a - b);
  return [...axes.entries()].sort(([a], [b]) => a - b).map(([, axis]) => ({
    ...axis, strategy: sorted(axis.strategy), length: sorted(axis.length), depth: sorted(axis.depth),
  }));
}

function buildHeatmaps() {
  groups.push(...axesOf());
  if (!hasDepth()) {
    for (const node of [byId("heatmaps-title"), document.querySelector('[data-to="heatmaps"]')]) node.textContent = "Scores by length";
  }
  for (const group of groups) {
    group.panels = group.strategy.map((strategy) => buildPanel(group, strategy));
    group.node = el("div", { class: "alike" }, hasSets() ? paragraph("sets", setsOf(group.alike)) : "",
      el("div", { class: "panels" }, group.panels.map((panel) => panel.node)));
    for (const panel of group.panels) panels.set(panel.id, panel);
    sectionOf(group).append(group.node);
  }
  byId("panels").addEventListener("click", clickCell);
  byId("panels").addEventListener("keydown", keyOnCell);
  byId("panels").addEventListener("mouseover", ({ target }) => {
    const node = target.closest(".cell");
    if (node) node.title = node.getAttribute("aria-label");
  });
  byId("panels").addEventListener("focusin", ({ target }) => {
    if (target.cell) roveTo(target);
  });
  byId("heatmaps-csv").addEventListener("click", () => saveCells("heatmaps", [...panels.values()].filter(isShown)));
}

// A reader's part of the page, with its name once.
function sectionOf({ run, reader }) {
  const before = groups.find((group) => group.node && group.run === run && group.reader === reader && group.node.parentNode);
  if (before) return before.node.parentNode;
  const node = el("section", { class: "reader" }, el("h3", {}, groupTitle(run, reader)));
  byId("panels").append(node);
  return node;
}

function buildPanel(axes, strategy) {
  const { run, reader, alike } = axes;
  const title = strategyLabel(strategy);
  const whose = [groupTitle(run, reader), setsOf(alike)].filter(Boolean).join(", ");
  const cells = [];
  const table = buildGrid(axes, strategy, cells);
  const rows = hasDepth() ? "rows are depths, " : "";
  table.setAttribute("aria-label", `${whose}, ${title}: ${rows}columns context lengths in tokens`);
  const says = spanOf("quiet says");
  const button = el("button", { type: "button", class: "csv", "aria-label": `CSV of ${title}` }, "CSV");
  const size = axes.length.length <= 6 ? "wide" : axes.length.length <= 9 ? "middle" : "narrow";
  const node = el("figure", { class: `panel ${size}` },
    el("figcaption", {}, el("h4", {}, title), says, button),
    el("div", { class: "scroll" }, table));
  const id = panelOf({ ...axes, strategy });
  const panel = { id, run, reader, strategy, alike, node, cells, says, columns: axes.length.length };
  button.addEventListener("click", () => saveCells(`heatmap ${whose} ${title}`, [panel]));
  return panel;
}

// The table; its cells are added to `cells`, row by row.
function buildGrid({ run, reader, alike, length: lengths, depth: depths }, strategy, cells) {
  const column = (kind, text) => el("th", { class: kind, role: "columnheader", scope: "col" }, text);
  const head = el("tr", { role: "row" },
    hasDepth() ? column("corner", "depth") : null, lengths.map((length) => column(null, lengthLabel(length))));
  const rows = depths.map((depth) => {
    const row = lengths.map((length) => buildCell({ run, reader, strategy, length, depth, alike }));
    cells.push(...row);
    return el("tr", { role: "row" },
      hasDepth() ? el("th", { role: "rowheader", scope: "row" }, depthLabel(depth)) : null, row.map(({ node }) => node));
  });
  cells[0].node.tabIndex = 0;
  return el("table", { class: "grid", role: "grid" },
    el("thead", { role: "rowgroup" }, head), el("tbody", { role: "rowgroup" }, rows));
}

function buildCell(place) {
  const [value, small] = [new Text(), new Text()];
  const node = el("td", { class: "cell", role: "gridcell", tabindex: -1 }, el("b", {}, value), el("i", {}, small));
  const slot = slotOf(panelOf(place), place.length, place.depth);
  node.cell = { ...place, node, value, small, slot };
  return node.cell;
}

const isChosen = (key, place) => !state.chosen[key].size || state.chosen[key].has(place);
// A group of sets of which the filters leave nothing is not shown; where there is one alone it stands.
const isShown = (panel) => ["run", "reader", "strategy"].every((key) => isChosen(key, panel[key]))
  && (!hasSets() || panelTally(panel.id).trials > 0);

function updateHeatmaps() {
  const seeking = isSeeking();
  for (const group of groups) {
    for (const panel of group.panels) {
      panel.node.hidden = !isShown(panel);
      if (!panel.node.hidden) updatePanel(panel, seeking);
    }
    group.node.hidden = group.panels.every((panel) => panel.node.hidden);
  }
  for (const section of byId("panels").children) {
    section.hidden = [...section.querySelectorAll(".alike")].every((node) => node.hidden);
  }
  updateLegend(seeking);
  updateMatrix(seeking);
}

function updatePanel(panel, seeking) {
  const total = panelTally(panel.id);
  const counts = new Set();
  for (const cell of panel.cells) {
    const numbers = cellTally(cell.slot);
    counts.add(seeking ? numbers.trials : numbers.n);
    fillCell(cell, numbers, seeking);
  }
  // Where every cell has as many, that is said once, above them.
  const uniform = counts.size === 1 && total.n === total.trials;
  panel.node.classList.toggle("uniform", uniform && !seeking);
  const each = uniform && panel.cells.length > 1 ? `, ${counted([...counts][0])} a cell` : "";
  const n = `n = ${counted(total.n)}${total.n === total.trials ? "" : ` of ${counted(total.trials)}`}${each}`;
  if (seeking) panel.says.textContent = `${counted(total.matched)} of ${counted(total.trials)}`;
  else panel.says.textContent = total.mean === null ? "no score" : `mean ${meanLabel(total.mean)} · ${n}`;
}

function fillCell(cell, numbers, seeking) {
  const shown = seeking ? shareOf(numbers) : meanOf(numbers);
  const { node, value, small } = cell;
  node.classList.toggle("missing", shown.colour === "");
  node.classList.toggle("partial", shown.partial);
  value.data = shown.value;
  small.data = shown.small;
  paint(node, shown.colour);
  const where = cellLabel(cell.length, cell.depth);
  node.setAttribute("aria-label", `${where}: ${shown.says}`);
}

// What a cell shows of its scores; without a colour where there are none.
function meanOf({ mean, n, trials, outcomes }) {
  const why = outcomesLabel(outcomes);
  if (mean === null) {
    const value = trials ? hindrance(outcomes) : "";
    return { value, small: "", colour: "", partial: false, says: `no score: ${why}` };
  }
  const partial = n < trials;
  const says = `mean ${meanLabel(mean)}, n = ${n}${partial ? `; ${why}` : ""}`;
  const small = partial ? `${n}/${trials}` : String(n);
  return { value: meanLabel(mean), small, colour: colourOf(mean), partial, says };
}

// What a cell shows of the trials that are looked for.
function shareOf({ matched, trials }) {
  if (!trials) return { value: "", small: "", colour: "", partial: false, says: "no trial" };
  const share = matched / trials;
  const says = `${matched} of ${plural(trials, "trial")} match`;
  const value = String(Math.round(100 * share));
  return { value, small: String(matched), colour: shadeOf(share), partial: false, says };
}

// Why a cell has no score, in a word that fits: its most frequent outcome.
const SHORT = {
  refused: "ref.", truncated: "trunc.", overflow: "over",
  reader_error: "err.", preparation_error: "prep.", judge_error: "judge", not_run: "not run",
};
const hindrance = (outcomes) => SHORT[index.names.outcome[outcomes.indexOf(Math.max(...outcomes))]];

const swatch = (kind, says) => spanOf("", el("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), says);

function updateLegend(seeking) {
  byId("heatmaps-lead").textContent = seeking
    ? "Share of each cell's trials that have what the filter looks for, in %. Click a cell to read them."
    : `Mean score by context length (columns)${hasDepth() ? " and depth (rows)" : ""}. Click a cell to read its trials.`;
  if (hasSets()) byId("heatmaps-lead").textContent += " Needle sets that are asked at other lengths or depths stand apart.";
  const ramp = el("span", { class: "ramp", "aria-hidden": "true" });
  ramp.style.background = `linear-gradient(to right, ${index.palette.join(",")})`;
  const ends = seeking ? ["0 %", "100 %"] : ["1", "10"];
  byId("legend").replaceChildren(
    el("span", {}, ends[0], ramp, ends[1]),
    swatch("missing", seeking ? "no trial" : "nothing scored, and why"),
    seeking ? "" : swatch("partial", "some trials not scored (n of all)"),
    spanOf("quiet", seeking ? "small number: how many match" : "small number: n"),
  );
}

function saveCells(name, wanted) {
  const sets = hasSets() ? ["needle_sets"] : [];
  const heads = ["run", "reader", "strategy", ...sets, "context_length", "depth", "mean", "n", "trials", ...index.names.outcome];
  if (isSeeking()) heads.push("matching");
  const rows = wanted.flatMap((panel) => panel.cells.map((cell) => {
    const numbers = cellTally(cell.slot);
    const row = [
      ...["run", "reader", "strategy"].map((key) => index.names[key][cell[key]]), ...sets.map(() => setsOf(cell.alike)),
      ...["length", "depth"].map((key) => index.names[key][cell[key]]), numbers.mean, numbers.n, numbers.trials, ...numbers.outcomes,
    ];
    return isSeeking() ? [...row, numbers.matched] : row;
  }));
  save(`${fileStem(name)}.csv`, csvOf(heads, rows));
}
