// The overview's table: strategies by readers. A number leads to its heatmap.
function updateMatrix(seeking) {
  const shown = groups.filter((group) => !group.node.hidden);
  const strategies = index.names.strategy.map((_, place) => place)
    .filter((place) => shown.some((group) => group.strategy.includes(place)) && isChosen("strategy", place));
  const head = el("tr", {}, el("th", { scope: "col" }, seeking ? "share that matches" : "mean score"),
    shown.map((group) => el("th", { scope: "col" }, groupTitle(group.run, group.reader))));
  const rows = strategies.map((strategy) => el("tr", {},
    el("th", { scope: "row" }, strategyLabel(strategy)),
    shown.map((group) => matrixCell(group, strategy, seeking))));
  byId("matrix").replaceChildren(el("thead", {}, head), el("tbody", {}, rows));
}

function matrixCell(group, strategy, seeking) {
  const panel = panels.get(panelOf(group.run, group.reader, strategy));
  const total = panel && panelTally(panel.id);
  if (!total || !total.trials) return el("td", { class: "missing" });
  const share = total.matched / total.trials;
  const none = !seeking && total.mean === null;
  const says = seeking ? shareLabel(share) : none ? "–" : meanLabel(total.mean);
  const n = seeking ? total.matched : total.n;
  const whose = groupTitle(group.run, group.reader);
  const button = el("button", {
    type: "button",
    "aria-label": `${strategyLabel(strategy)}, ${whose}: ${says}, n = ${n}; to its heatmap`,
    onclick: () => {
      panel.node.scrollIntoView({ block: "center" });
      panel.cells.find(({ node }) => node.tabIndex === 0).node.focus({ preventScroll: true });
    },
  }, el("b", {}, says), el("i", {}, none ? `0 of ${counted(total.trials)}` : `n ${counted(n)}`));
  if (!none) paint(button, seeking ? shadeOf(share) : colourOf(total.mean));
  return el("td", { class: none ? "missing" : "" }, button);
}
