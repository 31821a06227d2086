// What the reader of the page has chosen. It lives in the address, and only there; going back is going back.
const FACETS = [
  { key: "run", column: "run", title: "Run" },
  { key: "reader", column: "reader", title: "Reader" },
  { key: "strategy", column: "strategy", title: "Strategy" },
  { key: "set", column: "set", title: "Needle set" },
  { key: "kind", column: "kind", title: "Kind", shift: 1 },
  { key: "source", column: "source", title: "Source", shift: 1 },
  { key: "document", column: "document", title: "Document", shift: 1 },
  { key: "outcome", column: "outcome", title: "Outcome" },
  { key: "error", column: "error", title: "Error type", shift: 1 },
  { key: "cause", column: "cause", title: "Cause", shift: 1 },
];
const CELL = ["run", "reader", "strategy", "length", "depth"];
let state = null;

function readState() {
  const said = new URLSearchParams(location.hash.slice(1));
  const chosen = {};
  for (const { key } of FACETS) {
    const places = said.getAll(key).map((name) => index.names[key].indexOf(name)).filter((place) => place >= 0);
    chosen[key] = new Set(places);
  }
  const cell = cellIn(said.getAll("cell"));
  const trial = trialIn(said.get("trial"), cell);
  return { chosen, query: said.get("q") || "", cell: cell || (trial >= 0 ? cellOf(trial) : null), trial };
}

// A cell may say last of which needle sets it is, where these stand in maps of their own; one that does not is of all.
function cellIn(names) {
  const places = CELL.map((key, at) => index.names[key].findIndex((name) => String(name) === names[at]));
  if (!places.every((place) => place >= 0)) return null;
  const alike = names.length > CELL.length ? index.names.alike.indexOf(names[CELL.length]) : -1;
  return { ...Object.fromEntries(CELL.map((key, at) => [key, places[at]])), alike };
}

// Two nights may have the same trial: the cell says whose is meant.
const trialIn = (id, cell) =>
  index.ids.findIndex((known, trial) => known === id && (!cell || sameCell(cell, cellOf(trial))));

const cellOf = (trial) => ({ ...Object.fromEntries(CELL.map((key) => [key, columns[key][trial]])), alike: alikeOf(trial) });
const sameSets = (one, other) => one.alike === other.alike || one.alike < 0 || other.alike < 0;
const sameCell = (one, other) => CELL.every((key) => one[key] === other[key]) && sameSets(one, other);

function addressOf(wanted) {
  const said = new URLSearchParams();
  for (const { key } of FACETS) for (const place of wanted.chosen[key]) said.append(key, index.names[key][place]);
  if (wanted.query) said.set("q", wanted.query);
  if (wanted.cell) {
    for (const key of CELL) said.append("cell", index.names[key][wanted.cell[key]]);
    if (index.names.alike.length > 1 && wanted.cell.alike >= 0) said.append("cell", index.names.alike[wanted.cell.alike]);
  }
  if (wanted.trial >= 0) said.set("trial", index.ids[wanted.trial]);
  return "#" + said.toString();
}

// A step that Back undoes; with `quietly`, none.
function go(change, quietly = false) {
  const address = addressOf({ ...state, ...change });
  if (address === (location.hash || "#")) return;
  if (quietly) location.replace(address);
  else location.hash = address;
}

function toggled(key, place) {
  const chosen = { ...state.chosen, [key]: new Set(state.chosen[key]) };
  if (!chosen[key].delete(place)) chosen[key].add(place);
  return { chosen };
}

const noneChosen = () => Object.fromEntries(FACETS.map(({ key }) => [key, new Set()]));
const isFiltered = () => Boolean(state.query) || FACETS.some(({ key }) => state.chosen[key].size);
