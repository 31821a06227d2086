// How a heatmap is clicked through, with the mouse and with keys.
function clickCell(event) {
  const node = event.target.closest(".cell");
  if (node) openCell(node, false);
}

function openCell(node, byKey) {
  roveTo(node);
  node.focus({ preventScroll: true });
  focusDrawer = byKey;
  const cell = cellPlaces(node.cell);
  if (state.cell && sameCell(state.cell, cell) && byKey) byId("drawer-title").focus();
  go({ cell, trial: -1 });
}

const cellPlaces = (cell) => Object.fromEntries([...CELL, "alike"].map((key) => [key, cell[key]]));

// One cell of each grid is in the tab order; arrows move which.
function roveTo(node) {
  const panel = panels.get(panelOf(node.cell));
  for (const { node: other } of panel.cells) other.tabIndex = other === node ? 0 : -1;
}

function keyOnCell(event) {
  const node = event.target.closest(".cell");
  if (!node || event.altKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    openCell(node, true);
    return;
  }
  const panel = panels.get(panelOf(node.cell));
  const at = panel.cells.indexOf(node.cell);
  const to = nextCell(event, at, panel.columns, panel.cells.length);
  if (to === null) return;
  event.preventDefault();
  panel.cells[to].node.focus();
}

function nextCell({ key, ctrlKey }, at, width, size) {
  const column = at % width;
  const inside = (to, fits) => (fits ? to : at);
  switch (key) {
    case "ArrowRight": return inside(at + 1, column + 1 < width);
    case "ArrowLeft": return inside(at - 1, column > 0);
    case "ArrowDown": return inside(at + width, at + width < size);
    case "ArrowUp": return inside(at - width, at >= width);
    case "Home": return ctrlKey ? 0 : at - column;
    case "End": return ctrlKey ? size - 1 : at - column + width - 1;
    default: return null;
  }
}

function markOpenCell() {
  for (const node of document.querySelectorAll(".cell.open")) {
    node.classList.remove("open");
    node.removeAttribute("aria-selected");
  }
  const found = state.cell && cellNode(state.cell);
  if (!found) return null;
  found.classList.add("open");
  found.setAttribute("aria-selected", "true");
  return found;
}

function cellNode(wanted) {
  const fitting = [...panels.values()].filter((panel) => ["run", "reader", "strategy"].every((key) => panel[key] === wanted[key]));
  for (const panel of fitting) {
    const cell = panel.cells.find((one) => sameCell(one, wanted));
    if (cell) return cell.node;
  }
  return null;
}
