// Keys that work everywhere, the theme, and what printing needs.
function buildKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
    if (event.key === "Escape") return escape(event);
    if (isTyping(event.target)) return undefined;
    const act = KEYS[event.key];
    if (!act) return undefined;
    event.preventDefault();
    return act();
  });
  byId("help-open").addEventListener("click", openHelp);
  byId("theme").addEventListener("click", toggleTheme);
  byId("drawer-close").addEventListener("click", closeDrawer);
  for (const button of document.querySelectorAll("[data-to]")) {
    button.addEventListener("click", () => {
      const section = byId(button.dataset.to);
      section.scrollIntoView();
      section.focus({ preventScroll: true });
    });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme(null));
  window.addEventListener("beforeprint", () => readyForPaper(true));
  window.addEventListener("afterprint", () => readyForPaper(false));
}

const KEYS = {
  "/": () => byId("query").select(),
  "?": openHelp,
  j: () => stepTrial(1),
  k: () => stepTrial(-1),
  t: toggleTheme,
};
const isTyping = (node) => node.matches("input:not([type=checkbox]), textarea, select");

function openHelp() {
  byId("help").showModal();
}

// The innermost open thing closes first.
function escape(event) {
  const facet = document.querySelector(".facet[open]");
  if (facet) {
    facet.open = false;
    facet.querySelector("summary").focus();
  } else if (isTyping(event.target)) event.target.blur();
  else if (state.cell) closeDrawer();
}

// Paper gets all that can be opened, tables with every row, and no column that a scroll bar would hide.
function readyForPaper(printing) {
  openDetails(printing);
  for (const draw of wholeTables) draw(printing);
  for (const node of document.querySelectorAll(".scroll > table")) {
    node.style.setProperty("--fit", printing ? Math.min(1, PAPER_WIDTH / node.scrollWidth) : "");
  }
  for (const image of document.querySelectorAll(".drawn img.light")) {
    const [width, height] = ["width", "height"].map((name) => Number(image.getAttribute(name)));
    const isOverHalf = height * Math.min(1, PAPER_WIDTH / width) < HALF_PAPER / 0.75;
    image.style.setProperty("--tallest", printing && isOverHalf ? `${HALF_PAPER}px` : "");
  }
}
const PAPER_WIDTH = 690; // of A4 between its margins, in pixels
const HALF_PAPER = 370; // so tall are two figures of a page; what is much taller has a page of its own

function openDetails(open) {
  for (const node of document.querySelectorAll("details:not(.facet)")) {
    if (open && !node.open) node.dataset.printed = "";
    if (open) node.open = true;
    else if ("printed" in node.dataset) {
      node.open = false;
      delete node.dataset.printed;
    }
  }
}

// What was chosen is kept where the browser allows it; pages from disk may not keep anything.
function keptTheme() {
  try { return localStorage.getItem("niah-theme"); } catch { return null; }
}
function keepTheme(theme) {
  try { localStorage.setItem("niah-theme", theme); } catch { /* it holds until the page is closed */ }
}
const prefersDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : prefersDark();
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  byId("theme").setAttribute("aria-pressed", String(isDark()));
  followTheme();
}
function toggleTheme() {
  const theme = isDark() ? "light" : "dark";
  setTheme(theme);
  keepTheme(theme);
}
