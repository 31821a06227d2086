// The drawer: the trials of the open cell, one of them in full.
let focusDrawer = false;
let shown = { cell: null, trial: -1, filters: "" };

// Trials of a cell that the filters leave; where they leave none, all of them.
function trialsOf(cell) {
  const all = [];
  for (let trial = 0; trial < index.ids.length; trial++) {
    if (CELL.every((key) => columns[key][trial] === cell[key]) && (cell.alike < 0 || alikeOf(trial) === cell.alike)) all.push(trial);
  }
  const left = all.filter((trial) => matching[trial]);
  return { all, left: left.length ? left : all, matched: left.length };
}

const currentTrial = (left) => (state.trial >= 0 ? state.trial : left[0] ?? -1);

// Whether a cell would be hidden by a drawer on the right, and not by one on the left.
function isUnder(node, drawer) {
  const { left, right } = node.getBoundingClientRect();
  const width = drawer.offsetWidth;
  return right > innerWidth - width && left >= width;
}

async function updateDrawer() {
  const drawer = byId("drawer");
  const opening = drawer.hidden && state.cell;
  drawer.hidden = !state.cell;
  document.body.classList.toggle("with-drawer", Boolean(state.cell));
  const node = markOpenCell();
  if (opening && node) {
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    drawer.classList.toggle("left", isUnder(node, drawer));
  }
  if (!state.cell) {
    shown = { cell: null, trial: -1, filters: "" };
    byId("drawer-inside").replaceChildren();
    return;
  }
  const { all, left, matched } = trialsOf(state.cell);
  const trial = currentTrial(left);
  const { strategy, length, depth } = state.cell;
  byId("drawer-title").textContent =
    `${strategyLabel(strategy)} · ${lengthLabel(length)}` +
    (index.names.depth[depth] === null ? "" : ` · ${depthLabel(depth)}`);
  if (focusDrawer) byId("drawer-title").focus({ preventScroll: true });
  focusDrawer = false;
  await fillDrawer(all, left, matched, trial);
}

async function fillDrawer(all, left, matched, trial) {
  const inside = byId("drawer-inside");
  const reader = groupTitle(state.cell.run, state.cell.reader);
  const filtered = matched < all.length;
  const count = plural(all.length, "trial");
  const says = filtered ? `${matched || "none"} of ${count} match the filters` : count;
  const list = el("ol", { class: "list", "aria-label": "Trials of this cell" },
    left.map((one) => el("li", {}, trialButton(one, one === trial))));
  const detail = el("div", { class: "detail" });
  const wanted = { cell: state.cell, trial };
  shown = wanted;
  const told = trial >= 0 ? await detailsOf(trial) : null;
  if (shown !== wanted) return; // something else was opened meanwhile
  if (told) detail.append(stepper(left, trial), trialNode(trial, told));
  else detail.append(el("p", { class: "quiet" }, "No trial was planned for this cell."));
  const status = el("p", { class: "quiet", role: "status" }, `${reader} · ${says}`);
  inside.replaceChildren(status, left.length > 1 ? list : "", detail);
  inside.scrollTop = 0;
  const pressed = list.querySelector("[aria-current]");
  if (pressed) list.scrollTop = pressed.offsetTop - list.offsetTop - 40;
  byId("drawer").dataset.trial = trial >= 0 ? index.ids[trial] : "";
}

function trialButton(trial, current) {
  const score = columns.score[trial];
  const badge = spanOf("badge", scoreLabel(score));
  if (score) paint(badge, colourOf(score));
  const what = score ? errorLabel(columns.error[trial]) : outcomeLabel(columns.outcome[trial]);
  const seed = columns.seed[trial] < 0 ? nameOf("case", trial) : `s${columns.seed[trial]}`;
  const which = `${seed}${columns.repeat[trial] ? ` r${columns.repeat[trial]}` : ""}`;
  return el("button", { type: "button", "aria-current": current ? "true" : null, onclick: () => go({ trial }) },
    badge, spanOf("name", nameOf("set", trial)), spanOf("quiet", `${which} · ${what}`));
}

function stepper(left, trial) {
  if (left.length < 2) return "";
  const at = left.indexOf(trial);
  const step = (by, says, key) => el("button", {
    type: "button", "aria-keyshortcuts": key, disabled: left[at + by] === undefined, onclick: () => stepTrial(by),
  }, says);
  const where = at >= 0 ? `${at + 1} of ${left.length}` : "";
  return el("div", { class: "stepper" }, step(-1, "‹ Previous", "k"), spanOf("quiet", where), step(1, "Next ›", "j"));
}

function stepTrial(by) {
  if (!state.cell) return;
  const { left } = trialsOf(state.cell);
  const next = left[left.indexOf(currentTrial(left)) + by];
  if (next !== undefined) go({ trial: next }, true);
}

function closeDrawer() {
  const node = state.cell && cellNode(state.cell);
  go({ cell: null, trial: -1 });
  if (node) node.focus({ preventScroll: true });
}
