// One trial, in full.
function trialNode(trial, { trial: told, view, key }) {
  const verdict = told.verdicts[0] || null;
  return el("article", { class: "trial", "data-trial": index.ids[trial] },
    trialHead(trial),
    told.reason ? paragraph("reason", told.reason) : null,
    causeNode(trial),
    twinsNode(trial),
    labelled("Question", el("p", { class: "said", dir: "auto" }, key.question), optionList(key)),
    answerNode(told, verdict, key),
    verdict ? chips(verdict) : null,
    referenceNode(key),
    told.verdicts.length ? labelled("Judges", verdictTable(told.verdicts), unsureNotes(told.verdicts)) : null,
    view.given ? labelled("Document", factsList(view.given)) : null,
    view.needles.length || view.distractors.length ? positions(told, view, verdict) : null,
    view.missing ? paragraph("note", `The context's source is missing: ${view.missing}`) : passages(told, view),
    labelled("Numbers", numbersList(trial, told)),
  );
}

const labelled = (title, ...nodes) => el("section", { class: "part" }, el("h4", {}, title), ...nodes);

function trialHead(trial) {
  const score = columns.score[trial];
  const badge = spanOf("badge", score ? scoreLabel(score) : "no score");
  if (score) paint(badge, colourOf(score));
  const what = score ? errorLabel(columns.error[trial]) || "scored" : outcomeLabel(columns.outcome[trial]);
  const seed = columns.seed[trial] < 0 ? "" : ` · seed ${columns.seed[trial]}`;
  const where = ` ${nameOf("set", trial)}${seed} · repeat ${columns.repeat[trial]}`;
  const ids = el("div", { class: "quiet ids" }, nameOf("case", trial), el("br"), `trial ${index.ids[trial]}`);
  return el("header", { class: "head" }, badge, el("div", {}, el("strong", {}, what), spanOf("quiet", where), ids));
}

// Why the answer went wrong, and what that means.
function causeNode(trial) {
  const cause = causeLabel(columns.cause[trial]);
  return cause ? labelled("Cause", el("p", { class: "cause" }, el("strong", {}, cause),
    spanOf("quiet", `: ${index.meanings[cause]}`))) : null;
}

// The same case, asked in the same way but for the strategy.
function twinsNode(trial) {
  const same = ["run", "reader", "case", "repeat", "set"];
  const twins = [];
  for (let other = 0; other < index.ids.length; other++) {
    if (same.every((key) => columns[key][other] === columns[key][trial])) twins.push(other);
  }
  if (twins.length < 2) return null;
  twins.sort((a, b) => columns.strategy[a] - columns.strategy[b]);
  return labelled("Same case, by strategy", el("ul", { class: "twins" }, twins.map((other) => el("li", {}, twinButton(other, trial)))));
}

function twinButton(other, trial) {
  const score = columns.score[other];
  const badge = spanOf("badge", score ? scoreLabel(score) : outcomeLabel(columns.outcome[other]));
  if (score) paint(badge, colourOf(score));
  return el("button", {
    type: "button", "aria-current": other === trial ? "true" : null, onclick: () => showTrial(other),
  }, spanOf("name", strategyLabel(columns.strategy[other])), badge);
}

function answerNode(told, verdict, key) {
  if (!told.length) return labelled("Answer", paragraph("quiet", "none"));
  const marked = markedText(told.answer, verdict ? markSpans(told.answer, verdict, key) : []);
  const shown = counted(told.answer.length);
  const cut = `The first ${shown} of ${counted(told.length)} characters; niah export gives all.`;
  return labelled("Answer",
    el("pre", { class: "answer", dir: "auto", tabindex: 0, "aria-label": "Answer" }, marked),
    told.length > told.answer.length ? paragraph("note", cut) : null);
}

// A multiple-choice question's, the right one marked in words.
const optionList = ({ options, option }) => (options.length
  ? el("ol", { class: "options", dir: "auto" }, options.map((text, at) => el("li", {}, text,
    at === option ? spanOf("quiet", " ✓ right") : null)))
  : null);

const referenceNode = ({ references }) => (references.length
  ? el("details", { class: "reference" },
    el("summary", {}, references.length > 1 ? "Reference answers" : "Reference answer"),
    references.map((text) => el("p", { class: "said", dir: "auto" }, text)))
  : null);

const factsList = (rows) =>
  el("dl", { class: "numbers" }, rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));

// In words and signs, not in colour alone.
const SIGNS = { found: "✓", missing: "○", wrong: "✗" };

function chips(verdict) {
  const chip = (kind, name) =>
    el("li", { class: kind }, el("span", { "aria-hidden": "true" }, `${SIGNS[kind]} `), spanOf("kind", `${kind} `), name);
  const all = Object.keys(SIGNS).flatMap((kind) => verdict[kind].map((name) => chip(kind, name)));
  if (verdict.doubt) all.push(el("li", { class: "doubt" }, "? self-doubt"));
  return all.length ? el("ul", { class: "chips", "aria-label": "Elements" }, all) : null;
}

function verdictTable(verdicts) {
  const heads = [["judge"], ["score", true], ["found", true], ["missing", true], ["wrong", true], ["reason"]];
  return tableOf("small", heads, verdicts.map((verdict) => el("tr", {},
    el("th", { scope: "row" }, verdict.judge, spanOf("quiet", ` v${verdict.version}`)),
    figureCell(scoreLabel(verdict.score)),
    Object.keys(SIGNS).map((kind) => figureCell(String(verdict[kind].length))),
    el("td", { dir: "auto" }, verdict.reason))));
}

// What rules could not decide, and the scores of its readings.
const unsureNotes = (verdicts) => verdicts.filter((verdict) => verdict.unsure).map(({ judge, unsure }) =>
  paragraph("note unsure", `${judge} is unsure: ${unsure.reason} `
    + `(${scoreLabel(unsure.lowest)} to ${scoreLabel(unsure.highest)}).`));

// The context as a strip: needles, distractors, and below them what was retrieved.
function positions(told, view, verdict) {
  const ends = el("div", { class: "ends" },
    spanOf("", "start"), spanOf("", `${counted(view.tokens)} tokens`), spanOf("", "question"));
  return labelled("Needles in the context", ends, stripNode(told, view, verdict), stripLegend(told, view),
    needleTable(told, view, verdict));
}

function stripNode(told, view, verdict) {
  const place = (kind, title, left, width) => {
    const node = el("span", { class: kind, title });
    node.style.left = `${left}%`;
    node.style.width = `${width}%`;
    return node;
  };
  const size = textSize(view);
  const across = ([start, end]) => (100 * (end - start)) / size;
  const label = "Context from start to end; the table below says the same";
  return el("div", { class: "strip", role: "img", "aria-label": label },
    (told.chunks || []).map(([rank, at]) => place(
      "chunk", `retrieved, rank ${rank}`, percent(view.chunks[at][0], view), across(view.chunks[at]))),
    view.distractors.map((one) => place(
      "distractor", `distractor ${one.id}`, percentOf(one, view), across(one.at))),
    view.needles.map((one) => place(
      `needle ${needleState(one, verdict)}`, `needle ${one.id}`, percentOf(one, view), across(one.at))));
}

function stripLegend(told, view) {
  const sample = (kind, says) => spanOf("", el("span", { class: `sample ${kind}`, "aria-hidden": "true" }), says);
  return paragraph("legend",
    sample("needle found", "needle"),
    sample("needle lost", "needle not found in the answer"),
    view.distractors.length ? sample("distractor", "distractor") : null,
    told.chunks ? sample("chunk", "retrieved") : null);
}

function needleState(needle, verdict) {
  if (!verdict || !needle.elements.length) return "plain";
  return needle.elements.every((name) => verdict.found.includes(name)) ? "found" : "lost";
}

function needleTable(told, view, verdict) {
  const ranked = Boolean(told.ranks) && told.ranks.length === view.needles.length;
  const heads = [[""], ["at", true], ["token", true], ["elements"], ...(ranked ? [["rank", true]] : [])];
  const row = (kind, name, one, says, rank) => el("tr", { class: kind },
    el("th", { scope: "row" }, name),
    figureCell(`${percentOf(one, view).toFixed(1)} %`),
    figureCell(counted(one.token)),
    el("td", {}, says),
    ranked ? figureCell(rank) : null);
  const needles = view.needles.map((one, at) => row("", `needle ${one.id}`, one,
    one.elements.map((name) => name + elementSign(name, verdict)).join(", "),
    ranked && (told.ranks[at] === null ? "not whole" : String(told.ranks[at]))));
  const distractors = view.distractors.map((one) => row("quiet", `distractor ${one.id}`, one, one.hardness, ""));
  return tableOf("small", heads, [...needles, ...distractors]);
}

// How long the text is, in characters; about, where it is missing.
const textSize = (view) =>
  view.chars || Math.max(4 * view.tokens, ...[...view.needles, ...view.distractors].map(({ at }) => at[1]));
const percent = (at, view) => (100 * at) / textSize(view);
// Where a needle begins: by characters, or by tokens where the text is missing.
const percentOf = ({ at, token }, view) => (view.chars ? percent(at[0], view) : (100 * token) / view.tokens);

function elementSign(name, verdict) {
  const kind = ["found", "missing"].find((one) => verdict && verdict[one].includes(name));
  return kind ? ` ${SIGNS[kind]} ${kind}` : "";
}

function passages(told, view) {
  if (told.chunks && told.chunks.length) return chunkList(told, view);
  const why = "Which chunks were retrieved is not in the run file.";
  const title = view.needles.length ? "Around the needles" : "Beginning of the context";
  return labelled(title, told.retrieved === null ? null : paragraph("note", why),
    el("p", { class: "passage", dir: "auto" }, partNodes(view.around)));
}

function chunkList(told, view) {
  const items = told.chunks.map(([rank, at]) => {
    const [start, end, parts] = view.chunks[at];
    const holds = parts.some(([kind]) => kind === "needle");
    const where = `rank ${rank} · ${percent(start, view).toFixed(1)} % to ${percent(end, view).toFixed(1)} %${holds ? " · holds a needle" : ""}`;
    return el("li", { class: holds ? "holds" : "" },
      paragraph("quiet", where), el("p", { class: "passage", dir: "auto" }, partNodes(parts)));
  });
  const left = told.retrieved - told.chunks.length;
  return labelled("Retrieved, best first", el("ol", { class: "chunks" }, items),
    left > 0 ? paragraph("quiet", `${plural(left, "further chunk")} of ${counted(told.retrieved)}, not shown`) : null);
}

function numbersList(trial, told) {
  const tokens = (count) => (count === null ? "unknown" : `${counted(count)} tokens`);
  const rows = [
    ["prompt", tokens(told.prompt) + (told.cached === null ? "" : `, ${counted(told.cached)} cached`)],
    ["answer", tokens(told.completion) + (told.thinking ? `, ${counted(told.thinking)} of them thoughts` : "")],
    ["context", tokens(told.context)],
    ["cost", costLabel(told.cost) + (told.reused ? `, not paid: of an earlier run (${told.reused})` : told.unpaid ? ", not paid: asked once" : "")],
    ["latency", secondsLabel(told.latency)],
    ["outcome", outcomeLabel(columns.outcome[trial])],
  ];
  if (told.completeness !== null) rows.push(["completeness", shareLabel(told.completeness)]);
  if (told.noise !== null) rows.push(["noise ratio", shareLabel(told.noise)]);
  return el("dl", { class: "numbers" }, rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}
