// Figures are unpacked when they come near, and all of them when the page has nothing else to do.
function buildFigures() {
  const near = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) showFigure(target);
  }, { rootMargin: "800px" });
  for (const node of document.querySelectorAll(".drawn")) {
    near.observe(node);
    const table = index.figures[Number(node.dataset.place)];
    node.querySelector(".csv").addEventListener("click", () => saveTable(table));
    node.querySelector(".enlarge").addEventListener("click", ({ currentTarget }) => {
      currentTarget.setAttribute("aria-pressed", String(node.classList.toggle("large")));
      node.scrollIntoView({ block: "nearest" });
    });
    node.querySelector(".numbers").addEventListener("click", (event) => toggleNumbers(node, table, event.currentTarget));
  }
}

async function showFigure(node) {
  const source = node.querySelector("script");
  if (!source) return;
  const packedSvg = source.textContent;
  source.remove();
  const svg = new Uint8Array(await inflate(packedSvg));
  let text = "";
  for (let at = 0; at < svg.length; at += 32768) text += String.fromCharCode(...svg.subarray(at, at + 32768));
  node.querySelector("img").src = `data:image/svg+xml;base64,${btoa(text)}`;
}

// One after the other, each in a quiet moment: a click comes first.
async function showFigures() {
  const quiet = () => new Promise((go) => (window.requestIdleCallback || setTimeout)(go));
  for (const node of document.querySelectorAll(".drawn")) {
    await quiet();
    await showFigure(node);
  }
}

function toggleNumbers(node, table, button) {
  const under = node.querySelector(".under");
  if (!under.firstChild) under.append(tableNode(table));
  under.hidden = !under.hidden;
  button.setAttribute("aria-expanded", String(!under.hidden));
}
