// A page that niah view serves asks whether there is something newer, and loads it where nobody reads a trial or types.
const POLL_MS = 2000;
const PLACE = "niah-scroll";

function followRun() {
  const { version } = document.body.dataset;
  if (!version) return;
  const live = document.getElementById("live");
  live.textContent = "up to date";
  const address = `${location.pathname}${location.search ? `${location.search}&` : "?"}version=`;
  const ask = async () => {
    try {
      const reply = await fetch(address, { cache: "no-store" });
      if (reply.ok && (await reply.text()) !== version) return renew(live);
      live.textContent = "up to date";
    } catch {
      live.textContent = "niah view has ended: this is how it stood last";
    }
    return setTimeout(ask, POLL_MS);
  };
  setTimeout(ask, POLL_MS);
}

function renew(live) {
  const drawer = document.getElementById("drawer");
  const inUse = (drawer && !drawer.hidden) || document.activeElement?.matches("input")
    || document.querySelector(".facet[open], .runs :checked");
  if (!inUse) {
    try { sessionStorage.setItem(PLACE, String(scrollY)); } catch { /* it starts at the top */ }
    return location.reload();
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "There is something newer: load it";
  button.addEventListener("click", () => location.reload());
  return live.replaceChildren(button);
}

// Where the page stood before it was renewed.
function backToPlace() {
  try {
    const place = sessionStorage.getItem(PLACE);
    sessionStorage.removeItem(PLACE);
    if (place !== null) scrollTo(0, Number(place));
  } catch { /* it starts at the top */ }
}
