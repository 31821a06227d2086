"use strict";
// Every number stands in the page already; this only shows it. Text is set as text, never parsed.
(() => {
  const charts = [...document.querySelectorAll(".chart")];
  const shown = new Map();

  function show(hit) {
    const chart = hit.closest(".chart");
    for (const other of chart.querySelectorAll(".on")) other.classList.remove("on");
    hit.classList.add("on");
    chart.querySelector(".says").textContent = hit.getAttribute("aria-label");
  }

  function go(hit) {
    if (!hit) return;
    for (const other of hit.closest(".chart").querySelectorAll('.hit[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    hit.setAttribute("tabindex", "0");
    hit.focus();
  }

  const hitsOf = (chart) => [...chart.querySelectorAll(".hit")];
  const leftOf = (hit) => Number(hit.dataset.x);

  // The hit of another chart that stands nearest in time.
  function beside(hit, step) {
    const chart = charts[charts.indexOf(hit.closest(".chart")) + step];
    if (!chart) return null;
    return hitsOf(chart).reduce((best, one) => (Math.abs(leftOf(one) - leftOf(hit)) < Math.abs(leftOf(best) - leftOf(hit)) ? one : best));
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const hits = hitsOf(event.currentTarget);
    const at = hits.indexOf(event.target);
    if (at < 0) return;
    const target = {
      ArrowLeft: () => hits[Math.max(0, at - 1)],
      ArrowRight: () => hits[Math.min(hits.length - 1, at + 1)],
      Home: () => hits[0],
      End: () => hits[hits.length - 1],
      ArrowUp: () => beside(event.target, -1),
      ArrowDown: () => beside(event.target, 1),
    }[event.key];
    if (!target) return;
    event.preventDefault();
    go(target());
  }

  for (const chart of charts) {
    for (const title of chart.querySelectorAll(".hit title")) title.remove();  // the line below says it at once
    // A finger cannot point: its first tap shows what a night was, and the next one opens it.
    chart.addEventListener("click", (event) => {
      const hit = event.target.closest(".hit");
      if (hit && event.pointerType === "touch" && hit !== shown.get(chart)) event.preventDefault();
      if (hit) shown.set(chart, hit);
    });
    for (const kind of ["pointerover", "focusin", "click"]) {
      chart.addEventListener(kind, ({ target }) => target.closest(".hit") && show(target.closest(".hit")));
    }
    chart.addEventListener("keydown", onKey);
  }

  // What is wider than the screen says so at its edge, until it is scrolled to the end.
  function hintAt(node) {
    const look = () => {
      node.classList.toggle("more-right", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
      node.classList.toggle("more-left", node.classList.contains("pan") && node.scrollLeft > 2);
    };
    node.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(node);
    look();
  }

  // Where a chart is wider than the screen, the last nights come first.
  for (const pan of document.querySelectorAll(".pan")) pan.scrollLeft = pan.scrollWidth;
  for (const node of document.querySelectorAll(".pan, .scroll")) hintAt(node);

  // Paper gets every table whole: what is closed is opened, and what is too wide is set smaller.
  const PAPER_WIDTH = 690; // of A4 between its margins, in pixels
  function readyForPaper(printing) {
    for (const node of document.querySelectorAll("details")) {
      if (printing && !node.open) node.dataset.printed = "";
      if (printing) node.open = true;
      else if ("printed" in node.dataset) {
        node.open = false;
        delete node.dataset.printed;
      }
    }
    for (const table of document.querySelectorAll(".scroll > table")) {
      table.style.setProperty("--fit", printing ? Math.min(1, PAPER_WIDTH / table.scrollWidth) : "");
    }
  }
  addEventListener("beforeprint", () => readyForPaper(true));
  addEventListener("afterprint", () => readyForPaper(false));

  const button = document.getElementById("theme");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => button.setAttribute("aria-pressed", String(isDark()));
  function toggle() {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  }
  button.hidden = false;
  button.addEventListener("click", toggle);
  document.addEventListener("keydown", (event) => {
    if (event.key === "t" && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
  });
  label();
})();
