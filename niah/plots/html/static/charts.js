// Figures that follow the filters: drawn here of what they leave, in the page's own colours and width.
const SVG_NAMES = "http://www.w3.org/2000/svg";
const CHART = { least: 300, height: 210, left: 30, top: 10, bottom: 34, label: 92, line: 13 };
const LIVE = [
  ["score-by-length", { draw: (group) => linesOver("length", group), says: () => linesSay("depths") }],
  ["score-by-depth", { draw: (group) => linesOver("depth", group), says: () => linesSay("lengths") }],
  ["error-types", { draw: (group) => errorBars(group), says: () => "Shares of the answers that have an error type." }],
  ["outcomes", { draw: (group) => outcomeMap(group), says: () => "Trials without a score in % of all; the colour is the commonest reason." }],
];
const linesSay = (over) => (isSeeking()
  ? `Share of the trials that have what the filter looks for, in %, over all ${over}.`
  : `Mean score over all ${over}, without intervals.`);

const liveOf = (name) => (LIVE.find(([start]) => name === start || name.startsWith(`${start}--`)) || [])[1];

function shape(tag, attributes, ...children) {
  const node = document.createElementNS(SVG_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const words = (x, y, text, kind = "", anchor = "start") =>
  shape("text", { x, y, class: kind, "text-anchor": anchor }, text);

// Every figure, whenever the filters change: one that can follow does, another says that it does not.
function updateCharts() {
  const filtered = isFiltered();
  for (const node of document.querySelectorAll(".drawn")) {
    const { name } = index.figures[Number(node.dataset.place)];
    const live = liveOf(name);
    node.classList.toggle("follows", filtered && Boolean(live));
    node.classList.toggle("of-whole", filtered && !live);
    if (filtered && live) fillChart(node, name, live);
  }
}

function fillChart(node, name, live) {
  let place = node.querySelector(".live");
  if (!place) {
    place = el("div", { class: "live", "data-width": 0 });
    node.querySelector(".enlarge").before(place);
    new ResizeObserver(() => {
      if (isFiltered() && Math.abs(place.clientWidth - Number(place.dataset.width)) > 8) fillChart(node, name, live);
    }).observe(place);
  }
  place.dataset.width = place.clientWidth;
  const own = groups.filter((group) => !group.node.hidden && (!name.includes("--") || isOf(name, group)));
  const across = Math.max(1, Math.min(own.length, Math.floor(place.clientWidth / CHART.least)));
  chartWidth = Math.floor((place.clientWidth || CHART.least) / across) - 12;
  const drawn = own.map((group) => el("section", {}, el("h4", {}, chartTitle(group)), live.draw(group)));
  place.replaceChildren(el("div", { class: "charts" }, drawn),
    paragraph("quiet", drawn.length ? `What the filters leave. ${live.says()}` : "The filters leave nothing of this."));
}
let chartWidth = 400;

const chartTitle = ({ run, reader, alike }) => [groupTitle(run, reader), setsOf(alike)].filter(Boolean).join(" · ");

// Figures of one reader are called after it.
const isOf = (name, { reader }) => name.split("--")[1] === fileStem(index.names.reader[reader]).toLowerCase();

const shownPanels = (group) => group.panels.filter((panel) => !panel.node.hidden);

// {value, n} at each length or depth, over all cells there; without a value where there is nothing.
function pointsOver(axis, group, panel) {
  const seeking = isSeeking();
  const other = axis === "length" ? "depth" : "length";
  return group[axis].map((at) => {
    const total = { sum: 0, n: 0, matched: 0, trials: 0 };
    for (const beside of group[other]) {
      const place = axis === "length" ? [at, beside] : [beside, at];
      const cell = cellTally(slotOf(panel.id, ...place));
      total.sum += (cell.mean || 0) * cell.n;
      total.n += cell.n;
      total.matched += cell.matched;
      total.trials += cell.trials;
    }
    const n = seeking ? total.trials : total.n;
    if (!n) return { value: null, n };
    return { value: seeking ? (100 * total.matched) / n : total.sum / n, n };
  });
}

function linesOver(axis, group) {
  const [low, high] = isSeeking() ? [0, 100] : [1, 10];
  const labels = group[axis].map(axis === "length" ? lengthLabel : depthLabel);
  const right = chartWidth - CHART.label;
  const x = (at) => CHART.left + ((right - CHART.left) * (at + 0.5)) / labels.length;
  const y = (value) => CHART.height - CHART.bottom - ((CHART.height - CHART.bottom - CHART.top) * (value - low)) / (high - low);
  const ticks = isSeeking() ? [0, 25, 50, 75, 100] : [1, 3, 5, 7, 10];
  const every = Math.ceil((labels.length * 34) / (right - CHART.left));
  const title = axis === "length" ? "context length (tokens)" : "depth of the first needle";
  const series = shownPanels(group).map((panel) => ({ panel, points: pointsOver(axis, group, panel) }))
    .filter(({ points }) => points.some(({ value }) => value !== null));
  const says = `${isSeeking() ? "share that matches, %" : "mean score"} over ${title}: ` + series.map(({ panel, points }) =>
    `${strategyLabel(panel.strategy)} ${points.map(({ value }) => (value === null ? "–" : meanLabel(value))).join(", ")}`).join("; ");
  return shape("svg", { class: "chart", width: chartWidth, height: CHART.height, role: "img", "aria-label": says },
    ...ticks.flatMap((tick) => [
      shape("line", { class: "rule", x1: CHART.left, x2: right, y1: y(tick), y2: y(tick) }),
      words(CHART.left - 6, y(tick) + 4, String(tick), "tick", "end"),
    ]),
    ...labels.map((label, at) => (at % every ? "" : words(x(at), CHART.height - 18, label, "tick", "middle"))),
    words((CHART.left + right) / 2, CHART.height - 3, title, "tick", "middle"),
    ...series.map(({ panel, points }) => lineOf(panel, points, x, y)),
    ...endLabels(series, y, right));
}

function lineOf(panel, points, x, y) {
  const kind = `series ${colourClass(panel.strategy)}`;
  let pen = "M";
  const path = points.map(({ value }, at) => {
    if (value === null) {
      pen = "M";
      return "";
    }
    const step = `${pen}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = "L";
    return step;
  }).join("");
  const dots = points.map(({ value, n }, at) => (value === null ? "" : shape("circle", { cx: x(at), cy: y(value), r: 3 },
    shape("title", {}, `${strategyLabel(panel.strategy)}: ${meanLabel(value)}, n = ${n}`))));
  return shape("g", { class: kind }, shape("path", { d: path }), ...dots);
}

// Names at the ends of lines, moved apart where they would stand on one another.
function endLabels(series, y, right) {
  const ends = series.map(({ panel, points }) => ({ panel, at: y(points.filter(({ value }) => value !== null).at(-1).value) }))
    .sort((a, b) => a.at - b.at);
  ends.forEach((end, place) => {
    if (place) end.at = Math.max(end.at, ends[place - 1].at + CHART.line);
  });
  const over = ends.length ? Math.max(0, ends.at(-1).at - (CHART.height - CHART.bottom)) : 0;
  return ends.map(({ panel, at }) => words(right + 4, at - over + 4, strategyLabel(panel.strategy), `end ${colourClass(panel.strategy)}`));
}

const COLOURS = 8;
const SHIPPED = [0, 2, 3, 4, 7, 5, 6];

// Full context is ink, what nobody can ship (ceiling and floor) grey, and each of the others has a colour.
function colourClass(strategy) {
  if (index.labels.strategy[strategy] === "full context") return "ink";
  if (!index.deployable[strategy]) return "reference";
  const rank = index.deployable.slice(0, strategy).filter((one, at) => one && index.labels.strategy[at] !== "full context").length;
  return `c${SHIPPED[rank % SHIPPED.length]}`;
}

// One bar a strategy, cut by the error types that its answers have.
function errorBars(group) {
  const key = "error";
  const kinds = index.names[key].map((_, place) => place);
  const rows = shownPanels(group).map((panel) => ({ panel, counts: errorCounts(panel, kinds.length) }))
    .map((row) => ({ ...row, all: row.counts.reduce((a, b) => a + b, 0) })).filter(({ all }) => all);
  const there = kinds.filter((kind) => rows.some(({ counts }) => counts[kind]));
  const bar = ({ counts, all }) => el("div", { class: "bar-of" }, there.filter((kind) => counts[kind]).map((kind) => {
    const share = counts[kind] / all;
    const says = `${wordsOf(key, kind)}: ${shareLabel(share)} (${counts[kind]} of ${all})`;
    const piece = el("span", { class: `piece ${kindClass(key, kind)}`, title: says, "aria-label": says }, share > 0.09 ? shareLabel(share) : "");
    piece.style.width = `${100 * share}%`;
    return piece;
  }));
  return el("div", { class: "bars" },
    el("p", { class: "legend" }, there.map((kind) =>
      spanOf("", el("span", { class: `sample piece ${kindClass(key, kind)}`, "aria-hidden": "true" }), wordsOf(key, kind)))),
    rows.map((row) => el("div", { class: "bar-row" }, spanOf("name", strategyLabel(row.panel.strategy)), bar(row),
      spanOf("quiet", `n ${counted(row.all)}`))));
}

// What is as it should be is pale.
const kindClass = (key, kind) => (index.names[key][kind] === "correct" ? "pale" : `c${(kind + COLOURS - 1) % COLOURS}`);

function errorCounts(panel, kinds) {
  const counts = new Array(kinds).fill(0);
  for (const trial of trialsLeft(panel)) if (columns.error[trial]) counts[columns.error[trial] - 1] += 1;
  return counts;
}

// What the filters leave of a panel.
function* trialsLeft(panel) {
  for (let trial = 0; trial < population.length; trial++) {
    if (population[trial] && panelOfTrial(trial) === panel.id) yield trial;
  }
}

// Strategies down, lengths across, and in each cell what share of its trials has no score, and mostly why.
function outcomeMap(group) {
  const rows = shownPanels(group).map((panel) => ({ panel, cells: lackingOf(panel, group.length) }))
    .filter(({ cells }) => cells.some(({ lacking }) => lacking));
  if (!rows.length) return paragraph("quiet", "Every trial has a score.");
  const there = [...new Set(rows.flatMap(({ cells }) => cells.filter(({ lacking }) => lacking).map(({ kind }) => kind)))].sort((a, b) => a - b);
  const cell = ({ lacking, trials, kind }) => {
    if (!lacking) return el("td");
    const share = lacking / trials;
    const says = `${wordsOf("outcome", kind)}: ${lacking} of ${trials} without a score`;
    const node = el("td", { class: `piece ${kindClass("outcome", kind)}`, title: says, "aria-label": says }, share < 0.01 ? "<1" : String(Math.round(100 * share)));
    node.style.setProperty("--share", `${Math.round(20 + 80 * share)}%`);
    node.classList.toggle("faint", share < 0.5);
    return node;
  };
  return el("div", { class: "bars" },
    el("p", { class: "legend" }, there.map((kind) =>
      spanOf("", el("span", { class: `sample piece ${kindClass("outcome", kind)}`, "aria-hidden": "true" }), wordsOf("outcome", kind)))),
    el("table", { class: "outcome-map" },
      el("thead", {}, el("tr", {}, el("th"), group.length.map((length) => el("th", { scope: "col" }, lengthLabel(length))))),
      el("tbody", {}, rows.map(({ panel, cells }) =>
        el("tr", {}, el("th", { scope: "row" }, strategyLabel(panel.strategy)), cells.map(cell))))));
}

// At each length how many trials there are, how many lack a score, and the commonest reason.
function lackingOf(panel, lengths) {
  const scored = index.names.outcome.indexOf("scored");
  const counts = new Map(lengths.map((length) => [length, new Array(index.names.outcome.length).fill(0)]));
  for (const trial of trialsLeft(panel)) counts.get(columns.length[trial])[columns.outcome[trial]] += 1;
  return lengths.map((length) => {
    const own = counts.get(length);
    const trials = own.reduce((a, b) => a + b, 0);
    const others = own.map((count, kind) => (kind === scored ? 0 : count));
    return { trials, lacking: trials - own[scored], kind: others.indexOf(Math.max(...others)) };
  });
}
