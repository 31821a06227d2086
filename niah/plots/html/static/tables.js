// Tables: sorted by their columns' names, long ones cut until they are asked for.
const TABLE_ROWS = 12;
const LONG_TEXT = 36;
const wholeTables = []; // of each table, a function that draws it whole, for paper, or as it was

function buildTables() {
  for (const node of document.querySelectorAll(".tabled")) {
    const table = index.tables[Number(node.dataset.place)];
    node.querySelector(".csv").addEventListener("click", () => saveTable(table));
    node.querySelector(".under").append(tableNode(table));
  }
}

const saveTable = (table) => save(`${fileStem(table.name)}.csv`, csvOf(table.columns, table.rows));

function tableNode(table) {
  const view = { by: -1, down: false, all: false };
  const node = el("div");
  const words = new Map(table.rows.map((row, place) => [row, table.words[place] ?? {}]));
  const kinds = table.columns.map((_, at) => kindOf(table.rows.map((row) => row[at])));
  const sortBy = (at) => {
    view.down = view.by === at ? !view.down : kinds[at].number;
    view.by = at;
    draw();
    node.querySelectorAll("th button")[at].focus();
  };
  const draw = () => {
    const rows = sortedRows(table.rows, view);
    const head = table.heads.map((name, at) =>
      sortHeader(name, kinds[at].number, view.by === at, view.down, () => sortBy(at)));
    const body = (view.all ? rows : rows.slice(0, TABLE_ROWS)).map((row) =>
      el("tr", {}, row.map((value, at) => valueCell(words.get(row)[at] ?? wordsIn(table.columns[at], value), kinds[at]))));
    const shownTable = el("table", { class: "rows" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body));
    node.replaceChildren(el("div", { class: "scroll" }, shownTable), rows.length > TABLE_ROWS ? moreButton() : "");
  };
  const moreButton = () => {
    const says = view.all ? "Show fewer" : `Show all ${counted(table.rows.length)} rows`;
    const turn = () => {
      view.all = !view.all;
      draw();
    };
    return el("button", { type: "button", class: "more", onclick: turn }, says);
  };
  draw();
  wholeTables.push((whole) => {
    const { all } = view;
    view.all = all || whole;
    draw();
    view.all = all;
  });
  return node;
}

function kindOf(values) {
  const numbers = values.filter((value) => typeof value === "number");
  return { number: numbers.length > 0, whole: numbers.every(Number.isInteger) };
}

// Full context by its name, bands of lengths with a dash.
function wordsIn(column, value) {
  if (["length", "band"].includes(column) && typeof value === "string") return value.replace(/(\d)-(\d+k)$/, "$1–$2");
  const place = column === "strategy" ? index.names.strategy.indexOf(value) : -1;
  return place < 0 ? value : strategyLabel(place);
}

function valueCell(value, { number, whole }) {
  const exact = typeof value === "number" && !whole ? String(value) : null;
  return el("td", { class: number ? "figure" : isLong(value) ? "long" : "", title: exact }, valueLabel(value, whole));
}

const isLong = (value) => typeof value === "string" && value.length > LONG_TEXT;

// What is not known comes last, whichever way.
function sortedRows(rows, { by, down }) {
  if (by < 0) return rows;
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === null || y === null) return (x === null) - (y === null);
    return sign * (typeof x === "number" && typeof y === "number" ? x - y : inOrder(String(x), String(y)));
  });
}

const inOrder = (x, y) => x.localeCompare(y, "en", { numeric: true });
