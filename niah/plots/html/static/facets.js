// The filter bar.
const facetNodes = new Map();

function buildFacets() {
  for (const facet of FACETS) {
    const present = presentIn(facet);
    if (present.length < 2) continue;
    byId("facets").append(facetNode(facet, present));
  }
  byId("query").addEventListener("input", () => go({ query: byId("query").value.trim() }, true));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => go({ chosen: noneChosen(), query: "" }));
  document.addEventListener("click", (event) => {
    for (const { node } of facetNodes.values()) if (!node.contains(event.target)) node.open = false;
  });
}

// Places of the names that any trial has.
function presentIn({ key, column, shift = 0 }) {
  const seen = new Set(columns[column]);
  return index.names[key].map((_, place) => place).filter((place) => seen.has(place + shift));
}

function facetNode({ key, title: usual, shift = 0 }, present) {
  const title = index.titles[key] || usual;
  const boxes = new Map();
  const menu = el("div", { class: "menu", role: "group", "aria-label": title });
  for (const place of present) {
    const box = el("input", { type: "checkbox", onchange: () => go(toggled(key, place)) });
    const number = el("span", { class: "number" });
    boxes.set(place, { box, number, shift });
    menu.append(el("label", {}, box, el("span", { class: "name" }, wordsOf(key, place)), number));
  }
  const summary = el("summary", {});
  const node = el("details", { class: "facet", "data-facet": key }, summary, menu);
  node.addEventListener("toggle", () => {
    if (node.open) for (const other of facetNodes.values()) if (other.node !== node) other.node.open = false;
  });
  facetNodes.set(key, { node, summary, boxes, title });
  return node;
}

function updateFacets() {
  for (const [key, { node, summary, boxes, title }] of facetNodes) {
    const chosen = [...state.chosen[key]];
    node.classList.toggle("chosen", chosen.length > 0);
    const says = chosen.length === 1 ? wordsOf(key, chosen[0]) : chosen.length ? `${chosen.length} chosen` : "all";
    summary.replaceChildren(el("span", { class: "title" }, title + " "), el("span", { class: "says" }, says));
    for (const [place, { box, number, shift }] of boxes) {
      box.checked = state.chosen[key].has(place);
      number.textContent = counted(tally.options[key][place + shift]);
    }
  }
  const query = byId("query");
  if (query.value.trim() !== state.query) query.value = state.query;
  byId("clear").hidden = !isFiltered();
  document.body.classList.toggle("filtered", isFiltered());
  const all = index.ids.length;
  byId("count").textContent = `${tally.left === all ? "" : `${counted(tally.left)} of `}${plural(all, "trial")}`;
}
