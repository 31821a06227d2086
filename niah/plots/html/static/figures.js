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
  svgs.set(node, new TextDecoder().decode(await inflate(packedSvg)));
  node.querySelector("img.light").src = svgAddress(svgs.get(node));
  if (isDark()) showDark(node);
}

// The drawn texts, by figure: a second picture is made of them for the dark. Paper always gets the light one.
const svgs = new Map();

function svgAddress(svg) {
  const bytes = new TextEncoder().encode(svg);
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return `data:image/svg+xml;base64,${btoa(text)}`;
}

function showDark(node) {
  if (node.querySelector("img.dark")) return;
  const light = node.querySelector("img.light");
  const dark = light.cloneNode();
  dark.className = "dark";
  // What names no colour is black, and now white.
  const svg = svgs.get(node).replace(/#[0-9a-f]{6}\b/g, (colour) => index.on_dark[colour] || colour);
  dark.src = svgAddress(svg.replace("<style type=\"text/css\">", "<style type=\"text/css\">svg{fill:#ffffff}"));
  light.after(dark);
}

// Those that are unpacked already; the others follow when they are.
const followTheme = () => isDark() && [...svgs.keys()].forEach(showDark);

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
