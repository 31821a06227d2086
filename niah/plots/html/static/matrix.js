// The overview's table: strategies by readers. A number leads to its heatmap.
function updateMatrix(seeking) {
  const shown = [];
  for (const group of groups.filter(({ node }) => !node.hidden)) {
    const same = shown.find(([{ run, reader }]) => run === group.run && reader === group.reader);
    if (same) same.push(group);
    else shown.push([group]);
  }
  const strategies = index.names.strategy.map((_, place) => place)
    .filter((place) => shown.some((own) => own.some((group) => group.strategy.includes(place))) && isChosen("strategy", place));
  const head = el("tr", {}, el("th", { scope: "col" }, seeking ? "share that matches" : "mean score"),
    shown.map(([{ run, reader }]) => el("th", { scope: "col" }, groupTitle(run, reader))));
  const rows = strategies.map((strategy) => el("tr", {},
    el("th", { scope: "row" }, strategyLabel(strategy)),
    shown.map((own) => matrixCell(own, strategy, seeking))));
  byId("matrix").replaceChildren(el("thead", {}, head), el("tbody", {}, rows));
}

// Of all groups of needle sets of a reader together: each strategy is asked the same of them.
function matrixCell(own, strategy, seeking) {
  const there = own.map((group) => panels.get(panelOf({ ...group, strategy }))).filter(Boolean);
  const total = panelsTally(there.map(({ id }) => id));
  if (!total.trials) return el("td", { class: "missing" });
  const share = total.matched / total.trials;
  const none = !seeking && total.mean === null;
  const says = seeking ? shareLabel(share) : none ? "–" : meanLabel(total.mean);
  const n = seeking ? total.matched : total.n;
  const whose = groupTitle(own[0].run, own[0].reader);
  const button = el("button", {
    type: "button",
    "aria-label": `${strategyLabel(strategy)}, ${whose}: ${says}, n = ${n}; to its heatmap`,
    onclick: () => {
      const panel = there.find(({ node }) => !node.hidden) || there[0];
      panel.node.scrollIntoView({ block: "center" });
      panel.cells.find(({ node }) => node.tabIndex === 0).node.focus({ preventScroll: true });
    },
  }, el("b", {}, says), el("i", {}, none ? `0 of ${counted(total.trials)}` : `n ${counted(n)}`));
  if (!none) paint(button, seeking ? shadeOf(share) : colourOf(total.mean));
  return el("td", { class: none ? "missing" : "" }, button);
}
