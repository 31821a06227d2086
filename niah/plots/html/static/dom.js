// Elements are made here and nowhere else. Text is always set as text: nothing from the data is ever parsed.
const byId = (id) => document.getElementById(id);

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const spanOf = (kind, ...children) => el("span", { class: kind }, ...children);
const paragraph = (kind, ...children) => el("p", { class: kind }, ...children);
const figureCell = (text) => el("td", { class: "figure" }, text);

// A table that scrolls by itself where it is too wide. Heads: [text, whether its column holds numbers].
function tableOf(kind, heads, rows) {
  const head = heads.map(([text, number]) => el("th", { scope: "col", class: number ? "figure" : null }, text));
  return el("div", { class: "scroll" },
    el("table", { class: kind }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
}

// What is wider than the screen says so at its edge, until it is scrolled to the end.
function hintAtWidth() {
  const look = (node) => node.classList.toggle("more-right", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  const sizes = new ResizeObserver((seen) => {
    for (const { target } of seen) look(target.closest(".scroll"));
  });
  const watch = (node) => {
    if (node.dataset.watched) return;
    node.dataset.watched = "";
    node.addEventListener("scroll", () => look(node), { passive: true });
    sizes.observe(node);
    if (node.firstElementChild) sizes.observe(node.firstElementChild);
  };
  const watchAll = () => document.querySelectorAll("main .scroll").forEach(watch);
  watchAll();
  new MutationObserver(watchAll).observe(byId("main"), { childList: true, subtree: true });
}

function save(name, text, type = "text/csv;charset=utf-8") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// A text that a spreadsheet would take for a formula gets an apostrophe.
function csvField(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && /^[=+@\t\r-]/.test(value) ? "'" + value : String(value);
  return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

const csvOf = (columns, rows) => [columns, ...rows].map((row) => row.map(csvField).join(",") + "\r\n").join("");

const fileStem = (text) => text.replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "") || "niah";
