// All trials that the filters leave, as rows.
const ROWS_AT_ONCE = 25;
const column = (title, key, says, number = false) => ({ title, value: (trial) => columns[key][trial], says, number });
const NO_SCORE = 99; // comes after every score
const TRIAL_COLUMNS = [
  {
    title: "score",
    value: (trial) => columns.score[trial] || NO_SCORE,
    says: (trial) => scoreLabel(columns.score[trial]),
    number: true,
  },
  column("outcome", "outcome", (trial) => outcomeLabel(columns.outcome[trial])),
  column("error type", "error", (trial) => errorLabel(columns.error[trial])),
  column("cause", "cause", (trial) => causeLabel(columns.cause[trial])),
  column("reader", "reader", (trial) => nameOf("reader", trial)),
  column("strategy", "strategy", (trial) => strategyLabel(columns.strategy[trial])),
  { title: "question", value: questionPlace, says: (trial) => questionOf(trial) || "–", long: true },
  column("needle set", "set", (trial) => nameOf("set", trial)),
  column("length", "length", (trial) => lengthLabel(columns.length[trial]), true),
  column("depth", "depth", (trial) => depthLabel(columns.depth[trial]), true),
  column("seed", "seed", (trial) => (columns.seed[trial] < 0 ? "–" : columns.seed[trial]), true),
];
const questionOf = (trial) => index.questions[columns.case[trial]] || "";
let questionPlaces = null; // of each case, where its question stands by name
const trialOrder = { by: 0, down: false, rows: ROWS_AT_ONCE };

function buildTrials() {
  // Given documents have neither depth nor seed, needles no questions; where no trial has one, there is no column of dashes.
  const known = {
    depth: hasDepth(), cause: index.names.cause.length > 0, seed: columns.seed.some((seed) => seed >= 0),
    question: index.questions.length > 0,
  };
  TRIAL_COLUMNS.splice(0, Infinity, ...TRIAL_COLUMNS.filter(({ title }) => known[title] !== false));
  TRIAL_COLUMNS.find(({ title }) => title === "needle set").title = index.titles.set.toLowerCase();
  byId("trials-more").addEventListener("click", () => {
    trialOrder.rows += 4 * ROWS_AT_ONCE;
    updateTrials();
  });
  byId("trials-csv").addEventListener("click", saveTrials);
}

function questionPlace(trial) {
  if (!questionPlaces) {
    const named = [...index.questions.keys()].sort((a, b) =>
      index.questions[a].localeCompare(index.questions[b], "en", { numeric: true }));
    questionPlaces = new Map(named.map((of, place) => [of, place]));
  }
  return questionPlaces.get(columns.case[trial]);
}

function matchingTrials() {
  const { value } = TRIAL_COLUMNS[trialOrder.by];
  const byValue = new Map();
  for (let trial = 0; trial < matching.length; trial++) {
    if (!matching[trial]) continue;
    const found = value(trial);
    if (byValue.has(found)) byValue.get(found).push(trial);
    else byValue.set(found, [trial]);
  }
  const sign = trialOrder.down ? -1 : 1;
  return [...byValue.keys()].sort((a, b) => sign * (a - b)).flatMap((found) => byValue.get(found));
}

function updateTrials() {
  const left = matchingTrials();
  const rows = left.slice(0, trialOrder.rows).map(trialRow);
  const head = el("tr", {}, TRIAL_COLUMNS.map(trialHeader));
  byId("trial-rows").replaceChildren(el("thead", {}, head), el("tbody", {}, rows));
  const more = byId("trials-more");
  more.hidden = left.length <= trialOrder.rows;
  more.textContent = `Show more of ${counted(left.length)}`;
}

function trialHeader({ title, number }, place) {
  const active = trialOrder.by === place;
  return sortHeader(title, number, active, trialOrder.down, () => {
    trialOrder.down = active && !trialOrder.down;
    trialOrder.by = place;
    updateTrials();
    byId("trial-rows").querySelectorAll("th button")[place].focus();
  });
}

function trialRow(trial) {
  const [score, ...others] = TRIAL_COLUMNS;
  return el("tr", { class: "opens", onclick: () => showTrial(trial) },
    figureCell(scoreButton(trial, String(score.says(trial)))),
    others.map(({ says, number, long }) =>
      el("td", { class: number ? "figure" : long ? "long" : "", dir: long ? "auto" : null }, String(says(trial)))));
}

function scoreButton(trial, says) {
  const label = `Open trial ${index.ids[trial]}, score ${says}`;
  const button = el("button", { type: "button", class: "badge", "aria-label": label }, says);
  if (columns.score[trial]) paint(button, colourOf(columns.score[trial]));
  return button;
}

const showTrial = (trial) => go({ cell: cellOf(trial), trial });

function sortHeader(title, number, active, down, sort) {
  const order = active ? (down ? "descending" : "ascending") : null;
  const arrow = el("span", { "aria-hidden": "true" }, active ? (down ? " ↓" : " ↑") : "");
  return el("th", { scope: "col", class: number ? "figure" : "", "aria-sort": order },
    el("button", { type: "button", onclick: sort }, title, arrow));
}

function saveTrials() {
  const names = [
    "trial_id", "case_id", "run", "reader", "strategy", "needle_set", "context_length", "depth", "seed", "repeat",
    "outcome", "score", "error_type", "cause", ...(index.questions.length ? ["question"] : []),
  ];
  const rows = matchingTrials().map((trial) => [
    index.ids[trial],
    ...["case", "run", "reader", "strategy", "set", "length", "depth"].map((key) => nameOf(key, trial)),
    columns.seed[trial] < 0 ? null : columns.seed[trial],
    columns.repeat[trial],
    nameOf("outcome", trial),
    columns.score[trial] || null,
    columns.error[trial] ? index.names.error[columns.error[trial] - 1] : null,
    causeLabel(columns.cause[trial]) || null,
    ...(index.questions.length ? [questionOf(trial) || null] : []),
  ]);
  save("trials.csv", csvOf(names, rows));
}
