// Start: read the index, build everything once, then follow the address.
function follow() {
  const before = state;
  state = readState();
  if (!before || filtersOf(before) !== filtersOf(state)) {
    applyFilters();
    trialOrder.rows = ROWS_AT_ONCE;
    updateFacets();
    updateHeatmaps();
    updateTrials();
    updateCharts();
  }
  return updateDrawer();
}

const filtersOf = ({ chosen, query }) => JSON.stringify([query, FACETS.map(({ key }) => [...chosen[key]].sort())]);

async function start() {
  setTheme(keptTheme());
  if (!("DecompressionStream" in window)) throw new Error("This browser is too old: it takes one of May 2024 or later.");
  await loadIndex();
  buildFacets();
  buildHeatmaps();
  for (const node of document.querySelectorAll("[data-score]")) paint(node, colourOf(Number(node.dataset.score)));
  buildTrials();
  buildTables();
  buildFigures();
  buildKeys();
  hintAtWidth();
  addEventListener("hashchange", follow);
  const cellsReady = follow();
  followRun();
  backToPlace();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
  await cellsReady;
  await showFigures();
  document.documentElement.dataset.complete = "";
}

start().catch((error) => {
  byId("alarm").textContent = error.message;
  byId("alarm").hidden = false;
  throw error;
});
