// What the filters leave. Run, reader, strategy, needle set and words choose the trials whose scores count;
// outcome, error type and cause choose what to look for among them: cells then show the share that has it. (A mean
// over the wrong answers alone would say nothing.)
const SOUGHT = ["outcome", "error", "cause"];
let population = null; // per trial: 1 if its score counts
let matching = null; // per trial: 1 if it is what is looked for
let tally = null;

const isSeeking = () => SOUGHT.some((key) => state.chosen[key].size);

// Per trial, whether each word is in one of its names.
function wordMask() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const mask = new Uint8Array(index.ids.length).fill(1);
  for (const word of words) {
    const holds = ["run", "reader", "strategy", "set", "case"].map((key) => [
      columns[key],
      index.names[key].map((name, place) => [name, wordsOf(key, place)].some((said) => said.toLowerCase().includes(word))),
    ]);
    holds.push([columns.case, index.questions.map((asked) => asked.toLowerCase().includes(word))]);
    for (let trial = 0; trial < mask.length; trial++) {
      if (!holds.some(([column, has]) => has[column[trial]]) && !index.ids[trial].startsWith(word)) mask[trial] = 0;
    }
  }
  return mask;
}

function lookups() {
  return FACETS.map(({ key, column, shift = 0 }) => {
    const wanted = state.chosen[key];
    const passes = new Uint8Array(index.names[key].length + shift).fill(wanted.size ? 0 : 1);
    for (const place of wanted) passes[place + shift] = 1;
    return { key, shift, values: columns[column], passes, sought: SOUGHT.includes(key) };
  });
}

function applyFilters() {
  const words = wordMask();
  const facets = lookups();
  const trials = index.ids.length;
  population = new Uint8Array(trials);
  matching = new Uint8Array(trials);
  const options = Object.fromEntries(FACETS.map(({ key }) => [key, new Uint32Array(index.names[key].length + 1)]));
  let left = 0;
  for (let trial = 0; trial < trials; trial++) {
    if (words && !words[trial]) continue;
    let failed = 0;
    let last = null;
    let counts = 1;
    for (const facet of facets) {
      if (facet.passes[facet.values[trial]]) continue;
      failed += 1;
      last = facet;
      if (!facet.sought) counts = 0;
    }
    population[trial] = counts;
    if (failed === 0) {
      matching[trial] = 1;
      left += 1;
      for (const facet of facets) options[facet.key][facet.values[trial]] += 1;
    } else if (failed === 1) {
      options[last.key][last.values[trial]] += 1;
    }
  }
  tally = { left, options, ...cellTallies() };
}

const panelOf = ({ run, reader, strategy, alike }) =>
  ((run * index.names.reader.length + reader) * index.names.strategy.length + strategy) * index.names.alike.length + alike;
const alikeOf = (trial) => index.alike[columns.set[trial]];
const panelOfTrial = (trial) => panelOf({
  run: columns.run[trial], reader: columns.reader[trial], strategy: columns.strategy[trial], alike: alikeOf(trial),
});
const slotOf = (panel, length, depth) =>
  (panel * index.names.depth.length + depth) * index.names.length.length + length;

function cellTallies() {
  const { run, reader, strategy, alike, length, depth } = index.names;
  const slots = run.length * reader.length * strategy.length * alike.length * length.length * depth.length;
  const kinds = index.names.outcome.length;
  const sums = new Float64Array(slots);
  const scored = new Uint32Array(slots);
  const trials = new Uint32Array(slots);
  const matched = new Uint32Array(slots);
  const outcomes = new Uint32Array(slots * kinds);
  for (let at = 0; at < population.length; at++) {
    if (!population[at]) continue;
    const slot = slotOf(panelOfTrial(at), columns.length[at], columns.depth[at]);
    trials[slot] += 1;
    matched[slot] += matching[at];
    outcomes[slot * kinds + columns.outcome[at]] += 1;
    if (columns.score[at]) {
      sums[slot] += columns.score[at];
      scored[slot] += 1;
    }
  }
  return { sums, scored, trials, matched, outcomes, kinds };
}

// One cell's numbers.
function cellTally(slot) {
  const { sums, scored, trials, matched, outcomes, kinds } = tally;
  return {
    n: scored[slot],
    trials: trials[slot],
    matched: matched[slot],
    mean: scored[slot] ? sums[slot] / scored[slot] : null,
    outcomes: outcomes.subarray(slot * kinds, (slot + 1) * kinds),
  };
}

const panelTally = (panel) => panelsTally([panel]);

// All cells of some panels together.
function panelsTally(ids) {
  const size = index.names.depth.length * index.names.length.length;
  const total = { sum: 0, n: 0, trials: 0, matched: 0 };
  for (const id of ids) {
    for (let slot = id * size; slot < (id + 1) * size; slot++) {
      total.sum += tally.sums[slot];
      total.n += tally.scored[slot];
      total.trials += tally.trials[slot];
      total.matched += tally.matched[slot];
    }
  }
  return { ...total, mean: total.n ? total.sum / total.n : null };
}

function outcomesLabel(outcomes) {
  const said = [];
  outcomes.forEach((count, place) => {
    if (count) said.push(`${count} ${outcomeLabel(place)}`);
  });
  return said.join(", ") || "no trial";
}
