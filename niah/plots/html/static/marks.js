// Where an answer names elements: an aid to the eye. Names and aliases, whole words, any case; the longest wins.
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const flexible = (name) => name.trim().split(/[\s\-_‐-―]+/).filter(Boolean).map(escaped).join("[\\s\\-_‐-―]*");

// [{name, kind, pattern}] of what the verdict found and what it called wrong.
function soughtNames(verdict, key) {
  const known = (list, name) => (list.find((element) => element.name === name) || { names: [name] }).names;
  const wanted = [];
  for (const name of verdict.found) wanted.push({ kind: "found", name, names: known(key ? key.right : [], name) });
  for (const said of verdict.wrong) {
    const bare = said.replace(/ \([^()]*\)$/, ""); // "17685 (willow gate)": a right value for the wrong key
    const names = [said, ...known(key ? key.wrong : [], said), bare, ...known(key ? key.right : [], bare)];
    wanted.push({ kind: "wrong", name: said, names });
  }
  return wanted;
}

// [{start, end, kind, name}] that do not overlap, in reading order; wrong wins over found.
function markSpans(text, verdict, key) {
  const spans = [];
  for (const { kind, name, names } of soughtNames(verdict, key)) {
    const patterns = [...new Set(names.map(flexible))].filter(Boolean);
    if (!patterns.length) continue;
    const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})(?:e?s)?(?![\\p{L}\\p{N}])`, "giu");
    for (const match of text.matchAll(any)) {
      spans.push({ start: match.index, end: match.index + match[0].length, kind, name });
    }
  }
  spans.sort((a, b) => a.start - b.start || b.end - a.end || (a.kind === "wrong" ? -1 : 1));
  return spans.filter(((end) => (span) => span.start >= end && ((end = span.end), true))(0));
}

function markedText(text, spans) {
  const nodes = [];
  let at = 0;
  for (const { start, end, kind, name } of spans) {
    if (start > at) nodes.push(text.slice(at, start));
    nodes.push(el("mark", { class: kind, title: `${kind}: ${name}` }, text.slice(start, end)));
    at = end;
  }
  nodes.push(text.slice(at));
  return nodes;
}

// Parts of a context: plain text, needles, distractors, gaps.
function partNodes(parts) {
  return parts.map(([kind, text, id]) => {
    if (kind === "gap") return el("span", { class: "gap" }, ` … ${counted(text)} characters … `);
    if (kind === "plain") return text;
    return el("mark", { class: kind, title: `${kind} ${id}` }, el("span", { class: "sr" }, `${kind}: `), text);
  });
}
